// A small page, for modules that use window and document when tests run them in Node. Its elements
// have children, listeners and sizes, but no layout.

/** @typedef {(e: any) => void} Listener */

export class Box {
  /** @type {Box[]} */
  children = [];
  /** @type {Box | null} */
  parentElement = null;
  /** @type {Record<string, string>} */
  dataset = {};
  /** @type {Record<string, string>} */
  attributes = {};
  /** @type {Record<string, string>} */
  styles = {};
  /** @type {Record<string, any>} */
  style = {
    width: "",
    maxWidth: "",
    setProperty: (/** @type {string} */ k, /** @type {string} */ v) => (this.styles[k] = v),
  };
  classList = { add() {}, remove() {}, toggle() {}, contains: () => false };
  className = "";
  textContent = "";
  value = "";
  clientWidth = 800;
  clientHeight = 500;
  offsetWidth = 50;
  offsetHeight = 20;
  tabIndex = -1;
  /** @type {{name: string, f: Listener, capture: boolean}[]} */
  #listeners = [];

  /** @param {string} tag */
  constructor(tag) {
    this.tagName = tag.toUpperCase();
  }
  get firstElementChild() {
    return this.children[0] || null;
  }
  /** @returns {Box | null} */
  get lastElementChild() {
    return this.children.at(-1) || null;
  }
  get childNodes() {
    return this.children;
  }
  get previousElementSibling() {
    const all = this.parentElement?.children || [];
    return all[all.indexOf(this) - 1] || null;
  }
  get parentNode() {
    return this.parentElement;
  }
  /** @returns {boolean} */
  get isConnected() {
    return this === body || !!this.parentElement?.isConnected;
  }
  /** @param {Box} e */
  appendChild(e) {
    return this.insertBefore(e, null);
  }
  /** @param {Box} e @param {Box | null} before */
  insertBefore(e, before) {
    e.remove();
    this.children.splice(before ? this.children.indexOf(before) : this.children.length, 0, e);
    e.parentElement = this;
    return e;
  }
  /** @param {(Box | string | null)[]} all */
  append(...all) {
    for (const e of all) if (e instanceof Box) this.appendChild(e);
  }
  /** @param {Box} e */
  prepend(e) {
    this.insertBefore(e, this.firstElementChild);
  }
  /** @param {Box[]} all */
  replaceChildren(...all) {
    for (const e of [...this.children]) e.remove();
    this.append(...all);
  }
  remove() {
    const all = this.parentElement?.children;
    all?.splice(all.indexOf(this), 1);
    this.parentElement = null;
  }
  /** @param {unknown} e @returns {boolean} */
  contains(e) {
    return e === this || this.children.some((c) => c.contains(e));
  }
  /** @param {string} name @param {string} value */
  setAttribute(name, value) {
    this.attributes[name] = value;
  }
  /** @param {string} name */
  getAttribute(name) {
    return this.attributes[name] ?? null;
  }
  /** @param {string} name */
  removeAttribute(name) {
    delete this.attributes[name];
  }
  /** @param {string} name @param {Listener} f @param {boolean | {capture?: boolean}} [how] */
  addEventListener(name, f, how) {
    const capture = typeof how === "object" ? !!how.capture : !!how;
    this.#listeners.push({ name, f, capture });
  }
  /** @param {string} name @param {Listener} f */
  removeEventListener(name, f) {
    this.#listeners = this.#listeners.filter((l) => l.name !== name || l.f !== f);
  }
  /**
   * fire sends an event to this element and its ancestors. It returns the event.
   * @param {string} name @param {Record<string, unknown>} [event]
   */
  fire(name, event = {}) {
    let stopped = false;
    const e = {
      type: name,
      target: this,
      stopped: () => stopped,
      preventDefault() {},
      stopPropagation() {
        stopped = true;
      },
      stopImmediatePropagation() {
        stopped = true;
      },
      ...event,
    };
    /** @type {Box[]} */
    const way = [];
    for (let at = /** @type {Box | null} */ (this); at; at = at.parentElement) way.push(at);
    for (const [boxes, capture] of /** @type {const} */ ([
      [[...way].reverse(), true],
      [way, false],
    ]))
      for (const one of boxes)
        if (!stopped) for (const l of one.#listeners) if (l.name === name && l.capture === capture) l.f(e);
    return e;
  }
  /** @param {Event} e */
  dispatchEvent(e) {
    this.fire(e.type);
  }
  /** find returns all elements in this element that match. @param {(e: Box) => boolean} match @returns {Box[]} */
  find(match) {
    return this.children.flatMap((c) => [...(match(c) ? [c] : []), ...c.find(match)]);
  }
  /** @param {string} names of tags, or of a class, ".name" @returns {Box[]} */
  querySelectorAll(names) {
    const tags = names.replace(":scope > ", "").toUpperCase().split(",");
    return this.find((e) => tags.includes(e.tagName) || `.${e.className}` === names);
  }
  /** @param {string} names */
  querySelector(names) {
    return this.querySelectorAll(names)[0] || null;
  }
  /** @param {string} names of a class, ".name" @returns {Box | null} */
  closest(names) {
    return `.${this.className}` === names ? this : this.parentElement?.closest(names) || null;
  }
  matches() {
    return false;
  }
  getBoundingClientRect() {
    return { left: 0, top: 0, width: this.clientWidth, height: this.clientHeight };
  }
  setPointerCapture() {}
  after() {}
  focus() {}
  select() {}
  getContext() {
    const values = /** @type {Record<string, unknown>} */ ({
      measureText: (/** @type {string} */ text) => ({ width: 7 * text.length }),
    });
    return new Proxy(values, { get: (all, name) => all[String(name)] ?? (() => ({})) });
  }
}

const body = new Box("body");
/** @type {Map<string, string>} */
const stored = new Map();
/** @type {Set<() => void>} */
const observers = new Set();

/** resize makes the page send the sizes of all elements to their observers. */
export const resize = () => {
  for (const f of observers) f();
};

/** stored returns the contents in the browser's storage, decoded. */
export const contents = () => [...stored.values()].map((text) => JSON.parse(text));

Object.assign(globalThis, {
  window: globalThis,
  addEventListener() {},
  removeEventListener() {},
  location: new URL("http://localhost/page.html"),
  localStorage: {
    getItem: (/** @type {string} */ k) => stored.get(k) ?? null,
    setItem: (/** @type {string} */ k, /** @type {string} */ v) => stored.set(k, v),
    removeItem: (/** @type {string} */ k) => stored.delete(k),
  },
  document: {
    body,
    head: new Box("head"),
    cookie: "",
    activeElement: null,
    createElement: (/** @type {string} */ tag) => new Box(tag),
    createElementNS: (/** @type {string} */ _, /** @type {string} */ tag) => new Box(tag),
    createTextNode: (/** @type {string} */ text) => Object.assign(new Box("#text"), { textContent: text }),
    getElementById: () => null,
    querySelector: () => null,
    addEventListener() {},
    removeEventListener() {},
  },
  HTMLElement: Box,
  ResizeObserver: class {
    /** @param {() => void} f */
    constructor(f) {
      this.f = f;
    }
    observe() {
      observers.add(this.f);
    }
    disconnect() {
      observers.delete(this.f);
    }
  },
  IntersectionObserver: class {
    /** @param {(entries: {isIntersecting: boolean}[]) => void} f */
    constructor(f) {
      this.f = f;
    }
    observe() {
      this.f([{ isIntersecting: true }]);
    }
    disconnect() {}
  },
  MutationObserver: class {
    observe() {}
    disconnect() {}
  },
  requestAnimationFrame: (/** @type {() => void} */ f) => setTimeout(f, 0),
  cancelAnimationFrame: clearTimeout,
  getComputedStyle: () => ({ color: "rgb(0,0,0)", backgroundColor: "rgb(255,255,255)" }),
  matchMedia: () => ({ matches: false, addEventListener() {}, removeEventListener() {} }),
});

export { body };
