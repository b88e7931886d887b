// A chart replaces the static picture in a notebook output. It follows the width and the theme of
// the page, and keeps the reader's changes when it is drawn again.
import { button, toolbar } from "./buttons.js";
import { el, styled } from "./dom.js";
import { arrange, mix } from "./layout.js";
import { base, charts, loader } from "./loader.js";
import { dress } from "./option.js";
import { join, linked } from "./page.js";
import { queue } from "./queue.js";
import { dark, skin, watch } from "./theme.js";

// The chart is scaled as a whole for printing: paper has another width than the window, and no
// script can arrange the panels before the page is printed.
if (!loader.sheet) {
  loader.sheet = document.head.appendChild(document.createElement("style"));
  loader.sheet.textContent =
    "@media print{.ssdrnb-chart{height:auto!important}.ssdrnb-chart>div:first-child{position:absolute!important;inset:0;width:auto!important;height:auto!important}" +
    ".ssdrnb-chart canvas{width:100%!important;height:100%!important}.ssdrnb-tools{display:none!important}}";
}

const AWAY = 60_000; // ms out of the page after which a chart is removed
const UNIT = { left: 0, top: 0, width: 1, height: 1 };

/**
 * The modules of a bundle that draws charts: its kinds of charts and, optionally, the modules for
 * samples, the keyboard, the explanation of sizes and opacities below a figure, and the cameras of
 * figures in three dimensions.
 * @typedef {{
 *   kinds: Kinds[],
 *   samplesOf?: (view: View) => Chartable,
 *   keyboardOf?: typeof import("./keyboard.js").keyboardOf,
 *   gradesOf?: typeof import("./grades.js").gradesOf,
 *   camerasOf?: typeof import("./cameras.js").camerasOf,
 * }} Parts
 */

/**
 * drawer returns a function that draws a chart with the given parts. Its argument is the element
 * that contains the data of the chart.
 * @param {Parts} parts
 */
export const drawer = (parts) => (/** @type {HTMLScriptElement} */ data) => {
  const figure = /** @type {HTMLElement | null} */ (data.previousElementSibling);
  if (!figure || figure.dataset.drawn) return;
  figure.dataset.drawn = "pending";
  draw(data, figure, parts);
};

/**
 * draw puts the chart in the queue of charts to create, and creates it again whenever necessary.
 * @param {HTMLScriptElement} data @param {HTMLElement} figure @param {Parts} parts
 */
