// Shows the differences between a selection and all other samples, or another selection, below the
// figure: as bars for the features and attributes that differ most, or as images.
import { max } from "../extension/schema.json";
import { precision } from "./card.js";
import { columnsOf, comparer, labelOf, regionOf, usual } from "./contrast.js";
import { el, svg } from "./dom.js";
import { diverging } from "./rules.js";
import { dark, edge } from "./theme.js";

/**
 * @typedef {import("./contrast.js").Difference} Difference
 * @typedef {{node: HTMLElement, update(rows: number[], rests: boolean): void, close(): void}} Different
 */

const MOST = 10; // rows
const WIDE = 140; // of a bar, in pixels
const ENDS = { low: "#2878b5", high: "#d9762b" };

/**
 * quantities formats two medians with enough digits to distinguish them, like Go's
 * Difference.Medians.
 * @param {number} a @param {number} b
 */
export function quantities(a, b) {
  const known = [a, b].filter((v) => !Number.isNaN(v));
  const text = (/** @type {number} */ v, /** @type {number} */ n) =>
    Number.isNaN(v) ? "–" : String(Number(v.toPrecision(n)));
  let n = Math.max(4, ...known.map(precision));
  while (n < 12 && known.length > 1 && a !== b && text(a, n) === text(b, n)) n++;
  return [text(a, n), text(b, n)];
}

/** @param {number} v */
function dated(v) {
  if (Number.isNaN(v)) return "–";
  const day = new Date(Math.floor(v) * 86400e3);
  return Number.isNaN(day.getTime()) ? "–" : day.toISOString().slice(0, 10);
}

/** @param {number} share */
const percent = (share) => `${Math.round(100 * share)} %`;
const signed = (/** @type {number} */ v) => `${v < 0 ? "−" : "+"}${Math.abs(v).toFixed(2)}`;
const counted = (/** @type {number} */ n) => (n === 1 ? "1 sample" : `${n} samples`);

/**
 * differences prepares comparisons of the samples of panel k. It returns null if the figure has no
 * columns for them.
 * @param {View} view @param {Linked} samples @param {number} k
 */
function differences(view, samples, k) {
  const panel = /** @type {Panel} */ (view.payload.extra.panels?.[k]);
  const sheet = view.payload.extra.contrasts?.[/** @type {number} */ (panel.contrast)];
  if (!sheet) return null;
  const { n } = panel.samples;
  const columns = columnsOf(sheet.columns, n, max.bytes);
  const { compare, effect } = comparer(columns, n);
  const image = sheet.image && sheet.pixels?.length === sheet.image[0] * sheet.image[1] ? sheet.image : null;
  /** @type {number[]} */
  const pixels = (image && sheet.pixels) || [];
  const drawn = new Set(pixels);
  const listed = (/** @type {Difference} */ r) => !drawn.has(r.column);

  /** points are the samples that the panel shows. */
  function points() {
    /** @type {{i: number, v: any[]}[]} */
    const all = [];
    samples.read()[k].each((s) => all.push({ i: s.i, v: [s.v[0], s.v[1]] }));
    all.sort((a, b) => a.i - b.i);
    return { rows: all.map((s) => s.i), x: all.map((s) => s.v[0]), y: all.map((s) => s.v[1]) };
  }
  return { n, columns, centers: sheet.centers, compare, effect, image, pixels, listed, points };
}

/**
 * differentOf returns the element below the figure that shows the differences in panel k, or null
 * if the panel has no columns.
 * @param {View} view @param {Linked} samples @param {number} k
 * @param {{rows: number[] | null}} against the selection that a reader compares with, null for all others
 * @returns {Different | null}
 */
