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

/** ECharts, as far as it is called. Of its option it has only the zoom. */
const echarts = {
  init(/** @type {unknown} */ _e, /** @type {unknown} */ _theme, /** @type {{width: number}} */ { width }) {
    /** @type {any} */
    let zoom = {};
    const chart = {
      getZr: () => ({ animation: { pause() {}, resume() {} }, flush() {} }),
      on() {},
      setOption(/** @type {any} */ more) {
        zoom = { ...zoom, ...more.dataZoom?.[0] };
      },
      resize() {},
      dispose: () => charts.delete(chart),
      getOption: () => ({ dataZoom: [zoom] }),
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

  /**
   * drawn draws a figure in a cell of the page for some time.
   * @param {keyof typeof figures} kind @param {number} [ms]
   */
  function drawn(kind, ms = 500) {
    const cell = body.appendChild(new Box("div"));
    const [figure, data] = ["div", "script"].map((tag) => cell.appendChild(new Box(tag)));
    figure.appendChild(new Box("img"));
    data.textContent = JSON.stringify({ kind, ...figures[kind].data });
    figures[kind].draw(/** @type {any} */ (data));
    const show = (/** @type {number} */ width, time = 500) => {
      figure.clientWidth = width;
      resize();
      vi.advanceTimersByTime(time);
    };
    show(800, ms);
    const newest = () => /** @type {any} */ ([...charts].at(-1));
    return {
      figure,
      zoom: (/** @type {number} */ start) => newest().setOption({ dataZoom: [{ start, end: 50 }] }),
      zoomed: () => newest().getOption().dataZoom[0].start,
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

  it("disposes its chart after some time out of the page, and draws it again with its zoom", async () => {
    const f = drawn("curves");
    await vi.advanceTimersByTimeAsync(500);
    const before = charts.size;
    f.zoom(20);
    f.remove();
    expect(charts.size).toBe(before); // for a short time
    f.restore();
    f.remove();
    vi.advanceTimersByTime(100_000);
    expect(charts.size).toBe(before - 1);
    f.restore();
    expect([charts.size, f.zoomed()]).toEqual([before, 20]);
  });
  it("disposes a chart that is not complete when its output is deleted", async () => {
    const before = charts.size;
    const f = drawn("curves", 1);
    for (let ms = 0; charts.size === before && ms < 500; ms++) await vi.advanceTimersByTimeAsync(1);
    expect([charts.size, f.figure.dataset.drawn]).toEqual([before + 1, "pending"]);
    f.remove();
    vi.advanceTimersByTime(100_000);
    expect(charts.size).toBe(before);
  });
});
