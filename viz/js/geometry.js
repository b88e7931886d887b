// Places in pixels.

/**
 * encloses reports whether a point lies inside the closed path, such as a lasso.
 * @param {number[][]} path @param {number} x @param {number} y
 */
export function encloses(path, x, y) {
  let odd = false;
  for (let a = 0, b = path.length - 1; a < path.length; b = a++) {
    const [xa, ya] = path[a];
    const [xb, yb] = path[b];
    if (ya > y !== yb > y && x < ((xb - xa) * (y - ya)) / (yb - ya) + xa) odd = !odd;
  }
  return odd;
}

/** @param {Box} b @param {number[]} q */
export function within(b, q) {
  return q[0] >= b.left && q[0] <= b.left + b.width && q[1] >= b.top && q[1] <= b.top + b.height;
}

/**
 * corners returns the corners of the box whose diagonal joins the ends of a path.
 * @param {number[][]} path
 */
export function corners(path) {
  const a = path[0];
  const b = path[path.length - 1];
  return [a, [b[0], a[1]], b, [a[0], b[1]]];
}

/**
 * aim returns the score by which an arrow key chooses the next sample from q; the lowest wins.
 * Samples within 45° of the direction way come first, then samples within 90°, then samples less
 * than `least` pixels ahead, and in each class the nearest. Samples at the same place are ordered
 * by row. Without way, the nearest sample wins.
 * @param {number[]} q @param {number[] | null} way @param {number} least @param {number} i @returns {Score}
 */
export function aim(q, way, least, i) {
  return (x, y, r) => {
    x -= q[0];
    y -= q[1];
    if (!way) return x * x + y * y;
    const ahead = x * way[0] + y * way[1];
    const aside = Math.abs(x * way[1] - y * way[0]);
    if (ahead > 1e-6) return ahead + 2 * aside + (aside > ahead ? 1e6 : 0) + (ahead < least ? 2e6 : 0);
    return ahead > -1e-6 && aside < 1e-6 && (r - i) * (way[0] + way[1]) > 0
      ? -1 / Math.abs(r - i)
      : Number.POSITIVE_INFINITY;
  };
}
