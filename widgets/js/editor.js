// The editor of constraints. Clicks link samples, and a lasso or box selects a group to label.

import { transfer, undoing } from "./controls.js";
import { bar, button, copy, el, press, row, side } from "./elements.js";
import { Plot } from "./plot.js";

/**
 * @typedef {import("./types.js").Frame} Frame
 * @typedef {import("./types.js").Scene & { classes: string[] }} Setup
 * @typedef {{ i: number, j: number, cannot: boolean, nearer: number }} Violation
 * @typedef {object} Drawing
 * @property {import("./types.js").Packed} at
 * @property {number[]} of
 * @property {string} ringed
 * @property {[number, number, number, number][]} pairs
 * @property {Violation[]} violated
 * @property {number[]} suggested
 * @property {number} undo
 * @property {number} redo
 * @property {number} labels
 * @typedef {import("./types.js").State & Drawing} State
 */

/** @typedef {"link" | "apart" | "lasso" | "box"} Mode */

/** @type {[Mode, string, string][]} */
const MODES = [
  ["link", "Link", "Click two samples: must-link. With shift: cannot-link"],
  ["apart", "Apart", "Click two samples: cannot-link"],
  ["lasso", "Lasso", "Draw around a group"],
  ["box", "Box", "Drag a box over a group"],
];

/**
 * @param {Frame} frame
 * @param {Setup} setup
 * @returns {import("./types.js").View}
 */
export function editor(frame, setup) {
  const plot = new Plot(frame, setup);
  const steps = undoing(frame);
  /** @type {Mode} */
  let mode = "link";
  /** @type {State | null} */
  let last = null;
  const chosen = el("div", { class: "ssdrnb-status", role: "status", text: "0 selected" });

  /** @param {number[]} rows */
  function choose(rows) {
    plot.chosen = Object.fromEntries(rows.map((i) => [i, true]));
    chosen.textContent = `${rows.length} selected: choose a class`;
    plot.draw();
  }
  plot.click = (i, shift) => {
    const first = plot.first;
    plot.first = first < 0 && i >= 0 ? i : -1;
    if (first >= 0 && i >= 0 && i !== first) {
      frame.post("pair", { I: first, J: i, Cannot: shift !== (mode === "apart") });
    }
    plot.draw();
  };
  const modes = MODES.map(([name, text, title]) => {
    const b = button(text, title, () => {
      mode = name;
      plot.tool = name === "lasso" || name === "box" ? plot.selector(name, choose) : null;
      plot.first = -1;
      press(modes, b);
      plot.draw();
    });
    return b;
  });
  press(modes, modes[0]);

  const only = el("input", { type: "checkbox" });
  const onlyLabel = el(
    "label",
    { class: "ssdrnb-tick", title: "A class button labels only those of the group that have no label yet" },
    [only, document.createTextNode("only unlabelled")],
  );
  /** @param {number} k -1 removes the labels */
  function label(k) {
    const rows = plot.rows();
    if (!rows.length) {
      frame.refuse("Select a group with the lasso or box first.");
      return;
    }
    const reply = (/** @type {string} */ said) => {
      chosen.textContent = said;
    };
    frame.post("label", { Rows: rows, Class: k, Unlabelled: only.checked }, { reply });
    choose([]);
  }
  const classes = setup.classes.map((name, k) =>
    button(
      name,
      `Label the selected group as ${name}`,
      () => label(k),
      setup.colors[k + 1],
      setup.symbols?.[k + 1],
    ),
  );
  classes.push(
    button("unlabelled", "Remove the labels of the selected group", () => label(-1), setup.colors[0]),
  );

  const code = el("code", { class: "ssdrnb-literal" });
  const exports = ["go", "csv", "npz"].map((format) => {
    const title =
      { go: "Constraints as a Go literal", csv: "Save as CSV", npz: "Save for NumPy" }[format] || "";
    const reply = (/** @type {import("./types.js").Exported} */ file) => {
      if (format !== "go") {
        frame.download(file);
        return;
      }
      frame.exported(file.name);
      code.textContent = new TextDecoder().decode(
        Uint8Array.from(atob(file.content), (c) => c.charCodeAt(0)),
      );
      copy(code.textContent);
    };
    return button(format === "go" ? "Go" : format.toUpperCase(), title, () =>
      frame.post("export", format, { reply }),
    );
  });

  const counts = el("h4");
  const violated = el("ul", { class: "ssdrnb-list" });
  const suggested = el("ul", { class: "ssdrnb-list" });
  /**
   * named returns the first attribute of a sample and its row.
   * @param {number} i
   */
  function named(i) {
    const a = setup.attributes?.[0].values[i];
    return a ? `${a} (sample ${i})` : `sample ${i}`;
  }
  /**
   * list fills a list. Pointing at an entry marks its samples in the embedding.
   * @template T
   * @param {HTMLElement} node
   * @param {T[]} items
   * @param {(v: T) => string} text
   * @param {(v: T) => number[]} samples
   */
  function list(node, items, text, samples) {
    const mark = (/** @type {number[]} */ rows) => () => {
      plot.marks = rows;
      plot.draw();
    };
    node.replaceChildren(
      ...items.map((v) => {
        const on = mark(samples(v));
        return el("li", {
          text: text(v),
          tabindex: 0,
          onclick: on, // a finger leaves before it has clicked
          onpointerenter: on,
          onfocus: on,
          onpointerleave: mark([]),
          onblur: mark([]),
        });
      }),
    );
  }

  frame.body.append(
    frame.title(setup.title),
    row([
      frame.view(plot),
      side([
        bar(modes),
        bar([...steps.buttons, button("Clear", "Remove all constraints", () => frame.post("clear", null))]),
        chosen,
        bar(classes),
        onlyLabel,
        counts,
        violated,
        el("h4", { text: "Worth labelling next" }),
        suggested,
        bar([...exports, ...transfer(frame)]),
        code,
        frame.failure,
        frame.saved,
      ]),
    ]),
  );
  return {
    plot,
    last: () => last,
    undo: steps.press,
    /** @param {State} s */
    state(s) {
      last = s;
      plot.of = s.of;
      plot.ringed = s.ringed;
      plot.pairs = s.pairs;
      steps.show(s);
      counts.textContent = `Violated: ${s.violated.length} of ${s.pairs.length} ${s.pairs.length === 1 ? "pair" : "pairs"}`;
      const broken = (/** @type {Violation} */ v) =>
        `${v.cannot ? "cannot-link" : "must-link"} ${named(v.i)} and ${named(v.j)}: ${(100 * v.nearer).toFixed(1)} % of the samples are nearer`;
      list(violated, s.violated, broken, (v) => [v.i, v.j]);
      list(suggested, s.suggested, named, (i) => [i]);
      plot.move(s.at, s.revision);
      plot.draw();
    },
  };
}
