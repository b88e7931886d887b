// The symbols of samples on a canvas.
import { dark } from "./theme.js";

/**
 * paintSymbol draws a symbol of radius r around q.
 * @param {CanvasRenderingContext2D} c @param {number[]} q @param {string} symbol @param {number} r
 * @param {string} fill @param {boolean} ring @param {number} alpha
 */
export function paintSymbol(c, [x, y], symbol, r, fill, ring, alpha) {
  c.globalAlpha = alpha;
  c.beginPath();
  /** @type {Record<string, number[][]>} */
  const outlines = {
    triangle: [
      [0, -r],
      [r, r],
      [-r, r],
    ],
    rect: [
      [-r, -r],
      [r, -r],
      [r, r],
      [-r, r],
    ],
    diamond: [
      [0, -r],
      [r, 0],
      [0, r],
      [-r, 0],
    ],
  };
  const outline = outlines[symbol];
  if (outline) for (const [u, v] of outline) c.lineTo(x + u, y + v);
  else c.arc(x, y, r, 0, 6.2832);
  c.closePath();
  c.fillStyle = fill;
  c.fill();
  if (!ring) return;
  c.strokeStyle = dark() ? "#eee" : "#222";
  c.lineWidth = 1.2;
  c.stroke();
}
