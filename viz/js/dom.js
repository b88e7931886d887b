// Creates elements. No element is made from HTML text, and no style can cause a request.

/**
 * styled sets the styles of an element, one property at a time. It skips values that could fetch
 * something. Colours from data never pass through it.
 * @param {HTMLElement | SVGElement} e @param {string} text
 */
export function styled(e, text) {
  for (const one of text.split(";")) {
    const at = one.indexOf(":");
    const value = one.slice(at + 1).trim();
    if (at > 0 && !/url|image|\\/i.test(value)) e.style.setProperty(one.slice(0, at).trim(), value);
  }
}

/**
 * el makes an element.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag @param {string} style @param {string} [text] @param {Element} [parent]
 */
export function el(tag, style, text, parent) {
  const e = document.createElement(tag);
  styled(e, style);
  if (text) e.textContent = text;
  if (parent) parent.appendChild(e);
  return e;
}

/**
 * over makes an element that overlays place and ignores the pointer.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {HTMLElement} place @param {T} tag @param {string} style
 */
export function over(place, tag, style) {
  return el(tag, `position:absolute;left:0;top:0;pointer-events:none;z-index:1;${style}`, "", place);
}

/**
 * voice adds an invisible element whose text screen readers announce.
 * @param {HTMLElement} figure
 */
export function voice(figure) {
  const e = el(
    "span",
    "position:absolute;left:0;top:0;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)",
    "",
    figure,
  );
  e.className = "ssdrnb-voice";
  e.role = "status";
  e.ariaLive = "polite";
  return e;
}

/**
 * svg adds an SVG element to parent.
 * @param {string} tag @param {Record<string, string | number>} attributes @param {Element} parent
 */
export function svg(tag, attributes, parent) {
  const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, String(v));
  parent.appendChild(e);
  return e;
}

/**
 * words returns an element with the given lines of text.
 * @param {unknown[]} lines
 */
export function words(lines) {
  const node = document.createElement("div");
  lines.forEach((text, k) => {
    if (k) node.appendChild(document.createElement("br"));
    node.appendChild(document.createTextNode(String(text)));
  });
  return node;
}