export function differentOf(view, samples, k, against) {
  const of = differences(view, samples, k);
  if (!of) return null;
  const { columns, n, image, pixels } = of;
  const { compare, effect, centers: around, listed, points } = of;
  const node = el("div", "margin:4px 0");
  node.className = "ssdrnb-different";
  const head = el("div", "display:flex;flex-wrap:wrap;gap:6px;align-items:center", "", node);
  const said = el("span", "", "", head);
  said.role = "status";
  const press = (/** @type {string} */ text, /** @type {string} */ title, /** @type {() => void} */ act) => {
    const style = `font:inherit;padding:0 8px;border:1px solid ${edge()};border-radius:4px;background:transparent;color:inherit;cursor:pointer`;
    const b = el("button", style, text, head);
    b.type = "button";
    b.title = title;
    b.onclick = act;
    return b;
  };
  const other = press(
    "Compare with another group",
    "Keep this selection, and compare the next with it",
    () => {
      against.rows = now;
      update(now, true);
    },
  );
  const all = press("Compare with all others", "Compare the selection with all other samples", () => {
    against.rows = null;
    update(now, true);
  });
  const body = el("div", "", "", node);
  const note = el("div", "font-size:12px;opacity:.8", "", node);
  /** @type {number[]} */
  let now = [];
  let turn = 0; // of what is computed later

  /** fault returns why the two groups cannot be compared, or "". */
  function fault(/** @type {number[]} */ rows) {
    if (!against.rows)
      return rows.length < n ? "" : "All samples are selected: select fewer to compare them with the others.";
    const kept = new Set(against.rows);
    const both = rows.filter((i) => kept.has(i)).length;
    if (!both) return "";
    if (both === rows.length && both === kept.size)
      return `${counted(both)} kept. Now select the group to compare with them.`;
    return `${both === 1 ? "1 sample is" : `${both} samples are`} in both groups: select other samples, or compare with all others.`;
  }

  /** update shows the differences of a selection and, if it is final (rests), the usual effects. */
  function update(/** @type {number[]} */ rows, /** @type {boolean} */ rests) {
    now = rows;
    turn++;
    const begun = performance.now();
    other.style.display = against.rows ? "none" : "";
    all.style.display = against.rows ? "" : "none";
    const wrong = fault(rows);
    const words =
      wrong ||
      `${counted(rows.length)} against ${against.rows ? counted(against.rows.length) : `the ${n - rows.length} others`}.`;
    said.ariaLive = rests ? "polite" : "off";
    if (said.textContent !== words) said.textContent = words;
    body.replaceChildren();
    note.textContent = "";
    if (wrong) return;
    const list = compare(rows, against.rows);
    if (image) pictured(rows, list, image);
    const rest = list.filter(listed);
    const shown = rest.filter((r) => !Number.isNaN(r.delta)).slice(0, MOST);
    const marks = shown.length ? tabled(shown, rest.length) : [];
    if (!shown.length && !image) note.textContent = "No values are known in both groups.";
    else if (rests) judged(list, marks);
    node.dataset.took = (performance.now() - begun).toFixed(1);
  }

  /** tabled adds a table of the shown differences, out of count, and returns its bars and rows. */
  function tabled(/** @type {Difference[]} */ shown, /** @type {number} */ count) {
    const frame = el("div", "overflow-x:auto", "", body);
    const grid = el("table", "border-collapse:collapse;font-size:12px;margin:0", "", frame);
    const cell = "text-align:left;padding:1px 10px 1px 0;background:none;font-weight:normal";
    const right = `${cell};text-align:right;white-space:nowrap`;
    const top = el("tr", "", "", el("thead", "", "", grid));
    for (const text of [
      "feature",
      "lower | higher",
      "δ",
      "in the group",
      against.rows ? "in the other group" : "in the others",
    ]) {
      const th = el("th", /feature|lower/.test(text) ? cell : right, text, top);
      th.scope = "col";
    }
    const rows = el("tbody", "", "", grid);
    const marks = shown.map((r) => {
      const c = columns[r.column];
      const tr = el("tr", "", "", rows);
      const th = el(
        "th",
        `${cell};max-width:22em;overflow-wrap:anywhere`,
        labelOf(columns, r) + (c.outside ? " *" : ""),
        tr,
      );
      th.scope = "row";
      const bar = svg("svg", { width: WIDE, height: 12, "aria-hidden": "true" }, el("td", cell, "", tr));
      const mid = WIDE / 2;
      const long = Math.abs(r.delta) * mid;
      svg(
        "rect",
        {
          x: r.delta < 0 ? mid - long : mid,
          y: 2,
          width: long,
          height: 8,
          fill: r.delta < 0 ? ENDS.low : ENDS.high,
        },
        bar,
      );
      svg("line", { x1: mid, x2: mid, y1: 0, y2: 12, stroke: dark() ? "#999" : "#777" }, bar);
      el("td", right, signed(r.delta), tr);
      const share = r.missing || c.names;
      const pair = share
        ? [percent(r.in), percent(r.out)]
        : c.date
          ? [dated(r.in), dated(r.out)]
          : quantities(r.in, r.out);
      for (const text of pair) el("td", right, text, tr);
      return { r, bar, tr };
    });
    const lines = [
      "δ: how often a sample of the group has the higher value, minus how often it has the lower one. Beside δ: medians or shares.",
    ];
    if (count > shown.length) lines.push(`These are the ${shown.length} largest of ${count} differences.`);
    if (shown.some((r) => columns[r.column].outside)) lines.push("* Not used by the embedding.");
    note.textContent = lines.join(" ");
    return marks;
  }

  /**
   * judged marks the usual effect on each bar: nine of ten regions of the embedding as large as the
   * selection have a smaller effect. It works in short steps, so that the page stays responsive.
   */
  function judged(
    /** @type {Difference[]} */ list,
    /** @type {{r: Difference, bar: Element, tr: HTMLElement}[]} */ marks,
  ) {
    const mine = turn;
    const where = points();
    const there = new Set(where.rows);
    const centers = around.filter((i) => there.has(i));
    if (centers.length < 10 || where.rows.length <= now.length) return;
    /** @type {number[]} */
    const largest = [];
    /** @type {number[][]} */
    const each = marks.map(() => []);
    const kept = against.rows;
    function step() {
      if (mine !== turn || !node.isConnected) return;
      for (const end = performance.now() + 12; largest.length < centers.length; ) {
        const region = regionOf(where, centers, largest.length, now.length, kept ? kept.length : null);
        largest.push(list.reduce((most, r) => Math.max(most, effect(r, region)), 0));
        marks.forEach(({ r }, k) => each[k].push(effect(r, region)));
        if (performance.now() > end) break;
      }
      if (largest.length < centers.length) setTimeout(step, 0);
      else told();
    }
    function told() {
      marks.forEach(({ r, bar, tr }, k) => {
        const limit = usual(each[k]);
        const x = WIDE / 2 + (Math.sign(r.delta) || 1) * limit * (WIDE / 2);
        const stroke = dark() ? "#fff" : "#000";
        svg("line", { x1: x, x2: x, y1: 0, y2: 12, stroke, "stroke-width": 2 }, bar);
        tr.title = `In nine of ten random regions of this size, this |δ| is below ${limit.toFixed(2)}`;
        tr.dataset.usual = limit.toFixed(4);
      });
      const lines = [
        `In nine of ten random regions of this size, the largest |δ| is below ${usual(largest).toFixed(2)}`,
      ];
      if (marks.length)
        lines.push(`; the |δ| of any one feature is below its ${dark() ? "white" : "black"} mark`);
      note.textContent += ` ${lines.join("")}.`;
    }
    setTimeout(step, 0);
  }

  /** pictured draws the δ of each pixel, and both mean images on a common grey scale. */
  function pictured(
    /** @type {number[]} */ rows,
    /** @type {Difference[]} */ list,
    /** @type {[number, number]} */ [height, width],
  ) {
    const by = new Map(list.filter((r) => !r.missing).map((r) => [r.column, r.delta]));
    const deltas = pixels.map((c) => by.get(c) || 0);
    const unit = deltas.reduce((m, v) => Math.max(m, Math.abs(v)), 0.33);
    const mine = new Set(rows);
    const others = against.rows || Array.from({ length: n }, (_, i) => i).filter((i) => !mine.has(i));
    const means = [rows, others].map((group) =>
      pixels.map((k) => {
        const c = columns[k];
        let sum = 0;
        let there = 0;
        for (const i of group)
          if (c?.levels && c.of[i] < c.levels.length) {
            sum += c.levels[c.of[i]];
            there++;
          }
        return there ? sum / there : 0;
      }),
    );
    const flat = means.flat();
    const low = flat.reduce((m, v) => Math.min(m, v), Number.POSITIVE_INFINITY);
    const high = flat.reduce((m, v) => Math.max(m, v), Number.NEGATIVE_INFINITY);
    const gray = (/** @type {number} */ v) =>
      Array(3).fill(high > low ? (255 * (v - low)) / (high - low) : 0);
    const line = el("div", "display:flex;flex-wrap:wrap;gap:12px", "", body);
    /** @type {[string, number[], (v: number) => number[]][]} */
    const pictures = [
      [
        `δ of each pixel, up to ±${unit.toFixed(2)}: the group is darker where blue, brighter where orange`,
        deltas,
        (v) => diverging((1 + v / unit) / 2),
      ],
      ["mean of the group", means[0], gray],
      [against.rows ? "mean of the other group" : "mean of the others", means[1], gray],
    ];
    for (const [caption, values, color] of pictures) {
      const part = el("figure", "margin:0;width:112px;font-size:12px", "", line);
      const canvas = el(
        "canvas",
        `width:112px;image-rendering:pixelated;border:1px solid ${edge()}`,
        "",
        part,
      );
      canvas.role = "img";
      canvas.ariaLabel = caption;
      Object.assign(canvas, { width, height });
      el("figcaption", "", caption, part);
      const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
      const sheet = context.createImageData(width, height);
      values.forEach((v, p) => {
        sheet.data.set([...color(v), 255], 4 * p);
      });
      context.putImageData(sheet, 0, 0);
    }
  }
  return {
    node,
    update,
    close() {
      turn++;
    },
  };
}
