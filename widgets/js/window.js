// The window of a panel: from its units to pixels and back, and the numbers at its axes.

/**
 * @typedef {import("./types.js").Point} Point
 * @typedef {import("./types.js").Window2} Window2
 */

const PLAIN = 8; // pixels around a panel
const AXES = { left: 46, right: 10, top: 20, bottom: 34 };

/**
 * chartOf maps a window to a picture of a width and height in pixels.
 * @param {Window2} view
 * @param {number} width
 * @param {number} height
 */
export function chartOf(view, width, height) {
  const pad = view.axes ? AXES : { left: PLAIN, right: PLAIN, top: PLAIN, bottom: PLAIN };
  const [w, h] = [Math.max(1, width - pad.left - pad.right), Math.max(1, height - pad.top - pad.bottom)];
  const [dx, dy] = [view.x1 - view.x0 || 1, view.y1 - view.y0 || 1];
  let [ux, uy] = [w / dx, h / dy];
  if (view.square) {
    ux = uy = Math.min(ux, uy);
  }
  const left = pad.left + (w - ux * dx) / 2;
  const top = pad.top + (h - uy * dy) / 2;
  return {
    /** @param {Point} p @returns {Point} */
    pixel: (p) => [left + ux * (p[0] - view.x0), top + uy * (view.y1 - p[1])],
    /** @param {Point} q @returns {Point} in units, within the window */
    place: (q) => [
      Math.min(view.x1, Math.max(view.x0, view.x0 + (q[0] - left) / ux)),
      Math.min(view.y1, Math.max(view.y0, view.y1 - (q[1] - top) / uy)),
    ],
  };
}

/**
 * ticks are about as many round numbers between two.
 * @param {number} from
 * @param {number} to
 * @param {number} about
 */
export function ticks(from, to, about) {
  if (!(to > from) || !Number.isFinite(to - from)) {
    return [];
  }
  const rough = (to - from) / Math.max(1, about);
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((f) => f * unit).find((v) => v >= rough) || rough;
  const out = [];
  for (let k = Math.ceil(from / step - 1e-9); k * step <= to + 1e-9 * step && out.length < 50; k++) {
    out.push(Number((k * step).toPrecision(6)));
  }
  return out;
}
