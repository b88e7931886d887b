// Panels of many samples: Go packs them, and the page paints them.
import { over } from "./dom.js";
import { within } from "./geometry.js";
import { shade } from "./rules.js";
import { paintSymbol } from "./symbols.js";
import { box } from "./theme.js";

const FEW = 10000; // samples that are painted as points
const BROAD = 300000; // samples of two by two pixels
const RED = 1 << 24; // what sums of colours are multiplied by
const BLUE = 1 << 28;
const STEPS = 65535; // of a position

/** @typedef {{x: Uint16Array, y: Uint16Array, of: Uint8Array | Uint16Array, rows?: Uint32Array, values?: Uint16Array, count: number}} Unpacked */
/** @typedef {{at: number, name: string, fill: string, symbol: string, size: number, ring: boolean, alpha: number, on: boolean}} Look */
/** @typedef {{x: number, y: number, dx: number, dy: number}} Frame where position 0 is, and how long a step is */

/**
 * numbers are those of a text in base64.
 * @template T
 * @param {string} text @param {{new (b: ArrayBuffer, at: number, n: number): T, BYTES_PER_ELEMENT: number}} Kind @returns {T}
 */
export function numbers(text, Kind) {
  const b = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  return new Kind(b.buffer, 0, Math.floor(b.length / Kind.BYTES_PER_ELEMENT));
}

/**
 * unpacked are the samples of a panel, from their bytes.
 * @param {Packed} m @returns {Unpacked}
 */
export function unpacked(m) {
  const x = numbers(m.x, Uint16Array);
  const y = numbers(m.y, Uint16Array);
  /** @type {Uint8Array | Uint16Array} */
  let of = numbers(m.of, Uint8Array);
  if (of.length >= 2 * m.count) of = new Uint16Array(of.buffer);
  return {
    x,
    y,
    of,
    rows: m.rows ? numbers(m.rows, Uint32Array) : undefined,
    values: m.values ? numbers(m.values, Uint16Array) : undefined,
    count: Math.min(m.count, x.length, y.length),
  };
}

const rgb = (/** @type {string} */ css) =>
  [1, 3, 5].map((k) => Number.parseInt(css.slice(k, k + 2), 16) || 0);

/**
 * tone is the colour of sample r.
 * @param {Packed} m @param {Unpacked} u @param {Look} s @param {number} r
 */
function tone(m, u, s, r) {
  const v = u.values?.[r];
  return v !== undefined && v < STEPS
    ? m.stops[Math.round((v / (STEPS - 1)) * (m.stops.length - 1))]
    : s.fill;
}

/**
 * Who paints panels of many samples: which entries of the legend are shown, what becomes of the
 * pointer's sample, and whether the pointer does something else.
 * @typedef {{lister(): (name: string) => boolean, pointed(k: number, i: number): void, busy(): boolean}} Host
 */

/**
 * painterOf paints the panels of many samples of a view.
 * @param {View} view @param {Host} host
 */
