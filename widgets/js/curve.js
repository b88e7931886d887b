// A small plot of the estimated accuracy against the number of labels.

import { ink } from "../../viz/js/theme.js";
import { contextOf, follow, scaled } from "./box.js";
import { el } from "./elements.js";

/** @typedef {[number, number]} Value number of labels, and estimated accuracy in thousandths */

const PAD = { left: 38, right: 8, top: 8, bottom: 18 };
const LINE = "#0072b2";

export class Curve {
  #canvas = el("canvas", { class: "ssdrnb-curve", role: "img" });
  node = el("div", { hidden: true }, [el("h4", { text: "Expected accuracy" }), this.#canvas]);
  #context = contextOf(this.#canvas);
  /** @type {Value[]} */
  #points = [];
  #size = [300, 120];
  #follow;

  constructor() {
    this.#follow = follow(this.#canvas, (width, height) => {
      this.#size = [width, height];
      this.draw();
    });
  }

  /** @param {Value[]} points */
  show(points) {
    this.#points = points;
    this.node.hidden = points.length < 2;
    const last = points.at(-1);
    const now = last
      ? `now ${(last[1] / 10).toFixed(0)} % after ${last[0]} ${last[0] === 1 ? "label" : "labels"}`
      : "no label yet";
    this.#canvas.setAttribute("aria-label", `Expected accuracy over the number of labels: ${now}`);
    this.draw();
  }

  draw() {
    const c = this.#context;
    const [width, height] = this.#size;
    scaled(this.#canvas, c, width);
    c.clearRect(0, 0, width, height);
    if (this.#points.length < 2) {
      return;
    }
    const [w, h] = [width - PAD.left - PAD.right, height - PAD.top - PAD.bottom];
    const [from, to] = [this.#points[0][0], /** @type {Value} */ (this.#points.at(-1))[0]];
    const least = Math.min(500, Math.floor(Math.min(...this.#points.map((p) => p[1])) / 100) * 100);
    const x = (/** @type {number} */ v) => PAD.left + (w * (v - from)) / Math.max(1, to - from);
    const y = (/** @type {number} */ v) => PAD.top + h * (1 - (v - least) / (1000 - least));
    c.fillStyle = c.strokeStyle = ink();
    c.font = "11px system-ui, sans-serif";
    c.textBaseline = "middle";
    c.textAlign = "right";
    for (const v of [least, (least + 1000) / 2, 1000]) {
      c.fillText(`${Math.round(v / 10)} %`, PAD.left - 5, y(v));
      c.globalAlpha = 0.2;
      c.beginPath();
      c.moveTo(PAD.left, y(v));
      c.lineTo(width - PAD.right, y(v));
      c.stroke();
      c.globalAlpha = 1;
    }
    c.textBaseline = "alphabetic";
    c.textAlign = "left";
    c.fillText(String(from), PAD.left, height - 4);
    c.textAlign = "right";
    c.fillText(`${to} labels`, width - PAD.right, height - 4);
    c.beginPath();
    for (const [k, p] of this.#points.entries()) {
      c[k ? "lineTo" : "moveTo"](x(p[0]), y(p[1]));
    }
    c.strokeStyle = LINE;
    c.lineWidth = 2;
    c.stroke();
    c.lineWidth = 1;
  }

  close() {
    this.#follow();
  }
}
