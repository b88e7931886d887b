// The scales of sliders, which map positions of a slider to values of an option.

/** @typedef {import("./types.js").Option} Option */

/** steps returns the last position; the first is 0. @param {Option} c @returns {number} */
export function steps(c) {
  return c.kind === "int" ? c.max - c.min : 200;
}

/**
 * valueAt returns the value at a position of the slider.
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
 * positionOf returns the position of a value. The position may lie beyond the ends of the slider.
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
