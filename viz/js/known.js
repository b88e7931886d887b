// Matches samples of different data sets, see Figure.Linked of package viz. Samples with the same
// number match.
import { numbers } from "./crowd.js";

/** The number that marks a sample without counterparts. */
const NONE = 0xffffffff;

/**
 * indexed decodes the numbers of n samples. In the result, `of[i]` is the number of sample i, and
 * `rows` lists the samples with each number. It is null unless the text contains n numbers.
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
 * knownOf matches the samples of different panels of a view.
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
    matches(k, rows, j) {
      const all = new Set(rows.map((i) => of(k)?.of[i] ?? NONE)); // each sample has only one number
      return [...all].flatMap((v) => of(j)?.rows.get(v) || []);
    },
  };
}
