// What the option of a chart gets in the page: colours of the theme, formatters, and what ECharts
// cannot draw by itself.
import { card, digits } from "./card.js";
import { words } from "./dom.js";
import { dark, forced, system, tone } from "./theme.js";
import { thumbnail } from "./thumbnails.js";

/** @param {any} v @returns {any[]} */
const list = (v) => (v === undefined || v === null ? [] : [].concat(v));
const AXES = ["xAxis", "yAxis", "xAxis3D", "yAxis3D", "zAxis3D"];
const scatter = (/** @type {Series} */ s) => s.type.startsWith("scatter") && s.itemStyle;

/**
 * What Go marks with "draw" is drawn by these functions; Go sends the numbers.
 * @type {Record<string, (s: Series, option: Option, extra: Extra) => (params: any, api: any) => any>}
 */
const painters = {
  // A picture between two corners of the plane.
  picture: (s) => (_, api) => {
    const a = api.coord([api.value(0), api.value(1)]);
    const b = api.coord([api.value(2), api.value(3)]);
    const [x, y] = [0, 1].map((k) => Math.min(a[k], b[k]));
    return {
      type: "image",
      style: { image: s.image, x, y, width: Math.abs(a[0] - b[0]), height: Math.abs(a[1] - b[1]) },
    };
  },
  // Samples as pictures, where they do not cover earlier ones, framed in the colours of their
  // groups. Those of hidden groups are hidden.
  thumbnails(s, option, extra) {
    const t = extra.sheets[/** @type {Panel} */ (extra.panels?.[s.panel]).sheet];
    const longer = Math.max(t.w, t.h);
    const [width, height] = [(s.side * t.w) / longer, (s.side * t.h) / longer];
    /** @type {Record<number, HTMLCanvasElement | null>} */
    const pictures = {};
    /** @type {Map<string, number[]>} */
    let taken;
    /** @type {Set<string>} */
    let shown;
    return (params, api) => {
      if (params.dataIndexInside === 0) {
        taken = new Map();
        shown = new Set(api.currentSeriesIndices().map((/** @type {number} */ k) => option.series[k].name));
      }
      const group = api.value(2);
      const i = api.value(3);
      const at = api.coord([api.value(0), api.value(1)]);
      const x = Math.floor(at[0] / width);
      const y = Math.floor(at[1] / height);
      const box = params.coordSys;
      if (
        !shown.has(s.names[group]) ||
        at[0] < box.x ||
        at[0] > box.x + box.width ||
        at[1] < box.y ||
        at[1] > box.y + box.height
      )
        return null;
      for (let k = 0; k < 9; k++) {
        const other = taken.get(`${x + (k % 3) - 1},${y + Math.floor(k / 3) - 1}`);
        if (other && Math.abs(other[0] - at[0]) < width && Math.abs(other[1] - at[1]) < height) return null;
      }
      taken.set(`${x},${y}`, at);
      if (pictures[i] === undefined) pictures[i] = thumbnail(t, i);
      const shape = { x: at[0] - width / 2, y: at[1] - height / 2, width, height };
      return {
        type: "group",
        children: [
          { type: "image", style: { image: pictures[i], ...shape } },
          { type: "rect", shape, style: { fill: null, stroke: s.tones[group], lineWidth: 1.5 } },
        ],
      };
    };
  },
  // The area between the second and the third number over the first.
  band: (s) => (params, api) => {
    if (params.dataIndex !== 0) return null;
    const there = s.data.map((v) => api.coord([v[0], v[2]]));
    const back = s.data.map((v) => api.coord([v[0], v[1]])).reverse();
    return {
      type: "polygon",
      shape: { points: [...there, ...back] },
      style: { fill: s.itemStyle.color, opacity: s.itemStyle.opacity },
    };
  },
  // Error bars. Those of grouped bars (series "beside" the first ones) are in the middle of their
  // bar, which moves when the legend hides others.
  whiskers: (s) => (params, api) => {
    const x = api.value(0);
    const lo = api.coord([x, api.value(1)]);
    const hi = api.coord([x, api.value(2)]);
    let shift = 0;
    let cap = 3;
    if (s.beside) {
      const shown = api.currentSeriesIndices().filter((/** @type {number} */ k) => k < s.beside);
      const bar = api.barLayout({ barGap: "8%", barCategoryGap: "22%", count: shown.length })[
        shown.indexOf(params.seriesIndex - s.beside)
      ];
      if (!bar) return null;
      shift = bar.offsetCenter;
      cap = Math.min(4, bar.width / 3);
    }
    const style = { stroke: s.itemStyle.color, opacity: s.itemStyle.opacity, lineWidth: 1.2, fill: null };
    const stroke = (/** @type {number[]} */ a, /** @type {number[]} */ b, c = 0) => ({
      type: "line",
      shape: { x1: a[0] + shift - c, y1: a[1], x2: b[0] + shift + c, y2: b[1] },
      style,
    });
    return { type: "group", children: [stroke(lo, hi), stroke(lo, lo, cap), stroke(hi, hi, cap)] };
  },
};

