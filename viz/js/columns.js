// Restores rows of numbers that an output stores by columns, see columns.go.

/**
 * rows converts columns, the value of the key "~", to rows. Columns of other values than numbers, or
 * of different lengths, could make far more values than their text has.
 * @param {number[][]} columns
 */
function rows(columns) {
  if (columns.some((c) => c.length !== columns[0].length || !c.every?.(Number.isFinite)))
    throw new Error("damaged data");
  const wide = columns.map(([decimals, ...numbers]) => {
    let sum = 0;
    if (decimals < 0) return numbers.map((v) => (sum += v));
    return numbers.map((v) => v / 10 ** decimals);
  });
  return wide[0].map((_, r) => wide.map((column) => column[r]));
}

/**
 * withRows restores all rows in parsed JSON.
 * @param {any} v @returns {any}
 */
export function withRows(v) {
  if (v === null || typeof v !== "object") return v;
  if (Array.isArray(v)) {
    if (typeof v[0] === "object") for (let k = 0; k < v.length; k++) v[k] = withRows(v[k]);
    return v;
  }
  if (Array.isArray(v["~"])) return rows(v["~"]);
  for (const k of Object.keys(v)) v[k] = withRows(v[k]);
  return v;
}
