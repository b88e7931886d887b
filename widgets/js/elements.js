// Functions that create HTML elements. Text is always set as text, never as HTML.

/**
 * The text, attributes and event listeners ("on" and the name of the event) of a new element.
 * @typedef {Record<string, string | number | boolean | ((e: any) => void) | undefined> & { text?: string }} Attributes
 */

/**
 * el creates an element. Attributes that are undefined or false are left out.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes]
 * @param {(Node | null | undefined)[]} [children]
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, attributes = {}, children = []) {
  const e = document.createElement(tag);
  for (const [name, v] of Object.entries(attributes)) {
    if (name === "text") {
      e.textContent = String(v);
    } else if (typeof v === "function") {
      e.addEventListener(name.slice(2), v);
    } else if (v !== undefined && v !== false) {
      e.setAttribute(name, String(v));
    }
  }
  for (const child of children) {
    if (child) {
      e.appendChild(child);
    }
  }
  return e;
}

/**
 * button creates a button.
 * @param {string} text
 * @param {string} title
 * @param {() => void} f
 * @param {string} [color] colour of a swatch before the text
 * @param {string} [symbol] symbol of the swatch
 */
export function button(text, title, f, color, symbol) {
  const b = el("button", { type: "button", text, title, onclick: f });
  if (color) {
    b.prepend(swatch(color, symbol));
  }
  return b;
}

/**
 * swatch creates an element that shows the colour and the symbol of a class.
 * @param {string} color
 * @param {string} [symbol] undefined if all classes have the same symbol
 */
export function swatch(color, symbol) {
  const e = el("i", { class: "ssdrnb-swatch", "data-symbol": symbol || undefined });
  e.style.backgroundColor = color;
  return e;
}

/** @param {(Node | null | undefined)[]} children */
export function bar(children) {
  return el("div", { class: "ssdrnb-bar" }, children);
}

/** @param {(Node | null | undefined)[]} children */
export function row(children) {
  return el("div", { class: "ssdrnb-row" }, children);
}

/** @param {(Node | null | undefined)[]} children */
export function side(children) {
  return el("div", { class: "ssdrnb-side" }, children);
}

/**
 * press marks one of several buttons as pressed.
 * @param {HTMLElement[]} buttons
 * @param {HTMLElement | undefined} one
 */
export function press(buttons, one) {
  for (const b of buttons) {
    b.setAttribute("aria-pressed", String(b === one));
  }
}

/**
 * arrange sets the children of an element. Children already in the right order stay in place, so
 * that they keep the focus and a click that has begun.
 * @param {HTMLElement} parent
 * @param {HTMLElement[]} children
 */
export function arrange(parent, children) {
  const keep = new Set(children);
  for (const old of Array.from(parent.children)) {
    if (!keep.has(/** @type {HTMLElement} */ (old))) {
      old.remove();
    }
  }
  for (const [k, child] of children.entries()) {
    if (parent.children[k] !== child) {
      parent.insertBefore(child, parent.children[k] || null);
    }
  }
}

/** @param {string} text */
export function copy(text) {
  navigator.clipboard?.writeText(text).catch(() => {});
}
