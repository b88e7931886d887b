// The loader in an output that contains the script of its figure. It runs the script for the data
// element with an id. A page unpacks each script only once, and none if it has the script of all
// figures. Package js replaces the texts that begin with @.
import { bytesOf } from "./packed.js";

/** @type {Unpack} */
const unpack = (packed) => {
  const stream = /** @type {ReadableStream<BufferSource>} */ (new Response(bytesOf(packed)).body);
  return new Response(stream.pipeThrough(new DecompressionStream("deflate-raw"))).text();
};

const scripts = (window.__ssdrnbScripts ??= {});
const script = (scripts["@name"] ??= { ids: [] });
script.ids.push("@id");
if (!script.run) {
  const begin = (/** @type {Start | undefined} */ start) => {
    script.run = () => {
      for (const id of script.ids.splice(0)) start?.(id, unpack);
    };
    script.run();
  };
  script.run = () => {};
  if (window.__ssdrnbFigures) begin(window.__ssdrnbFigures);
  else {
    unpack("@code").then(
      (code) => {
        const tag = document.createElement("script");
        tag.textContent = code;
        document.head.append(tag);
        begin(window.__ssdrnbStart);
      },
      (fault) => {
        for (const id of script.ids) {
          const line = document.getElementById(id)?.previousElementSibling?.querySelector("p");
          if (line)
            line.textContent = `Static picture: this browser cannot unpack the script (${fault.message}).`;
        }
      },
    );
  }
} else script.run();
