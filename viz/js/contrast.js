// Compares a group of samples with other samples, feature by feature. Values are reduced to at most
// 255 levels, one byte each. Go's package contrast computes the same numbers: tests run both on the
// cases of testdata/contrast.json.

/**
 * @typedef {{name: string, of: Uint8Array, levels?: number[], names?: string[], date?: boolean, outside?: boolean}} Column
 * @typedef {{column: number, value: number, missing: boolean, delta: number, se: number, in: number, out: number}} Difference
 *   medians, or shares of a value or of missing values; value is −1 for numbers
 */

const NONE = 255;

/**
 * score orders differences: |δ| minus its standard error, at least 0, rounded to 12 decimals.
 * @param {number} delta @param {number} se
 */
export function score(delta, se) {
  const s = Math.abs(delta) - se;
  return s > 0 ? Math.round(s * 1e12) / 1e12 : 0;
}

/** @param {number} m @param {number} n */
const error = (m, n) => Math.sqrt((m + n + 1) / (3 * m * n));

/** @param {number} there @param {number} all */
const lacking = (there, all) => (all ? (all - there) / all : 0);

/**
 * delta returns Cliff's δ between a group and the other samples, from the number of samples at each
 * level.
 * @param {ArrayLike<number>} own @param {ArrayLike<number>} others @param {number} levels
 */
export function delta(own, others, levels) {
  let [twice, before, m, n] = [0, 0, 0, 0];
  for (let v = 0; v < levels; v++) {
    const tie = own[v] + others[v];
    twice += own[v] * (2 * before + tie + 1); // the mid-rank, doubled to be a whole number
    before += tie;
    m += own[v];
    n += others[v];
  }
  return m && n ? (twice - m * (m + 1)) / (m * n) - 1 : Number.NaN;
}

/** @param {ArrayLike<number>} counts @param {number[]} levels @param {number} there */
function median(counts, levels, there) {
  if (!there) return Number.NaN;
  /** @param {number} t */
  const at = (t) => {
    let v = 0;
    for (let seen = counts[0]; seen <= t; seen += counts[v]) v++;
    return levels[v];
  };
  return at((there - 1) >> 1) / 2 + at(there >> 1) / 2;
}

/** @param {Column} c */
const size = (c) => (c.levels ? c.levels.length : (c.names || []).length + 1);

/**
 * count returns how many of the given rows are at each level of a column.
 * @param {Column} c @param {ArrayLike<number>} rows
 */
function count(c, rows) {
  const counts = new Uint32Array(NONE + 1);
  const { of } = c;
  for (let k = 0; k < rows.length; k++) counts[of[rows[k]]]++;
  return counts;
}

/**
 * comparer returns the functions compare and effect. Both compare a group of samples with others,
 * or with all other samples if others is null.
 * @param {Column[]} columns @param {number} samples
 */
export function comparer(columns, samples) {
  const whole = Array.from({ length: samples }, (_, i) => i);
  /** @type {(Uint32Array | undefined)[]} */
  const totals = [];
  const total = (/** @type {number} */ k) => (totals[k] ??= count(columns[k], whole));

  /** sides counts the levels of column k in the group and in the samples compared with it. */
  function sides(
    /** @type {number} */ k,
    /** @type {ArrayLike<number>} */ rows,
    /** @type {ArrayLike<number> | null} */ others,
  ) {
    const own = count(columns[k], rows);
    const out = others ? count(columns[k], others) : total(k).map((v, level) => v - own[level]);
    return [own, out];
  }

  /**
   * compare returns the differences in the columns that wanted selects, by descending score.
   * @param {ArrayLike<number>} rows @param {ArrayLike<number> | null} others
   * @param {(c: Column) => boolean} [wanted] @returns {Difference[]}
   */
  function compare(rows, others, wanted = () => true) {
    /** @type {Difference[]} */
    const list = [];
    const [m, n] = [rows.length, others ? others.length : samples - rows.length];
    columns.forEach((c, column) => {
      if (!wanted(c)) return;
      const [own, out] = sides(column, rows, others);
      const [a, b] = [m - own[NONE], n - out[NONE]];
      if (c.levels) {
        const se = a && b ? error(a, b) : Number.POSITIVE_INFINITY;
        const [low, high] = [median(own, c.levels, a), median(out, c.levels, b)];
        list.push({
          column,
          value: -1,
          missing: false,
          delta: delta(own, out, c.levels.length),
          se,
          in: low,
          out: high,
        });
      } else if (a && b) {
        const mine = (c.names || []).map((_, value) => {
          const [p, q] = [own[value] / a, out[value] / b];
          return { column, value, missing: false, delta: p - q, se: error(a, b), in: p, out: q };
        });
        list.push(...mine.filter((r) => r.in || r.out).sort((r, s) => of(s) - of(r)));
      }
      const [p, q] = [lacking(a, m), lacking(b, n)];
      const gaps = { column, value: -1, missing: true, delta: p - q, se: error(m, n), in: p, out: q };
      if (of(gaps) > 0) list.push(gaps);
    });
    return list.sort((r, s) => of(s) - of(r));
  }
  const of = (/** @type {Difference} */ r) => score(r.delta, r.se);

  /**
   * effect returns the |δ| of a difference in a region of the embedding. It is 0 if one side has no
   * values.
   * @param {Difference} r @param {[number[], number[] | null]} region and the samples compared with it, null for all others
   */
  function effect(r, [rows, others]) {
    const c = columns[r.column];
    const [own, out] = sides(r.column, rows, others);
    const [m, n] = [rows.length, others ? others.length : samples - rows.length];
    const [a, b] = [m - own[NONE], n - out[NONE]];
    if (r.missing) return Math.abs(lacking(a, m) - lacking(b, n));
    if (!a || !b) return 0;
    return Math.abs(c.levels ? delta(own, out, size(c)) : own[r.value] / a - out[r.value] / b);
  }
  return { compare, effect };
}

