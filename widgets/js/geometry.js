// Geometry of embeddings and strokes. These functions do not access the page.

/**
 * @typedef {import("./types.js").Point} Point
 * @typedef {import("./types.js").Packed} Packed
 */

/**
 * A view of a square canvas: enlarged k times about its centre, then moved by x and y canvas sides.
 * @typedef {{ k: number, x: number, y: number }} View
 */

/** @type {Readonly<View>} */
export const WHOLE = { k: 1, x: 0, y: 0 };

const MOST = 50;

/**
 * positions returns x and y of n samples in turn, or null if the number of samples differs.
 * @param {Packed} packed
 * @param {number} n
 */
export function positions(packed, n) {
  const raw = atob(packed.steps);
  if (raw.length !== 4 * n) {
    return null;
  }
  const out = new Float32Array(2 * n);
  const units = [packed.unit, packed.unitY || packed.unit];
  const from = packed.from || [0, 0];
  for (let i = 0; i < 2 * n; i++) {
    const step = raw.charCodeAt(2 * i) | (raw.charCodeAt(2 * i + 1) << 8);
    out[i] = from[i % 2] + units[i % 2] * ((step << 16) >> 16);
  }
  return out;
}

/**
 * frameOf returns the centre and the longer side of the bounding box of points.
 * @param {ArrayLike<number>} at two coordinates for each point
 */
export function frameOf(at) {
  let [left, right, low, high] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let i = 0; i < at.length; i += 2) {
    left = Math.min(left, at[i]);
    right = Math.max(right, at[i]);
    low = Math.min(low, at[i + 1]);
    high = Math.max(high, at[i + 1]);
  }
  return { x: (left + right) / 2, y: (low + high) / 2, side: Math.max(right - left, high - low, 1e-9) };
}

/**
 * zoomed enlarges a view by a factor, within 1 to 50, about the place q of the canvas.
 * @param {Readonly<View>} view
 * @param {Point} q in units of the canvas side, (0, 0) at the top left
 * @param {number} factor
 * @returns {View}
 */
export function zoomed(view, q, factor) {
  const k = Math.min(MOST, Math.max(1, view.k * factor));
  const f = k / view.k;
  if (k === 1) {
    return { ...WHOLE };
  }
  return { k, x: (view.x + 0.5 - q[0]) * f - 0.5 + q[0], y: (view.y + 0.5 - q[1]) * f - 0.5 + q[1] };
}

/**
 * pinched returns the view after two fingers have moved from the points a and b to c and d.
 * @param {Readonly<View>} view
 * @param {[Point, Point]} from
 * @param {[Point, Point]} to
 * @returns {View}
 */
export function pinched(view, [a, b], [c, d]) {
  const before = Math.hypot(a[0] - b[0], a[1] - b[1]);
  const after = Math.hypot(c[0] - d[0], c[1] - d[1]);
  const [px, py] = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
  const [qx, qy] = [(c[0] + d[0]) / 2, (c[1] + d[1]) / 2];
  const out = zoomed(view, [px, py], before > 0 ? after / before : 1);
  return out.k === 1 ? out : { k: out.k, x: out.x + qx - px, y: out.y + qy - py };
}

/**
 * viewOf returns a stored view, or the whole canvas if it is not valid.
 * @param {unknown} kept
 * @returns {View}
 */
export function viewOf(kept) {
  const v = /** @type {Partial<View>} */ (typeof kept === "object" && kept !== null ? kept : {});
  const { k = 0, x = 0, y = 0 } = v;
  const fits =
    [k, x, y].every(Number.isFinite) && k >= 1 && k <= MOST && Math.max(Math.abs(x), Math.abs(y)) <= k;
  return fits ? { k, x, y } : { ...WHOLE };
}

/**
 * box returns the four corners of the rectangle that has a and b as opposite corners.
 * @param {Point} a
 * @param {Point} b
 * @returns {Point[]}
 */
export function box(a, b) {
  return [a, [b[0], a[1]], b, [a[0], b[1]]];
}

/**
 * along returns points on the segment from a to b, at distances gap, 2·gap, … from a.
 * @param {Point} a
 * @param {Point} b
 * @param {number} gap
 * @returns {Point[]}
 */
export function along(a, b, gap) {
  const out = [];
  const d = Math.hypot(b[0] - a[0], b[1] - a[1]);
  for (let k = 1; k * gap <= d; k++) {
    out.push(
      /** @type {Point} */ ([a[0] + (k * gap * (b[0] - a[0])) / d, a[1] + (k * gap * (b[1] - a[1])) / d]),
    );
  }
  return out;
}

/**
 * sprayed returns random points, uniformly distributed over a disc around q.
 * @param {Point} q
 * @param {number} radius
 * @param {number} count
 * @param {() => number} random from 0 to 1
 * @returns {Point[]}
 */
export function sprayed(q, radius, count, random) {
  return Array.from({ length: count }, () => {
    const r = radius * Math.sqrt(random());
    const angle = 2 * Math.PI * random();
    return [q[0] + r * Math.cos(angle), q[1] + r * Math.sin(angle)];
  });
}

/**
 * clipped clips the coordinates of a point to [−limit, limit], and rounds them to three decimals.
 * @param {Point} q
 * @param {number} [limit]
 * @returns {Point}
 */
export function clipped(q, limit = 1) {
  const clip = (/** @type {number} */ v) => Math.round(1000 * Math.max(-limit, Math.min(limit, v))) / 1000;
  return [clip(q[0]), clip(q[1])];
}

/**
 * eased maps the time of an animation, from 0 to 1, to its progress, slow at both ends.
 * @param {number} t
 */
export function eased(t) {
  return t * t * (3 - 2 * t);
}
