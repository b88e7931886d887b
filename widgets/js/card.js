// The card of a sample: its number and class, attributes, and its picture.

import { el } from "./elements.js";

/**
 * @typedef {import("./types.js").Point} Point
 * @typedef {import("./types.js").Thumbnails} Thumbnails
 */

/** @typedef {{ title: string, lines: string[], thumbnails: Thumbnails | null | undefined }} Content */

const GAP = 14; // pixels beside the pointer

/**
 * thumbnail draws the picture of a sample, null where there is none.
 * @param {Thumbnails | null | undefined} t
 * @param {number} i
 */
function thumbnail(t, i) {
  if (!t || i >= t.count) {
    return null;
  }
  const canvas = el("canvas", { width: t.w, height: t.h });
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const image = context.createImageData(t.w, t.h);
  image.data.set(tones(atob(t.data), i, t.w * t.h));
  context.putImageData(image, 0, 0);
  return canvas;
}

/**
 * tones unpacks the i-th of several pictures with two grey pixels in a byte, as RGBA.
 * @param {string} packed
 * @param {number} i
 * @param {number} pixels of each picture
 */
export function tones(packed, i, pixels) {
  const out = new Uint8ClampedArray(4 * pixels);
  const first = i * Math.ceil(pixels / 2);
  for (let p = 0; p < pixels; p++) {
    const byte = packed.charCodeAt(first + (p >> 1));
    const tone = 17 * (p & 1 ? byte & 15 : byte >> 4);
    out.set([tone, tone, tone, 255], 4 * p);
  }
  return out;
}

export class Card {
  node = el("div", { class: "ssdrnb-tip", hidden: true });
  #of = -1;
  #what = "";

  /** @param {HTMLCanvasElement} canvas over which it stands */
  constructor(canvas) {
    this.canvas = canvas;
  }

  /**
   * show shows the card of sample i at a place of the canvas.
   * @param {Point} q
   * @param {number} i
   * @param {Content} content
   */
  show(q, i, content) {
    const what = content.title;
    if (i !== this.#of || what !== this.#what) {
      this.#of = i;
      this.#what = what;
      const picture = thumbnail(content.thumbnails, i);
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