/**
 * usual returns the 90 % quantile of a list of effects.
 * @param {number[]} effects
 */
export const usual = (effects) => [...effects].sort((a, b) => a - b)[Math.ceil(0.9 * effects.length) - 1];

/**
 * Points are samples of an embedding, ascending by row.
 * @typedef {{rows: ArrayLike<number>, x: ArrayLike<number>, y: ArrayLike<number>}} Points
 */

/**
 * nearest returns the rows of the samples nearest to the sample with row center, including that
 * sample. The argument many is their number.
 * @param {Points} points @param {number} center its row
 * @param {number} many @param {Set<number>} [taken] excluded rows
 */
function nearest({ rows, x, y }, center, many, taken) {
  const at = Array.prototype.indexOf.call(rows, center);
  if (at < 0) return [];
  const far = new Float64Array(rows.length);
  for (let k = 0; k < far.length; k++) {
    const [dx, dy] = [x[k] - x[at], y[k] - y[at]];
    far[k] = taken?.has(rows[k]) ? Number.POSITIVE_INFINITY : dx * dx + dy * dy;
  }
  const limit = far.slice().sort()[Math.min(many, far.length) - 1];
  /** @type {number[]} */
  const out = [];
  /** @type {number[]} */
  const ties = [];
  for (let k = 0; k < far.length; k++) {
    if (far[k] < limit) out.push(rows[k]);
    else if (far[k] === limit && far[k] < Number.POSITIVE_INFINITY) ties.push(rows[k]);
  }
  return out.concat(ties.slice(0, many - out.length));
}

/**
 * regionOf returns the rows of the samples nearest to the k-th center. The argument many is their
 * number. If others is a number, it also returns that many samples near the next center.
 * @param {Points} points @param {number[]} centers @param {number} k
 * @param {number} many @param {number | null} others @returns {[number[], number[] | null]}
 */
export function regionOf(points, centers, k, many, others) {
  const own = nearest(points, centers[k], many);
  if (others === null) return [own, null];
  return [own, nearest(points, centers[(k + 1) % centers.length], others, new Set(own))];
}

/**
 * columnsOf unpacks the columns of a figure. A value that is not valid counts as missing, because
 * the columns of an untrusted notebook may contain anything. There are no columns if they have more
 * values than most.
 * @param {any[]} packed @param {number} samples @param {number} most @returns {Column[]}
 */
export function columnsOf(packed, samples, most) {
  if (packed.length * samples > most) return [];
  const missing = new Uint8Array(samples).fill(NONE);
  return packed.map((c) => {
    let text = "";
    try {
      text = atob(c.of);
    } catch {
      /* no base64 */
    }
    if (text.length !== samples) return { ...c, of: missing };
    const levels = size(c);
    const of = Uint8Array.from(text, (one) => (one.charCodeAt(0) < levels ? one.charCodeAt(0) : NONE));
    return { ...c, of };
  });
}

/**
 * labelOf returns the name of a difference, like Go's Difference.Label.
 * @param {Column[]} columns @param {Difference} r
 */
export function labelOf(columns, r) {
  const c = columns[r.column];
  if (r.missing) return `${c.name} missing`;
  return c.levels ? c.name : `${c.name} ${c.names?.[r.value]}`;
}
