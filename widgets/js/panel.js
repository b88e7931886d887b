// A panel of a stage: it draws its layers on a canvas, and finds the items at a place.

import { calm, dark, edge, ink } from "../../viz/js/theme.js";
import { contextOf, follow, scaled } from "./box.js";
import { el } from "./elements.js";
import { eased, positions } from "./geometry.js";
import { symbol } from "./symbol.js";
import { chartOf, heights, label, widths } from "./window.js";

/**
 * @typedef {import("./types.js").Point} Point
 * @typedef {import("./types.js").StagePanel} StagePanel
 * @typedef {import("./types.js").StageSetup} StageSetup
 * @typedef {import("./types.js").StageBar} StageBar
 */

const MOVE = 260; // ms that samples take to new places
const GREY = "#9a9a9a";
const [RED, GREEN, CHOSEN] = ["#d0342c", "#009e73", "#d55e00"];
const NEAR = 14; // pixels within which an item is selected
const TURN = 2 * Math.PI;

/** Width, dashes and colour of each kind of link and line; "" leaves the colour to the caller. */
const STROKES = /** @type {[number, number[], string][]} */ ([
  [1, [], ""],
  [1.6, [], RED],
  [1.8, [], ""],
  [1.8, [6, 4], ""],
  [3.5, [], CHOSEN],
  [2, [2, 3], RED],
  [2, [6, 3], GREEN],
  [1, [3, 3], ""],
]);

/** @param {string} base64 */
const bytes = (base64) => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));

/**
 * heatColor returns the colour of a level from 0 to 255, from blue through green to yellow.
 * @param {number} level
 * @returns {[number, number, number]}
 */
export function heatColor(level) {
  const t = level / 255;
  return [
    Math.round(255 * (0.27 - 0.25 * Math.sin(Math.PI * t) + 0.71 * t ** 3)),
    Math.round(255 * (0.02 + 0.88 * t)),
    Math.round(255 * (0.33 + 0.25 * Math.sin(Math.PI * t * 0.9) - 0.22 * t ** 2)),
  ];
}

export class Panel {
  /** The place of the cross that arrow keys move, in CSS pixels. @type {Point | null} */
  cursor = null;
  /** The first sample of a pair to select, −1 for none. */
  first = -1;
  /** @type {StagePanel | null} */
  shown = null;
  canvas = el("canvas", { class: "ssdrnb-panel", tabindex: 0, role: "img" });
  #title = el("div", { class: "ssdrnb-panel-title" });
  node = el("div", { class: "ssdrnb-panel-box" }, [this.#title, this.canvas]);
  #context = contextOf(this.canvas);
  #setup;
  #size = /** @type {Point} */ ([300, 300]);
  /** @type {Float32Array | null} */
  #at = null;
  /** @type {Float32Array | null} */
  #from = null;
  /** @type {Float32Array | null} */
  #to = null;
  #began = 0;
  #request = 0;
  /** @type {HTMLCanvasElement | null} */
  #heat = null;
  #follow;

  /** @param {StageSetup} setup */
  constructor(setup) {
    this.#setup = setup;
    this.#follow = follow(this.canvas, (w, h) => {
      this.#size = [w, h];
      this.draw();
    });
  }

