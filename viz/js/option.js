// Completes the ECharts option that Go wrote: colours of the theme, formatters, and series that
// ECharts cannot draw by itself.
import { brief, card } from "./card.js";
import { words } from "./dom.js";
import { dark, forced, system, tone } from "./theme.js";

/** @param {any} v @returns {any[]} */
const list = (v) => (v === undefined || v === null ? [] : [].concat(v));
const AXES = ["xAxis", "yAxis", "xAxis3D", "yAxis3D", "zAxis3D"];
const scatter = (/** @type {Series} */ s) => s.type.startsWith("scatter") && s.itemStyle;

/**
 * tint replaces the names of theme colours in an option. It skips data, which contain no colours.
 * @param {any} o
 */
function tint(o) {
  for (const [k, v] of Object.entries(o)) {
    if (typeof v === "string") o[k] = tone(v);
    else if (k !== "data" && v && typeof v === "object") tint(v);
  }
}

/**
 * contrast sets text and axes to the given colour, and makes points nearly opaque. It is used with
 * forced colours.
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
 * shifted returns a formatter for the labels of an axis with long numbers. It subtracts the offset
 * that the axis name contains.
 * @param {{span: number, from: number}} a
 */
function shifted(a) {
  const unit = 10 ** (Math.floor(Math.log10(a.span)) - 4);
  return (/** @type {number} */ v) => {
    const n = Math.round((v - a.from) / unit);
    return Number.isFinite(n) ? String(Number((n * unit).toPrecision(6))) : brief(v);
  };
}

/**
 * dressSeries converts a series to one that ECharts can draw.
 * @param {Series} s @param {Option} option @param {Extra} extra @param {() => number} across the width of the figure
 * @param {Kinds} kinds @param {View} [view]
 */
function dressSeries(s, option, extra, across, kinds, view) {
  if (s.draw === "segments") {
    // A segment begins with the number of its points.
    const flat = [];
    for (let k = 0; k + 3 < s.data.length; k += 4) flat.push(2, ...s.data.slice(k, k + 4));
    s.data = flat;
  } else if (s.draw) s.renderItem = kinds.painters[s.draw](s, option, extra);
  if (s.label) kinds.label?.(s, across, view);
  // Pale points would be hard to see on a dark page.
  if (dark() && scatter(s) && s.itemStyle.opacity === 0.45) s.itemStyle.opacity = 0.75;
}

/**
 * dress converts the option of a payload for ECharts, in the theme of the page.
 * @param {Payload} payload @param {() => number} across the width of the figure @param {Kinds} kinds
 * @param {View} [view]
 */
export function dress(payload, across, kinds, view) {
  const { option, kind } = payload;
  const extra = payload.extra || {};
  for (const s of option.series) s.ring = s.itemStyle?.borderColor === "@ink"; // other borders are no rings
  tint(option);
  if (dark()) {
    // By default, ECharts would draw white cards.
    Object.assign(option.tooltip || {}, { backgroundColor: "#222", textStyle: { color: "#eee" } });
  }
  if (forced()) contrast(option, system("CanvasText"));
  for (const s of option.series) dressSeries(s, option, extra, across, kinds, view);
  for (const a of AXES.flatMap((name) => list(option[name]))) {
    if (a.span) a.axisLabel = Object.assign(a.axisLabel || {}, { formatter: shifted(a) });
    if (a.tight) {
      const write = a.axisLabel.formatter || brief;
      a.axisLabel.formatter = (/** @type {number} */ v) => (v <= a.min || v >= a.max ? "" : write(v));
    }
  }
  if (extra.short && option.legend) {
    // Names with the same beginning are cut before the end, so that they remain different.
    const cut = new Map(extra.short);
    option.legend.formatter = (/** @type {string} */ name) => cut.get(name) ?? name;
  }
  // Hover cards are elements, because ECharts interprets strings as HTML, including text from the
  // data.
  option.tooltip.renderMode = "html";
  option.tooltip.formatter = (/** @type {any} */ p) => {
    if (p.componentType !== "series") return words([p.name]); // an entry of the legend
    const v = p.value;
    const panel = extra.panels?.[option.series[p.seriesIndex].xAxisIndex || 0];
    if (panel) return card(extra, panel, p.seriesName, v, v[v.length - 1]);
    return words(
      Object.hasOwn(kinds.cards, kind)
        ? kinds.cards[kind](p, extra, option)
        : [p.seriesName, list(v).map(brief).join(", ")],
    );
  };
  if (Object.hasOwn(kinds.finish, kind)) kinds.finish[kind](option, extra);
  return option;
}