/**
 * tint puts colours of the theme into an option. Data have none and are skipped.
 * @param {any} o
 */
function tint(o) {
  for (const [k, v] of Object.entries(o)) {
    if (typeof v === "string") o[k] = tone(v);
    else if (k !== "data" && v && typeof v === "object") tint(v);
  }
}

/**
 * contrast gives text and axes the colour of text, and makes points less pale.
 * @param {Option} option @param {string} color
 */
function contrast(option, color) {
  const put = (/** @type {any} */ o, /** @type {string} */ key, what = /** @type {object} */ ({ color })) => {
    o[key] = Object.assign(o[key] || {}, what);
  };
  for (const t of [...list(option.title), ...list(option.legend), ...list(option.visualMap)])
    put(t, "textStyle");
  for (const a of AXES.flatMap((name) => list(option[name]))) {
    put(a, "axisLabel");
    put(a, "nameTextStyle");
    put(a, "axisLine", { lineStyle: { color } });
  }
  for (const s of option.series)
    if (scatter(s) && s.itemStyle.opacity > 0) s.itemStyle.opacity = Math.max(s.itemStyle.opacity, 0.9);
}

/**
 * shifted writes labels of an axis whose numbers ECharts would write in full: relative to the
 * offset in the axis's name.
 * @param {{span: number, from: number}} a
 */
function shifted(a) {
  const unit = 10 ** (Math.floor(Math.log10(a.span)) - 4);
  return (/** @type {number} */ v) => {
    const n = Math.round((v - a.from) / unit);
    return Number.isFinite(n) ? String(Number((n * unit).toPrecision(6))) : digits(v);
  };
}

const spread = (/** @type {unknown} */ v) => (v === undefined || v === null ? "" : ` ± ${digits(v)}`);
const labels = (/** @type {string[]} */ names) => (/** @type {number} */ v) =>
  v === Math.round(v) && names[v] !== undefined ? names[v] : "";

/**
 * Cards of kinds of figures that are none of samples: their lines.
 * @type {Record<string, (p: any, extra: Extra, option: Option) => unknown[]>}
 */
const cards = {
  curves: (p, extra) => [
    p.seriesName,
    `${extra.x} ${digits(p.value[0])}: ${digits(p.value[1])}${spread(p.value[2])}`,
  ],
  bars: (p, extra) => [
    p.name,
    `${p.seriesName}: ${digits(p.value)}${spread(extra.spread[p.seriesIndex][p.dataIndex])}`,
  ],
  convergence: (p) => [p.seriesName, `iteration ${p.value[0]}: ${Number(p.value[1]).toPrecision(10)}`],
  // Surfaces lie over the same grid: the card has what all of them are at a cell.
  mesh: (p, extra, option) => [
    `${extra.names[0]} ${extra.x[p.value[0]]}`,
    `${extra.names[1]} ${extra.y[p.value[1]]}`,
    ...option.series.map((s) => {
      const cell = s.data.find((c) => c[0] === p.value[0] && c[1] === p.value[1]);
      return `${s.name} ${cell && typeof cell[2] === "number" ? cell[2] : "not known"}`;
    }),
  ],
};

/**
 * dressSeries prepares a series.
 * @param {Series} s @param {Option} option @param {Extra} extra @param {() => number} across the width of the figure
 */
