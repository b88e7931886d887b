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

  /**
   * of returns the panels between which samples can move. If an attribute matches the samples of
   * several panels, these are the panels; otherwise they are panels with the same samples.
   */
  function of() {
    const all = samples.keysOf().map((key, k) => (view.payload.extra.panels?.[k]?.many ? "" : key));
    const first = all.findIndex((key, k) => key && all.indexOf(key, k + 1) > 0);
    const told = [...all.keys()].filter((k) => all[k] && samples.known(k));
    return told.length > 1 ? told : [...all.keys()].filter((k) => first >= 0 && all[k] === all[first]);
  }
  /** partner is the single sample of panel j that matches sample i of panel k, or −1. */
  function partner(/** @type {number} */ k, /** @type {number} */ i, /** @type {number} */ j) {
    const there = samples.same(k, i, j);
    return there.length === 1 && samples.same(j, there[0], k).length === 1 ? there[0] : -1;
  }
  /** changes returns a text with the numbers of samples that stay, go and come. */
  function changes(/** @type {number} */ k, /** @type {number} */ j) {
    if (!samples.known(k)) return "";
    let stay = 0;
    samples.read()[k].each((s) => {
      if (partner(k, s.i, j) >= 0) stay++;
    });
    return `; ${stay} stay, ${samples.read()[k].count - stay} go, ${samples.read()[j].count - stay} come`;
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
    /** @type {string[]} */
    const told = []; // about each step
    const mine = { of: list, at: 0, node, still: false };
    const to = (/** @type {number} */ v) => {
      const k = Math.min(Math.floor(v), list.length - 2);
      const name = (/** @type {number} */ j) => view.payload.extra.panels?.[list[j]]?.samples.name;
      mine.at = v;
      told[k] ??= changes(list[k], list[k + 1]);
      at.textContent = `${name(k)} → ${name(k + 1)}, ${Math.round(100 * (v - k))} %${told[k]}`;
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
  /** paint draws the moving samples, between their positions in two panels. */
  function paint(/** @type {CanvasRenderingContext2D} */ c) {
    if (!moving) return;
    const { of: list } = moving;
    const k = Math.min(Math.floor(moving.at), list.length - 2);
    const [a, b] = [k, k + 1].map((j) => samples.read()[list[j]]);
    const rows = page.chosen[a.key] && new Set(page.chosen[a.key]);
    let t = moving.at - k;
    t = t * t * (3 - 2 * t);
    const shown = samples.lister();
    const fades = samples.known(list[k]);
    const met = new Set();
    a.each((s) => {
      if (!shown(s.name)) return;
      const to = b.of(partner(list[k], s.i, list[k + 1]));
      const p = a.place(s);
      const alpha = rows && !rows.has(s.i) ? 0.12 : 0.8;
      if (!within(a.box, p)) return;
      if (!to) {
        if (fades) samples.dot(c, s, p, (1 - t) * alpha);
        return;
      }
      met.add(to.i);
      const q = b.place(to);
      const on = [0, 1].map((dim) => p[dim] + t * (q[dim] - p[dim]));
      if (within(b.box, q)) samples.dot(c, s, on, alpha);
    });
    if (fades)
      b.each((s) => {
        const q = b.place(s);
        if (!met.has(s.i) && shown(s.name) && within(b.box, q)) samples.dot(c, s, q, 0.8 * t);
      });
  }
  return {
    of,
    paint,
    on: () => !!moving,
    node: () => moving?.node || null,
    /** tools adds the button that moves the samples, if there are at least two suitable panels. */
    tools(/** @type {HTMLElement} */ bar) {
      if (of().length > 1) button(bar, "⇄", "Move the samples from one panel to the next", start);
    },
  };
}
