// An element with an id is accessible as a property of window. This module runs first and defines
// the properties that the scripts use, so that no element of a notebook can take their place.
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
