// The playground: a menu of methods, controls for the visible labels, and the true classes.

import { line, menu } from "./controls.js";
import { bar, button, el, row, side } from "./elements.js";
import { Plot } from "./plot.js";

/**
 * @typedef {import("./types.js").Frame} Frame
 * @typedef {import("./types.js").Scene & { methods: import("./types.js").MethodSetup[], most: number }} Setup
 * @typedef {import("./types.js").State & import("./types.js").Chosen & { labels: number, seed: number, ringed: string, at: import("./types.js").Packed }} State
 */

const UNLABELLED = "#9a9a9a";

/**
 * @param {Frame} frame
 * @param {Setup} setup
 * @returns {import("./types.js").View}
 */
export function playground(frame, setup) {
  const plot = new Plot(frame, setup);
  const methods = menu(frame, setup.methods);
  const classes = plot.of;
  const none = plot.colors.length;
  plot.colors = [...plot.colors, UNLABELLED];
  let truth = true;
  /** @type {State | null} */
  let last = null;
  const count = el("span");
  const labels = el("input", { type: "range", min: 1, max: Math.max(1, setup.most), step: 1 });
  labels.addEventListener("input", () => {
    count.textContent = labels.value;
    frame.post("labels", Number(labels.value), { key: "labels" });
  });
  const number = el("span");
  const seed = button("Draw others", "Draw other labelled samples, with the next seed", () =>
    frame.post("seed", last ? last.seed + 1 : 1, { key: "seed" }),
  );
  const reveal = button("Unlabel", "Show only the labels that the method sees, or the true classes", () => {
    truth = !truth;
    paint();
  });
  // paint colours the samples by their true classes, or only by the labels visible to the method.
  function paint() {
    reveal.textContent = truth ? "Unlabel" : "Reveal the truth";
    plot.of = truth ? classes : classes.map((k, i) => (plot.ringed[i] === "1" ? k : none));
    plot.draw();
  }
  const known = setup.most
    ? [line("labels", "labelled samples of each class", [labels, count]), bar([seed, number, reveal])]
    : [];
  frame.body.append(
    frame.title(setup.title),
    row([frame.view(plot), side([methods.line, ...known, ...methods.options, frame.failure, frame.saved])]),
  );
  return {
    plot,
    last: () => last,
    /** @param {State} s */
    state(s) {
      last = s;
      methods.state(s);
      if (!frame.waiting("labels")) {
        labels.value = String(s.labels);
        count.textContent = String(s.labels);
      }
      number.textContent = `seed ${s.seed}`;
      plot.ringed = s.ringed;
      paint();
      plot.move(s.at, s.revision);
    },
  };
}
