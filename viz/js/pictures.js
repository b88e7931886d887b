// Makes the samples in the static picture of Multiples interactive. The picture remains, and hover,
// selection and hidden classes are drawn over it. An adapter with the methods of a chart lets
// samples.js work with the picture.
import { toolbar } from "./buttons.js";
import { card } from "./card.js";
import { numbers } from "./crowd.js";
import { el, over } from "./dom.js";
import { within } from "./geometry.js";
import { keyboardOf } from "./keyboard.js";
import { join, linked } from "./page.js";
import { paintSymbol } from "./symbols.js";
import { box, dark, watch } from "./theme.js";

/**
 * @typedef {{width: number, tiles: number[][], keys: [number, number, number, string][], height: number}} Sheets the places of the panels and of the entries of the legend
 * @typedef {{names: string[], colors: string[], symbols: string[], of: number[]}} Classes
 */

/**
 * seriesOf converts the samples to series of a chart, one per class and panel. A coordinate from 0
 * to 65,534 is the position across the panel; 65,535 marks a sample outside of it.
 * @param {{points: string[], look: number[], looks: Classes[]}} payload
 */
export function seriesOf({ points, look, looks }) {
  /** @type {Series[]} */
  const series = [];
  points.forEach((text, k) => {
    const all = numbers(text, Uint16Array);
    const { names, colors, symbols, of } = looks[look[k]];
    /** @type {number[][][]} */
    const data = names.map(() => []);
    of.slice(0, all.length / 2).forEach((g, i) => {
      if (all[2 * i] < 65535 && data[g]) data[g].push([all[2 * i] / 65534, all[2 * i + 1] / 65534, i]);
    });
    data.forEach((rows, g) => {
      if (rows.length)
        series.push({
          type: "scatter",
          name: names[g],
          xAxisIndex: k,
          data: rows,
          itemStyle: {},
          look: { fill: colors[g], symbol: symbols[g] },
        });
    });
  });
  return series;
}

/**
 * link returns a function that makes the picture before a data element interactive.
 * @param {(view: View) => Linked} samplesOf
 */
export const link = (samplesOf) => (/** @type {HTMLScriptElement} */ data) => {
  const figure = /** @type {HTMLElement | null} */ (data.previousElementSibling);
  if (!figure || figure.dataset.drawn) return;
  figure.dataset.drawn = "pending";
  begin(data, figure, samplesOf);
};