  /** @param {StagePanel} panel */
  show(panel) {
    this.shown = panel;
    this.#title.textContent = panel.title;
    this.canvas.setAttribute("aria-label", panel.title || this.#setup.title);
    this.node.classList.toggle("ssdrnb-chosen", Boolean(panel.chosen));
    this.node.classList.toggle("ssdrnb-right", Boolean(panel.right));
    this.canvas.classList.toggle("ssdrnb-wide", !panel.view.square);
    this.#heat = panel.heat ? this.#image(panel.heat) : null;
    const steps = panel.samples?.at.steps || "";
    const next = panel.samples ? positions(panel.samples.at, atob(steps).length / 4) : null;
    const still = !next || !this.#at || this.#at.length !== next.length || calm();
    this.#from = still ? next : this.#at;
    this.#to = next;
    this.#began = performance.now() - (still ? MOVE : 16);
    cancelAnimationFrame(this.#request);
    this.#step();
  }

  #step() {
    const t = Math.min(1, (performance.now() - this.#began) / MOVE);
    const [from, to] = [this.#from, this.#to];
    const e = eased(t);
    this.#at = t === 1 || !from || !to ? to : to.map((v, i) => from[i] + e * (v - from[i]));
    this.draw();
    this.#request = t < 1 ? requestAnimationFrame(() => this.#step()) : 0;
  }

  /** moving reports whether the samples are being animated. */
  moving() {
    return this.#request !== 0;
  }

  /** @param {NonNullable<StagePanel["heat"]>} heat */
  #image(heat) {
    const levels = bytes(heat.levels);
    if (heat.width < 1 || heat.height < 1 || levels.length !== heat.width * heat.height) {
      return null;
    }
    const canvas = el("canvas", { width: heat.width, height: heat.height });
    const context = contextOf(canvas);
    const image = context.createImageData(heat.width, heat.height);
    levels.forEach((v, p) => {
      image.data.set([...(heat.colored ? heatColor(v) : [v, v, v]), 255], 4 * p);
    });
    context.putImageData(image, 0, 0);
    return canvas;
  }

  /** chart returns functions between the units of the panel's view and CSS pixels. */
  chart() {
    const view = this.shown?.view || { x0: 0, x1: 1, y0: 0, y1: 1 };
    return chartOf(view, this.#size[0], this.#size[1]);
  }

  /**
   * placeOf returns the place of sample i in CSS pixels.
   * @param {number} i
   * @returns {Point}
   */
  placeOf(i) {
    const at = this.#at;
    return at && 2 * i + 1 < at.length ? this.chart().pixel([at[2 * i], at[2 * i + 1]]) : [-1e4, -1e4];
  }

  /**
   * sample returns the sample near a place in CSS pixels, or −1.
   * @param {Point} q
   */
  sample(q) {
    const n = this.#at ? this.#at.length / 2 : 0;
    return this.#nearest(q, n, (i) => this.placeOf(i));
  }

  /**
   * mark returns the index of the mark near a place in CSS pixels, or −1.
   * @param {Point} q
   */
  mark(q) {
    const marks = (this.shown?.marks || []).filter((m) => m.index >= 0);
    const chart = this.chart();
    const k = this.#nearest(q, marks.length, (i) => chart.pixel(marks[i].at));
    return k < 0 ? -1 : marks[k].index;
  }

  /**
   * bar returns the index of the card or bar at a place in CSS pixels, or −1.
   * @param {Point} q
   */
  bar(q) {
    const n = this.shown?.bars?.length || 0;
    const k = Math.floor((q[1] / this.#size[1]) * n);
    return k >= 0 && k < n ? k : -1;
  }

  /**
   * link returns the two samples of the link near a place in CSS pixels, or null.
   * @param {Point} q
   * @returns {[number, number] | null}
   */
  link(q) {
    let [best, least] = [/** @type {[number, number] | null} */ (null), NEAR];
    for (const l of this.shown?.links || []) {
      const [a, b] = [this.placeOf(l.i), this.placeOf(l.j)];
      const [x, y] = [b[0] - a[0], b[1] - a[1]];
      const t = Math.max(0, Math.min(1, ((q[0] - a[0]) * x + (q[1] - a[1]) * y) / (x * x + y * y || 1)));
      const d = Math.hypot(q[0] - a[0] - t * x, q[1] - a[1] - t * y);
      if (d < least) {
        [best, least] = [[l.i, l.j], d];
      }
    }
    return best;
  }

  /**
   * @param {Point} q
   * @param {number} n
   * @param {(i: number) => Point} place
   */
  #nearest(q, n, place) {
    let [best, least] = [-1, NEAR];
    for (let i = 0; i < n; i++) {
      const p = place(i);
      const d = Math.hypot(p[0] - q[0], p[1] - q[1]);
      if (d <= least) {
        [best, least] = [i, d];
      }
    }
    return best;
  }

  draw() {
    const c = this.#context;
    const [w, h] = this.#size;
    scaled(this.canvas, c, w);
    c.clearRect(0, 0, w, h);
    c.globalAlpha = 1;
    const panel = this.shown;
    if (!panel) {
      return;
    }
    if (panel.bars) {
      this.#bars(c, panel.bars, Boolean(panel.cards));
      return;
    }
    const chart = this.chart();
    if (this.#heat) {
      c.imageSmoothingEnabled = Boolean(panel.heat?.smooth);
      const [x, y] = chart.pixel([panel.view.x0, panel.view.y1]);
      const [X, Y] = chart.pixel([panel.view.x1, panel.view.y0]);
      c.drawImage(this.#heat, x, y, X - x, Y - y);
    }
    if (panel.view.axes) {
      this.#axes(c, panel);
    }
    for (const line of panel.lines || []) {
      this.#line(c, line, chart);
    }
    for (const link of panel.links || []) {
      this.#stroke(c, link.kind, "", () => {
        c.moveTo(...this.placeOf(link.i));
        c.lineTo(...this.placeOf(link.j));
      });
    }
    if (panel.samples && this.#at) {
      this.#samples(c, panel.samples);
    }
    this.#marks(c, panel, chart);
    if (this.cursor && document.activeElement === this.canvas) {
      const [x, y] = this.cursor;
      this.#stroke(c, 0, CHOSEN, () => {
        c.moveTo(x - 9, y);
        c.lineTo(x + 9, y);
        c.moveTo(x, y - 9);
        c.lineTo(x, y + 9);
      });
    }
  }

  /** @param {number | undefined} k */
  #color(k) {
    return k === undefined || k < 0 ? ink() : this.#setup.colors[k] || GREY;
  }

  /**
   * @param {CanvasRenderingContext2D} c
   * @param {number} kind
   * @param {string} color
   * @param {() => void} path
   */
  #stroke(c, kind, color, path) {
    const [width, dashes, own] = STROKES[kind] || STROKES[0];
    c.beginPath();
    path();
    c.strokeStyle = own || color || ink();
    c.globalAlpha = kind === 0 && !color ? 0.35 : 1;
    c.lineWidth = width;
    c.setLineDash(dashes);
    c.stroke();
    c.setLineDash([]);
    c.globalAlpha = 1;
  }

