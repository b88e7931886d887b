// Extracts the parts of an output's HTML that the extension uses. Everything else is ignored.

const MARKUP = 1 << 19; // length of the HTML without data and pictures; viz writes less
const TAGS = 1000;
const TALLEST = 20000;
const WIDEST = 10000;
const PNG = "data:image/png;base64,";

/** @typedef {{data: string[], pictures: string[], rest: string}} Parts */

/**
 * sized reports whether a base64 picture is a PNG that is not larger than viz's pictures. Without
 * this check, a browser would decode a picture of any size.
 * @param {string} code
 */
export function sized(code) {
  let head;
  try {
    head = atob(code.slice(0, 32));
  } catch {
    return false;
  }
  /** @param {number} at */
  const four = (at) => [0, 1, 2, 3].reduce((sum, k) => sum * 256 + head.charCodeAt(at + k), 0);
  return head.slice(1, 4) === "PNG" && four(16) <= WIDEST && four(20) <= TALLEST;
}

/**
 * parts splits HTML without parsing its long parts. It replaces the data of each figure or widget
 * by an <hr> and each picture by its number, and removes scripts.
 * @param {string} html @returns {Parts}
 */
export function parts(html) {
  /** @type {string[]} */
  const data = [];
  /** @type {string[]} */
  const pictures = [];
  let rest = "";
  let at = 0;
  while (at < html.length) {
    const script = html.indexOf("<script", at);
    const picture = html.indexOf(PNG, at);
    if (picture >= 0 && (script < 0 || picture < script)) {
      let end = html.indexOf('"', picture);
      if (end < 0) end = html.length;
      const code = html.slice(picture + PNG.length, end);
      rest += `${html.slice(at, picture)}data:,${pictures.length}`;
      pictures.push(/[^A-Za-z0-9+/=]/.test(code) || !sized(code) ? "" : PNG + code);
      at = end;
      continue;
    }
    if (script < 0) {
      rest += html.slice(at);
      break;
    }
    const open = html.indexOf(">", script);
    const close = html.indexOf("</" + "script>", open);
    rest += html.slice(at, script);
    if (open < 0 || close < 0) break;
    if (/^<script type="application\/json"/.test(html.slice(script, script + 40))) {
      rest += "<hr>";
      data.push(html.slice(open + 1, close));
    }
    at = close + 9;
  }
  if (rest.length > MARKUP || rest.split("<").length > TAGS || /<[^<>]{8000}/.test(rest)) {
    throw new Error("it has more markup than ssdrnb writes");
  }
  return { data, pictures, rest };
}

/**
 * between parses a length in pixels, clamped to [least, most]. otherwise is the default.
 * @param {string | null} text @param {number} least @param {number} most @param {number} otherwise
 */
export function between(text, least, most, otherwise) {
  const v = text !== null && /^[0-9]{1,4}(px)?$/.test(text) ? Number.parseInt(text, 10) : otherwise;
  return Math.min(Math.max(v, least), most);
}

/**
 * copy creates a new element like `from`, which contains a figure or widget, a picture, or a line
 * of text. It sets the styles that viz uses for this class of elements, and copies no others.
 * @param {HTMLElement} from @param {string[]} pictures @returns {HTMLElement}
 */
export function copy(from, pictures) {
  const to = document.createElement(from.tagName);
  if (from.tagName === "DIV") copyBox(from, to, pictures);
  else if (from.tagName === "P") copyLine(from, to);
  else copyPicture(/** @type {HTMLImageElement} */ (from), /** @type {HTMLImageElement} */ (to), pictures);
  return to;
}

/** @param {HTMLElement} from @param {HTMLElement} to @param {string[]} pictures */
function copyBox(from, to, pictures) {
  const kind = from.dataset.kind || "";
  to.className = from.classList.contains("ssdrnb-widget") ? "ssdrnb-widget" : "ssdrnb-figure";
  if (/^[a-z]{1,20}$/.test(kind)) to.dataset.kind = kind;
  if (to.className === "ssdrnb-widget") {
    to.dataset.state = "static";
    if (from.dataset.page === "yes") to.dataset.page = "yes";
  } else {
    const fixed = from.style.width.endsWith("px");
    to.style.width = fixed ? `${between(from.style.width, 200, 2000, 700)}px` : "100%";
    to.style.maxWidth = fixed ? "100%" : `${between(from.style.maxWidth, 200, 4000, 1600)}px`;
  }
  to.style.position = "relative";
  for (const c of from.children) {
    if (/^(IMG|P)$/.test(c.tagName)) to.appendChild(copy(/** @type {HTMLElement} */ (c), pictures));
  }
}

/** @param {HTMLElement} from @param {HTMLElement} to */
function copyLine(from, to) {
  for (const c of ["ssdrnb-note", "ssdrnb-static"]) {
    if (!from.classList.contains(c)) continue;
    to.className = c;
    Object.assign(to.style, { fontSize: "12px", opacity: 0.75, margin: "2px 0" });
  }
  to.textContent = from.textContent;
}

/** @param {HTMLImageElement} from @param {HTMLImageElement} to @param {string[]} pictures */
function copyPicture(from, to, pictures) {
  for (const c of ["ssdrnb-wide", "ssdrnb-narrow"]) if (from.classList.contains(c)) to.className = c;
  to.alt = from.alt;
  if (from.hasAttribute("width")) {
    to.width = between(from.getAttribute("width"), 1, 4000, 700);
    to.style.height = "auto";
    to.style[from.style.width === "100%" ? "width" : "maxWidth"] = "100%";
    if (to.className === "ssdrnb-narrow") to.style.display = "none";
  }
  const number = /^data:,([0-9]+)$/.exec(from.getAttribute("src") || "");
  if (number && pictures[Number(number[1])]) to.src = pictures[Number(number[1])];
}