/** @param {HTMLScriptElement} data @param {HTMLElement} figure @param {(view: View) => Linked} samplesOf */
function begin(data, figure, samplesOf) {
  /** @type {Sheets} */
  let at;
  /** @type {HTMLElement} */
  let under;
  /** @type {HTMLCanvasElement} */
  let base;
  /** @type {HTMLElement} */
  let tip;
  /** @type {HTMLElement | null} */
  let bar = null;
  /** @type {HTMLButtonElement[]} */
  let legend = [];
  /** @type {Set<string>} */
  const off = new Set(); // names of hidden classes
  /** @type {Record<string, ((p: any) => void)[]>} */
  const heard = {};
  /** @type {string | null} */
  let pointed = null;
  const ruler = document.createElement("span");
  ruler.style.display = "block";
  figure.appendChild(ruler);

  /** @type {View} */
  const view = {
    data,
    figure,
    payload: /** @type {any} */ (undefined),
    chart: null,
    place: /** @type {any} */ (null),
    ruler,
    known: 0,
    link: linked(figure),
    arrange() {
      const s = scale();
      const side = view.payload.side * s;
      const grid = at.tiles.map(([x, y]) => ({ left: x * s, top: y * s, width: side, height: side }));
      return { option: { grid }, height: 0, near: [], lines: 0 };
    },
  };
  const samples = samplesOf(view);
  const keyboard = keyboardOf(view, { samples });
  const scale = () => view.known / at.width;
  const series = (/** @type {number} */ k) => view.payload.option.series[k];
  const fire = (/** @type {string} */ name, /** @type {any} */ p) => heard[name]?.forEach((f) => f(p));
  /** paper is the background colour; the filter on dark pages turns white into #121212. */
  const paper = (/** @type {number} */ alpha) => `rgba(${dark() ? "18,18,18," : "255,255,255,"}${alpha})`;

  /** shown returns the visible picture, which is the wide or the narrow one. */
  const shown = () =>
    [.../** @type {NodeListOf<HTMLImageElement>} */ (figure.querySelectorAll(":scope > img"))].find(
      (img) => img.clientWidth > 0,
    );

  /** adapter returns an object with those methods of an ECharts chart that samples.js calls. */
  function adapter() {
    return {
      get ground() {
        return paper(1);
      },
      on(/** @type {string} */ name, /** @type {(p: any) => void} */ f) {
        heard[name] ??= [];
        heard[name].push(f);
      },
      getWidth: () => view.place.clientWidth,
      getHeight: () => view.place.clientHeight,
      convertToPixel(/** @type {{xAxisIndex: number}} */ of, /** @type {number[]} */ v) {
        const b = view.arrange().option.grid[of.xAxisIndex];
        return [b.left + v[0] * b.width, b.top + v[1] * b.height];
      },
      dispatchAction(/** @type {any} */ a) {
        if (/Tip$/.test(a.type)) {
          const s = a.type === "showTip" ? series(a.seriesIndex) : null;
          const p = s && samples.read()[s.xAxisIndex || 0];
          const spot = s && p?.of(s.data[a.dataIndex][2]);
          pointed = null;
          lay(s && p && spot ? { k: s.xAxisIndex || 0, spot, place: p.place(spot) } : null);
          return;
        }
        off[a.type === "legendSelect" ? "delete" : "add"](a.name);
        paint();
      },
      getModel: () => ({
        getComponent: () => ({ isSelected: (/** @type {string} */ name) => !off.has(name) }),
        getSeriesByIndex: (/** @type {number} */ k) => ({
          getData: () => ({
            getItemVisual(/** @type {number} */ _i, /** @type {string} */ what) {
              const { look } = series(k);
              return what === "style"
                ? { fill: look.fill }
                : what === "symbol"
                  ? look.symbol
                  : Math.max(5.5 * scale(), 4);
            },
          }),
        }),
      }),
    };
  }
  /**
   * paint redraws the panels without hidden classes. On a dark page it always redraws them, and the
   * symbols of the legend, because the filter that darkens the picture also changes colours.
   */
  function paint() {
    const c = /** @type {CanvasRenderingContext2D} */ (base.getContext("2d"));
    const r = window.devicePixelRatio || 1;
    const any = dark() || off.size > 0;
    base.width = any ? Math.round(view.place.clientWidth * r) : 1;
    base.height = any ? Math.round(view.place.clientHeight * r) : 1;
    for (const b of legend) {
      const hidden = off.has(b.dataset.name || "");
      b.ariaPressed = String(!hidden);
      b.style.background = hidden ? paper(0.75) : "none";
    }
    if (!any) return;
    c.setTransform(r, 0, 0, r, 0, 0);
    samples.unlook();
    for (const p of samples.read()) {
      const { left, top, width, height } = p.box;
      c.save();
      c.beginPath();
      c.rect(left + 1, top + 1, width - 2, height - 2);
      c.clip();
      c.fillStyle = paper(1);
      c.fillRect(left, top, width, height);
      p.each?.((s) => {
        if (!off.has(s.name)) samples.dot(c, s, p.place(s), 0.69);
      });
      c.restore();
    }
    if (!dark()) return;
    const s = scale();
    for (const [x, y, , name] of at.keys) {
      const look = /** @type {Classes[]} */ (view.payload.looks).find((l) => l.names.includes(name));
      if (!look) continue;
      const g = look.names.indexOf(name);
      const q = [(x + 6) * s, (y + 9) * s];
      c.globalAlpha = 1;
      c.fillStyle = paper(1);
      c.fillRect(q[0] - 6.5 * s, q[1] - 6.5 * s, 13 * s, 13 * s);
      paintSymbol(c, q, look.symbols[g], 4 * s, look.colors[g], false, 1);
    }
  }
  /** @typedef {{k: number, spot: Spot, place: number[]}} Found a sample of panel k */
  /** found is the sample under the pointer. @returns {Found | null} */
  function found(/** @type {PointerEvent} */ e) {
    const b = view.place.getBoundingClientRect();
    const q = [e.clientX - b.left, e.clientY - b.top];
    const k = samples.read().findIndex((p) => within(p.box, q));
    if (k < 0) return null;
    const p = samples.read()[k];
    /** @type {Found | null} */
    let best = null;
    let least = 64;
    p.each((spot) => {
      const place = p.place(spot);
      const d = (place[0] - q[0]) ** 2 + (place[1] - q[1]) ** 2;
      if (d >= least || off.has(spot.name)) return;
      least = d;
      best = { k, spot, place };
    });
    return best;
  }
  function hover(/** @type {PointerEvent | null} */ e) {
    const hit = e && !e.buttons ? found(e) : null;
    const id = hit && `${hit.k} ${hit.spot.i}`;
    if (id === pointed) return;
    pointed = id;
    lay(hit);
    if (hit) fire("mouseover", { componentType: "series", seriesIndex: hit.spot.series, value: hit.spot.v });
    else fire("mouseout", null);
  }
  /** lay shows the hover card beside a sample, or hides it. */
  function lay(/** @type {Found | null} */ hit) {
    tip.style.display = hit ? "" : "none";
    if (!hit) return;
    const { k, spot, place } = hit;
    const { extra } = view.payload;
    tip.replaceChildren(card(extra, /** @type {Panel} */ (extra.panels?.[k]), spot.name, spot.v, spot.i));
    const left = place[0] + 14;
    const fits = left + tip.offsetWidth <= view.place.clientWidth;
    tip.style.left = `${fits ? left : Math.max(place[0] - 14 - tip.offsetWidth, 0)}px`;
    tip.style.top = `${Math.max(Math.min(place[1] + 12, view.place.clientHeight - tip.offsetHeight), 0)}px`;
  }
  function open() {
    const payload = JSON.parse(data.textContent || "");
    at = payload.wide;
    payload.option = { series: seriesOf(payload), title: [] };
    view.payload = payload;
    under = el("div", "position:absolute", "", figure);
    under.className = "ssdrnb-over";
    view.place = el("div", "width:100%;height:100%", "", under);
    base = over(view.place, "canvas", "width:100%;height:100%");
    tip = over(
      view.place,
      "div",
      "z-index:3;padding:5px 8px;border-radius:4px;font:13px/1.4 sans-serif;white-space:nowrap;display:none;box-shadow:0 1px 6px rgba(0,0,0,.3)",
    );
    view.chart = adapter();
  }
  /** settle fits the layers and buttons over the picture to its size and theme. */
  function settle(/** @type {HTMLImageElement} */ img) {
    at = img.classList.contains("ssdrnb-narrow") ? view.payload.narrow : view.payload.wide;
    view.known = img.clientWidth;
    Object.assign(under.style, {
      left: `${img.offsetLeft}px`,
      top: `${img.offsetTop}px`,
      width: `${(100 * view.known) / figure.clientWidth}%`, // so that it shrinks with the picture on paper
      aspectRatio: `${at.width}/${at.height}`,
    });
    const colors = box("#333", "#eee").split(";");
    for (const one of colors) tip.style.setProperty(one.split(":")[0], one.split(":")[1]);
    samples.settle();
    samples.scheme();
    hover(null);
    samples.unring();
    if (!samples.attached()) {
      samples.attach();
      keyboard.attach();
      view.place.addEventListener("pointermove", hover);
      view.place.addEventListener("pointerleave", () => hover(null));
    }
    bar?.remove();
    bar = toolbar();
    samples.tools(bar);
    under.appendChild(bar);
    for (const b of legend) b.remove();
    const s = scale();
    legend = at.keys.map(([x, y, w, name]) => {
      const b = el(
        "button",
        `position:absolute;padding:0;border:0;cursor:pointer;z-index:2;left:${x * s}px;top:${y * s}px;width:${w * s}px;height:${18 * s}px`,
        "",
        under,
      );
      b.type = "button";
      b.dataset.name = name;
      b.title = b.ariaLabel = `Show or hide ${name}`;
      b.onclick = () => fire("legendselectchanged", { name, selected: { [name]: off.has(name) } });
      return b;
    });
    paint();
    samples.mark();
    figure.dataset.drawn = "yes";
  }
  let near = false;
  let fitted = "";
  function look() {
    const img = near ? shown() : undefined;
    if (!img) return;
    if (!view.payload) open();
    join(view);
    const now = `${img.clientWidth} ${dark()}`;
    if (fitted === now) {
      if (samples.attached()) samples.mark();
      return;
    }
    fitted = now;
    settle(img);
  }
  view.link.renew = look;
  // Wait until JupyterLab has changed its theme, because the figure is hidden meanwhile.
  const watched = watch(() => requestAnimationFrame(() => setTimeout(look, 0)));
  new ResizeObserver(() => {
    watched(figure.clientWidth);
    look();
  }).observe(ruler);
  new IntersectionObserver(
    (entries) => {
      near ||= entries.some((e) => e.isIntersecting);
      look();
    },
    /** @type {IntersectionObserverInit} */ ({ rootMargin: "600px", scrollMargin: "600px" }),
  ).observe(figure);
}
