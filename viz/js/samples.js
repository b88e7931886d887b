// Hover, selection and keyboard access for the samples in the panels of a figure.
import { shapes } from "./buttons.js";
import { facts } from "./card.js";
import { el, over, styled, svg } from "./dom.js";
import { aim, corners, encloses, within } from "./geometry.js";
import { page, tell } from "./page.js";
import { paintSymbol } from "./symbols.js";
import { box as boxed, dark, edge, forced, system } from "./theme.js";

/** @type {Crowd} */
const nobody = { of: () => null, tip: () => false, attach() {}, paint() {}, dispose() {} };

/** @param {Payload | undefined} payload */
const panelsOf = (payload) => payload?.extra?.panels || [];

/**
 * keysOf returns a key for each panel. Panels of the same samples have equal keys, and panels
 * without samples have "".
 * @param {Payload | undefined} payload
 */
export const keysOf = (payload) =>
  panelsOf(payload).map((p) => (p?.samples ? `${p.samples.n} ${p.samples.print || p.samples.data}` : ""));

/**
 * listOf returns the samples of a panel that ECharts draws.
 * @param {Series[]} series @param {number} panel @returns {PanelSamples}
 */
export function listOf(series, panel) {
  /** @type {Map<number, Spot>} */
  const by = new Map();
  series.forEach((s, k) => {
    if (s.type !== "scatter" || s.silent || (s.xAxisIndex || 0) !== panel) return;
    s.data.forEach((v, at) => {
      const i = v[v.length - 1];
      by.set(i, { i, v, name: s.name, series: k, at, ring: s.itemStyle.borderWidth > 1 });
    });
  });
  const end = (/** @type {number} */ start, /** @type {(a: number, b: number) => number} */ f) =>
    [0, 1].map((dim) => [...by.values()].reduce((m, s) => f(m, s.v[dim]), start));
  return {
    count: by.size,
    of: (i) => by.get(i),
    each: (f) => by.forEach(f),
    from: end(Number.POSITIVE_INFINITY, Math.min),
    to: end(Number.NEGATIVE_INFINITY, Math.max),
  };
}

/**
 * samplesOf makes the samples of a view interactive. parts contains optional features.
 * @param {View} view
 * @param {{crowdOf?: (view: View, samples: Linked) => Crowd, namesOf?: typeof import("./names.js").namesOf, tableOf?: typeof import("./table.js").tableOf,
 *   following?: typeof import("./move.js").following, distancesOf?: typeof import("./distances.js").distancesOf,
 *   knownOf?: typeof import("./known.js").knownOf}} parts
 * @returns {Linked}
 */
