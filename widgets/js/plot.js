// The plot of an embedding.

import { encloses } from "../../viz/js/geometry.js";
import { calm, ink } from "../../viz/js/theme.js";
import { contextOf, follow, scaled } from "./box.js";
import { Card } from "./card.js";
import { el, swatch } from "./elements.js";
import { box, eased, frameOf, positions, viewOf, WHOLE } from "./geometry.js";
import { listen } from "./gestures.js";
import { symbol } from "./symbol.js";

/**
 * @typedef {import("./types.js").Frame} Frame
 * @typedef {import("./types.js").Packed} Packed
 * @typedef {import("./types.js").Point} Point
 * @typedef {import("./types.js").Scene} Scene
 * @typedef {import("./geometry.js").View} View
 * @typedef {import("./gestures.js").Tool} Tool
 */

const MARGIN = 0.93; // share of the canvas that the samples fill
const SMALL = 2000; // samples from which on points are smaller
const CHOSEN = "#d55e00";
const MARKED = "#009e73";
const VIOLATED = "#b3261e";
const OPEN = 0.5; // opacity of samples without a label
const FAINT = 0.25; // that of a sample whose predicted class is a guess
const FULL = 0.8;
/** The colour of samples without a known or predicted class, legible on light and dark pages. */
export const UNKNOWN = "#888888";
const TURN = 2 * Math.PI;

/**
 * opacity returns the opacity of a sample with a predicted class.
 * @param {string | undefined} sure certainty of the prediction, a digit from 0 to 9
 */
const opacity = (sure) => FAINT + (FULL - FAINT) * (Number(sure) / 9 || 0);

export class Plot {
  /** The class of each sample. @type {number[]} */
  of;
  /** "1" for each sample drawn with a ring, because it has a label. */
  ringed = "";
  /** One digit per sample, the certainty of its predicted class: 0 is drawn faint. "" if unused. */
  sure = "";
  /** The classes that are hidden. @type {Record<number, boolean>} */
  hidden = {};
  /** Two rows, 1 for a cannot-link, 1 if violated. @type {[number, number, number, number][]} */
  pairs = [];
  /** The selected samples. @type {Record<number, boolean>} */
  chosen = {};
  /** The first sample of the pair that the reader is about to link, −1 for none. */
  first = -1;
  /** The lasso or box that the reader is drawing. @type {Point[] | null} */
  path = null;
  /** Samples with a green ring. @type {number[]} */
  marks = [];
  /** @type {((i: number, shift: boolean) => void) | null} */
  click = null;

  #frame;
  #setup;
  #n;
  #size = 500;
  #canvas = el("canvas", { class: "ssdrnb-square" });
  #context = contextOf(this.#canvas);
  #card;
  #follow;
  /** @type {Tool | null} */
  #tool = null;
  /** Current positions; #from and #to are the ends of the animation. @type {Float32Array | null} */
  #at = null;
  /** @type {Float32Array} */
  #from = new Float32Array();
  /** @type {Float32Array | null} */
  #to = null;
  /** Centre and side of the visible square; #start and #goal are the ends of the animation. */
  #shown = { x: 0, y: 0, side: 5 };
  #start = this.#shown;
  #goal = this.#shown;
  #began = 0;
  #duration = 0;
  #request = 0;
  #revision = 0;
  /** @type {View} */
  #view = { ...WHOLE };
  #place;

