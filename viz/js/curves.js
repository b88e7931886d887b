// Curves, bars, graphs and other figures without samples, in two dimensions.
import { digits } from "./card.js";
import { factorLabel, factors } from "./rules.js";

/** @type {Kinds["painters"]} */
const painters = {
  // A band: at x = v[0], it extends from v[1] to v[2].
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
  // Error bars. With grouped bars, an error bar is at the centre of its bar, which moves when the
  // legend hides other bars. Its series comes s.beside places after the series of the bar.
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

const spread = (/** @type {unknown} */ v) => (v === undefined || v === null ? "" : ` ± ${digits(v)}`);

/** @type {Kinds["cards"]} */
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
};

/**
 * adjacency labels each class at the middle of its samples, and the pointer with its sample.
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

/** @param {Option} option */
function logarithmic(option) {
  for (const a of [...option.xAxis, ...option.yAxis])
    if (a.type === "log") a.axisLabel.formatter = factorLabel;
}

const LINE = 15; // pixels from one rotated name to the next

/**
 * fit rotates the names of the bar groups as far as necessary to avoid overlap, and omits names
 * only if that is not enough. It returns the style of the names, and a layout with space for them.
 * Go's fitted has the same rules.
 * @type {NonNullable<Kinds["fit"]>}
 */
function fit({ layout: l, option: o }, width, measure) {
  if (o.xAxis?.type !== "category") return null;
  const style = o.xAxis.axisLabel;
  const wide = o.xAxis.data.map((/** @type {string} */ name) =>
    Math.min(measure(name, "12px sans-serif"), style.width),
  );
  const longest = Math.max(...wide);
  const legend = width < 560 ? 0 : l.legend;
  let left = o.yAxis.nameGap + 18;
  let [group, rotate, turn] = [0, 0, 0];
  for (let k = 0; k < 6; k++) {
    group = Math.max(width - left - l.right - legend, 20) / wide.length;
    for (rotate of [0, 30, 45, 60, 90].filter((a) => a >= rotate)) {
      turn = (rotate * Math.PI) / 180;
      if (rotate ? group * Math.sin(turn) >= LINE : longest + 6 <= group) break;
    }
    left = o.yAxis.nameGap + 18;
    if (rotate)
      wide.forEach((/** @type {number} */ w, /** @type {number} */ i) => {
        left = Math.max(left, Math.cos(turn) * w + 8 - (i + 0.5) * group);
      });
  }
  const interval = rotate === 90 ? Math.ceil(LINE / group) - 1 : 0;
  const below = 30 + Math.sin(turn) * longest;
  return { layout: { ...l, left, below }, xAxis: { axisLabel: { ...style, rotate, interval } } };
}

/** @param {Option} option */
function bars(option) {
  for (const { itemStyle: style } of option.series) {
    if (!style.decal) continue;
    style.decal = {
      symbol: style.decal,
      symbolSize: 0.7,
      dashArrayX: [1, 0],
      dashArrayY: [2, 4],
      rotation: 0.8,
      color: "rgba(0,0,0,0.45)",
    };
  }
}

/**
 * axis sets the positions of ticks and labels on a logarithmic axis.
 * @type {NonNullable<Kinds["axis"]>}
 */
function axis(a, change, length, upright, { zoom }, measure) {
  if (a.type !== "log") return;
  const { start = 0, end = 100 } = zoom?.[upright] || {};
  const part = (/** @type {number} */ share) => a.min + (share / 100) * (a.max - a.min);
  const customValues = factors(part(start), part(end), length, (label) =>
    upright ? 20 : measure(label, "12px sans-serif") + 8,
  );
  for (const key of ["axisTick", "axisLabel", "splitLine"]) change[key] = { ...a[key], customValues };
}

/**
 * attach recomputes the ticks of logarithmic axes when the reader zooms.
 * @type {NonNullable<Kinds["attach"]>}
 */
function attach(view, given) {
  const { chart } = view;
  chart.on("datazoom", () => {
    given.zoom = chart.getOption().dataZoom;
    const { xAxis, yAxis } = view.arrange().option;
    chart.setOption({ xAxis, yAxis });
  });
}

/** @type {Kinds} */
export const curves = {
  attach,
  fit,
  axis,
  painters,
  cards,
  finish: { adjacency, bars, curves: logarithmic, convergence: logarithmic },
};
