import { drawer } from "./chart.js";
import { curves } from "./curves.js";
import { keyboardOf } from "./keyboard.js";
import { join, linked, page } from "./page.js";
import { link } from "./pictures.js";
import { samplesOf } from "./samples.js";
import { Box, body, resize } from "./testpage.js";
import { tree } from "./tree.js";

/** The charts that exist, like ECharts' own list of all of its charts. @type {Set<object>} */
const charts = new Set();

/** ECharts, as far as it is called. */
const echarts = {
  init(/** @type {unknown} */ _e, /** @type {unknown} */ _theme, /** @type {{width: number}} */ { width }) {
    /** @type {any} */
    let option = {};
    const chart = {
      getZr: () => ({ animation: { pause() {}, resume() {} }, flush() {} }),
      on() {},
      setOption(/** @type {any} */ more) {
        option = { ...option, ...more };
      },
      resize() {},
      dispose: () => charts.delete(chart),
      getOption: () => option,
      getWidth: () => width,
      getHeight: () => 400,
      getModel: () => ({ getComponent: () => null }),
      dispatchAction() {},
      convertToPixel: () => [0, 0],
    };
    charts.add(chart);
    return chart;
  },
};

const layout = {
  count: 1,
  most: 1,
  least: 100,
  high: 400,
  head: 30,
  above: 20,
  below: 30,
  left: 40,
  right: 10,
  gap: 10,
  legend: 0,
  ratio: [0.7],
};
const samples = { n: 1, data: "", print: "aa", name: "" };
const tiles = { width: 400, height: 300, tiles: [[0, 0]], keys: [] };
const figures = {
  curves: {
    draw: drawer({ kinds: [curves], keyboardOf }),
    data: {
      gl: false,
      height: 0,
      layout,
      extra: {},
      option: { title: [], tooltip: {}, series: [], xAxis: [], yAxis: [], dataZoom: [{ type: "inside" }] },
    },
  },
  tree: {
    draw: tree,
    data: {
      samples,
      of: [0],
      top: 1,
      name: "",
      nodes: [{ parent: -1, cluster: 0, size: 1, middle: 1, stability: 0, widths: [1], densities: [1] }],
    },
  },
  multiples: {
    draw: link((view) => samplesOf(view, {})),
    data: {
      side: 100,
      wide: tiles,
      narrow: tiles,
      points: [""],
      look: [0],
      looks: [{ names: [], colors: [], symbols: [], of: [] }],
      extra: { legend: "", sheets: [], panels: [{ labelled: "0", sheet: -1, names: [], samples }] },
    },
  },
};

describe("a figure", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    Object.assign(globalThis, { echarts });
  });
  afterEach(() => vi.useRealTimers());

  /** drawn draws a figure in a cell of the page. @param {keyof typeof figures} kind */
  function drawn(kind) {
    const cell = body.appendChild(new Box("div"));
    const [figure, data] = ["div", "script"].map((tag) => cell.appendChild(new Box(tag)));
    figure.appendChild(new Box("img"));
    data.textContent = JSON.stringify({ kind, ...figures[kind].data });
    figures[kind].draw(/** @type {any} */ (data));
    const show = (/** @type {number} */ width) => {
      figure.clientWidth = width;
      resize();
      vi.advanceTimersByTime(500);
    };
    show(800);
    return {
      figure,
      linked: () => page.figures.some((l) => l.figure === /** @type {unknown} */ (figure)),
      remove() {
        cell.remove();
        show(0);
      },
      restore() {
        body.appendChild(cell);
        show(800);
      },
    };
  }

  for (const kind of /** @type {(keyof typeof figures)[]} */ (Object.keys(figures)))
    it(`of ${kind} is linked again when it is put into the page again`, async () => {
      const f = drawn(kind);
      await vi.advanceTimersByTimeAsync(500);
      expect([f.figure.dataset.drawn, f.linked()]).toEqual(["yes", true]);
      f.remove();
      join({ link: linked(/** @type {any} */ (body.appendChild(new Box("div")))) });
      expect(f.linked()).toBe(false);
      f.restore();
      expect(f.linked()).toBe(true);
    });
});
