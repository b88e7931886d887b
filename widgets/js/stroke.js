// The strokes on a canvas: the points that a tool makes along the path of the pointer.

import { along, clipped, sprayed } from "./geometry.js";

/** @typedef {import("./types.js").Point} Point */

/** @typedef {"brush" | "spray" | "eraser"} Tool */

const GAP = 0.05; // between the spots of a brush, in half sides of the canvas
const DROPS = 3; // of a spray at each place

export class Stroke {
  /** Identifies the stroke; sent with each part. */
  number;
  /** @type {Point[]} */
  #points = [];
  /** The place of the last spot of the brush. @type {Point | null} */
  #at = null;

  /**
   * @param {Tool} tool
   * @param {number} radius of the spray, in half sides of the canvas
   * @param {() => number} [random] from 0 to 1
   */
  constructor(tool, radius, random = Math.random) {
    this.tool = tool;
    this.radius = radius;
    this.random = random;
    this.number = 1 + Math.floor(random() * 1e9);
  }

  /**
   * add continues the stroke to a place.
   * @param {Point} q
   */
  add(q) {
    switch (this.tool) {
      case "eraser":
        this.#points.push(q);
        break;
      case "spray":
        this.#points.push(...sprayed(q, this.radius, DROPS, this.random).map((p) => clipped(p)));
        break;
      case "brush": {
        const way = this.#at ? along(this.#at, q, GAP) : [q];
        this.#points.push(...way.map((p) => clipped(p)));
        this.#at = way.at(-1) || this.#at;
      }
    }
  }

  /**
   * take returns the points since the last call. For an eraser, the first point repeats the last
   * point of that call.
   * @returns {Point[]}
   */
  take() {
    const points = this.#points;
    this.#points = this.tool === "eraser" ? points.slice(-1) : [];
    return points;
  }
}
