// Samples of different data that are the same, see Linked of package viz.
import { numbers } from "./crowd.js";

/** The number of samples without counterparts. */
const NONE = 0xffffffff;

/**
 * indexed has the number of each sample and the samples of each number. It is null if the text does
 * not have n numbers.
 * @param {string} text @param {number} n
 */
export function indexed(text, n) {
  const of = numbers(text, Uint32Array);
  if (of.length !== n) return null;
  /** @type {Map<number, number[]>} */
  const rows = new Map();
  of.forEach((v, i) => {
    if (v === NONE) return;
    const list = rows.get(v);
    if (list) list.push(i);
    else rows.set(v, [i]);
  });
  return { of, rows };
}

/**
 * knownOf matches the samples of different panels of a view, if the data have their numbers.
 * @param {View} view @returns {Known}
 */
export function knownOf(view) {
  /** @type {Map<number, ReturnType<typeof indexed>>} */
  const read = new Map();
  const of = (/** @type {number} */ k) => {
    const p = view.payload.extra.panels?.[k];
    if (!p?.known) return null;
    if (!read.has(k)) read.set(k, indexed(p.known, p.samples.n));
    return read.get(k) || null;
  };
  return {
    has: (k) => !!of(k),
    same: (k, i, j) => of(j)?.rows.get(of(k)?.of[i] ?? NONE) || [],
  };
}
