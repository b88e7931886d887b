// Rules that are also implemented in Go. Tests run both on the cases of testdata/rules.json, which
// Go writes.

/**
 * panels returns the boxes of the panels, in rows. right, head and foot are the space in pixels
 * beside, above and below all panels.
 * @param {Layout} l @param {number} width @param {number} right @param {number} head
 * @param {number} foot @param {number} fixed height of the figure, 0 if the page chooses
 */
export function panels(l, width, right, head, foot, fixed) {
  const inner = width - l.left - right + l.gap;
  const most = Math.max(Math.min(Math.floor(inner / (l.least + l.gap)), l.most, l.count), 1);
  const down = Math.ceil(l.count / most);
  const across = Math.ceil(l.count / down);
  const w = Math.max(inner / across - l.gap, 20);
  let h = Math.min(w * Math.max(...l.ratio), l.high);
  if (fixed) h = (fixed - head - foot) / down - l.above - l.below;
  h = Math.max(h, 20);
  const row = l.above + h + l.below;
  const boxes = l.ratio.map((r, k) => {
    const b = {
      left: l.left + (k % across) * (w + l.gap),
      top: head + Math.floor(k / across) * row + l.above,
      width: w,
      height: h,
    };
    if (l.kept) {
      b.width = Math.min(w, h / r);
      b.height = b.width * r;
      b.left += (w - b.width) / 2;
    }
    return b;
  });
  return { boxes, across, lines: head + down * row, height: fixed || Math.ceil(head + down * row + foot) };
}

/**
 * marks lays out a key for sizes or opacities on a line from left to right, in pixels. It calls
 * write for the name, which is cut if necessary, and for each number, and mark for each centre.
 * @param {{name: string, names: string[]}} grade @param {number} left @param {number} right
 * @param {(text: string) => number} measure the width of a text
 * @param {(text: string, x: number) => void} write @param {(x: number, i: number) => void} mark
 */
export function marks(grade, left, right, measure, write, mark) {
  const room = grade.names.reduce((rest, text) => rest - measure(text) - 40, right - left - 4);
  const rest = [...grade.name];
  let { name } = grade;
  while (rest.length > 1 && measure(name) > Math.max(room, 40)) {
    rest.pop();
    name = `${rest.join("")}…`;
  }
  [name, ...grade.names].forEach((text, i) => {
    if (i) mark(left - 13, i - 1);
    write(text, left);
    left += measure(text) + 34;
  });
}

/**
 * factorLabel formats a label of a logarithmic axis.
 * @param {number} v
 */
export function factorLabel(v) {
  if (v >= 1e-4 && v < 1e5) return String(Number(v.toPrecision(6)));
  return Number(v.toPrecision(6)).toExponential().replace("+", "");
}

/**
 * factors returns the numbers that are labelled on a logarithmic axis of a length in pixels.
 * @param {number} lo @param {number} hi @param {number} length
 * @param {(label: string) => number} size the extent of a label along the axis
 * @returns {number[]}
 */
