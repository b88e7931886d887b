// Density images of many samples. The colour of a pixel is the mean of its samples' colours, so
// that no class covers the others, and its opacity shows their number. Go's crowd has the same
// rules. WebGL paints the image if webgl.js is loaded and WebGL is available. Otherwise the loops
// below do.
import { shade } from "./rules.js";

const BROAD = 300000; // samples of two by two pixels each
const MOST = 6; // pixels that a sample covers at most in each direction
const BEFORE = 2; // pixels of them to the left and above
const LEVELS = 256; // of a scale of colours
export const STEPS = 65535; // of a position or of a value; this value is unknown

/**
 * The samples of a panel. Sizes are in fifths of a pixel and opacities in steps of 1/255. Either
 * list has one entry per sample, one entry for all samples, or none for the default.
 * @typedef {{x: Uint16Array, y: Uint16Array, of: Uint8Array | Uint16Array, rows?: Uint32Array, values?: Uint16Array,
 *   sizes: Uint8Array, opacities: Uint8Array, count: number}} Unpacked
 */
/** @typedef {{x: number, y: number, dx: number, dy: number}} Frame the place of position 0, and the length of a step */
/**
 * Ground contains the size of a panel in pixels (w, h) and its colours (tones, RGBA) in rows of
 * 256. Rows 0 to `row` − 1 contain one colour per series, opaque if the series is visible. Row
 * `row` contains the colours of the values.
 * @typedef {{w: number, h: number, tones: Uint8Array<ArrayBuffer>, row: number}} Ground
 */

const rgb = (/** @type {string} */ css) =>
  [1, 3, 5].map((k) => Number.parseInt(css.slice(k, k + 2), 16) || 0);

/** entry returns entry r, or the only entry. @param {Uint8Array} list @param {number} r */
export const entry = (list, r) => list[list.length > 1 ? r : 0];

/**
 * groundOf returns the size and the colours of a panel.
 * @param {Box} b @param {Unpacked} u @param {{fill: string}[]} series @param {(j: number) => boolean} seen
 * @param {string[]} stops
 * @returns {Ground}
 */
export function groundOf(b, u, series, seen, stops) {
  const row = u.of.BYTES_PER_ELEMENT > 1 ? 256 : 1;
  const tones = new Uint8Array(1024 * (row + 1));
  series.slice(0, 256 * row).forEach((s, j) => {
    tones.set([...rgb(s.fill), seen(j) ? 255 : 0], 4 * j);
  });
  for (let level = 0; stops?.length && level < LEVELS; level++) {
    const stop = stops[Math.round((level / (LEVELS - 1)) * (stops.length - 1))];
    tones.set([...rgb(stop), 255], 4 * (256 * row + level));
  }
  return { w: Math.ceil(b.width), h: Math.ceil(b.height), tones, row };
}

/**
 * covers returns three numbers: the pixels that a sample without a size covers in each direction,
 * the fifths of a pixel in size per covered pixel, and the maximum of covered pixels.
 * @param {number} count
 */
export const covers = (count) => (count <= BROAD ? [2, 15, MOST] : [1, 30, MOST / 2]);

/** @type {Float32Array} */
let sums = new Float32Array(0); // red, green, blue and weight of each pixel, zero between two panels
/** @type {HTMLCanvasElement | undefined} */
let sheet;

/**
 * density paints the samples of a panel. It returns a canvas with the image in its upper left
 * corner.
 * @param {Unpacked} u @param {Frame} f @param {Ground} ground
 */
export function density(u, f, { w, h, tones, row }) {
  const { x: X, y: Y, of: O, values: V, sizes: S, opacities: A, count } = u;
  const wide = w + MOST;
  const length = 4 * wide * (h + MOST);
  if (sums.length < length) sums = new Float32Array(length);
  const all = sums;
  const [usual, unit, most] = covers(count);
  const cover = Array.from({ length: 256 }, (_, s) =>
    s ? Math.min(Math.max(Math.round(s / unit), 1), most) : usual,
  );
  let total = 0;
  let taken = 0;
  for (let r = 0; r < count; r++) {
    const j = O[r];
    if (tones[4 * j + 3] === 0) continue;
    const x = f.x + X[r] * f.dx;
    const y = f.y + Y[r] * f.dy;
    if (x < 0 || y < 0 || x >= w || y >= h) continue;
    const t = 4 * (V && V[r] < STEPS ? 256 * row + (V[r] >> 8) : j);
    const weight = A.length ? entry(A, r) / 255 : 1;
    const side = S.length ? cover[entry(S, r)] : usual;
    const first = BEFORE - ((side - 1) >> 1);
    const [red, green, blue] = [weight * tones[t], weight * tones[t + 1], weight * tones[t + 2]];
    for (let v = 0; v < side; v++) {
      let at = 4 * (((y | 0) + first + v) * wide + (x | 0) + first);
      for (let q = 0; q < side; q++, at += 4) {
        if (all[at + 3] === 0) taken++;
        all[at] += red;
        all[at + 1] += green;
        all[at + 2] += blue;
        all[at + 3] += weight;
      }
    }
    total += side * side * weight;
  }
  const out = shaded(all, w, h, total / taken);
  all.fill(0, 0, length);
  return out;
}

/**
 * shaded paints the image from the sums of colours and weights at each pixel. mean is the mean
 * weight of pixels with samples.
 * @param {Float32Array} all @param {number} w @param {number} h @param {number} mean
 */
function shaded(all, w, h, mean) {
  sheet ??= document.createElement("canvas");
  if (sheet.width < w || sheet.height < h)
    Object.assign(sheet, { width: Math.max(w, sheet.width), height: Math.max(h, sheet.height) });
  const into = /** @type {CanvasRenderingContext2D} */ (sheet.getContext("2d", { willReadFrequently: true }));
  const image = into.createImageData(w, h);
  const d = new Uint32Array(image.data.buffer);
  const shades = Uint8Array.from({ length: 1000 }, (_, count) => 255 * shade(count, mean) + 0.5);
  for (let y = 0, p = 0; y < h; y++) {
    for (let x = 0, z = 4 * ((y + BEFORE) * (w + MOST) + BEFORE); x < w; x++, p++, z += 4) {
      const v = all[z + 3];
      if (v === 0) continue;
      const alpha = v < 1000 && v === (v | 0) ? shades[v] : 255 * shade(v, mean) + 0.5;
      d[p] = (alpha << 24) | ((all[z + 2] / v) << 16) | ((all[z + 1] / v) << 8) | (all[z] / v);
    }
  }
  into.putImageData(image, 0, 0);
  return sheet;
}
