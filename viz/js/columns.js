// Rows of numbers that an output contains by columns, see columns.go.

/**
 * rows returns the rows of {"~": columns}.
 * @param {number[][]} columns
 */
function rows(columns) {
  const wide = columns.map(([decimals, ...numbers]) => {
    let sum = 0;
    if (decimals < 0) return numbers.map((v) => (sum += v));
    return numbers.map((v) => v / 10 ** decimals);
  });
  return wide[0].map((_, r) => wide.map((column) => column[r]));
}

/**
 * withRows replaces columns by rows in parsed JSON.
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
