// The script of all kinds of figures. A page that contains it needs no script of an output. Outputs
// can contain it, too.
import { figure } from "../figures.js";
import { starter } from "../start.js";

const start = starter((data) => {
  const place = /** @type {HTMLElement | null} */ (data.previousElementSibling);
  figure(data, place?.dataset.kind || "");
});
window.__ssdrnbFigures = window.__ssdrnbStart = start;