function draw(data, figure, { kinds, samplesOf, keyboardOf, gradesOf, camerasOf }) {
  const line = /** @type {HTMLElement | null} */ (figure.querySelector(".ssdrnb-static"));
  if (line) line.style.display = "none";
  const img = figure.querySelector("img");
  const still = {
    display: img?.style.display,
    width: img?.style.width,
    objectFit: img?.style.objectFit,
    height: img?.style.height,
  }; // of the static picture
  const ruler = document.createElement("span");
  ruler.style.display = "block";
  /** @type {import("./layout.js").Given & Kinds} */
  const given = Object.assign({}, ...kinds, { steps: {}, outer: {} });
  for (const key of /** @type {const} */ (["painters", "cards", "finish"]))
    given[key] = Object.assign({}, ...kinds.map((k) => k[key]));
  /** @type {HTMLElement | null} */
  let bar = null;
  /** @type {unknown} */
  let theme;
  let across = 0; // the width in which names are placed
  let active = false;
  /** @type {boolean | undefined} */
  let pan;
  /** @type {number[]} */
  let near = []; // distances of the cameras of the chart
  /** @type {any} */
  let was; // the reader's changes to the previous chart
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let gone;

  /** @type {View} */
  const view = {
    data,
    figure,
    payload: /** @type {any} */ (undefined), // until its place is reserved
    chart: null,
    place: /** @type {any} */ (null), // as long as there is no chart
    ruler,
    known: 0,
    link: linked(figure),
    arrange: () => arranged(view.known),
  };
  /** @type {Job} */
  const job = { near: false, width: 0, begin: update };
  const samples = samplesOf?.(view);
  const cameras = camerasOf?.(view, state, () => near);
  const movable = () => view.payload.gl || !!view.payload.option.dataZoom;

  function arranged(/** @type {number} */ width, first = false) {
    return arrange(view.payload, width, samples ? samples.width() : 96, given, first);
  }
  /** state returns the reader's changes to the chart: hidden classes, zoom and cameras. */
  function state() {
    const o = view.chart.getOption();
    return {
      legend: o.legend?.map((/** @type {any} */ { selected }) => ({ selected })),
      dataZoom: o.dataZoom?.map((/** @type {any} */ { start, end }) => ({ start, end })),
      grid3D: o.grid3D?.map((/** @type {any} */ { viewControl: { alpha, beta, distance, center } }) => ({
        viewControl: { alpha, beta, distance, center },
      })),
    };
  }
  /** zoom scales the view around the pixel `about` of the panel `box`; factor 0 resets it. */
  function zoom(/** @type {number} */ factor, /** @type {number[] | null} */ about = null, box = UNIT) {
    cameras?.touched();
    if (view.payload.gl) {
      cameras?.zoom(factor);
      return;
    }
    state().dataZoom.forEach(
      (/** @type {{start: number, end: number}} */ z, /** @type {number} */ dataZoomIndex) => {
        const share = !about
          ? 0.5
          : dataZoomIndex
            ? 1 - (about[1] - box.top) / box.height
            : (about[0] - box.left) / box.width;
        const half = factor ? Math.min((z.end - z.start) / 2 / factor, 50) : 50;
        const mid = Math.min(Math.max(z.start + share * (z.end - z.start), half), 100 - half);
        view.chart.dispatchAction({ type: "dataZoom", dataZoomIndex, start: mid - half, end: mid + half });
      },
    );
    if (!factor) view.chart.dispatchAction({ type: "legendAllSelect" });
  }
  function dragging() {
    if (view.payload.gl) cameras?.drag(!!pan);
    else
      view.chart.setOption({ dataZoom: view.payload.option.dataZoom.map(() => ({ moveOnMouseMove: pan })) });
  }
  function tools() {
    if (!movable()) return;
    pan ??= !view.payload.gl;
    const mine = toolbar();
    bar = mine;
    button(mine, "+", "Zoom in (Ctrl+wheel)", () => zoom(1.5));
    button(mine, "−", "Zoom out (Ctrl+wheel)", () => zoom(1 / 1.5));
    const move = button(mine, "✥", "Drag to move the view", () => {
      pan = !pan;
      dragging();
      pressed();
    });
    const pressed = () => {
      move.ariaPressed = String(pan);
      move.style.opacity = pan ? "1" : "0.45";
    };
    pressed();
    button(mine, "⟲", "Show all again", () => zoom(0));
    samples?.tools(mine);
    figure.appendChild(mine);
  }
  /** dispose removes the chart, but keeps the reader's changes to it. */
  function dispose() {
    bar?.remove();
    if (view.chart) was = state();
    view.chart?.dispose();
    view.place?.remove();
    samples?.dispose();
    bar = null;
    view.chart = null;
    view.place = /** @type {any} */ (null);
  }
  /**
   * rest removes the chart, which is drawn again when the figure has a width again. ECharts keeps
   * every chart that is not disposed, and JupyterLab does not tell that it has deleted an output.
   */
  function rest() {
    job.steps?.return(undefined);
    job.steps = null;
    dispose();
  }
  /** reserve gives the chart or the static picture the height for the current width. */
  function reserve() {
    view.payload ??= JSON.parse(data.textContent || "");
    job.gl = view.payload.gl;
    const height = `${arranged(job.width).height}px`;
    if (view.chart) view.place.style.height = height;
    else if (img) styled(img, `display:block;width:100%;object-fit:contain;height:${height}`);
  }
  const stale = () =>
    figure.dataset.drawn !== "no" &&
    (!view.chart || theme !== skin() || Math.abs(job.width - view.known) >= 2);
  /** update makes or updates the chart, and yields between steps to keep the page responsive. */
  function* update() {
    try {
      while (stale()) {
        if (!view.chart || theme !== skin()) yield* make(true);
        else if (!adapt()) yield* make(false);
      }
    } catch (e) {
      unable(e);
    }
  }
  /** unable removes the chart, shows the static picture again, and writes the reason below it. */
  function unable(/** @type {unknown} */ e) {
    dispose();
    figure.dataset.drawn = "no";
    if (img) Object.assign(img.style, still);
    if (!line) return;
    const remedy =
      base() === null ? "For offline pages, use ./install.sh page." : "Run ./install.sh and reload the page.";
    line.textContent = `Static picture: the chart could not be drawn (${e instanceof Error ? e.message : e}). ${remedy}`;
    line.style.display = "";
  }
  /**
   * make builds a new chart outside of the page. It then puts the chart into the page, with the
   * reader's changes to the previous chart. If keep is true, these include the camera positions.
   * @param {boolean} keep @returns {Generator<Promise<unknown> | undefined>}
   */
  function* make(keep) {
    if (view.payload.dressed) view.payload = JSON.parse(data.textContent || "");
    const { payload } = view;
    if (!loader.ready[String(payload.gl)]) {
      yield cameras && payload.gl ? cameras.charts() : charts();
      loader.ready[String(payload.gl)] = true;
    }
    const width = job.width;
    across = width;
    payload.dressed = true;
    let option = /** @type {any} */ (dress(payload, () => across, given, view));
    const at = arranged(width, true);
    if (Array.isArray(option.yAxis))
      option.yAxis.forEach((/** @type {any} */ a, /** @type {number} */ k) => (given.outer[k] = a.name));
    option = mix(option, at.option);
    const shade = dark();
    option.backgroundColor = payload.gl ? (shade ? "#111" : "#fff") : "transparent";
    /** @type {any[][] | undefined} */
    let rows;
    if (payload.gl) {
      // No animation, because intermediate positions would count as the reader's movements.
      option.grid3D.forEach((/** @type {any} */ g, /** @type {number} */ k) => {
        g.viewControl.distance *= at.near[k];
        g.viewControl.animation = false;
      });
    } else {
      // The samples are added in a later step, after the axes and legends.
      rows = option.series.map((/** @type {Series} */ s) => s.data);
      for (const s of option.series) s.data = [];
    }
    yield;
    const next = el("div", `width:100%;height:${at.height}px;aspect-ratio:${width}/${at.height}`);
    next.className = "ssdrnb-chart";
    /** @type {any} */
    let made;
    try {
      // An element outside of the page has no size, so the size is given explicitly.
      made = window.echarts.init(next, shade ? "dark" : null, { width, height: at.height });
      if (img && next.firstElementChild) {
        // Screen readers treat the chart as an image, described like the static picture.
        next.firstElementChild.role = "img";
        next.firstElementChild.ariaLabel = img.alt;
      }
      const frames = made.getZr().animation;
      frames.pause(); // a frame would run the following steps at once
      made.on("grid3dcamerachanged", () => cameras?.clear(made));
      yield;
      made.setOption(option, { lazyUpdate: true });
      yield;
      made.resize(); // completes deferred work
      if (rows) {
        yield;
        option.series.forEach((/** @type {Series} */ s, /** @type {number} */ k) => {
          s.data = /** @type {any[][]} */ (rows)[k];
        });
        made.setOption({ series: rows.map((d) => ({ data: d })) }, { lazyUpdate: true });
        yield;
        made.resize();
      }
      yield;
      const focused = view.place && view.place === document.activeElement;
      dispose();
      view.chart = made;
      view.place = next;
      if (was) {
        if (!keep) was.grid3D = null;
        was.grid3D?.forEach((/** @type {any} */ g, /** @type {number} */ k) => {
          g.viewControl.distance *= at.near[k] / near[k];
        });
        made.setOption(was);
      }
      made.getZr().flush(); // there is no next frame before printing
      frames.resume();
      theme = skin();
      view.known = width;
      near = at.near;
      if (payload.gl) cameras?.begin(option);
      if (img) img.style.display = "none";
      figure.insertBefore(next, samples?.first() || ruler);
      samples?.attach();
      given.attach?.(view, given);
      cameras?.together();
      tools();
      gradesOf?.(view, at);
      join(view);
      keyboard ??= keyboardOf?.(view, {
        zoom: movable() ? zoom : undefined,
        turn: payload.gl ? cameras?.turn : undefined,
        samples,
      });
      keyboard?.attach();
      if (was && bar) dragging();
      if (focused) next.focus({ preventScroll: true });
      figure.dataset.drawn = "yes";
    } finally {
      if (view.chart !== made) made?.dispose();
    }
  }
  /** @type {ReturnType<typeof import("./keyboard.js").keyboardOf> | undefined} */
  let keyboard;
  /**
   * adapt resizes the chart to the width of the page and places its panels again. It returns false
   * if the legend must change its type, which requires a new chart.
   */
  function adapt() {
    const { payload } = view;
    const width = job.width;
    const at = arranged(width);
    const change = at.option;
    if (change.legend && change.legend.type !== payload.option.legend.type) return false; // ECharts cannot change it
    if (payload.gl) cameras?.fit(change, at.near);
    view.known = across = width;
    near = at.near;
    view.place.style.aspectRatio = `${width}/${at.height}`;
    reserve(); // the width may have changed while the chart was made, as by a scroll bar
    view.chart.resize({ width, height: at.height });
    view.chart.setOption(change);
    gradesOf?.(view, at);
    samples?.settle();
    samples?.mark();
    return true;
  }
  function renew() {
    if (stale()) queue.put(job);
  }
  view.link.renew = () => {
    if (view.payload?.gl && view.chart && img) {
      // WebGL cannot draw a dark chart again before printing, so the static picture replaces it.
      const away = !!(loader.paper && theme);
      view.place.style.display = away ? "none" : "";
      img.style.display = away ? "block" : "none";
      if (away) return;
    }
    renew();
  };

  // The wheel scrolls the page. It zooms with Ctrl, or after a click into the figure.
  for (const name of ["wheel", "mousewheel"]) {
    figure.addEventListener(
      name,
      (e) => {
        const { ctrlKey, metaKey } = /** @type {WheelEvent} */ (e);
        cameras?.touched();
        if (!(ctrlKey || metaKey || active)) e.stopImmediatePropagation();
      },
      { capture: true, passive: true },
    );
  }
  figure.addEventListener("pointerdown", (e) => {
    cameras?.touched();
    active = !!view.place?.contains(/** @type {Node} */ (e.target));
  });
  figure.addEventListener("pointerleave", () => {
    active = false;
  });

  // A figure outside of the page has no width, and is drawn when it is in the page again. The
  // observed element has no height, so that drawing the chart does not change its size.
  const watched = watch(renew);
  figure.appendChild(ruler);
  new ResizeObserver(() => {
    job.width = figure.clientWidth;
    watched(job.width);
    clearTimeout(gone);
    if (!job.width) {
      queue.drop(job);
      gone = setTimeout(rest, AWAY);
      return;
    }
    if (figure.dataset.drawn !== "no") {
      try {
        reserve();
      } catch (e) {
        unable(e);
      }
    }
    if (view.chart) {
      join(view);
      samples?.mark(); // the selection may have changed while the figure was out of the page
    }
    renew();
  }).observe(ruler);
  new IntersectionObserver(
    (entries) => {
      job.near = entries[entries.length - 1].isIntersecting;
      queue.wake();
    },
    /** @type {IntersectionObserverInit} */ ({ rootMargin: "600px", scrollMargin: "600px" }),
  ).observe(figure);
}
