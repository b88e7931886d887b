// A minimal page, for modules that use window and document when tests load them in Node.
const element = { appendChild: (/** @type {unknown} */ e) => e, textContent: "" };
Object.assign(globalThis, {
  window: globalThis,
  addEventListener() {},
  document: {
    head: element,
    body: { dataset: {} },
    createElement: () => ({ ...element }),
    getElementById: () => null,
  },
});