  /**
   * @param {CanvasRenderingContext2D} c
   * @param {import("./types.js").StageLine} line
   * @param {ReturnType<typeof chartOf>} chart
   */
  #line(c, line, chart) {
    const at = line.at.map(chart.pixel);
    const color = this.#color(line.class);
    if (line.low && line.low.length === at.length) {
      c.beginPath();
      for (const q of at) {
        c.lineTo(...q);
      }
      for (let i = at.length - 1; i >= 0; i--) {
        c.lineTo(...chart.pixel([line.at[i][0], line.low[i]]));
      }
      c.closePath();
      c.fillStyle = color;
      c.globalAlpha = 0.16;
      c.fill();
      c.globalAlpha = 1;
      return;
    }
    this.#stroke(c, line.kind, color, () => {
      for (const q of at) {
        c.lineTo(...q);
      }
      const [a, b] = at.slice(-2);
      if (line.arrow && b) {
        const angle = Math.atan2(b[1] - a[1], b[0] - a[0]);
        for (const side of [-0.4, 0.4]) {
          c.moveTo(...b);
          c.lineTo(b[0] - 11 * Math.cos(angle + side), b[1] - 11 * Math.sin(angle + side));
        }
      }
    });
    const end = at.at(-1);
    if (line.name && end) {
      c.fillStyle = ink();
      c.font = "12px system-ui, sans-serif";
      c.textAlign = end[0] > 0.7 * this.#size[0] ? "right" : "left";
      c.fillText(line.name, end[0] + (c.textAlign === "left" ? 5 : -5), end[1] - 5);
    }
  }

  /**
   * @param {CanvasRenderingContext2D} c
   * @param {NonNullable<StagePanel["samples"]>} samples
   */
  #samples(c, samples) {
    const n = /** @type {Float32Array} */ (this.#at).length / 2;
    const r =
      samples.size && samples.size > 0 ? Math.min(20, samples.size / 2) : n > 1000 ? 2 : n > 250 ? 2.8 : 3.6;
    const levels = samples.levels ? bytes(samples.levels) : null;
    const looks = samples.looks || "";
    for (const ringed of [false, true]) {
      for (let i = 0; i < n; i++) {
        const how = looks[i] || ".";
        if (how === "h" || (how === "r") !== ringed) {
          continue;
        }
        const k = samples.of?.[i] ?? -1;
        const [x, y] = this.placeOf(i);
        c.fillStyle = c.strokeStyle = levels ? `rgb(${heatColor(levels[i])})` : k < 0 ? GREY : this.#color(k);
        c.globalAlpha = how === "f" ? 0.2 : ringed ? 1 : 0.8;
        if (how === "x") {
          c.beginPath();
          c.moveTo(x - r, y - r);
          c.lineTo(x + r, y + r);
          c.moveTo(x + r, y - r);
          c.lineTo(x - r, y + r);
          c.lineWidth = 1.5;
          c.stroke();
          continue;
        }
        symbol(c, x, y, ringed ? r + 2 : r, k < 0 ? "" : this.#setup.symbols[k]);
        c.fill();
        if (ringed || i === this.first) {
          c.strokeStyle = i === this.first ? CHOSEN : ink();
          c.lineWidth = 1.8;
          c.stroke();
        }
      }
    }
    c.globalAlpha = 1;
    if (this.first >= 0) {
      c.beginPath();
      c.arc(...this.placeOf(this.first), r + 6, 0, TURN);
      c.strokeStyle = CHOSEN;
      c.lineWidth = 2;
      c.stroke();
    }
  }

  /**
   * @param {CanvasRenderingContext2D} c
   * @param {StagePanel} panel
   * @param {ReturnType<typeof chartOf>} chart
   */
  #marks(c, panel, chart) {
    c.font = "12px system-ui, sans-serif";
    for (const m of panel.marks || []) {
      const [x, y] = chart.pixel(m.at);
      if (m.index >= 0) {
        c.beginPath();
        c.arc(x, y, 7, 0, TURN);
        c.fillStyle = this.#color(m.class);
        c.fill();
        c.strokeStyle = dark() ? "#fff" : "#000";
        c.lineWidth = 2;
        c.stroke();
      }
      if (m.text) {
        c.fillStyle = m.index >= 0 ? ink() : this.#color(m.class);
        c.textAlign = x > 0.75 * this.#size[0] ? "right" : "left";
        const left = x + (c.textAlign === "left" ? 10 : -10);
        if (panel.heat) {
          c.strokeStyle = dark() ? "#000" : "#fff"; // the words are legible on all colours
          c.lineWidth = 3;
          c.strokeText(m.text, left, y + 4);
        }
        c.fillText(m.text, left, y + 4);
      }
    }
  }

  /**
   * @param {CanvasRenderingContext2D} c
   * @param {StagePanel} panel
   */
  #axes(c, panel) {
    const { view } = panel;
    const chart = this.chart();
    const [left, bottom] = chart.pixel([view.x0, view.y0]);
    const [right, top] = chart.pixel([view.x1, view.y1]);
    c.strokeStyle = edge();
    c.lineWidth = 1;
    c.strokeRect(left, top, right - left, bottom - top);
    c.fillStyle = ink();
    c.font = "11px system-ui, sans-serif";
    c.textAlign = "center";
    for (const v of widths(view, right - left)) {
      const text = label(v);
      const most = this.#size[0] - 1 - c.measureText(text).width / 2; // the last one is not cut off
      c.fillText(text, Math.min(most, chart.pixel([v, 0])[0]), bottom + 14);
    }
    c.textAlign = "right";
    for (const v of heights(view, this.#size[1])) {
      c.fillText(label(v), left - 5, chart.pixel([0, v])[1] + 4);
    }
    c.textAlign = "right";
    c.fillText(view.x || "", right, bottom + 28);
    c.textAlign = "left";
    c.fillText(view.y || "", left, top - 5);
  }

  /**
   * @param {CanvasRenderingContext2D} c
   * @param {StageBar[]} bars
   * @param {boolean} cards
   */
  #bars(c, bars, cards) {
    const [w, h] = this.#size;
    const high = h / Math.max(1, bars.length);
    const most = Math.max(
      1e-9,
      ...bars.flatMap((b) => [b.value, b.high || 0, ...(b.dots || [])]).map(Math.abs),
    );
    c.font = "12px system-ui, sans-serif";
    for (const [k, b] of bars.entries()) {
      const y = k * high;
      const x = (/** @type {number} */ v) => 8 + ((w - 16) * Math.max(0, v)) / most;
      const middle = y + high * 0.66;
      c.fillStyle = ink();
      c.textAlign = "left";
      c.fillText(b.name, 8, y + high * 0.36, w * 0.66);
      c.textAlign = "right";
      c.fillText(b.text, w - 8, y + high * 0.36, w * 0.33);
      c.fillStyle = c.strokeStyle = this.#color(b.class);
      c.globalAlpha = 0.75;
      c.fillRect(8, middle - high * 0.14, Math.max(1, x(b.value) - 8), Math.max(2, high * 0.28));
      c.globalAlpha = 1;
      c.strokeStyle = c.fillStyle = ink();
      c.lineWidth = 1.5;
      if (b.low !== undefined && b.high !== undefined && b.high > b.low) {
        c.beginPath();
        c.moveTo(x(b.low), middle);
        c.lineTo(x(b.high), middle);
        c.stroke();
      }
      for (const v of b.dots || []) {
        c.beginPath();
        c.arc(x(v), middle, 2.4, 0, TURN);
        c.fill();
      }
      if (cards || b.chosen) {
        c.strokeStyle = b.chosen ? CHOSEN : edge();
        c.lineWidth = b.chosen ? 2.5 : 1;
        c.strokeRect(2, y + 2, w - 4, high - 4);
      }
    }
  }

  close() {
    cancelAnimationFrame(this.#request);
    this.#follow();
  }
}
