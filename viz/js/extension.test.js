import "./extension.js";
import { deflated } from "./testing.js";
import { Box } from "./testpage.js";

/** The class of renderers, with a widget of Lumino as far as it is called. @returns {Promise<any>} */
async function renderer() {
  class Widget {
    node = new Box("div");
    addClass() {}
    dispose() {}
  }
  const { "ssdrnb-assets": assets } = /** @type {any} */ (window)._JUPYTERLAB;
  assets.init({ "@lumino/widgets": { 2: { get: async () => () => ({ Widget }) } } });
  const extension = (await assets.get("./mimeExtension"))().default;
  return extension.rendererFactory.createRenderer({ mimeType: "" });
}

/**
 * shown renders an output with the given elements, each <hr> with its data. It returns the renderer
 * and the number of data that were unpacked.
 * @param {[tag: string, data?: string][]} elements
 */
async function shown(elements) {
  const children = elements.map(([tag]) => new Box(tag));
  const scripts = elements.map(([, data]) =>
    data ? `<script type="application/json">${data}</script>` : "",
  );
  let unpacked = 0;
  const Stream = DecompressionStream;
  vi.stubGlobal(
    "DOMParser",
    class {
      parseFromString = () => ({ body: { children } });
    },
  );
  vi.stubGlobal(
    "DecompressionStream",
    class extends Stream {
      /** @param {"deflate-raw"} format */
      constructor(format) {
        super(format);
        unpacked++;
      }
    },
  );
  const made = await renderer();
  await made.renderModel({ data: { "text/html": scripts.join("") } });
  vi.unstubAllGlobals();
  return { made, unpacked };
}

describe("the renderer of the extension", () => {
  it("unpacks only data that follow their element", async () => {
    const packed = `"${await deflated('{"kind":"none"}')}"`;
    for (const { elements, want } of [
      { elements: [["HR", packed]], want: 0 },
      { elements: [["DIV"], ["P"], ["HR", packed]], want: 0 },
      { elements: [["DIV"], ["HR", packed], ["HR", packed], ["HR", packed]], want: 1 },
      { elements: [["HR", packed], ["DIV"], ["HR", packed], ["DIV"], ["HR", packed]], want: 2 },
    ]) {
      expect((await shown(/** @type {[string, string?][]} */ (elements))).unpacked).toBe(want);
    }
  });
  it("tells the widgets of a deleted output", async () => {
    const { made } = await shown([["DIV"]]);
    const place = made.node.appendChild(Object.assign(new Box("div"), { className: "ssdrnb-widget" }));
    const ended = vi.fn();
    place.addEventListener("ssdrnb-deleted", ended);
    made.dispose();
    expect(ended).toHaveBeenCalledOnce();
  });
});