export function painterOf(view, host) {
  const { figure } = view;
  /** @type {Unpacked[]} */
  const known = [];
  /** @type {Float64Array | null} */
  let sums = null;
  /** @type {ImageData | null} */
  let image = null;
  /** @type {HTMLCanvasElement | null} */
  let canvas = null;
  /** @type {HTMLElement | null} */
  let card = null;
  const flat = document.createElement("canvas");
  let soon = 0;

  const packed = (/** @type {number} */ k) => view.payload.extra?.panels?.[k]?.many;
  const unpack = (/** @type {number} */ k, /** @type {Packed} */ m) => {
    known[k] ??= unpacked(m);
    return known[k];
  };
  /** looks are those of the series of panel k, and whether the legend shows them. */
  function looks(/** @type {number} */ k) {
    const shown = host.lister();
    /** @type {Look[]} */
    const out = [];
    view.payload.option.series.forEach((s, at) => {
      if (s.type !== "scatter" || s.silent || (s.xAxisIndex || 0) !== k) return;
      const { color: fill, opacity: alpha } = s.itemStyle;
      out.push({
        at,
        name: s.name,
        fill,
        symbol: s.symbol,
        size: s.symbolSize,
        ring: !!s.ring,
        alpha,
        on: shown(s.name),
      });
    });
    return out;
  }
  function frame(/** @type {Box} */ b, /** @type {number} */ k, /** @type {Packed} */ m) {
    const axes = { xAxisIndex: k, yAxisIndex: k };
    const p = view.chart.convertToPixel(axes, m.from);
    const q = view.chart.convertToPixel(axes, m.to);
    return { x: p[0] - b.left, y: p[1] - b.top, dx: (q[0] - p[0]) / STEPS, dy: (q[1] - p[1]) / STEPS };
  }

  /** spotOf writes sample r of panel k into out. */
  function spotOf(
    /** @type {Packed} */ m,
    /** @type {Unpacked} */ u,
    /** @type {Look} */ s,
    /** @type {number} */ r,
    /** @type {any} */ out,
  ) {
    const v = u.values?.[r];
    out.i = u.rows ? u.rows[r] : r;
    out.v = [
      m.from[0] + (u.x[r] * (m.to[0] - m.from[0])) / STEPS,
      m.from[1] + (u.y[r] * (m.to[1] - m.from[1])) / STEPS,
    ];
    if (v !== undefined)
      out.v.push(v < STEPS ? m.range[0] + (v / (STEPS - 1)) * (m.range[1] - m.range[0]) : null);
    out.v.push(out.i);
    return Object.assign(out, {
      name: s.name,
      series: s.at,
      fill: tone(m, u, s, r),
      symbol: s.symbol,
      size: Math.max(s.size, 5),
      ring: s.ring,
    });
  }

  /** paint paints all panels, in the next frame. */
  function paint() {
    if (soon || !canvas) return;
    soon = requestAnimationFrame(() => {
      soon = 0;
      if (view.chart && canvas) now(canvas);
    });
  }
  function now(/** @type {HTMLCanvasElement} */ on) {
    const began = performance.now();
    const scale = window.devicePixelRatio || 1;
    const [width, height] = [view.chart.getWidth(), view.chart.getHeight()].map((v) => Math.round(v * scale));
    const c = /** @type {CanvasRenderingContext2D} */ (on.getContext("2d"));
    if (on.width !== width || on.height !== height) Object.assign(on, { width, height });
    else {
      c.setTransform(1, 0, 0, 1, 0, 0);
      c.clearRect(0, 0, width, height);
    }
    let seen = 0;
    view.arrange().option.grid.forEach((b, k) => {
      const m = packed(k);
      c.setTransform(scale, 0, 0, scale, 0, 0);
      if (m) seen += panel(c, b, k, m);
    });
    figure.dataset.painted = String(seen);
    figure.dataset.frame = (performance.now() - began).toFixed(1);
  }
  function panel(
    /** @type {CanvasRenderingContext2D} */ c,
    /** @type {Box} */ b,
    /** @type {number} */ k,
    /** @type {Packed} */ m,
  ) {
    const u = unpack(k, m);
    const list = looks(k);
    const f = frame(b, k, m);
    const { x: X, y: Y, of: O, values: V, count } = u;
    const { x: fx, y: fy, dx, dy } = f;
    const [w, h] = [Math.ceil(b.width), Math.ceil(b.height)];
    const few = new Int32Array(FEW);
    /** @type {number[]} */
    const top = [];
    const on = new Uint8Array(O.BYTES_PER_ELEMENT > 1 ? 65536 : 256);
    // How many samples are at each pixel, and the sums of their colours, two in a number: the
    // count and the red, the green and the blue. Of not too many, one covers two by two pixels.
    // The rules are those of Go's crowd.
    const first = new Float64Array(on.length + 256);
    const second = new Float64Array(on.length + 256);
    const wide = 2 * (w + 1);
    const n = wide * (h + 1);
    const broad = count <= BROAD;
    const tint = (/** @type {number} */ at, /** @type {string} */ css) => {
      const t = rgb(css);
      first[at] = 1 + t[0] * RED;
      second[at] = t[1] + t[2] * BLUE;
    };
    list.forEach((s, j) => {
      on[j] = s.on ? (s.ring && m.above ? 2 : 1) : 0;
      tint(j, s.fill);
    });
    for (let level = 0; V && level < 256; level++)
      tint(on.length + level, m.stops[Math.round((level / 255) * (m.stops.length - 1))]);
    if (!sums || sums.length < n) sums = new Float64Array(n);
    const all = sums;
    let seen = 0;
    let taken = 0;
    for (let r = 0; r < count; r++) {
      const j = O[r];
      if (on[j] === 0) continue;
      const x = fx + X[r] * dx;
      const y = fy + Y[r] * dy;
      if (x < 0 || y < 0 || x >= w || y >= h) continue;
      if (on[j] === 2) {
        top.push(r);
        continue;
      }
      if (seen < FEW) few[seen] = r;
      seen++;
      const at = (y | 0) * wide + 2 * (x | 0);
      const t = V && V[r] < STEPS ? on.length + (V[r] >> 8) : j;
      const a = first[t];
      const z = second[t];
      if (all[at] === 0) taken++;
      all[at] += a;
      all[at + 1] += z;
      if (!broad) continue;
      for (let q = 1; q < 4; q++) {
        const by = at + (q & 1) * 2 + (q >> 1) * wide;
        if (all[by] === 0) taken++;
        all[by] += a;
        all[by + 1] += z;
      }
    }
    c.save();
    c.beginPath();
    c.rect(b.left, b.top, b.width, b.height);
    c.clip();
    if (seen > FEW) {
      density(all, w, h, ((broad ? 4 : 1) * seen) / taken);
      c.drawImage(flat, 0, 0, w, h, b.left, b.top, w, h);
    } else points(c, b, f, m, u, list, few, seen, seen > 2000 ? 4 : 6);
    all.fill(0, 0, n);
    points(c, b, f, m, u, list, top, top.length, 8);
    c.restore();
    return seen + top.length;
  }
  /** density paints the sums in the means of their colours. */
  function density(
    /** @type {Float64Array} */ all,
    /** @type {number} */ w,
    /** @type {number} */ h,
    /** @type {number} */ mean,
  ) {
    if (flat.width < w || flat.height < h) Object.assign(flat, { width: w, height: h });
    const into = /** @type {CanvasRenderingContext2D} */ (
      flat.getContext("2d", { willReadFrequently: true })
    );
    const opacity = (/** @type {number} */ count) => Math.round(255 * shade(count, mean));
    const shades = Uint8Array.from({ length: 1000 }, (_, count) => (count ? opacity(count) : 0));
    if (image?.width !== w || image.height !== h) image = into.createImageData(w, h);
    const d = new Uint32Array(image.data.buffer);
    for (let y = 0, p = 0; y < h; y++) {
      for (let x = 0, z = 2 * y * (w + 1); x < w; x++, p++, z += 2) {
        const a = all[z];
        if (a === 0) {
          d[p] = 0;
          continue;
        }
        const red = Math.floor(a / RED);
        const v = a - red * RED;
        const blue = Math.floor(all[z + 1] / BLUE);
        const green = all[z + 1] - blue * BLUE;
        d[p] =
          ((v < shades.length ? shades[v] : opacity(v)) << 24) |
          ((blue / v) << 16) |
          ((green / v) << 8) |
          (red / v);
      }
    }
    into.putImageData(image, 0, 0);
  }
  /**
   * points paints samples as symbols, in an order that favours no class.
   * @param {CanvasRenderingContext2D} c @param {Box} b @param {Frame} f @param {Packed} m @param {Unpacked} u
   * @param {Look[]} list @param {ArrayLike<number>} rows @param {number} count @param {number} size
   */
  function points(c, b, f, m, u, list, rows, count, size) {
    const stride = count % 7919 ? 7919 : 7907;
    const scale = window.devicePixelRatio || 1;
    const side = Math.ceil(size + 4);
    /** @type {Record<string, HTMLCanvasElement>} */
    const stamps = {};
    for (let t = 0; t < count; t++) {
      const r = rows[(t * stride) % count];
      const s = list[u.of[r]];
      const fill = tone(m, u, s, r);
      const id = u.of[r] + fill;
      if (!stamps[id]) {
        const stamp = document.createElement("canvas");
        stamp.width = stamp.height = Math.ceil(side * scale);
        const into = /** @type {CanvasRenderingContext2D} */ (stamp.getContext("2d"));
        into.scale(scale, scale);
        paintSymbol(into, [side / 2, side / 2], s.symbol, size / 2, fill, s.ring, 1);
        stamps[id] = stamp;
      }
      c.globalAlpha = s.ring ? 1 : Math.max(s.alpha, count > 2000 ? 0.45 : 0.75);
      c.drawImage(
        stamps[id],
        b.left + f.x + u.x[r] * f.dx - side / 2,
        b.top + f.y + u.y[r] * f.dy - side / 2,
        side,
        side,
      );
    }
    c.globalAlpha = 1;
  }
  /** nearest is the sample next to a place of the figure, in ten pixels. */
  function nearest(/** @type {number[]} */ at) {
    /** @type {{k: number, spot: Spot} | null} */
    let found = null;
    view.arrange().option.grid.forEach((b, k) => {
      const m = packed(k);
      if (!m || !within(b, at)) return;
      const u = unpack(k, m);
      const list = looks(k);
      const f = frame(b, k, m);
      let least = 100;
      let best = -1;
      for (let r = 0; r < u.count; r++) {
        const x = b.left + f.x + u.x[r] * f.dx - at[0];
        const y = b.top + f.y + u.y[r] * f.dy - at[1];
        const q = x * x + y * y;
        if (q < least && list[u.of[r]]?.on) {
          least = q;
          best = r;
        }
      }
      if (best >= 0) found = { k, spot: spotOf(m, u, list[u.of[best]], best, {}) };
    });
    return /** @type {{k: number, spot: Spot} | null} */ (found);
  }
  function hide() {
    if (!card || card.style.display === "none") return;
    card.style.display = "none";
    delete figure.dataset.hovered;
    host.pointed(Number(card.dataset.panel), -1);
  }
  /** show shows the card of the sample next to the pointer. */
  function show(/** @type {number[]} */ at) {
    const hit = nearest(at);
    if (!hit) {
      hide();
      return;
    }
    lay(hit.k, hit.spot, at);
    host.pointed(hit.k, hit.spot.i);
  }
  /** lay lays the card of a sample beside a place. */
  function lay(/** @type {number} */ k, /** @type {Spot} */ spot, /** @type {number[]} */ at) {
    if (!card) return;
    const { formatter } = view.payload.option.tooltip;
    card.replaceChildren(
      formatter({ componentType: "series", value: spot.v, seriesIndex: spot.series, seriesName: spot.name }),
    );
    card.style.display = "block";
    card.dataset.panel = String(k);
    figure.dataset.hovered = String(spot.i);
    const [w, h] = [card.offsetWidth, card.offsetHeight];
    card.style.left = `${Math.max(Math.min(at[0] + 14, view.chart.getWidth() - w), 0)}px`;
    card.style.top = `${at[1] + 18 + h < view.chart.getHeight() ? at[1] + 18 : Math.max(at[1] - h - 10, 0)}px`;
  }
  function attach() {
    if (!view.payload.extra?.many) return;
    const { place, chart } = view;
    place.style.position = "relative";
    place.style.isolation = "isolate";
    canvas = over(place, "canvas", "width:100%;height:100%;z-index:-1");
    canvas.className = "ssdrnb-many";
    card = over(
      place,
      "div",
      `display:none;max-width:260px;padding:6px 10px;border:1px solid #999;border-radius:4px;${box()};font:13px/1.5 sans-serif;box-shadow:1px 2px 8px rgba(0,0,0,.25);z-index:9`,
    );
    card.className = "ssdrnb-card";
    /** @type {number[] | null} */
    let wanted = null;
    place.addEventListener("mousemove", (e) => {
      const b = place.getBoundingClientRect();
      const waits = wanted;
      wanted = e.buttons || host.busy() ? [] : [e.clientX - b.left, e.clientY - b.top];
      if (waits) return;
      requestAnimationFrame(() => {
        const at = wanted;
        wanted = null;
        if (view.place !== place || !view.chart) return;
        if (at?.length) show(at);
        else hide();
      });
    });
    place.addEventListener("mouseleave", () => {
      wanted = wanted && [];
      hide();
    });
    chart.on("datazoom", () => {
      hide();
      paint();
    });
    now(canvas); // a page that is printed has no next frame
  }
  return {
    attach,
    paint,
    packed,
    unpack,
    looks,
    frame,
    spotOf,
    lay,
    hide,
    shows: () => !!card,
    dispose() {
      canvas = card = null;
    },
  };
}