  /**
   * @param {Frame} frame
   * @param {Scene} setup
   */
  constructor(frame, setup) {
    this.#frame = frame;
    this.#setup = setup;
    this.#n = setup.samples;
    this.of = setup.of || [];
    this.names = setup.names;
    this.colors = setup.colors;
    this.symbols = setup.symbols || [];
    this.#card = new Card(this.#canvas);
    this.node = el("div", { class: "ssdrnb-plot" }, [this.#canvas, this.#card.node]);
    // Zoom and hidden classes survive a reload of the page and a new run of the cell.
    this.#place = `ssdrnb-view ${JSON.stringify([...frame.place, setup.title, setup.samples, setup.names])}`;
    this.#recall();
    this.#follow = follow(this.#canvas, (width) => {
      this.#size = width;
      this.draw();
    });
    listen(this.#canvas, {
      tool: () => this.#tool,
      size: () => this.#size,
      view: () => this.#view,
      look: (view) => {
        this.#view = view;
        this.#touch();
        this.draw();
      },
      looked: () => this.#keep(),
      card: (q, reach) => this.#show(q, reach),
      hide: () => this.#card.hide(),
      click: (q, reach, shift) => this.click?.(this.nearest(q[0], q[1], reach), shift),
    });
    this.#touch();
  }

  #recall() {
    try {
      const kept = JSON.parse(sessionStorage.getItem(this.#place) || "null");
      this.#view = viewOf(kept?.zoom);
      for (const k of this.names.keys()) {
        if (kept?.hidden?.[k] === true) {
          this.hidden[k] = true;
        }
      }
    } catch {
      // a page without storage
    }
  }

  #keep() {
    try {
      sessionStorage.setItem(this.#place, JSON.stringify({ zoom: this.#view, hidden: this.hidden }));
    } catch {
      // a page without storage
    }
  }

  /** #touch lets a finger scroll the page unless it draws or pans on the canvas. */
  #touch() {
    this.#canvas.style.touchAction = this.#tool || this.#view.k > 1 ? "none" : "pan-y";
  }

  get tool() {
    return this.#tool;
  }

  set tool(tool) {
    this.#tool = tool;
    this.#canvas.style.cursor = tool ? "crosshair" : "";
    this.#touch();
  }

  /** @param {number} i */
  #x(i) {
    const at = /** @type {Float32Array} */ (this.#at);
    const unit = (MARGIN * this.#view.k) / this.#shown.side;
    return this.#size * (0.5 + (at[2 * i] - this.#shown.x) * unit + this.#view.x);
  }

  /** @param {number} i */
  #y(i) {
    const at = /** @type {Float32Array} */ (this.#at);
    const unit = (MARGIN * this.#view.k) / this.#shown.side;
    return this.#size * (0.5 - (at[2 * i + 1] - this.#shown.y) * unit + this.#view.y);
  }

  draw() {
    const c = this.#context;
    const color = ink();
    const r = this.#n > SMALL ? 2 : 3.4;
    scaled(this.#canvas, c, this.#size);
    c.clearRect(0, 0, this.#size, this.#size);
    if (!this.#at) {
      return;
    }
    for (const labelled of [false, true]) {
      c.globalAlpha = labelled ? 1 : OPEN;
      for (let i = 0; i < this.#n; i++) {
        const k = this.of[i] || 0;
        if (this.hidden[k] || (this.ringed[i] === "1") !== labelled) {
          continue;
        }
        if (!labelled && this.sure) {
          c.globalAlpha = opacity(this.sure[i]);
        }
        symbol(c, this.#x(i), this.#y(i), labelled ? r + 1.2 : r, this.symbols[k]);
        if (!labelled && k === 0 && this.names[0] === "unlabelled") {
          c.globalAlpha = 1;
          c.strokeStyle = UNKNOWN; // hollow, because a class may be grey
          c.lineWidth = 1.6;
          c.stroke();
          c.globalAlpha = OPEN;
          continue;
        }
        c.fillStyle = this.colors[k] || "#888";
        c.fill();
        if (labelled) {
          c.strokeStyle = color;
          c.lineWidth = 1.2;
          c.stroke();
        }
      }
    }
    c.globalAlpha = 1;
    for (const [i, j, cannot, violated] of this.pairs) {
      c.beginPath();
      c.moveTo(this.#x(i), this.#y(i));
      c.lineTo(this.#x(j), this.#y(j));
      c.setLineDash(cannot ? [6, 4] : []);
      c.strokeStyle = violated ? VIOLATED : color;
      c.lineWidth = violated ? 2.2 : 1.6;
      c.stroke();
    }
    c.setLineDash([]);
    const ring = (/** @type {number} */ i, /** @type {string} */ stroke, /** @type {number} */ radius) => {
      c.beginPath();
      c.arc(this.#x(i), this.#y(i), radius, 0, TURN);
      c.strokeStyle = stroke;
      c.lineWidth = 2;
      c.stroke();
    };
    for (const i of this.rows()) {
      ring(i, CHOSEN, r + 3);
    }
    for (const i of this.marks) {
      ring(i, MARKED, r + 7);
    }
    if (this.first >= 0) {
      ring(this.first, CHOSEN, r + 6);
    }
    this.#drawPath(c, color);
  }

  /**
   * @param {CanvasRenderingContext2D} c
   * @param {string} color
   */
  #drawPath(c, color) {
    if (!this.path) {
      return;
    }
    c.beginPath();
    for (const [k, q] of this.path.entries()) {
      c[k ? "lineTo" : "moveTo"](q[0], q[1]);
    }
    c.closePath();
    c.strokeStyle = c.fillStyle = color;
    c.lineWidth = 1;
    c.setLineDash([3, 3]);
    c.stroke();
    c.setLineDash([]);
    c.globalAlpha = 0.08;
    c.fill();
    c.globalAlpha = 1;
  }

  #step() {
    const to = /** @type {Float32Array} */ (this.#to);
    const t = Math.min(1, (performance.now() - this.#began) / this.#duration);
    const e = eased(t);
    this.#at = t === 1 ? to : to.map((v, i) => this.#from[i] + e * (v - this.#from[i]));
    const [a, b] = [this.#start, this.#goal];
    // The scale 1/side is interpolated, not the side.
    const unit = 1 / a.side + e * (1 / b.side - 1 / a.side);
    this.#shown = { x: a.x + e * (b.x - a.x), y: a.y + e * (b.y - a.y), side: 1 / unit };
    this.draw();
    this.#request = t < 1 ? requestAnimationFrame(() => this.#step()) : 0;
    this.#frame.drawn(this.#revision, t === 1);
  }

  /**
   * resize changes the number of samples. It removes the positions and the selection.
   * @param {number} count
   */
  resize(count) {
    if (count === this.#n) {
      return;
    }
    this.#n = count;
    this.#at = this.#to = null;
    this.chosen = {};
    this.first = -1;
    cancelAnimationFrame(this.#request);
    this.#request = 0;
    this.draw();
  }

  /**
   * move starts the animation from the current positions to new positions.
   * @param {Packed} packed
   * @param {number} revision of the positions; the current revision is ignored
   */
  move(packed, revision) {
    const next = revision === this.#revision ? null : positions(packed, this.#n);
    if (!next) {
      return;
    }
    this.#revision = revision;
    this.#from = this.#at || next;
    this.#to = next;
    this.#goal = frameOf(next);
    this.#start = this.#at ? this.#shown : this.#goal;
    const still = !this.#at || calm();
    this.#at = this.#at || next;
    // The animation should end 250 ms after the reader's action, even if the state is late.
    this.#duration = Math.max(50, Math.min(110, 250 - this.#frame.since()));
    this.#began = performance.now() - (still ? this.#duration : 16);
    if (!this.#request) {
      this.#request = requestAnimationFrame(() => this.#step());
    }
  }

  /** goal returns the positions at the end of the animation. */
  goal() {
    return this.#to;
  }

  moving() {
    return this.#request !== 0;
  }

  zoom() {
    return this.#view.k;
  }

  /** rows returns the selected samples. */
  rows() {
    return Object.keys(this.chosen).map(Number);
  }

  /**
   * place returns the place of a sample in the browser window, in CSS pixels.
   * @param {number} i
   */
  place(i) {
    const b = this.#canvas.getBoundingClientRect();
    return { X: b.x + this.#canvas.clientLeft + this.#x(i), Y: b.y + this.#canvas.clientTop + this.#y(i) };
  }

  /**
   * nearest returns the visible sample nearest to a place, or −1 if none is within reach.
   * @param {number} x
   * @param {number} y
   * @param {number} reach
   */
  nearest(x, y, reach) {
    let best = -1;
    let least = reach * reach;
    for (let i = 0; this.#at && i < this.#n; i++) {
      const d = this.hidden[this.of[i]] ? Infinity : (this.#x(i) - x) ** 2 + (this.#y(i) - y) ** 2;
      if (d <= least) {
        least = d;
        best = i;
      }
    }
    return best;
  }

  /**
   * inside returns the samples inside a closed line. Samples of hidden classes are omitted.
   * @param {Point[]} path
   */
  inside(path) {
    const out = [];
    for (let i = 0; this.#at && i < this.#n; i++) {
      if (!this.hidden[this.of[i]] && encloses(path, this.#x(i), this.#y(i))) {
        out.push(i);
      }
    }
    return out;
  }

  /**
   * selector returns a tool that selects samples by a lasso or a box.
   * @param {"lasso" | "box"} kind
   * @param {(rows: number[]) => void} chosen receives the rows of the selected samples
   * @returns {Tool}
   */
  selector(kind, chosen) {
    /** @param {Point[] | null} path */
    const draw = (path) => {
      this.path = path;
      this.draw();
    };
    return {
      begin: (q) => draw([q]),
      move: (q) => {
        if (this.path) {
          draw(kind === "box" ? box(this.path[0], q) : [...this.path, q]);
        }
      },
      end: () => {
        const rows = this.path && this.path.length > 2 ? this.inside(this.path) : [];
        draw(null);
        chosen(rows);
      },
      cancel: () => draw(null),
    };
  }

  /**
   * @param {Point} q
   * @param {number} reach
   */
  #show(q, reach) {
    const i = this.nearest(q[0], q[1], reach);
    if (i < 0) {
      return false;
    }
    const { attributes = [], thumbnails } = this.#setup;
    this.#card.show(q, i, {
      title: `sample ${i}: ${this.names[this.of[i]] || ""}${this.ringed[i] === "1" ? ", labelled" : ""}`,
      lines: attributes.filter((a) => a.values[i]).map((a) => `${a.name}: ${a.values[i]}`),
      thumbnails,
    });
    return true;
  }

  /** legend creates the legend. A click on the name of a class hides or shows the class. */
  legend() {
    const entries = this.names.map((name, k) => {
      const entry = el(
        "span",
        {
          role: "button",
          tabindex: 0,
          title: "Click hides or shows this class",
          class: this.hidden[k] ? "off" : undefined,
        },
        [swatch(this.colors[k], this.symbols[k]), document.createTextNode(name)],
      );
      const turn = () => {
        this.hidden[k] = !this.hidden[k];
        entry.classList.toggle("off", this.hidden[k]);
        entry.setAttribute("aria-pressed", String(!this.hidden[k]));
        this.#keep();
        this.draw();
      };
      entry.setAttribute("aria-pressed", String(!this.hidden[k]));
      entry.addEventListener("click", turn);
      entry.addEventListener("keydown", (e) => {
        if (e.key === "Enter" || e.key === " ") {
          e.preventDefault();
          turn();
        }
      });
      return entry;
    });
    return el("div", { class: "ssdrnb-legend" }, entries);
  }

  close() {
    this.#follow();
    cancelAnimationFrame(this.#request);
    this.#request = 0;
  }
}
