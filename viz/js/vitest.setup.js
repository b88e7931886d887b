// The page that modules look at when they are loaded, as far as tests in Node need it.
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
