// The script of all figures of a page, which needs none of its outputs. It is also an output's.
import { figure } from "../figures.js";
import { starter } from "../start.js";

const start = starter((data) => {
  const place = /** @type {HTMLElement | null} */ (data.previousElementSibling);
  figure(data, place?.dataset.kind || "");
});
window.__ssdrnbFigures = window.__ssdrnbStart = start;
