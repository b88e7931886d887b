// An element with an id is also a property of the window. This runs before the scripts, so that no
// element of a notebook can replace a property that they use.
const kept = [
  "echarts",
  "gonb_comm",
  "__ssdrnbEngine",
  "__ssdrnbEngineText",
  "__ssdrnbHubs",
  "__ssdrnbInlineGL",
  "__ssdrnbLoader",
  "__ssdrnbMended",
  "__ssdrnbTurn",
  "__ssdrnbWidget",
  "__ssdrnbWidgets",
];
for (const name of kept) {
  if (!Object.hasOwn(window, name))
    /** @type {Record<string, any>} */ (/** @type {unknown} */ (window))[name] = undefined;
}
