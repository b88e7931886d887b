// The canvas on which the reader paints samples, called spots.

import { ink } from "../../viz/js/theme.js";
import { contextOf, follow, scaled } from "./box.js";
import { line, menu, undoing } from "./controls.js";
import { bar, button, el, press, row, side } from "./elements.js";
import { clipped } from "./geometry.js";
import { capture, placeIn } from "./gestures.js";
import { layer } from "./layer.js";
import { Plot } from "./plot.js";
import { Stroke } from "./stroke.js";

/**
 * @typedef {import("./types.js").Frame} Frame
 * @typedef {import("./types.js").Point} Point
 * @typedef {{ dims: number, noise: number, seed: number }} Lift
 * @typedef {import("./stroke.js").Tool} Tool
 */

/**
 * @typedef {object} Canvas
 * @property {string[]} classes
 * @property {number} grid
 * @property {string[]} starts
 * @property {import("./types.js").MethodSetup[]} methods
 * @property {{ dims: number, noise: number, labels: number }} most
 * @typedef {import("./types.js").Scene & Canvas} Setup
 */

/**
 * @typedef {object} Painting
 * @property {number[]} spots x, y and class of each spot; x and y from −1000 to 1000
 * @property {string} seen
 * @property {string} regions
 * @property {Lift} lift
 * @property {number} labels
 * @property {number} undo
 * @property {number} redo
 * @property {import("./types.js").Packed} [at]
 * @property {number[]} [of]
 * @property {string} [ringed]
 * @typedef {import("./types.js").State & import("./types.js").Chosen & Painting} State
 */

const GAP = 90; // ms between the parts of a stroke
const STEP = 0.05; // of the arrow keys
const BEYOND = 1.5; // how far from the middle the eraser may be
const FAINT = 70; // opacity of regions, of 255
const TURN = 2 * Math.PI;

/** @type {[Tool, string, string][]} */
const TOOLS = [
  ["brush", "Brush", "Spots along a line"],
  ["spray", "Spray", "Spots over a disc"],
  ["eraser", "Eraser", "Remove spots"],
];
/** @type {Record<string, Point>} */
const ARROWS = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, STEP], ArrowDown: [0, -STEP] };

/**
 * @param {Frame} frame
 * @param {Setup} setup
 * @returns {import("./types.js").View}
 */
