// Draws the condensed tree of clusters as an icicle plot, in the width and theme of the page. It
// replaces the static picture. Its samples are linked to other figures.
import { el, styled, svg, voice } from "./dom.js";
import { join, linked, page, tell } from "./page.js";
import { box, dark, edge, tone, watch } from "./theme.js";

/**
 * @typedef {{parent: number, cluster: number, color?: string, size: number, stability: number, middle: number,
 *   widths: number[], densities: number[]}} Icicle
 * @typedef {{name: string, samples: {n: number, data: string, print: string}, of: number[], top: number, nodes: Icicle[]}} Tree
 */

const HIGH = 420;
const FRAME = { left: 62, top: 34, right: 14, bottom: 44 };

/**
 * steps returns about five evenly spaced round numbers from 0 to a limit.
 * @param {number} limit
 */
export function steps(limit) {
  if (!(limit > 0)) return [0];
  const rough = limit / 5;
  const ten = 10 ** Math.floor(Math.log10(rough));
  const by = ([1, 2, 5, 10].find((f) => f * ten >= rough * 0.999) || 10) * ten;
  const out = [];
  for (let k = 0; k * by <= limit * 1.000001 && k < 20; k++) out.push(Number((k * by).toPrecision(12)));
  return out;
}

// A parent has a smaller index than its children. An icicle without such a parent is a root, so
// that damaged data cannot loop.

/**
 * countsOf returns the number of the given samples in each icicle, including those in its children.
 * of[i] is the icicle in which sample i ends.
 * @param {Iterable<number>} rows @param {number[]} of @param {Icicle[]} nodes
 */
export function countsOf(rows, of, nodes) {
  const counts = nodes.map(() => 0);
  for (const i of rows) if (nodes[of[i]]) counts[of[i]]++;
  for (let c = nodes.length - 1; c > 0; c--) {
    const { parent } = nodes[c];
    if (nodes[parent] && parent < c) counts[parent] += counts[c];
  }
  return counts;
}

/**
 * membersOf returns the samples of icicle c, including those in its children.
 * @param {number} c @param {number[]} of @param {Icicle[]} nodes
 */
export function membersOf(c, of, nodes) {
  /** @type {boolean[]} */
  const within = [];
  nodes.forEach(({ parent }, k) => {
    within[k] = k === c || (parent < k && !!within[parent]);
  });
  return [...of.keys()].filter((i) => within[of[i]]);
}

const ink = () => String(tone("@ink"));
const paper = () => String(tone("@page"));
const number = (/** @type {number} */ v) => String(Number(v.toPrecision(4)));

/**
 * tree draws the tree of a data element in place of the picture before it.
 * @param {HTMLScriptElement} data
 */
export function tree(data) {
  const figure = /** @type {HTMLElement | null} */ (data.previousElementSibling);
  if (!figure || figure.dataset.drawn) return;
  figure.dataset.drawn = "pending";
  begin(data, figure);
}

