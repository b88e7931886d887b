// Gives samples.js access to the samples in panels that crowd.js paints.
import { painterOf } from "./crowd.js";
import { fast } from "./webgl.js";

/** @typedef {import("./density.js").Unpacked} Unpacked */

/**
 * indexOf returns the index of row i in the samples u, or −1.
 * @param {Unpacked} u @param {number} i
 */
export function indexOf(u, i) {
  if (!u.rows) return i < u.count ? i : -1;
  for (let a = 0, b = u.count - 1; a <= b; ) {
    const mid = (a + b) >> 1;
    if (u.rows[mid] === i) return mid;
    if (u.rows[mid] < i) a = mid + 1;
    else b = mid - 1;
  }
  return -1;
}

/**
 * crowdOf paints the panels with many samples and lets the reader select and hover their samples.
 * @param {View} view @param {Linked} samples @returns {Crowd}
 */
export function crowdOf(view, samples) {
  const host = {
    lister: samples.lister,
    pointed(/** @type {number} */ k, /** @type {number} */ i) {
      const key = samples.keysOf()[k];
      if (key) samples.point(key, i, i < 0 ? -1 : k);
    },
    busy: () => !!samples.tool(),
  };
  const painter = painterOf(view, host, fast);

  /** of returns the samples of panel k, or null if ECharts draws them. */
  function of(/** @type {number} */ k) {
    const m = painter.packed(k);
    if (!m) return null;
    const u = painter.unpack(k, m);
    const list = painter.looks(k);
    return {
      count: u.count,
      from: m.from,
      to: m.to,
      of(/** @type {number} */ i) {
        const r = indexOf(u, i);
        const s = list[u.of[r]];
        return s && painter.spotOf(m, u, s, r, {});
      },
      each(/** @type {(s: Spot) => void} */ f) {
        const one = {};
        for (let r = 0; r < u.count; r++) {
          const s = list[u.of[r]];
          if (s) f(painter.spotOf(m, u, s, r, one));
        }
      },
      seek(/** @type {Score} */ score) {
        const b = view.arrange().option.grid[k];
        const f = painter.frame(b, k, m);
        const [left, top, right, bottom] = [b.left + f.x, b.top + f.y, b.left + b.width, b.top + b.height];
        const on = painter.looks(k).map((s) => s.on);
        let best = -1;
        let least = Number.POSITIVE_INFINITY;
        for (let r = 0; r < u.count; r++) {
          const x = left + u.x[r] * f.dx;
          const y = top + u.y[r] * f.dy;
          if (!on[u.of[r]] || x < b.left || y < b.top || x > right || y > bottom) continue;
          const c = score(x, y, u.rows ? u.rows[r] : r);
          if (c < least) {
            least = c;
            best = r;
          }
        }
        return u.rows && best >= 0 ? u.rows[best] : best;
      },
    };
  }
  /**
   * tip shows the hover card of sample i of panel k, or hides the card if the sample is not
   * visible. It returns false if ECharts draws the samples of the panel.
   */
  function tip(/** @type {number} */ k, /** @type {number} */ i) {
    const p = painter.shows() && painter.packed(k) ? samples.read()[k] : null;
    const at = p && samples.sight(p, i);
    const spot = p?.of(i);
    if (at && spot) painter.lay(k, spot, at);
    else painter.hide();
    return !!painter.packed(k);
  }
  return { of, tip, attach: painter.attach, paint: painter.paint, dispose: painter.dispose };
}