export function paint(frame, setup) {
  const none = setup.classes.length; // spots without a label
  const plot = new Plot(frame, setup);
  const methods = menu(frame, setup.methods);
  const steps = undoing(frame);
  const canvas = el("canvas", {
    tabindex: 0,
    class: "ssdrnb-square ssdrnb-canvas",
    title:
      "Paint with the mouse or a finger, or with the arrow keys and the space bar; 1 to 9 choose a class, 0 unlabelled spots, E the eraser",
  });
  const context = contextOf(canvas);
  let size = 380;
  /** @type {HTMLCanvasElement | null} */
  let regions = null;
  /** @type {State | null} */
  let last = null;
  /** @type {Tool} */
  let tool = "brush";
  let current = 0;
  let radius = 0.08;
  /** @type {Stroke | null} */
  let stroke = null;
  let sent = 0;
  /** Painted points that no state contains yet. @type {Set<{ points: Point[], of: number }>} */
  const pending = new Set();
  /** @type {Point | null} */
  let cursor = null;

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} r in pixels
   */
  function circle(x, y, r) {
    context.beginPath();
    context.arc((size / 2) * (1 + x), (size / 2) * (1 - y), r, 0, TURN);
  }
  /**
   * @param {number} x
   * @param {number} y
   * @param {number} of
   * @param {string | null} ring
   */
  function dot(x, y, of, ring) {
    circle(x, y, ring ? 4 : 3);
    context.fillStyle = setup.colors[of + 1];
    context.fill();
    if (ring) {
      context.lineWidth = 1.2;
      context.strokeStyle = ring;
      context.stroke();
    }
  }
  function draw() {
    const color = ink();
    scaled(canvas, context, size);
    context.clearRect(0, 0, size, size);
    if (!last) {
      return;
    }
    if (regions) {
      context.drawImage(regions, 0, 0, size, size);
    }
    const { spots, seen } = last;
    for (let i = 0; 3 * i < spots.length; i++) {
      dot(spots[3 * i] / 1000, spots[3 * i + 1] / 1000, spots[3 * i + 2], seen[i] === "1" ? color : null);
    }
    for (const { points, of } of pending) {
      for (const q of points) {
        dot(q[0], q[1], of, null);
      }
    }
    if (cursor) {
      circle(cursor[0], cursor[1], Math.max(3, tool === "brush" ? 4 : (radius * size) / 2));
      context.strokeStyle = color;
      context.lineWidth = 1;
      context.setLineDash([3, 3]);
      context.stroke();
      context.setLineDash([]);
    }
  }
  const end = follow(canvas, (width) => {
    size = width;
    draw();
  });

  // The message about the last action.
  const changed = el("div", { class: "ssdrnb-status", role: "status" });
  const told = (/** @type {string} */ said) => {
    changed.textContent = said;
  };
  // A stroke is sent in parts, so that the method is fitted while the reader paints.
  function send() {
    const points = stroke?.take() || [];
    sent = performance.now();
    if (!stroke || points.length === 0) {
      return;
    }
    if (stroke.tool === "eraser") {
      frame.post("erase", { Points: points, Radius: radius, Stroke: stroke.number }, { reply: told });
      return;
    }
    const part = { points, of: current === none ? -1 : current };
    pending.add(part); // drawn until a state has it, or it is refused
    const taken = () => {
      pending.delete(part);
      draw();
    };
    frame.post("paint", { Points: points, Class: part.of, Stroke: stroke.number }, { taken });
  }
  /** @param {Point} q */
  function begin(q) {
    changed.textContent = "";
    stroke = new Stroke(tool, radius);
    sent = performance.now();
    move(q);
  }
  /** @param {Point} q */
  function move(q) {
    stroke?.add(q);
    if (performance.now() - sent > GAP) {
      send();
    }
    draw();
  }
  function finish() {
    if (stroke) {
      send();
      stroke = null;
      draw();
    }
  }
  /** @param {PointerEvent} e @returns {Point} */
  function where(e) {
    const q = placeIn(canvas, e);
    return [(2 * q[0]) / size - 1, 1 - (2 * q[1]) / size];
  }
  let pointer = -1; // that paints; further fingers do nothing
  canvas.addEventListener("pointerdown", (e) => {
    if (!stroke) {
      pointer = e.pointerId;
      capture(canvas, e);
      cursor = where(e);
      begin(clipped(cursor, BEYOND));
    }
  });
  canvas.addEventListener("pointermove", (e) => {
    if (stroke && e.pointerId !== pointer) {
      return;
    }
    cursor = where(e);
    if (stroke) {
      move(clipped(cursor, BEYOND));
    } else {
      draw();
    }
  });
  for (const type of /** @type {const} */ (["pointerup", "pointercancel"])) {
    canvas.addEventListener(type, (e) => {
      if (e.pointerId === pointer) {
        finish();
      }
    });
  }
  canvas.addEventListener("pointerleave", () => {
    if (!stroke) {
      cursor = null;
      draw();
    }
  });
  /** key handles a key. @param {string} key @returns {boolean} whether the canvas uses this key */
  function key(key) {
    const step = Object.hasOwn(ARROWS, key) ? ARROWS[key] : null;
    const [x, y] = cursor || [0, 0];
    if (step) {
      cursor = clipped([x + step[0], y + step[1]]);
      draw();
    } else if (key === " " || key === "Enter") {
      cursor = [x, y];
      begin(clipped(cursor));
      finish();
    } else if (key === "0") {
      choose(none);
    } else if (key >= "1" && key <= "9" && Number(key) <= none) {
      choose(Number(key) - 1);
    } else if (key.toLowerCase() === "e") {
      use("eraser");
    } else {
      return false;
    }
    return true;
  }
  canvas.addEventListener("keydown", (e) => {
    if (!(e.ctrlKey || e.metaKey || e.altKey) && key(e.key)) {
      e.preventDefault();
      e.stopPropagation(); // JupyterLab has commands on letters and arrows
    }
  });

  const tools = TOOLS.map(([name, text, title]) => button(text, title, () => use(name)));
  const classes = [...setup.classes, "unlabelled"].map((name, k) => {
    const title = k < none ? `Paint ${name}` : "Paint spots without a label";
    return button(name, title, () => choose(k), setup.colors[k < none ? k + 1 : 0]);
  });
  /** @param {number} k */
  function choose(k) {
    current = k;
    if (tool === "eraser") {
      use("brush");
    }
    press(classes, classes[k]);
  }
  /** @param {Tool} name */
  function use(name) {
    tool = name;
    press(tools, tools[TOOLS.findIndex((t) => t[0] === name)]);
  }
  choose(0);
  use("brush");
  const width = el("input", {
    type: "range",
    min: 2,
    max: 40,
    value: 100 * radius,
    title: "radius of the spray and the eraser",
  });
  width.setAttribute("aria-label", width.title);
  width.addEventListener("input", () => {
    radius = Number(width.value) / 100;
  });
  const starts = el("select", { title: "Begin again with" }, [
    el("option", { value: "", text: "Start with …" }),
    ...setup.starts.map((s) => el("option", { value: s, text: s })),
  ]);
  starts.addEventListener("change", () => {
    if (starts.value) {
      frame.post("start", starts.value, { reply: told });
      starts.value = "";
    }
  });

  /**
   * slider creates a slider for a value that is not an option of a method.
   * @param {string} name
   * @param {string} title
   * @param {{ max: number, min?: number, step?: number }} ends
   * @param {(v: number) => string} text
   * @param {string} kind of the message
   * @param {(v: number) => unknown} value of the message
   */
  function slider(name, title, { max, min = 0, step = 1 }, text, kind, value) {
    const label = el("span");
    const input = el("input", { type: "range", title, min, max, step });
    input.addEventListener("input", () => {
      label.textContent = text(Number(input.value));
      frame.post(kind, value(Number(input.value)), { key: kind });
    });
    return {
      node: line(name, title, [input, label]),
      /** @param {number} v */
      show(v) {
        if (!frame.waiting(kind)) {
          input.value = String(v);
          label.textContent = text(v);
        }
      },
    };
  }
  /** The lift chosen by the reader; the state may be older. @type {Lift} */
  let want = { dims: 2, noise: 0, seed: 1 };
  const { most } = setup;
  const dims = slider(
    "dimensions",
    "of the data: the canvas becomes a plane in more of them",
    { min: 2, max: most.dims },
    String,
    "lift",
    (v) => Object.assign(want, { dims: v }),
  );
  const noise = slider(
    "noise",
    "standard deviation in each dimension, in units of half the canvas",
    { max: most.noise, step: 0.01 },
    String,
    "lift",
    (v) => Object.assign(want, { noise: v }),
  );
  const kept = (/** @type {number} */ v) => (v ? String(v) : "all");
  const labels = slider(
    "labels",
    "that are kept of each class; the others are hidden from the method",
    { max: most.labels },
    kept,
    "labels",
    (v) => v,
  );
  const number = el("span");
  const seed = button("Draw others", "Other noise, another plane, other labels: the next seed", () => {
    if (last) {
      frame.post("lift", Object.assign(want, { seed: last.lift.seed + 1 }), { key: "lift" });
    }
  });

  frame.body.append(
    frame.title(setup.title),
    bar([...tools, width, ...classes]),
    bar([
      starts,
      ...steps.buttons,
      button("Clear", "Remove all spots", () => frame.post("clear", null, { reply: told })),
    ]),
    row([el("div", { class: "ssdrnb-half" }, [canvas]), el("div", { class: "ssdrnb-half" }, [plot.node])]),
    changed,
    frame.line,
    frame.failure,
    row([
      side([methods.line, dims.node, noise.node, labels.node, bar([seed, number])]),
      side([...methods.options, frame.saved]),
    ]),
  );
  return {
    plot,
    draw,
    last: () => last,
    undo: steps.press,
    close: end,
    /** @param {State} s */
    state(s) {
      if (!last || last.regions !== s.regions) {
        regions = layer(s.regions, setup.grid, setup.grid, setup.colors.slice(1), FAINT);
      }
      last = s;
      methods.state(s);
      steps.show(s);
      if (!frame.waiting("lift")) {
        want = { ...s.lift };
      }
      dims.show(s.lift.dims);
      noise.show(s.lift.noise);
      labels.show(s.labels);
      number.textContent = `seed ${s.lift.seed}`;
      draw();
      plot.of = s.of || [];
      plot.ringed = s.ringed || "";
      plot.resize(plot.of.length);
      if (s.at) {
        plot.move(s.at, s.revision);
      } else {
        frame.drawn(s.revision, true);
      }
    },
  };
}