/** @param {HTMLScriptElement} data @param {HTMLElement} figure */
function begin(data, figure) {
  const payload = /** @type {Tree} */ (JSON.parse(data.textContent || ""));
  const { nodes, of, samples, top } = payload;
  const sizes = countsOf(of.keys(), of, nodes);
  const key = `${samples.n} ${samples.print || samples.data}`;
  const img = figure.querySelector("img");
  const place = el("div", "position:relative;width:100%", "", figure);
  place.className = "ssdrnb-tree ssdrnb-keyed";
  place.dataset.lmSuppressShortcuts = "true";
  place.tabIndex = 0;
  place.role = "application";
  place.ariaLabel = `${img?.alt || payload.name}. Arrows: other groups; Enter: select; Escape: leave`;
  const said = voice(figure);
  const tip = el("div", "", "", figure);
  /** @type {Element[]} */
  let shapes = [];
  let on = -1; // the icicle that the pointer or the keys are on
  let ringed = -1; // the icicle of the sample under the pointer in another figure
  /** @type {number[] | null} */
  let chosen = null; // the numbers of selected samples in the icicles; null without a selection
  let drawn = "";
  const link = linked(figure);

  /** facts returns the lines of the card of an icicle. */
  function facts(/** @type {number} */ c) {
    const n = nodes[c];
    const [birth, death] = [n.densities[0], n.densities[n.densities.length - 1]];
    const lines = [
      n.cluster >= 0 ? `cluster ${n.cluster}` : c ? `group ${c}` : "all samples",
      n.size === 1 ? "1 sample" : `${n.size} samples`,
      `density ${number(birth)} to ${number(death)}`,
    ];
    if (n.cluster >= 0) lines.push(`stability ${number(n.stability)}`);
    if (chosen) lines.push(`${chosen[c]} selected`);
    return lines;
  }

  /** mark updates the opacity and frame of each icicle from the selection and the pointer. */
  function mark() {
    const rows = page.chosen[key];
    chosen = rows ? countsOf(rows, of, nodes) : null;
    let any = 0;
    shapes.forEach((shape, c) => {
      const share = chosen ? chosen[c] / Math.max(sizes[c], 1) : 1;
      if (chosen && share) any++;
      shape.setAttribute("fill-opacity", String(share ? 0.35 + 0.65 * share : 0.12));
      shape.setAttribute("stroke", c === ringed ? "#d6006c" : c === on ? ink() : paper());
      shape.setAttribute("stroke-width", c === ringed || c === on ? "2.5" : "1");
    });
    figure.dataset.marked = String(any);
    for (const c of [on, ringed]) if (shapes[c]) shapes[c].parentNode?.appendChild(shapes[c]); // its frame is above others
  }
  function point(/** @type {number} */ c, /** @type {PointerEvent | null} */ e, aloud = false) {
    on = c;
    mark();
    tip.style.display = c < 0 ? "none" : "";
    if (c < 0) return;
    const lines = facts(c);
    tip.replaceChildren(...lines.map((text) => el("div", "", text)));
    styled(
      tip,
      `position:absolute;z-index:3;pointer-events:none;padding:5px 8px;border-radius:4px;font:13px/1.4 sans-serif;box-shadow:0 1px 6px rgba(0,0,0,.3);${box("#333", "#eee")}`,
    );
    const b = figure.getBoundingClientRect();
    const r = shapes[c].getBoundingClientRect();
    const [x, y] = e ? [e.clientX, e.clientY] : [r.left + r.width / 2, r.top + r.height / 4];
    const left = Math.min(x - b.left + 14, figure.clientWidth - tip.offsetWidth - 4);
    styled(tip, `left:${Math.max(left, 0)}px;top:${y - b.top + 12}px`);
    if (aloud) said.textContent = lines.join(", ");
  }
  /** choose selects the samples of icicle c, or none if c is −1. more extends the selection. */
  function choose(/** @type {number} */ c, more = false) {
    const own = c < 0 ? [] : membersOf(c, of, nodes);
    const old = (more && page.chosen[key]) || [];
    const rows = old.length ? [...new Set([...old, ...own])].sort((a, b) => a - b) : own;
    if (rows.length) page.chosen[key] = rows;
    else delete page.chosen[key];
    tell((l) => l.change(key, figure));
  }

  function draw() {
    const width = figure.clientWidth;
    const now = `${width} ${dark()} ${ink()}`;
    if (!width) return;
    join({ link });
    if (drawn === now) {
      mark(); // the selection may have changed while the figure was out of the page
      return;
    }
    drawn = now;
    const sheet = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    for (const [k, v] of Object.entries({
      width,
      height: HIGH,
      "font-family": "sans-serif",
      "font-size": 12,
      fill: ink(),
    }))
      sheet.setAttribute(k, String(v));
    const inner = { width: width - FRAME.left - FRAME.right, height: HIGH - FRAME.top - FRAME.bottom };
    const x = (/** @type {number} */ v) => FRAME.left + (v / Math.max(samples.n, 1)) * inner.width;
    const y = (/** @type {number} */ v) => HIGH - FRAME.bottom - (v / (top || 1)) * inner.height;
    const write = (/** @type {string} */ text, /** @type {Record<string, string | number>} */ at) => {
      svg("text", at, sheet).textContent = text;
    };
    write(payload.name, {
      x: width / 2,
      y: 20,
      "text-anchor": "middle",
      "font-weight": "bold",
      "font-size": 15,
    });
    const lines = { stroke: edge(), "stroke-width": 1 };
    for (const v of steps(top)) {
      svg("line", { x1: FRAME.left, x2: width - FRAME.right, y1: y(v), y2: y(v), ...lines }, sheet);
      write(number(v), { x: FRAME.left - 6, y: y(v) + 4, "text-anchor": "end" });
    }
    for (const v of steps(samples.n))
      write(number(v), { x: x(v), y: HIGH - FRAME.bottom + 16, "text-anchor": "middle" });
    write("samples", { x: FRAME.left + inner.width / 2, y: HIGH - 8, "text-anchor": "middle" });
    write("density, 1/distance", {
      "text-anchor": "middle",
      transform: `translate(14 ${FRAME.top + inner.height / 2}) rotate(-90)`,
    });
    const group = svg("g", { style: "cursor:pointer" }, sheet);
    shapes = nodes.map((n, c) => {
      const side = (/** @type {number} */ sign) =>
        n.widths.map((w, k) => `${x(n.middle + (sign * w) / 2).toFixed(1)},${y(n.densities[k]).toFixed(1)}`);
      const points = [...side(-1), ...side(1).reverse()].join(" ");
      const shape = svg("polygon", { points, fill: n.color || (dark() ? "#6b7280" : "#bdc3cc") }, group);
      shape.addEventListener("pointermove", (e) => point(c, /** @type {PointerEvent} */ (e)));
      shape.addEventListener("click", (e) => choose(c, /** @type {MouseEvent} */ (e).shiftKey));
      return shape;
    });
    nodes.forEach((n) => {
      if (n.cluster < 0) return;
      const [a, b] = [n.densities[0], n.densities[n.densities.length - 1]];
      write(String(n.cluster), {
        x: x(n.middle),
        y: y(a + (b - a) / 4) + 4,
        "text-anchor": "middle",
        "font-weight": "bold",
        stroke: paper(),
        "stroke-width": 3,
        "paint-order": "stroke",
        "pointer-events": "none",
      });
    });
    place.replaceChildren(sheet);
    if (img) img.style.display = "none";
    mark();
    figure.dataset.drawn = "yes";
  }

  place.addEventListener("pointerleave", () => point(-1, null));
  /** next returns the icicle that an arrow key leads to. */
  function next(/** @type {string} */ name) {
    const children = (/** @type {number} */ c) =>
      nodes.map((_, k) => k).filter((k) => nodes[k].parent === c && k > c);
    if (on < 0) return 0;
    const { parent } = nodes[on];
    if (name === "ArrowUp") return children(on).sort((a, b) => nodes[b].size - nodes[a].size)[0] ?? on;
    if (name === "ArrowDown") return parent >= 0 ? parent : on;
    const row = (parent < 0 ? [0] : children(parent)).sort((a, b) => nodes[a].middle - nodes[b].middle);
    return row[row.indexOf(on) + (name === "ArrowLeft" ? -1 : 1)] ?? on;
  }
  place.addEventListener("keydown", (e) => {
    if (/^Arrow/.test(e.key)) point(next(e.key), null, true);
    else if (/^(Enter| )$/.test(e.key) && on >= 0) {
      choose(on, e.shiftKey);
      point(on, null, true);
    } else if (e.key === "Escape" && on >= 0) point(-1, null);
    else return;
    e.preventDefault();
    e.stopPropagation();
  });
  link.change = (about) => {
    if (about === key) mark();
  };
  link.ring = (about, i, from) => {
    const c = about === key && from !== figure ? (of[i] ?? -1) : -1;
    if (c === ringed) return;
    ringed = c;
    mark();
  };
  link.clear = () => {
    if (!page.chosen[key]) return false;
    choose(-1);
    return true;
  };
  link.renew = draw;
  const watched = watch(() => requestAnimationFrame(draw));
  new ResizeObserver(() => {
    watched(figure.clientWidth);
    draw();
  }).observe(figure);
  draw();
}
