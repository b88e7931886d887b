// Gestures on a canvas. A drag pans, or draws with a tool. The wheel zooms with Ctrl or after a
// click. Two fingers zoom and pan. Hovering or a long press shows the card of a sample. A click or
// tap selects a sample.

import { pinched, zoomed } from "./geometry.js";

/**
 * @typedef {import("./types.js").Point} Point
 * @typedef {import("./geometry.js").View} View
 */

/**
 * A tool that draws on the canvas. Places are in CSS pixels of the canvas.
 * @typedef {object} Tool
 * @property {(q: Point) => void} begin
 * @property {(q: Point) => void} move
 * @property {(q: Point) => void} end
 * @property {() => void} cancel
 */

/**
 * The functions that carry out the gestures. Places are in CSS pixels of the canvas.
 * @typedef {object} Hands
 * @property {() => Tool | null} tool
 * @property {() => number} size the side of the canvas
 * @property {() => Readonly<View>} view
 * @property {(v: View) => void} look changes the view
 * @property {() => void} looked is called at the end of a change of the view
 * @property {(q: Point, reach: number) => boolean} card shows the card of a sample near q, if any
 * @property {() => void} hide hides the card
 * @property {(q: Point, reach: number, shift: boolean) => void} click selects a sample near q
 */

const LONG = 450; // ms of a long press
const MOUSE = { move: 4, hover: 8, click: 12 }; // pixels
const FINGER = { move: 9, hover: 24, click: 24 };

/**
 * placeIn returns the place of an event, in CSS pixels of the canvas without its border.
 * @param {HTMLElement} canvas
 * @param {MouseEvent} e
 * @returns {Point}
 */
export function placeIn(canvas, e) {
  const b = canvas.getBoundingClientRect();
  const f = canvas.clientWidth / (b.width - 2 * canvas.clientLeft || 1); // a page may be scaled
  return [(e.clientX - b.x - canvas.clientLeft) * f, (e.clientY - b.y - canvas.clientTop) * f];
}

/**
 * capture lets a canvas receive the events of a pointer after it has left the canvas.
 * @param {HTMLElement} canvas
 * @param {PointerEvent} e
 */
export function capture(canvas, e) {
  try {
    canvas.setPointerCapture(e.pointerId);
  } catch {
    // The pointer has already been released.
  }
}

/**
 * listen calls the functions of hands for the gestures on a canvas.
 * @param {HTMLCanvasElement} canvas
 * @param {Hands} hands
 */
export function listen(canvas, hands) {
  /** @type {Map<number, Point>} */
  const pointers = new Map();
  /** @type {{ q: Point, view: Readonly<View>, moved: boolean, held: boolean } | null} */
  let down = null;
  /** @type {{ points: [Point, Point], view: Readonly<View> } | null} */
  let pinch = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let press;
  let active = false; // clicked, and not left since
  const limits = (/** @type {PointerEvent} */ e) => (e.pointerType === "touch" ? FINGER : MOUSE);
  const inSides = (/** @type {Point} */ q) =>
    /** @type {Point} */ ([q[0] / hands.size(), q[1] / hands.size()]);
  const two = () => /** @type {[Point, Point]} */ ([...pointers.values()].slice(0, 2).map(inSides));
  const drop = () => {
    clearTimeout(press);
    down = null;
  };

  canvas.addEventListener(
    "wheel",
    (e) => {
      if (e.ctrlKey || e.metaKey || active) {
        e.preventDefault();
        hands.look(zoomed(hands.view(), inSides(placeIn(canvas, e)), Math.exp(-e.deltaY * 0.0015)));
        hands.looked();
      }
    },
    { passive: false },
  );
  canvas.addEventListener("pointerdown", (e) => {
    const q = placeIn(canvas, e);
    capture(canvas, e);
    active = true;
    pointers.set(e.pointerId, q);
    hands.hide();
    if (pointers.size === 2) {
      if (down) {
        hands.tool()?.cancel();
      }
      drop();
      pinch = { points: two(), view: hands.view() };
      return;
    }
    if (pointers.size > 2) {
      return;
    }
    const mine = { q, view: hands.view(), moved: false, held: false };
    down = mine;
    const tool = hands.tool();
    if (tool) {
      tool.begin(q);
    } else if (e.pointerType === "touch") {
      press = setTimeout(() => {
        mine.held = !mine.moved && hands.card(q, FINGER.hover);
      }, LONG);
    }
  });
  canvas.addEventListener("pointermove", (e) => {
    const q = placeIn(canvas, e);
    if (pointers.has(e.pointerId)) {
      pointers.set(e.pointerId, q);
    }
    if (pinch) {
      if (pointers.size >= 2) {
        hands.look(pinched(pinch.view, pinch.points, two()));
      }
      return;
    }
    const tool = hands.tool();
    if (!down) {
      if (!tool && pointers.size === 0 && !hands.card(q, limits(e).hover)) {
        hands.hide();
      }
      return;
    }
    const [x, y] = [q[0] - down.q[0], q[1] - down.q[1]];
    if (Math.abs(x) + Math.abs(y) > limits(e).move) {
      down.moved = true;
    }
    if (tool) {
      tool.move(q);
    } else if (down.moved && !down.held) {
      hands.look({ ...down.view, x: down.view.x + x / hands.size(), y: down.view.y + y / hands.size() });
    }
  });
  canvas.addEventListener("pointerup", (e) => {
    pointers.delete(e.pointerId);
    const [was, pinching] = [down, pinch];
    drop();
    if (pointers.size === 0) {
      pinch = null;
    }
    if (pinching || was?.moved) {
      hands.looked();
    }
    const q = placeIn(canvas, e);
    const tool = hands.tool();
    if (was && tool) {
      tool.end(q);
    } else if (was && !was.moved && !was.held) {
      hands.click(q, limits(e).click, e.shiftKey);
    }
  });
  canvas.addEventListener("pointercancel", (e) => {
    pointers.delete(e.pointerId);
    if (down) {
      hands.tool()?.cancel();
    }
    drop();
    if (pointers.size === 0) {
      pinch = null;
    }
  });
  canvas.addEventListener("pointerleave", (e) => {
    if (e.pointerType !== "touch") {
      active = false;
      hands.hide();
    }
  });
  canvas.addEventListener("contextmenu", (e) => {
    if (down) {
      e.preventDefault(); // a long press is ours
    }
  });
  canvas.addEventListener("dblclick", () => {
    hands.look({ k: 1, x: 0, y: 0 });
    hands.looked();
  });
}
