// The explorer of a sweep over options: a heat map of the scores, and the embedding of the selected
// cell.

import { el, row, side } from "./elements.js";
import { Plot } from "./plot.js";

/**
 * @typedef {import("./types.js").Frame} Frame
 * @typedef {{ text: string, title: string, color: string, ink: string }} Cell
 * @typedef {import("./types.js").Scene & { rows: string[], columns: string[], xname: string, yname: string, cells: Cell[] }} Setup
 * @typedef {import("./types.js").State & { cell: number, ringed: string, code: string, at: import("./types.js").Packed }} State
 */

/**
 * @param {Frame} frame
 * @param {Setup} setup
 * @returns {import("./types.js").View}
 */
export function sweep(frame, setup) {
  const plot = new Plot(frame, setup);
  const code = el("code");
  const table = el("table", { class: "ssdrnb-heat" });
  /** @type {HTMLElement[]} */
  const cells = [];
  /** @param {number} k */
  function cell(k) {
    const { text, title, color, ink } = setup.cells[k];
    const choose = () => frame.post("cell", k, { key: "cell" });
    const td = el("td", { text, title, tabindex: 0, onclick: choose });
    td.addEventListener("keydown", (e) => {
      if (e.key === "Enter") {
        choose();
      }
    });
    td.style.backgroundColor = color;
    td.style.color = ink;
    cells[k] = td;
    return td;
  }
  const head = (/** @type {string} */ text) => el("th", { text });
  for (const [j, name] of setup.rows.entries()) {
    table.appendChild(
      el("tr", {}, [head(name), ...setup.columns.map((_, i) => cell(i * setup.rows.length + j))]),
    );
  }
  table.appendChild(el("tr", {}, [el("th"), ...setup.columns.map(head)]));
  const axes = el("div", { text: `${setup.yname} (rows), ${setup.xname} (columns)` });
  const map = side([axes, el("div", { class: "ssdrnb-scroll" }, [table]), code, frame.failure]);
  map.classList.add("ssdrnb-map");
  frame.body.append(frame.title(setup.title), row([map, frame.view(plot)]));
  return {
    plot,
    /** @param {State} s */
    state(s) {
      for (const [k, td] of cells.entries()) {
        td.classList.toggle("ssdrnb-on", k === s.cell);
      }
      plot.ringed = s.ringed;
      code.textContent = s.code;
      plot.move(s.at, s.revision);
    },
  };
}
