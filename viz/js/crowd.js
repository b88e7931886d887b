// Panels with many samples, which Go packs and the page paints instead of ECharts.
import { density, entry, groundOf, STEPS } from "./density.js";
import { over } from "./dom.js";
import { within } from "./geometry.js";
import { paintSymbol } from "./symbols.js";
import { box } from "./theme.js";

const FEW = 10000; // samples that are painted as points

/** @typedef {import("./density.js").Unpacked} Unpacked */
/** @typedef {import("./density.js").Frame} Frame */
/** @typedef {{at: number, name: string, fill: string, symbol: string, size: number, ring: boolean, alpha: number, on: boolean}} Look */
/**
 * Fast is density by WebGL. The image begins at pixel row `top` of the canvas. The result is null
 * if WebGL is unavailable.
 * @typedef {(u: Unpacked, f: Frame, ground: import("./density.js").Ground) => {canvas: HTMLCanvasElement, top: number} | null} Fast
 */

/**
 * numbers decodes base64 text into an array of type Kind.
 * @template T
 * @param {string} text @param {{new (b: ArrayBuffer, at: number, n: number): T, BYTES_PER_ELEMENT: number}} Kind @returns {T}
 */
export function numbers(text, Kind) {
  const b = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  return new Kind(b.buffer, 0, Math.floor(b.length / Kind.BYTES_PER_ELEMENT));
}

/**
 * unpacked decodes the samples of a panel.
 * @param {Packed} m @returns {Unpacked}
 */
export function unpacked(m) {
  const x = numbers(m.x, Uint16Array);
  const y = numbers(m.y, Uint16Array);
  /** @type {Uint8Array | Uint16Array} */
  let of = numbers(m.of, Uint8Array);
  if (of.length >= 2 * m.count) of = new Uint16Array(of.buffer);
  const count = Math.min(m.count, x.length, y.length, of.length);
  const shares = (/** @type {string | undefined} */ text) => {
    const list = numbers(text || "", Uint8Array);
    return list.length > 1 && list.length < count ? new Uint8Array(0) : list;
  };
  return {
    x,
    y,
    of,
    rows: m.rows ? numbers(m.rows, Uint32Array) : undefined,
    values: m.values ? numbers(m.values, Uint16Array) : undefined,
    sizes: shares(m.sizes),
    opacities: shares(m.opacities),
    count,
  };
}

/**
 * layersOf returns a function for each layer of a panel, in painting order, that reports whether
 * the layer contains series j: the samples that are not highlighted, the others, and labelled
 * samples with rings.
 * @param {{faded?: boolean, above: boolean}} m @param {{ring: boolean}[]} list
 */
export function layersOf(m, list) {
  const layer = (/** @type {number} */ j) => (m.faded && j === 0 ? 0 : m.above && list[j].ring ? 2 : 1);
  return [0, 1, 2].map((at) => (/** @type {number} */ j) => j < list.length && layer(j) === at);
}

/**
 * tone returns the colour of sample r.
 * @param {Packed} m @param {Unpacked} u @param {Look} s @param {number} r
 */
function tone(m, u, s, r) {
  const v = u.values?.[r];
  return v !== undefined && v < STEPS
    ? m.stops[Math.round((v / (STEPS - 1)) * (m.stops.length - 1))]
    : s.fill;
}

/**
 * Host contains functions that painterOf calls: lister returns a function that reports whether the
 * legend shows a name; pointed receives the sample under the pointer; busy reports whether the
 * pointer is used otherwise, such as for selecting.
 * @typedef {{lister(): (name: string) => boolean, pointed(k: number, i: number): void, busy(): boolean}} Host
 */

/**
 * painterOf paints those panels of a view that have many samples.
 * @param {View} view @param {Host} host @param {Fast} [fast]
 */
