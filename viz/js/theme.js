// The theme of a page. JupyterLab and VS Code declare it in attributes of the body. Other pages
// have the system's theme, and are light when printed. With forced colours (high contrast), the
// page has the reader's colours.
import { el } from "./dom.js";
import { loader } from "./loader.js";

/** The media queries whose changes affect the theme. */
export const SYSTEM = ["(prefers-color-scheme: dark)", "(forced-colors: active)"];

/** @type {Record<string, MediaQueryList | undefined>} */
const asked = {}; // cached, because making a list costs more than a drawing

/** @param {string} query */
export const media = (query) => {
  asked[query] ??= window.matchMedia?.(query);
  return !!asked[query]?.matches;
};

/** calm reports whether the reader wants no animations. */
export const calm = () => media("(prefers-reduced-motion: reduce)");

export const forced = () => !loader.paper && media("(forced-colors: active)");

/**
 * system returns the value of a CSS system colour, such as CanvasText.
 * @param {string} name
 */
export function system(name) {
  const e = el("span", `display:none;forced-color-adjust:none;color:${name}`, "", document.body);
  const shade = getComputedStyle(e).color;
  e.remove();
  return shade;
}

export function dark() {
  if (forced()) {
    const [r, g, b] = (system("Canvas").match(/\d+/g) || []).map(Number);
    return 0.3 * r + 0.59 * g + 0.11 * b < 128;
  }
  const { jpThemeLight, vscodeThemeKind } = document.body.dataset;
  if (jpThemeLight !== undefined) return jpThemeLight === "false";
  if (vscodeThemeKind) return /^vscode-(dark|high-contrast)$/.test(vscodeThemeKind);
  return !loader.paper && media("(prefers-color-scheme: dark)");
}

/** skin returns a value that identifies the theme. If it changes, charts are drawn again. */
export const skin = () => (forced() ? `forced ${system("Canvas")}${system("CanvasText")}` : dark());

/**
 * tone returns the colour of a named theme colour (@ink, @page, @faint), and other values
 * unchanged.
 * @param {unknown} name
 */
export function tone(name) {
  if (name === "@ink") return forced() ? system("CanvasText") : dark() ? "#eee" : "#222";
  if (name === "@page") return forced() ? system("Canvas") : dark() ? "#111" : "#fff";
  return name === "@faint" ? edge() : name;
}

/** ink is the colour of lines on a canvas. */
export const ink = () => String(tone("@ink"));

/** edge is the colour of frames. */
export const edge = () => (dark() ? "#555" : "#ccc");

/** box returns the style of a text box with the given text colours for light and dark themes. */
export const box = (light = "#444", pale = "#ddd") =>
  dark() ? `background:#222;color:${pale}` : `background:#fff;color:${light}`;

/**
 * watch calls changed when the notebook's theme changes. The function that it returns starts and
 * stops these calls: its argument is the width of the figure, and 0 stops them.
 * @param {() => void} changed
 */
export function watch(changed) {
  const themes = new MutationObserver(changed); // notebooks change their theme without reloading the page
  return (/** @type {number} */ width) => {
    themes.disconnect();
    if (width)
      themes.observe(document.body, {
        attributes: true,
        attributeFilter: ["data-jp-theme-light", "data-vscode-theme-kind"],
      });
  };
}

/**
 * follow calls changed when the notebook's theme, the system's theme or forced colours change. It
 * returns a function that stops the calls.
 * @param {() => void} changed
 */
export function follow(changed) {
  const themes = watch(changed);
  themes(1);
  const queries = SYSTEM.map((q) => window.matchMedia(q));
  for (const q of queries) q.addEventListener("change", changed);
  return () => {
    themes(0);
    for (const q of queries) q.removeEventListener("change", changed);
  };
}