function dressSeries(s, option, extra, across) {
  if (s.draw === "segments") {
    // each begins with the number of its places
    const flat = [];
    for (let k = 0; k + 3 < s.data.length; k += 4) flat.push(2, ...s.data.slice(k, k + 4));
    s.data = flat;
  } else if (s.draw) s.renderItem = painters[s.draw](s, option, extra);
  if (s.dataShape && s.dataShape[0] * s.dataShape[1] !== s.data.length) {
    throw new Error(`${s.data.length} points are no grid of ${s.dataShape.join(" by ")}`);
  }
  if (s.itemStyle?.decal) {
    s.itemStyle.decal = {
      symbol: s.itemStyle.decal,
      symbolSize: 0.7,
      dashArrayX: [1, 0],
      dashArrayY: [2, 4],
      rotation: 0.8,
      color: "rgba(0,0,0,0.45)",
    };
  }
  if (s.label) s.label.formatter = (/** @type {any} */ p) => p.name;
  if (s.labelLayout) {
    // names stay within the figure
    s.labelLayout = (/** @type {any} */ { labelRect: r }) => ({
      hideOverlap: true,
      dx: Math.max(2 - r.x, 0) - Math.max(r.x + r.width + 2 - across(), 0),
    });
  }
  // Pale points would be hard to see on a dark page.
  if (dark() && scatter(s) && s.itemStyle.opacity === 0.45) s.itemStyle.opacity = 0.75;
}

/**
 * dress makes the option of a payload one for ECharts, in the theme of the page.
 * @param {Payload} payload @param {() => number} across the width of the figure
 */
export function dress(payload, across) {
  const { option, kind } = payload;
  const extra = payload.extra || {};
  for (const s of option.series) s.ring = s.itemStyle?.borderColor === "@ink"; // other borders are no rings
  tint(option);
  if (dark()) {
    // ECharts has a white card, and its paler entries of a legend would be brighter
    Object.assign(option.tooltip || {}, { backgroundColor: "#222", textStyle: { color: "#eee" } });
    Object.assign(option.legend || {}, { inactiveColor: "#555" });
  }
  if (forced()) contrast(option, system("CanvasText"));
  for (const s of option.series) dressSeries(s, option, extra, across);
  for (const a of AXES.flatMap((name) => list(option[name]))) {
    if (a.span) a.axisLabel = Object.assign(a.axisLabel || {}, { formatter: shifted(a) });
    if (a.tight) {
      const write = a.axisLabel.formatter || digits;
      a.axisLabel.formatter = (/** @type {number} */ v) => (v <= a.min || v >= a.max ? "" : write(v));
    }
  }
  if (extra.short && option.legend) {
    // names that begin alike are cut where they differ
    const cut = new Map(extra.short);
    option.legend.formatter = (/** @type {string} */ name) => cut.get(name) ?? name;
  }
  // Hover cards are elements: as a text, ECharts would take its own, or the data's, for HTML.
  option.tooltip.renderMode = "html";
  option.tooltip.formatter = (/** @type {any} */ p) => {
    if (p.componentType !== "series") return words([p.name]); // an entry of the legend
    const v = p.value;
    const panel = extra.panels?.[option.series[p.seriesIndex].xAxisIndex || 0];
    if (panel) return card(extra, panel, p.seriesName, v, v[v.length - 1]);
    return words(
      Object.hasOwn(cards, kind)
        ? cards[kind](p, extra, option)
        : [p.seriesName, list(v).map(digits).join(", ")],
    );
  };
  if (kind === "adjacency") adjacency(option, extra);
  if (kind === "mesh") {
    for (const a of option.xAxis3D) a.axisLabel.formatter = labels(extra.x);
    for (const a of option.yAxis3D) a.axisLabel.formatter = labels(extra.y);
  }
  if (kind === "convergence")
    option.yAxis[1].axisLabel.formatter = (/** @type {number} */ v) => (v > 0 ? v.toExponential(0) : "");
  return option;
}

/**
 * adjacency writes classes at the middle of their samples; the pointer tells the sample.
 * @param {Option} option @param {Extra} extra
 */
function adjacency(option, extra) {
  const name = (/** @type {number} */ v) => extra.names[extra.middles.indexOf(v)] || "";
  const sample = (/** @type {any} */ p) => {
    const at = Math.min(Math.max(Math.floor(p.value), 0), extra.order.length - 1);
    let k = 0;
    while (extra.bounds[k + 1] <= at) k++;
    return `sample ${extra.order[at]}, ${extra.names[k]}`;
  };
  for (const a of [...option.xAxis, ...option.yAxis]) {
    a.axisLabel.formatter = name;
    a.axisPointer.label = { formatter: sample };
  }
}
