// The parts of the page that modules need when they are loaded by tests in Node.
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
