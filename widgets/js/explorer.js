// The explorer: controls for the options of a method, and the embedding.

import { codeOf, controls } from "./controls.js";
import { button, row, side } from "./elements.js";
import { Plot } from "./plot.js";

/**
 * @typedef {import("./types.js").Frame} Frame
 * @typedef {import("./types.js").Scene & { controls: import("./types.js").Option[] }} Setup
 * @typedef {import("./types.js").State & { values: Record<string, import("./types.js").Value>, ringed: string, code: string, at: import("./types.js").Packed }} State
 */

/**
 * @param {Frame} frame
 * @param {Setup} setup
 * @returns {import("./types.js").View}
 */
export function explorer(frame, setup) {
  const plot = new Plot(frame, setup);
  const options = controls(frame, setup.controls);
  const { code, buttons } = codeOf(frame, [
    button("CSV", "Save the embedding as CSV", () =>
      frame.post("export", "csv", {
        reply: (/** @type {import("./types.js").Exported} */ file) => frame.download(file),
      }),
    ),
  ]);
  frame.body.append(
    frame.title(setup.title),
    row([frame.view(plot), side([...options.nodes, code, buttons, frame.failure, frame.saved])]),
  );
  return {
    plot,
    /** @param {State} s */
    state(s) {
      options.show(s.values);
      plot.ringed = s.ringed;
      code.textContent = s.code;
      plot.move(s.at, s.revision);
    },
  };
}
