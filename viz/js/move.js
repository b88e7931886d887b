// Moving the samples from one panel to the next.
import { button } from "./buttons.js";
import { el } from "./dom.js";
import { within } from "./geometry.js";
import { page } from "./page.js";
import { calm } from "./theme.js";

/** @param {View} view @param {Linked} samples */
export function following(view, samples) {
  /** @type {{of: number[], at: number, node: HTMLElement, still?: boolean} | null} */
  let moving = null;

  /** of are the panels that show the same samples as the first that others show too. */
  function of() {
    const all = samples.keysOf().map((key, k) => (view.payload.extra.panels?.[k]?.many ? "" : key));
    const first = all.findIndex((key, k) => key && all.indexOf(key, k + 1) > 0);
    return [...all.keys()].filter((k) => first >= 0 && all[k] === all[first]);
  }
  function start() {
    if (moving) {
      moving.node.remove();
      moving = null;
      samples.mark();
      return;
    }
    const list = of();
    const node = el("div", "display:flex;gap:8px;align-items:center;font:12px sans-serif");
    const slider = el("input", "flex:1;max-width:420px", "", node);
    const at = el("span", "opacity:.8", "", node);
    node.className = "ssdrnb-move";
    Object.assign(slider, {
      type: "range",
      min: 0,
      max: list.length - 1,
      step: 0.01,
      value: 0,
      ariaLabel: "from one panel to the next",
    });
    samples.read();
    const mine = { of: list, at: 0, node, still: false };
    const to = (/** @type {number} */ v) => {
      const k = Math.min(Math.floor(v), list.length - 2);
      const name = (/** @type {number} */ j) => view.payload.extra.panels?.[list[j]]?.samples.name;
      mine.at = v;
      at.textContent = `${name(k)} → ${name(k + 1)}, ${Math.round(100 * (v - k))} %`;
      samples.mark();
    };
    slider.oninput = () => {
      mine.still = true;
      to(Number(slider.value));
    };
    slider.onkeydown = (e) => e.stopPropagation();
    node.dataset.lmSuppressShortcuts = "true";
    view.figure.insertBefore(node, samples.first() || view.ruler);
    moving = mine;
    to(0);
    if (calm()) return;
    const began = performance.now();
    const step = (/** @type {number} */ now) => {
      if (moving !== mine || mine.still) return;
      slider.value = String(Math.min(Math.max(now - began, 0) / 1500, list.length - 1));
      to(Number(slider.value));
      if (mine.at < list.length - 1) requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }
  /** paint draws the samples between two of the panels. */
  function paint(/** @type {CanvasRenderingContext2D} */ c) {
    if (!moving) return;
    const { of: list } = moving;
    const k = Math.min(Math.floor(moving.at), list.length - 2);
    const [a, b] = [k, k + 1].map((j) => samples.read()[list[j]]);
    const rows = page.chosen[a.key] && new Set(page.chosen[a.key]);
    let t = moving.at - k;
    t = t * t * (3 - 2 * t);
    a.each((s) => {
      const to = b.of(s.i);
      if (!to || !samples.listed(s.name)) return;
      const p = a.place(s);
      const q = b.place(to);
      const on = [0, 1].map((dim) => p[dim] + t * (q[dim] - p[dim]));
      if (within(a.box, p) && within(b.box, q)) samples.dot(c, s, on, rows && !rows.has(s.i) ? 0.12 : 0.8);
    });
  }
  return {
    of,
    paint,
    on: () => !!moving,
    node: () => moving?.node || null,
    /** tools adds the button, where samples can move. */
    tools(/** @type {HTMLElement} */ bar) {
      if (of().length > 1) button(bar, "⇄", "Move the samples from one panel to the next", start);
    },
  };
}