export function painterOf(view, host, fast) {
  const { figure } = view;
  /** @type {Unpacked[]} */
  const known = [];
  /** @type {HTMLCanvasElement | null} */
  let canvas = null;
  /** @type {HTMLElement | null} */
  let card = null;
  let soon = 0;

  const packed = (/** @type {number} */ k) => view.payload.extra?.panels?.[k]?.many;
  const unpack = (/** @type {number} */ k, /** @type {Packed} */ m) => {
    known[k] ??= unpacked(m);
    return known[k];
  };
  /** looks returns the appearance of each series in panel k, and whether the legend shows it. */
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

  /** spotOf stores the position and appearance of sample r in out, and returns out. */
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
      out.v.push(
        v < STEPS
          ? Number((m.range[0] + (v / (STEPS - 1)) * (m.range[1] - m.range[0])).toPrecision(6))
          : null,
      );
    out.v.push(out.i);
    return Object.assign(out, {
      name: s.name,
      series: s.at,
      fill: tone(m, u, s, r),
      symbol: s.symbol,
      size: Math.max(u.sizes.length ? entry(u.sizes, r) / 5 : s.size, 5),
      ring: s.ring,
    });
  }

  /** paint schedules painting of all panels for the next frame. */
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
    const { x: X, y: Y, of: O, count } = u;
    const few = new Int32Array(FEW);
    let painted = 0;
    c.save();
    c.beginPath();
    c.rect(b.left, b.top, b.width, b.height);
    c.clip();
    layersOf(m, list).forEach((has, layer) => {
      if (!list.some((s, j) => s.on && has(j))) return;
      const ground = groundOf(b, u, list, (j) => list[j].on && has(j), m.stops);
      const { w, h, tones } = ground;
      let seen = 0;
      for (let r = 0; r < count; r++) {
        if (tones[4 * O[r] + 3] === 0) continue;
        const x = f.x + X[r] * f.dx;
        const y = f.y + Y[r] * f.dy;
        if (x < 0 || y < 0 || x >= w || y >= h) continue;
        if (seen < FEW) few[seen] = r;
        seen++;
      }
      if (seen > FEW) {
        const { canvas, top } = fast?.(u, f, ground) || { canvas: density(u, f, ground), top: 0 };
        c.drawImage(canvas, 0, top, w, h, b.left, b.top, w, h);
      } else points(c, b, f, m, u, list, few, seen, layer === 2 ? 8 : seen > 2000 ? 4 : 6);
      painted += seen;
    });
    c.restore();
    return painted;
  }
  /**
   * points paints samples as symbols. The order of painting mixes the classes.
   * @param {CanvasRenderingContext2D} c @param {Box} b @param {Frame} f @param {Packed} m @param {Unpacked} u
   * @param {Look[]} list @param {ArrayLike<number>} rows @param {number} count @param {number} size
   */
  function points(c, b, f, m, u, list, rows, count, size) {
    const stride = count % 7919 ? 7919 : 7907;
    const scale = window.devicePixelRatio || 1;
    const largest = u.sizes.length ? u.sizes.reduce((a, v) => Math.max(a, v), 5) / 5 : size;
    const side = Math.ceil(largest + 4);
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
        paintSymbol(into, [side / 2, side / 2], s.symbol, largest / 2, fill, s.ring, 1);
        stamps[id] = stamp;
      }
      const own = u.sizes.length ? (side * entry(u.sizes, r)) / (5 * largest) : side;
      c.globalAlpha = u.opacities.length
        ? entry(u.opacities, r) / 255
        : s.ring
          ? 1
          : Math.max(s.alpha, count > 2000 ? 0.45 : 0.75);
      c.drawImage(
        stamps[id],
        b.left + f.x + u.x[r] * f.dx - own / 2,
        b.top + f.y + u.y[r] * f.dy - own / 2,
        own,
        own,
      );
    }
    c.globalAlpha = 1;
  }
  /** nearest returns the visible sample nearest to the point at, within ten pixels, or null. */
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
  function show(/** @type {number[]} */ at) {
    const hit = nearest(at);
    if (!hit) {
      hide();
      return;
    }
    lay(hit.k, hit.spot, at);
    host.pointed(hit.k, hit.spot.i);
  }
  /** lay shows the hover card of a sample of panel k beside the point at. */
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
