// Elements. Text is always set as text, never as HTML.

/**
 * The properties of a new element: its text, listeners by "on" and the event's name, and
 * attributes.
 * @typedef {Record<string, string | number | boolean | ((e: any) => void) | undefined> & { text?: string }} Attributes
 */

/**
 * el makes an element. Attributes that are undefined or false are left out.
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
 * button makes a button.
 * @param {string} text
 * @param {string} title
 * @param {() => void} f
 * @param {string} [color] that it has before its text
 * @param {string} [symbol] in which the colour is
 */
export function button(text, title, f, color, symbol) {
  const b = el("button", { type: "button", text, title, onclick: f });
  if (color) {
    b.prepend(swatch(color, symbol));
  }
  return b;
}

/**
 * swatch shows the colour of a class, in its symbol where classes differ by symbol too.
 * @param {string} color
 * @param {string} [symbol]
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
 * arrange sets the children of an element. Children that are already in this order stay in the
 * page, so that a child under a finger, the mouse or the keyboard keeps its click and its focus.
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