export function samplesOf(view, { crowdOf, namesOf, tableOf, following, distancesOf, knownOf }) {
  const { figure, link } = view;
  /** @type {Spots[] | null} */
  let spots = null; // of the panels; null until they are needed
  let inked = false; // whether the layer has marks, or a new layer may need them
  /** @type {HTMLCanvasElement | null} */
  let layer = null;
  /** @type {HTMLElement} */
  let lasso;
  /** @type {HTMLElement[]} */
  let rings = [];
  let tool = "";
  let soon = 0;
  /** @type {any[]} */
  let looks = []; // of the series, as ECharts holds them for a frame
  /** @type {{node: HTMLElement, words: HTMLElement} | null} */
  let told = null;

  const keys = () => keysOf(view.payload);
  const distinct = () => [...new Set(keys())].filter(Boolean);
  const subject = (/** @type {string} */ key) => `${key} ${view.payload.extra.legend}`;
  const panel = (/** @type {number} */ k) => /** @type {Panel} */ (panelsOf(view.payload)[k]);
  const flat = () => !view.payload.gl && keys().some(Boolean);

  /** read returns the samples of each panel, with their positions in pixels and appearance. */
  function read() {
    if (spots) return spots;
    const boxes = view.arrange().option.grid;
    spots = keys().map((key, k) => {
      const p = /** @type {Spots} */ (crowd.of(k) || listOf(key ? view.payload.option.series : [], k));
      p.key = key;
      p.box = boxes[k];
      if (!p.count) return p;
      // Positions in pixels are interpolated between two corners, which are updated after zooming.
      const { from } = p;
      const to = p.to.map((v, dim) => (v > from[dim] ? v : from[dim] + 1));
      p.frame = () => {
        const axes = { xAxisIndex: k, yAxisIndex: k };
        const a = view.chart.convertToPixel(axes, from);
        const b = view.chart.convertToPixel(axes, to);
        p.place = (s) =>
          [0, 1].map((dim) => a[dim] + ((s.v[dim] - from[dim]) / (to[dim] - from[dim])) * (b[dim] - a[dim]));
      };
      p.frame();
      return p;
    });
    return spots;
  }
  function listed(/** @type {string} */ name) {
    const legend = view.chart.getModel().getComponent("legend");
    return !legend?.isSelected || !!legend.isSelected(name);
  }
  /** lister returns a version of listed that caches its results, for many samples. */
  function lister() {
    /** @type {Map<string, boolean>} */
    const on = new Map();
    return (/** @type {string} */ name) => {
      if (!on.has(name)) on.set(name, listed(name));
      return /** @type {boolean} */ (on.get(name));
    };
  }
  function dot(
    /** @type {CanvasRenderingContext2D} */ c,
    /** @type {Spot} */ s,
    /** @type {number[]} */ q,
    /** @type {number} */ alpha,
    /** @type {string} */ fill = "",
  ) {
    if (s.fill) {
      paintSymbol(c, q, s.symbol || "", (s.size || 0) / 2, fill || s.fill, s.ring, alpha);
      return;
    }
    looks[s.series] ||= view.chart.getModel().getSeriesByIndex(s.series).getData();
    const look = (/** @type {string} */ what) => looks[s.series].getItemVisual(s.at, what);
    paintSymbol(c, q, look("symbol"), look("symbolSize") / 2, fill || look("style").fill, s.ring, alpha);
  }
  function ground() {
    for (let e = /** @type {HTMLElement | null} */ (figure); e; e = e.parentElement) {
      const shade = getComputedStyle(e).backgroundColor;
      if (shade && shade !== "transparent" && !/, 0\)$/.test(shade)) return shade;
    }
    return forced() ? system("Canvas") : dark() ? "#111" : "#fff";
  }
  /** mark draws selected, moving and coloured samples above a pale layer, once per frame. */
  function mark() {
    crowd.paint();
    if (soon) return;
    soon = requestAnimationFrame(() => {
      soon = 0;
      if (view.chart && layer) marked(layer);
    });
  }
  function marked(/** @type {HTMLCanvasElement} */ on) {
    const some = keys().some((key) => page.chosen[key]);
    const travels = !!moving?.on();
    const measured = !travels && !!distances?.on();
    if (!inked && !some && !travels && !measured) return;
    inked = some || travels || measured;
    tally();
    const c = /** @type {CanvasRenderingContext2D} */ (on.getContext("2d"));
    let count = 0;
    looks = [];
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.clearRect(0, 0, on.width, on.height);
    if (inked) {
      const scale = window.devicePixelRatio || 1;
      const [width, height] = [view.chart.getWidth(), view.chart.getHeight()].map((v) =>
        Math.round(v * scale),
      );
      if (on.width !== width || on.height !== height) Object.assign(on, { width, height });
      c.setTransform(scale, 0, 0, scale, 0, 0);
      const shade = view.chart.ground || ground();
      const shown = lister();
      read().forEach((p, k) => {
        const rows = page.chosen[p.key];
        const colours = measured && distances?.shows(k);
        if (!p.count || !(rows || travels || colours)) return;
        const { left, top, width: w, height: h } = p.box;
        c.save();
        c.beginPath();
        c.rect(left + 1, top + 1, w - 2, h - 2);
        c.clip();
        c.globalAlpha = travels ? 0.86 : 0.78;
        c.fillStyle = shade;
        c.fillRect(left, top, w, h);
        if (colours) distances?.paint(c, k);
        for (const i of travels || colours ? [] : rows) {
          const s = p.of(i);
          if (!s || !shown(s.name)) continue;
          dot(c, s, p.place(s), 0.95);
          count++;
        }
        c.restore();
      });
      moving?.paint(c);
    }
    figure.dataset.marked = String(count);
  }
  /** selected returns a text such as "5 of 100 samples selected" for panel k. */
  const selected = (/** @type {number} */ k) =>
    `${page.chosen[keys()[k]].length} of ${panel(k).samples.n} samples selected`;
  /**
   * tally shows the number of selected samples, with a button that clears the selection. It shows
   * nothing while the table of the selection is open.
   */
  function tally() {
    const words = keys()
      .map((key, k, all) =>
        page.chosen[key] && all.indexOf(key) === k && !table?.of(key) ? selected(k) : "",
      )
      .filter(Boolean)
      .join(", ");
    if (!words) {
      untally();
      return;
    }
    told ??= teller();
    // In a narrow figure there is no space beside the title, so the text is below the chart.
    const place =
      figure.clientWidth < 560 ? "position:static;width:fit-content" : "position:absolute;width:auto";
    styled(
      told.node,
      `${place};top:2px;left:2px;z-index:2;display:flex;gap:5px;padding:2px 7px;border-radius:4px;font:12px/18px sans-serif;border:1px solid ${edge()};${boxed()}`,
    );
    if (told.words.textContent !== words) told.words.textContent = words;
  }
  function teller() {
    const node = el("div", "");
    node.className = "ssdrnb-chosen";
    node.dataset.lmSuppressShortcuts = "true";
    const words = el("span", "", "", node);
    words.role = "status";
    words.ariaLive = "polite";
    el("span", "", "·", node).ariaHidden = "true";
    const clear = el(
      "button",
      "font:inherit;padding:0;border:0;background:none;color:inherit;text-decoration:underline;cursor:pointer",
      "Clear",
      node,
    );
    clear.type = "button";
    clear.title = "Clear the selection in all figures of these samples (Escape)";
    clear.onclick = () => {
      link.clear();
      if (view.place.tabIndex === 0) view.place.focus({ preventScroll: true });
    };
    figure.insertBefore(node, view.ruler);
    return { node, words };
  }
  function untally() {
    told?.node.remove();
    told = null;
  }
  /** same returns the samples of panel j that match sample i of panel k. */
  const same = (/** @type {number} */ k, /** @type {number} */ i, /** @type {number} */ j) =>
    keys()[k] === keys()[j] ? [i] : known?.same(k, i, j) || [];
  /** seen returns where panel k shows sample i of the data with the given key, or null. */
  function seen(/** @type {string} */ key, /** @type {number} */ i, /** @type {number} */ k) {
    for (const row of keys()[k] ? same(keys().indexOf(key), i, k) : []) {
      const q = sight(read()[k], row);
      if (q) return q;
    }
    return null;
  }
  /** ring marks a sample that is under the pointer elsewhere, in all panels except besides. */
  function ring(
    /** @type {string} */ key,
    /** @type {number} */ i,
    /** @type {number | undefined} */ besides,
  ) {
    let any = false;
    rings.forEach((r, k) => {
      const q = i >= 0 && k !== besides ? seen(key, i, k) : null;
      r.style.transform = q ? `translate(${q[0] - 10}px,${q[1] - 10}px)` : ""; // a hidden ring must not widen the page
      r.style.visibility = q ? "visible" : "hidden";
      any ||= !!q;
    });
    if (any) figure.dataset.pointed = String(i);
    else delete figure.dataset.pointed;
  }
  link.ring = (key, i, from, k) => {
    if (!view.chart || !layer || !keys().includes(key)) return;
    ring(key, i, from === figure ? k : -1);
    if (distances?.near(key, i)) mark();
  };
  link.change = (key, from) => {
    if (!view.chart || !keys().includes(key)) return;
    if (table?.of(key) && from !== figure) table?.close();
    mark();
  };
  link.entry = (about, name, on) => {
    if (!view.chart || !distinct().some((key) => subject(key) === about)) return;
    if (!view.payload.option.series.some((s) => s.name === name) || listed(name) === on) return;
    view.chart.dispatchAction({ type: on ? "legendSelect" : "legendUnSelect", name });
    mark();
  };
  link.clear = () => {
    const any = keys().filter((key) => page.chosen[key]);
    for (const key of any) choose(key, null);
    return any.length > 0;
  };
  /**
   * choose selects the given rows of the data with this key in all figures, and the matching
   * samples in the other panels of this figure. Without rows it clears the selection.
   */
  function choose(/** @type {string} */ key, /** @type {number[] | null} */ rows) {
    const from = keys().indexOf(key);
    const also = distinct().filter(
      (other) => other !== key && known?.has(from) && known.has(keys().indexOf(other)),
    );
    for (const one of [key, ...also]) {
      const k = keys().indexOf(one);
      const list = (one === key ? rows : known?.matches(from, rows || [], k)) || [];
      if (list.length) page.chosen[one] = list.sort((a, b) => a - b);
      else delete page.chosen[one];
    }
    if (!rows?.length) table?.close();
    for (const one of [key, ...also]) tell((l) => l.change(one, figure));
  }
  /** point tells all figures which sample is under the pointer; −1 means none. */
  const point = (/** @type {string} */ key, /** @type {number} */ i, k = -1) =>
    tell((l) => l.ring(key, i, figure, k));

  /** attach links the samples of a new chart. */
  function attach() {
    const list = distinct();
    if (!list.length) return;
    const { chart, payload } = view;
    spots = null;
    chart.on("mouseover", (/** @type {any} */ p) => {
      const s = p.componentType === "series" ? payload.option.series[p.seriesIndex] : null;
      const k = s?.xAxisIndex || 0;
      if (s?.type.startsWith("scatter") && keys()[k] && Array.isArray(p.value))
        point(keys()[k], p.value[p.value.length - 1], k);
    });
    chart.on("mouseout", () => {
      for (const key of list) point(key, -1);
    });
    const switched = (/** @type {string} */ name, /** @type {boolean} */ on) => {
      for (const key of list) {
        page.off[subject(key)] ??= Object.create(null); // a class may have the name of a method
        const off = page.off[subject(key)];
        if (on) delete off[name];
        else off[name] = true;
        tell((l) => l.entry(subject(key), name, on));
      }
    };
    chart.on("legendselectchanged", (/** @type {any} */ p) => {
      switched(p.name, p.selected[p.name]);
      mark();
    });
    chart.on("legendselectall", () => {
      for (const s of payload.option.series) if (s.name) switched(s.name, true);
      mark();
    });
    for (const key of list)
      for (const name of Object.keys(page.off[subject(key)] || {})) link.entry(subject(key), name, false);
    if (payload.gl) return;
    chart.on("datazoom", () => {
      if (!spots) return;
      for (const p of spots) p.frame?.();
      ring("", -1, -1);
      mark();
    });
    const { place } = view;
    place.style.position = "relative";
    layer = over(place, "canvas", "width:100%;height:100%");
    layer.width = layer.height = 1;
    inked = true;
    lasso = over(place, "div", "width:100%;height:100%");
    rings = keys().map(() => {
      const style = `width:14px;height:14px;border:3px solid #d6006c;box-shadow:0 0 0 2px ${dark() ? "#111" : "#fff"};border-radius:50%;visibility:hidden;will-change:transform`;
      const r = over(place, "div", style);
      r.className = "ssdrnb-ring";
      return r;
    });
    drawing(place);
    names?.attach();
    table?.scheme();
    mark();
    crowd.attach();
  }
  /** drawing lets the reader draw a lasso or a box over a panel. */
  function drawing(/** @type {HTMLElement} */ place) {
    /** @type {number[][] | null} */
    let path = null;
    let k = -1;
    let more = false;
    const at = (/** @type {PointerEvent} */ e) => {
      const b = place.getBoundingClientRect();
      return [e.clientX - b.left, e.clientY - b.top];
    };
    // On touch screens, the sample nearest to the finger counts as the sample under the pointer.
    for (const name of /** @type {const} */ (["pointerdown", "pointermove"]))
      place.addEventListener(name, (e) => {
        if (e.pointerType !== "touch" || tool || !distances?.on()) return;
        const q = at(e);
        const on = read().findIndex((p) => p.count && within(p.box, q));
        const i = on < 0 ? -1 : seek(read()[on], (x, y) => (x - q[0]) ** 2 + (y - q[1]) ** 2);
        if (i >= 0) point(keys()[on], i, on);
      });
    const round = (/** @type {number[][]} */ p) => (tool === "box" ? corners(p) : p);
    let due = 0;
    /** gathered returns the rows inside a path, and the selected rows if more is true. */
    const gathered = (/** @type {Spots} */ p, /** @type {number[][]} */ way) => {
      const rows = way.length > 2 ? inside(p, round(way)) : [];
      return [...new Set(more ? rows.concat(page.chosen[p.key] || []) : rows)].sort((a, b) => a - b);
    };
    const preview = () => {
      due = 0;
      if (path) table?.preview(k, gathered(read()[k], path));
    };
    const show = () => {
      lasso.replaceChildren();
      if (!path) return;
      const sheet = svg("svg", { width: "100%", height: "100%" }, lasso);
      svg(
        "polygon",
        {
          fill: "#0072b2",
          "fill-opacity": 0.1,
          stroke: dark() ? "#eee" : "#222",
          "stroke-dasharray": "4 3",
          points: round(path).join(" "),
        },
        sheet,
      );
    };
    const on = (
      /** @type {"pointerdown" | "pointermove" | "pointerup" | "pointercancel"} */ name,
      /** @type {(e: PointerEvent) => void} */ act,
    ) => place.addEventListener(name, act, true);
    let opened = false; // whether the panel's table was open before the gesture
    on("pointerdown", (e) => {
      if (!tool || e.button || moving?.on()) return;
      const q = at(e);
      k = read().findIndex((p) => p.count && within(p.box, q));
      if (k < 0) return;
      e.stopPropagation();
      path = [q];
      opened = !!table?.of(keys()[k]);
      more = e.shiftKey;
      try {
        place.setPointerCapture(e.pointerId);
      } catch {
        /* a pointer that is already gone */
      }
    });
    on("pointermove", (e) => {
      if (!path) return;
      e.stopPropagation();
      path.push(at(e));
      show();
      if (!due && table?.previews(k)) due = requestAnimationFrame(preview);
    });
    on("pointerup", (e) => {
      if (!path) return;
      e.stopPropagation();
      const p = read()[k];
      const rows = gathered(p, path);
      path = null;
      show();
      choose(p.key, rows);
      if (rows.length) table?.open(k);
    });
    on("pointercancel", (e) => {
      if (!path) return;
      e.stopPropagation();
      path = null;
      show();
      if (!table?.previews(k)) return;
      if (opened) table.open(k);
      else table.close();
    });
    // Otherwise ECharts moves the panel on touch events.
    for (const name of ["touchstart", "touchmove", "touchend"])
      place.addEventListener(name, (e) => tool && e.stopPropagation(), { capture: true, passive: true });
  }
  function inside(/** @type {Spots} */ p, /** @type {number[][]} */ path) {
    /** @type {number[]} */
    const rows = [];
    const shown = lister();
    p.each((s) => {
      const q = p.place(s);
      if (shown(s.name) && within(p.box, q) && encloses(path, q[0], q[1])) rows.push(s.i);
    });
    return rows;
  }

  // Keyboard: arrow keys go from sample to sample. The card of the sample is shown and read aloud
  // by screen readers.

  /** @type {{k: number, i: number} | null} */
  let cursor = null; // the panel and the sample that the keys are on
  /** @type {HTMLElement | null} */
  let voice = null;
  let moved = false; // whether the pointer moved after the last key
  const say = (/** @type {string} */ text) => {
    if (voice) voice.textContent = text;
  };
  /** seek returns the visible sample of a panel with the smallest score, or −1. */
  function seek(/** @type {Spots} */ p, /** @type {Score} */ score) {
    if (p.seek) return p.seek(score);
    let best = -1;
    let least = Number.POSITIVE_INFINITY;
    const shown = lister();
    p.each((s) => {
      const q = p.place(s);
      const c = shown(s.name) && within(p.box, q) ? score(q[0], q[1], s.i) : Number.POSITIVE_INFINITY;
      if (c < least) {
        least = c;
        best = s.i;
      }
    });
    return best;
  }
  /** sight returns the position of sample i of a panel, or null if the sample is not visible. */
  function sight(/** @type {Spots} */ p, /** @type {number} */ i) {
    const s = p.count ? p.of(i) : undefined;
    const q = s && listed(s.name) && p.place(s);
    return q && within(p.box, q) ? q : null;
  }
  function go(/** @type {number[] | null} */ way, far = false) {
    const all = read();
    const k = cursor ? cursor.k : all.findIndex((p) => p.count);
    const p = all[k];
    const q = cursor && sight(p, cursor.i);
    const least = far ? 40 : p.seek ? 3 : 0; // of very many samples the next is hardly at another place
    const from = q || [p.box.left + p.box.width / 2, p.box.top + p.box.height / 2];
    const found = seek(p, aim(from, q && way, least, cursor ? cursor.i : -1));
    if (found >= 0) rest(k, found);
    else say(q ? "no sample farther this way" : "no sample is visible");
  }
  /** pass goes to another panel, and to the same sample if it is visible there. by is 1 or −1. */
  function pass(/** @type {number} */ by) {
    const all = read();
    let k = (cursor ? cursor.k : by > 0 ? -1 : all.length) + by;
    while (all[k] && !all[k].count) k += by;
    if (!all[k]) return;
    const i = (cursor && same(cursor.k, cursor.i, k).find((row) => sight(all[k], row))) ?? -1;
    hide();
    cursor = { k, i };
    if (i >= 0) rest(k, i);
    else go(null);
  }
  /** rest shows the card of a sample, marks it in all figures, and announces it to screen readers. */
  function rest(/** @type {number} */ k, /** @type {number} */ i) {
    const p = read()[k];
    const s = p.of(i);
    const e = panel(k);
    const rows = page.chosen[p.key] || [];
    cursor = { k, i };
    if (!s) return;
    present(k, i, s);
    point(p.key, i);
    const words = facts(e, s.name, s.v, i);
    if (keys().length > 1 && e.samples.name) words.unshift(e.samples.name);
    if (rows.includes(i)) words.push("selected");
    if (rows.length) words.push(selected(k));
    say(words.join(", "));
  }
  function present(/** @type {number} */ k, /** @type {number} */ i, /** @type {Spot} */ s) {
    if (crowd.tip(k, i)) return;
    view.chart.dispatchAction(
      sight(read()[k], i) ? { type: "showTip", seriesIndex: s.series, dataIndex: s.at } : { type: "hideTip" },
    );
  }
  function hide() {
    if (!cursor || !view.chart) return;
    if (!crowd.tip(cursor.k, -1)) view.chart.dispatchAction({ type: "hideTip" });
    point(keys()[cursor.k], -1);
  }
  /** pick adds a sample to the selection or removes it. */
  function pick(/** @type {{k: number, i: number}} */ { k, i }) {
    const key = keys()[k];
    const old = page.chosen[key] || [];
    const rows = old.includes(i) ? old.filter((r) => r !== i) : [...old, i].sort((a, b) => a - b);
    choose(key, rows);
    if (rows.length) table?.open(k);
    rest(k, i);
  }
  const again = () => {
    if (cursor) rest(cursor.k, cursor.i);
  };

  /** @type {Linked} */
  const samples = {
    attach,
    read,
    mark,
    choose,
    point,
    selected,
    sight,
    lister,
    listed,
    dot,
    tool: () => tool,
    /** unlook clears the cached appearance of the series. */
    unlook() {
      looks = [];
    },
    keysOf: keys,
    known: (k) => !!known?.has(k),
    same,
    dispose() {
      crowd.dispose();
      untally();
      layer = spots = null;
      rings = [];
    },
    /** settle discards the cached positions of the samples. */
    settle() {
      spots = null;
    },
    scheme() {
      table?.scheme();
      distances?.scheme();
    },
    unring: () => ring("", -1, -1),
    attached: () => !!layer,
    /** tools adds the buttons for selecting, moving, renaming and colouring by distance. */
    tools(/** @type {HTMLElement} */ bar) {
      if (!flat()) return;
      shapes(bar, tool, (chosen) => {
        tool = chosen;
        view.place.style.cursor = lasso.style.cursor = tool ? "crosshair" : "";
        view.place.style.touchAction = tool ? "none" : ""; // a finger draws instead of scrolling the page
      });
      moving?.tools(bar);
      names?.tools(bar);
      distances?.tools(bar);
    },
    /** width returns the width in pixels of the buttons beside the title. */
    width: () =>
      flat()
        ? 144 +
          (moving && moving.of().length > 1 ? 24 : 0) +
          (names?.any() ? 24 : 0) +
          (distances?.any() ? 24 : 0)
        : 96,
    /** first returns the first element between the chart and the ruler, or null. */
    first: () => moving?.node() || distances?.node() || table?.node() || null,
    /** The actions of keys on samples, for keyboard.js. */
    keys: {
      hint: () =>
        flat()
          ? `Arrows: next sample (with Shift: farther); Enter: select${keys().length > 1 ? "; Page Up, Page Down: other panels" : ""}`
          : "",
      speak(/** @type {HTMLElement} */ e) {
        voice = e;
      },
      focus: again,
      again,
      hide,
      moved(/** @type {boolean} */ yes) {
        moved = yes;
      },
      spot() {
        const p = cursor && read()[cursor.k];
        return p && cursor ? { place: sight(p, cursor.i), box: p.box } : null;
      },
      /** shown restores the card of the keyboard's sample after ECharts has shown another card. */
      shown(/** @type {any} */ e) {
        const s = cursor && !moved && read()[cursor.k].of(cursor.i);
        if (cursor && s && (e.seriesIndex !== s.series || e.dataIndex !== s.at))
          present(cursor.k, cursor.i, s);
      },
      /** act runs the action of a key on samples. It returns false if the key has none. */
      act(/** @type {KeyboardEvent} */ e, /** @type {number[] | undefined} */ way) {
        const enter = /^(Enter| )$/.test(e.key);
        if (enter) {
          if (cursor && flat() && !e.shiftKey) pick(cursor);
          return true;
        }
        if (!flat()) return false;
        if (way) go(way, e.shiftKey);
        else if (/^Page/.test(e.key)) pass(e.key === "PageDown" ? 1 : -1);
        else return false;
        return true;
      },
      /**
       * leave clears the current sample or else the selection, and returns whether there was one.
       */
      leave() {
        if (cursor) {
          hide();
          cursor = null;
          say("");
          return true;
        }
        if (!link.clear()) return false;
        say("nothing is selected");
        return true;
      },
    },
  };
  const table = tableOf?.(view, samples);
  const moving = following?.(view, samples);
  const names = namesOf?.(view);
  const distances = distancesOf?.(view, samples);
  const known = knownOf?.(view);
  const crowd = crowdOf ? crowdOf(view, samples) : nobody;
  return samples;
}