export function factors(lo, hi, length, size) {
  const [a, b] = [Math.log10(lo), Math.log10(hi)];
  const [first, last] = [Math.ceil(a - 1e-9), Math.floor(b + 1e-9)];
  /** @type {number[]} */
  let one = [];
  const fits = (/** @type {number[]} */ list) => {
    if (list.length === 1 && !one.length) one = list;
    const half = list.map((v) => size(factorLabel(v)) / 2);
    // The ratio of two values may overflow, so subtract their logarithms.
    const apart = (/** @type {number} */ i) =>
      (length * (Math.log10(list[i]) - Math.log10(list[i - 1]))) / (b - a);
    return list.length > 1 && half.every((h, i) => !i || apart(i) >= h + half[i - 1] - 1e-6);
  };
  const times = (/** @type {number} */ every, /** @type {number[]} */ steps) => {
    const list = [];
    for (let e = Math.ceil((first - 1) / every) * every; e <= last; e += every) {
      for (const m of steps) {
        const v = Number(`${m}e${e}`);
        if (v >= lo * (1 - 1e-9) && v <= hi * (1 + 1e-9)) list.push(v);
      }
    }
    return list;
  };
  if (last - first < 2) {
    for (const steps of [
      [1, 2, 5],
      [1, 3],
    ]) {
      const list = times(1, steps);
      if (fits(list)) return list;
    }
  }
  for (const every of [1, 2, 3, 5, 10, 20, 50, 100, 200, 500]) {
    const list = times(every, [1]);
    if (fits(list)) return list;
  }
  if (last > first) {
    const list = [Number(`1e${first}`), Number(`1e${last}`)];
    if (fits(list)) return list;
    return one;
  }
  const p = 10 ** Math.floor(Math.log10((hi - lo) / 3));
  const step = p * ([1, 2, 5].find((f) => (hi - lo) / (f * p) <= 6 + 1e-9) ?? 10);
  for (const m of [1, 2, 5]) {
    const list = [];
    for (let k = Math.ceil(lo / (m * step) - 1e-9); k <= hi / (m * step) + 1e-9 && list.length < 10; k++)
      list.push(Number((k * m * step).toPrecision(12)));
    if (fits(list)) return list;
    if (!one.length && list.length) one = [list[list.length >> 1]];
  }
  return one;
}

/**
 * shade returns the opacity of a pixel from the total weight of its samples. A sample has weight 1,
 * or less if it is pale. The opacity is 0.3 at weight 1, and reaches 1 at eight times the mean
 * weight of the pixels with samples.
 * @param {number} weight @param {number} mean
 */
export const shade = (weight, mean) =>
  weight < 1
    ? 0.3 * Math.sqrt(weight)
    : Math.min(0.3 + (0.7 * Math.log(weight)) / Math.log(Math.max(8 * mean, 2)), 1);

/** Colours from blue through a neutral middle to orange, the same as in Go's pictures. */
const STOPS = [
  [0x08, 0x4a, 0x91],
  [0x4a, 0x98, 0xc9],
  [0xf2, 0xf0, 0xeb],
  [0xf0, 0x9c, 0x4f],
  [0xa8, 0x45, 0x08],
];

/**
 * diverging returns the red, green and blue at a position on this scale, from 0 to 1.
 * @param {number} share
 */
export function diverging(share) {
  const at = Math.min(Math.max(share, 0), 1) * (STOPS.length - 1);
  const k = Math.min(Math.floor(at), STOPS.length - 2);
  return STOPS[k].map((v, i) => Math.round(v + (at - k) * (STOPS[k + 1][i] - v)));
}

/** The number of samples from which the median distance is estimated. */
const ASKED = 200;

/**
 * measurer returns between, a function for the distance of two samples in the data, and usual, the
 * median distance. Positions are encoded as in Places of package viz/chart: the last coordinate of
 * each sample counts as a dimension of its own.
 * @param {{dims: number, unit: number, of: string}} places @param {number} n
 */
export function measurer({ dims, unit, of }, n) {
  const bytes = Uint8Array.from(atob(of), (c) => c.charCodeAt(0));
  if (bytes.length !== dims * n) return null;
  const rest = dims - 1;
  const between = (/** @type {number} */ i, /** @type {number} */ j) => {
    if (i === j) return 0;
    let sum = (bytes[i * dims + rest] - 128) ** 2 + (bytes[j * dims + rest] - 128) ** 2;
    for (let c = 0; c < rest; c++) sum += (bytes[i * dims + c] - bytes[j * dims + c]) ** 2;
    return unit * Math.sqrt(sum);
  };
  /** usual estimates the median distance between two samples. */
  const usual = () => {
    const rows = Array.from({ length: Math.min(n, ASKED) }, (_, k) =>
      Math.floor((k * n) / Math.min(n, ASKED)),
    );
    const all = rows.flatMap((i, k) => rows.slice(k + 1).map((j) => between(i, j))).sort((a, b) => a - b);
    return all[all.length >> 1] || 1;
  };
  return { between, usual: usual() };
}
