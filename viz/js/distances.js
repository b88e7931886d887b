// Colouring samples by their distance, in the data, to the sample under the pointer.
import { button } from "./buttons.js";
import { brief } from "./card.js";
import { el, styled, svg } from "./dom.js";
import { within } from "./geometry.js";
import { measurer } from "./rules.js";
import { dark, edge } from "./theme.js";

/** The colours from near to far on a light page; their order is reversed on a dark page. */
const STOPS = [
  [0x2d, 0x11, 0x60],
  [0x72, 0x1f, 0x81],
  [0xb6, 0x36, 0x79],
  [0xf0, 0x60, 0x5d],
  [0xfe, 0xae, 0x76],
  [0xfb, 0xf2, 0xc8],
];

/** Shades of the scale; samples of one shade are painted together, the far ones first. */
const SHADES = 64;

/** @param {number} share from near to far */
function shadeOf(share) {
  const t = (dark() ? 1 - share : share) * (STOPS.length - 1);
  const k = Math.min(Math.floor(t), STOPS.length - 2);
  const [r, g, b] = STOPS[k].map((v, c) => Math.round(v + (t - k) * (STOPS[k + 1][c] - v)));
  return `rgb(${r},${g},${b})`;
}

/**
 * distancesOf lets the reader colour samples by their distance to the sample under the pointer. It
 * requires the positions of the samples in the data, see Places of package viz/chart.
 * @param {View} view @param {Linked} samples
 */
export function distancesOf(view, samples) {
  /** @type {Map<number, ReturnType<typeof measurer>>} */
  const measures = new Map();
  let at = -1; // the reference sample
  let of = ""; // its key
  /** @type {{node: HTMLElement, words: HTMLElement, bar: HTMLElement} | null} */
  let line = null;

  const sheetOf = (/** @type {number} */ k) => view.payload.extra.panels?.[k]?.places;
  const measure = (/** @type {number} */ k) => {
    const sheet = sheetOf(k);
    if (sheet === undefined) return null;
    if (!measures.has(sheet)) {
      const places = view.payload.extra.places?.[sheet];
      const n = view.payload.extra.panels?.[k]?.samples.n || 0;
      measures.set(sheet, places ? measurer(places, n) : null);
    }
    return measures.get(sheet) || null;
  };
  const any = () => samples.keysOf().some((key, k) => key && sheetOf(k) !== undefined);

  function begin() {
    const node = el(
      "div",
      "display:flex;flex-wrap:wrap;gap:4px 8px;align-items:center;font:12px sans-serif;margin:2px 0",
    );
    node.className = "ssdrnb-distances";
    const words = el("span", "", "", node);
    el("span", "", "near", node);
    const bar = el("span", "", "", node);
    el("span", "", "far", node);
    view.figure.insertBefore(node, samples.first() || view.ruler);
    line = { node, words, bar };
    tell();
  }
  /** tell updates the colour bar and the text that explains it. */
  function tell() {
    if (!line) return;
    styled(
      line.bar,
      `width:120px;height:10px;border:1px solid ${edge()};background:linear-gradient(to right,${Array.from({ length: 9 }, (_, k) => shadeOf(k / 8)).join(",")})`,
    );
    const k = samples.keysOf().indexOf(of);
    const m = k < 0 ? null : measure(k);
    line.words.textContent =
      at >= 0 && m
        ? `Distance in the data to sample ${at}. All distances above ${brief(m.usual)}, the median of all pairs, share one colour.`
        : "Point at a sample to colour the others by their distance to it in the data.";
  }
  return {
    on: () => !!line,
    /** shows reports whether the samples of a panel have colours by distance. */
    shows: (/** @type {number} */ k) => !!line && at >= 0 && samples.keysOf()[k] === of && !!measure(k),
    node: () => line?.node || null,
    /** near makes sample i the reference sample. It returns false if it already was. */
    near(/** @type {string} */ key, /** @type {number} */ i) {
      if (!line || i < 0 || (key === of && i === at)) return false;
      [of, at] = [key, i];
      tell();
      return true;
    },
    /** paint draws the samples of panel k in the colours of their distances. */
    paint(/** @type {CanvasRenderingContext2D} */ c, /** @type {number} */ k) {
      const m = measure(k);
      const p = samples.read()[k];
      if (!m) return;
      const listed = samples.lister();
      /** @type {Spot[][]} */
      const by = Array.from({ length: SHADES }, () => []);
      p.each((s) => {
        if (listed(s.name))
          by[Math.min(Math.floor((m.between(at, s.i) / m.usual) * SHADES), SHADES - 1)].push(s);
      });
      for (let shade = SHADES - 1; shade >= 0; shade--) {
        const fill = shadeOf(shade / (SHADES - 1));
        for (const s of by[shade]) {
          const q = p.place(s);
          if (within(p.box, q)) samples.dot(c, s, q, 1, fill);
        }
      }
    },
    scheme: tell,
    /** tools adds the button that switches these colours on or off, if a panel has positions. */
    tools(/** @type {HTMLElement} */ bar) {
      if (!any()) return;
      const b = button(bar, "", "Colour by distance, in the data, to the sample under the pointer", () => {
        if (line) {
          line.node.remove();
          line = null;
          at = -1;
        } else begin();
        b.ariaPressed = String(!!line);
        b.style.opacity = line ? "1" : "0.6";
        samples.mark();
      });
      b.ariaPressed = String(!!line);
      b.style.opacity = line ? "1" : "0.6";
      const icon = svg("svg", { width: 14, height: 14, viewBox: "0 0 16 16" }, b);
      styled(icon, "vertical-align:-2px");
      for (const [r, fill] of [
        [7, "none"],
        [4.2, "none"],
        [1.6, "currentColor"],
      ])
        svg("circle", { cx: 8, cy: 8, r, fill, stroke: "currentColor", "stroke-width": 1.2 }, icon);
    },
    any,
  };
}
