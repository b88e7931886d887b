// The window of a panel: conversion between its units and pixels, and the numbers at its axes.

/**
 * @typedef {import("./types.js").Point} Point
 * @typedef {import("./types.js").Window2} Window2
 */

const PLAIN = 8; // pixels around a panel
const AXES = { left: 46, right: 10, top: 20, bottom: 34 };
const CHARACTER = 6.6; // most pixels of a character at an axis
const [BETWEEN, ABOVE] = [60, 40]; // least pixels between the numbers at the axes

/**
 * chartOf returns the functions that convert between units of a window and pixels of a panel.
 * @param {Window2} view
 * @param {number} width of the panel in pixels
 * @param {number} height
 */
export function chartOf(view, width, height) {
  const pad = view.axes ? roomOf(view, height) : { left: PLAIN, right: PLAIN, top: PLAIN, bottom: PLAIN };
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
    /** @param {Point} q @returns {Point} in units, clipped to the window */
    place: (q) => [
      Math.min(view.x1, Math.max(view.x0, view.x0 + (q[0] - left) / ux)),
      Math.min(view.y1, Math.max(view.y0, view.y1 - (q[1] - top) / uy)),
    ],
  };
}

/**
 * roomOf returns the margins of a window with axes in pixels, which hold the numbers.
 * @param {Window2} view
 * @param {number} height
 */
function roomOf(view, height) {
  const longest = Math.max(0, ...heights(view, height).map((v) => label(v).length));
  return { ...AXES, left: Math.max(AXES.left, Math.ceil(12 + CHARACTER * longest)) };
}

/**
 * heights returns the numbers at the vertical axis of a panel.
 * @param {Window2} view
 * @param {number} height of the panel in pixels
 */
export function heights(view, height) {
  return ticks(view.y0, view.y1, (height - AXES.top - AXES.bottom) / ABOVE);
}

/**
 * widths returns the numbers at the horizontal axis, without overlap.
 * @param {Window2} view
 * @param {number} width of the axis in pixels
 */
export function widths(view, width) {
  const all = ticks(view.x0, view.x1, width / BETWEEN);
  const longest = Math.max(0, ...all.map((v) => label(v).length));
  return ticks(view.x0, view.x1, width / Math.max(BETWEEN, CHARACTER * longest + 14));
}

/**
 * label formats a number at an axis: 1.02e6 and 4e-8, but 20000 and 0.002.
 * @param {number} v
 */
export function label(v) {
  const size = Math.abs(v);
  return v !== 0 && (size >= 1e5 || size < 1e-3) ? v.toExponential().replace("e+", "e") : String(v);
}

/**
 * ticks returns round numbers at equal distances.
 * @param {number} from
 * @param {number} to
 * @param {number} about approximate count of numbers
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
    out.push(Number((k * step).toPrecision(12)));
  }
  return out;
}
