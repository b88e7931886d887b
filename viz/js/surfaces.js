// Surfaces over a grid of options.

const labels = (/** @type {string[]} */ names) => (/** @type {number} */ v) =>
  v === Math.round(v) && names[v] !== undefined ? names[v] : "";

/** @type {Kinds["cards"]} */
const cards = {
  // All surfaces have the same grid, so the card of a cell shows its values in all of them.
  mesh: (p, extra, option) => [
    `${extra.names[0]} ${extra.x[p.value[0]]}`,
    `${extra.names[1]} ${extra.y[p.value[1]]}`,
    ...option.series.map((s) => {
      const cell = s.data.find((c) => c[0] === p.value[0] && c[1] === p.value[1]);
      return `${s.name} ${cell && typeof cell[2] === "number" ? cell[2] : "not known"}`;
    }),
  ],
};

/** @param {Option} option @param {Extra} extra */
function mesh(option, extra) {
  for (const {
    data,
    dataShape: [rows, columns],
  } of option.series)
    if (rows * columns !== data.length) throw new Error("the points do not form a grid");
  for (const a of option.xAxis3D) a.axisLabel.formatter = labels(extra.x);
  for (const a of option.yAxis3D) a.axisLabel.formatter = labels(extra.y);
}

/** @type {Kinds} */
export const surfaces = { painters: {}, cards, finish: { mesh } };
