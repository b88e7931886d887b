// The image that the reader segments by drawing on it, and the predicted segmentation.

import { contextOf, follow, scaled } from "./box.js";
import { transfer, undoing } from "./controls.js";
import { bar, button, el, press, row } from "./elements.js";
import { capture, placeIn } from "./gestures.js";
import { layer } from "./layer.js";

/**
 * @typedef {import("./types.js").Frame} Frame
 * @typedef {import("./types.js").Point} Point
 * @typedef {{ title: string, image: string, width: number, height: number, classes: string[], colors: string[] }} Setup
 * @typedef {import("./types.js").State & { marks: string, regions: string, undo: number, redo: number, labels: number }} State
 */

const MOST = 2000; // points of a stroke

/**
 * @param {Frame} frame
 * @param {Setup} setup
 * @returns {import("./types.js").View}
 */
export function scribble(frame, setup) {
  const { width, height } = setup;
  const steps = undoing(frame);
  const drawing = new Image();
  let current = 0;
  let radius = 2;
  /** @type {Point[] | null} */
  let stroke = null;
  /** @type {State | null} */
  let last = null;
  /** @type {HTMLCanvasElement | null} */
  let marks = null;
  /** @type {HTMLCanvasElement | null} */
  let regions = null;

  // The unit of drawing on both canvases is a pixel of the image.
  const [left, right] = ["the picture: draw on it", "the regions"].map((title) => {
    const canvas = el("canvas", { class: "ssdrnb-picture", title });
    canvas.style.aspectRatio = `${width} / ${height}`;
    return canvas;
  });
  left.style.cursor = "crosshair";
  left.style.touchAction = "none";
  const contexts = [contextOf(left), contextOf(right)];
  function paint() {
    for (const [k, c] of contexts.entries()) {
      scaled(k ? right : left, c, width);
      c.imageSmoothingEnabled = false;
      c.clearRect(0, 0, width, height);
    }
    const [c, d] = contexts;
    if (drawing.complete && drawing.naturalWidth) {
      c.drawImage(drawing, 0, 0, width, height);
    }
    if (marks) {
      c.drawImage(marks, 0, 0);
    }
    if (stroke) {
      c.strokeStyle = setup.colors[current];
      c.lineWidth = 2 * radius;
      c.lineCap = c.lineJoin = "round";
      c.beginPath();
      c.moveTo(...stroke[0]);
      for (const q of stroke) {
        c.lineTo(...q);
      }
      c.stroke();
    }
    if (regions) {
      d.drawImage(regions, 0, 0);
    }
  }
  drawing.onload = paint;
  drawing.src = `data:image/png;base64,${setup.image}`;
  const ends = [left, right].map((canvas) => follow(canvas, paint));

  const rewritten = el("div", { class: "ssdrnb-status", role: "status" }); // what a stroke did to known labels
  /** @param {PointerEvent} e @returns {Point} */
  function where(e) {
    const q = placeIn(left, e);
    const f = width / left.clientWidth;
    return [Math.round(100 * f * q[0]) / 100, Math.round(100 * f * q[1]) / 100];
  }
  let pointer = -1; // that draws; further fingers do nothing
  left.addEventListener("pointerdown", (e) => {
    if (!stroke) {
      pointer = e.pointerId;
      stroke = [where(e)];
      capture(left, e);
      paint();
    }
  });
  left.addEventListener("pointermove", (e) => {
    if (stroke && e.pointerId === pointer && stroke.length < MOST) {
      stroke.push(where(e));
      paint();
    }
  });
  left.addEventListener("pointerup", (e) => {
    if (!stroke || e.pointerId !== pointer) {
      return;
    }
    rewritten.textContent = "";
    const reply = (/** @type {string} */ said) => {
      rewritten.textContent = said;
    };
    frame.post("stroke", { Points: stroke, Radius: radius, Class: current }, { reply });
    stroke = null;
  });
  left.addEventListener("pointercancel", (e) => {
    if (e.pointerId === pointer) {
      stroke = null;
      paint();
    }
  });

  const choices = [...setup.classes, "eraser"].map((name, k) => {
    const title = k < setup.classes.length ? `Draw ${name}` : "Erase scribbles";
    const b = button(
      name,
      title,
      () => {
        current = k;
        press(choices, b);
      },
      setup.colors[k],
    );
    return b;
  });
  press(choices, choices[0]);
  const size = el("input", {
    type: "range",
    min: 1,
    max: 12,
    value: radius,
    title: "radius of the brush in pixels",
  });
  size.setAttribute("aria-label", size.title);
  size.addEventListener("input", () => {
    radius = Number(size.value);
  });
  const clear = button("Clear", "Remove all scribbles", () => frame.post("clear", null));
  frame.body.append(
    frame.title(setup.title),
    bar([...choices, size, ...steps.buttons, clear, ...transfer(frame)]),
    row([left, right]),
    rewritten,
    frame.line,
    frame.failure,
    frame.saved,
  );
  return {
    last: () => last,
    undo: steps.press,
    close: () => {
      for (const end of ends) {
        end();
      }
    },
    /** @param {State} s */
    state(s) {
      last = s;
      steps.show(s);
      marks = layer(s.marks, width, height, setup.colors, 255);
      regions = layer(s.regions, width, height, setup.colors, 255);
      paint();
      frame.drawn(s.revision, true);
    },
  };
}
