// The progress bar of a cell that computes, with a curve of the objective.

import { contextOf, follow, scaled } from "./box.js";
import { bar, button, el } from "./elements.js";

/**
 * @typedef {import("./types.js").Frame} Frame
 * @typedef {import("./types.js").State & { text: string, share: number, curve: number[] }} State
 */

const MARGIN = 4;
const COLOR = "#0072b2";

/**
 * @param {Frame} frame
 * @param {{ title: string }} setup
 * @returns {import("./types.js").View}
 */
export function progress(frame, setup) {
  const share = el("progress", { max: 1, class: "ssdrnb-share" });
  const text = el("span");
  const canvas = el("canvas", { class: "ssdrnb-curve", hidden: true });
  const context = contextOf(canvas);
  let [width, height] = [420, 120];
  /** @type {number[]} */
  let curve = [];
  function draw() {
    scaled(canvas, context, width);
    context.clearRect(0, 0, width, height);
    const [low, high] = curve.reduce(([a, b], v) => [Math.min(a, v), Math.max(b, v)], [Infinity, -Infinity]);
    const span = high - low;
    context.strokeStyle = COLOR;
    context.lineWidth = 1.5;
    context.beginPath();
    for (const [k, v] of curve.entries()) {
      const t = span > 0 ? (v - low) / span : 0.5;
      const x = MARGIN + ((width - 2 * MARGIN) * k) / (curve.length - 1);
      context.lineTo(x, height - MARGIN - (height - 2 * MARGIN) * t);
    }
    context.stroke();
  }
  const end = follow(canvas, (w, h) => {
    [width, height] = [w, h];
    draw();
  });
  const cancel = button("Cancel", "Stop the work", () => frame.post("cancel", null));
  frame.line.remove(); // the progress is shown here
  frame.body.append(bar([el("b", { text: setup.title }), share, text, cancel]), canvas, frame.failure);
  return {
    close: end,
    draw,
    /** @param {State} s */
    state(s) {
      text.textContent = s.text;
      if (s.share >= 0) {
        share.value = s.share;
      } else {
        share.removeAttribute("value");
      }
      if (s.curve && s.curve.length > 1) {
        curve = s.curve;
        canvas.hidden = false;
        draw();
      }
      frame.drawn(s.revision, true);
    },
  };
}
