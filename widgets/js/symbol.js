// The symbols of samples on a canvas.

const TURN = 2 * Math.PI;

/**
 * symbol begins a path with the outline of a symbol.
 * @param {CanvasRenderingContext2D} c
 * @param {number} x
 * @param {number} y
 * @param {number} r
 * @param {string | undefined} name
 */
export function symbol(c, x, y, r, name) {
  c.beginPath();
  if (name === "triangle") {
    c.moveTo(x, y - r);
    c.lineTo(x + r, y + r);
    c.lineTo(x - r, y + r);
    c.closePath();
  } else if (name === "rect") {
    c.rect(x - r, y - r, 2 * r, 2 * r);
  } else if (name === "diamond") {
    c.moveTo(x, y - r);
    c.lineTo(x + r, y);
    c.lineTo(x, y + r);
    c.lineTo(x - r, y);
    c.closePath();
  } else {
    c.arc(x, y, r, 0, TURN);
  }
}
