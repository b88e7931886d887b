// Curves, bars, graphs and other figures without samples, in two dimensions.
import { digits } from "./card.js";

/** @type {Kinds["painters"]} */
const painters = {
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
  // Error bars. In grouped bars (series "beside" the first ones) they are in the middle of their
  // bar, which moves when the legend hides other bars.
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
 * adjacency writes classes at the middle of their samples; the pointer shows the sample.
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
function convergence(option) {
  option.yAxis[1].axisLabel.formatter = (/** @type {number} */ v) => (v > 0 ? v.toExponential(0) : "");
}

/** @type {Kinds} */
export const curves = { painters, cards, finish: { adjacency, convergence } };
