// The sliders of options: positions of a slider and the values that they stand for.

/** @typedef {import("./types.js").Option} Option */

/** @param {Option} c @returns {number} the last position; the first is 0 */
export function steps(c) {
  return c.kind === "int" ? c.max - c.min : 200;
}

/**
 * valueAt is the value at a position.
 * @param {Option} c
 * @param {number} position
 */
export function valueAt(c, position) {
  const t = position / steps(c);
  if (c.kind === "int") {
    return c.min + position;
  }
  if (!c.log) {
    return Number((c.min + (c.max - c.min) * t).toPrecision(4));
  }
  return c.zero && position === 0 ? 0 : Number((c.min * (c.max / c.min) ** t).toPrecision(3));
}

/**
 * positionOf is the position of a value, which may lie beyond the ends.
 * @param {Option} c
 * @param {number} value
 */
export function positionOf(c, value) {
  if (c.kind === "int") {
    return value - c.min;
  }
  if (!c.log) {
    return (steps(c) * (value - c.min)) / (c.max - c.min);
  }
  return value <= 0 ? 0 : (steps(c) * Math.log(value / c.min)) / Math.log(c.max / c.min);
}
