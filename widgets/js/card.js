// The card of a sample beside the pointer: number, class, attributes and image.

import { thumbnail } from "../../viz/js/thumbnails.js";
import { el } from "./elements.js";

/**
 * @typedef {import("./types.js").Point} Point
 * @typedef {import("../../viz/js/thumbnails.js").Sheet} Sheet
 */

/** @typedef {{ title: string, lines: string[], thumbnails: Sheet | null | undefined }} Content */

const GAP = 14; // pixels beside the pointer

export class Card {
  node = el("div", { class: "ssdrnb-tip", hidden: true });
  #of = -1;
  #what = "";

  /** @param {HTMLCanvasElement} canvas on which the card is shown */
  constructor(canvas) {
    this.canvas = canvas;
  }

  /**
   * show shows the card of sample i beside a place on the canvas.
   * @param {Point} q
   * @param {number} i
   * @param {Content} content
   */
  show(q, i, content) {
    const what = content.title;
    if (i !== this.#of || what !== this.#what) {
      this.#of = i;
      this.#what = what;
      const picture = content.thumbnails ? thumbnail(content.thumbnails, i) : null;
      this.node.replaceChildren(
        el("div", { text: content.title }),
        ...content.lines.map((text) => el("div", { text })),
        ...(picture ? [picture] : []),
      );
    }
    this.node.hidden = false;
    const { style } = this.node;
    style.left = "0px"; // for its own width
    style.left = `${Math.max(0, Math.min(q[0] + GAP, this.canvas.clientWidth - this.node.offsetWidth))}px`;
    style.top = `${q[1] + GAP}px`;
  }

  hide() {
    this.node.hidden = true;
  }
}
