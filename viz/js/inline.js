// The program of an output that brings the script of its figure or widget: it unpacks that unless
// another output has brought it to the page, and runs it for the data with an id. Package js puts
// the three texts in place.
import { unpack } from "./packed.js";

window.__ssdrnbScripts ??= {};
window.__ssdrnbScripts["@name"] ??= { ids: [] };
const script = window.__ssdrnbScripts["@name"];
script.ids.push("@id");
if (script.run) script.run();
else {
  script.run = () => {};
  unpack("@code", 1 << 20).then(
    (code) => {
      const tag = document.createElement("script");
      tag.textContent = code;
      document.head.append(tag);
      const start = window.__ssdrnbStart;
      script.run = () => {
        for (const id of script.ids.splice(0)) start?.(id, unpack);
      };
      script.run();
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
