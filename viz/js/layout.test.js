import { arrange, legendRows, mix, titleOf } from "./layout.js";
import { panels } from "./rules.js";

const measure = (/** @type {string} */ text) => 7 * text.length;

/** @returns {Layout} */
const layout = (more = {}) => ({
  count: 1,
  most: 3,
  least: 260,
  high: 400,
  ratio: [0.8],
  head: 32,
  above: 0,
  below: 40,
  left: 50,
  right: 10,
  gap: 30,
  legend: 120,
  ...more,
});
/** @returns {Payload} */
const payload = (more = {}, of = layout()) => ({
  kind: "embedding",
  gl: false,
  height: 0,
  layout: of,
  extra: { sheets: [], legend: "classes" },
  option: {
    title: [{ text: "PCA of digits" }],
    legend: { data: ["0", "1", "2"] },
    xAxis: [{ type: "value", name: "x" }],
    yAxis: [{ type: "value", name: "y" }],
    series: [{ type: "scatter", name: "0", data: [] }],
    ...more,
  },
});
const given = () => ({ steps: {}, outer: {} });
const at = (/** @type {Payload} */ p, /** @type {number} */ width) =>
  arrange(p, width, 96, given(), true, measure);

describe("panels", () => {
  it("are in as many columns as have space, in full rows", () => {
    const columns = (/** @type {number} */ width) =>
      panels(layout({ count: 4, ratio: [0.8, 0.8, 0.8, 0.8] }), width, 10, 32, 0, 0).across;
    expect([400, 700, 1000, 1600].map(columns)).toEqual([1, 2, 2, 2]); // three and one would leave gaps
    expect(panels(layout({ count: 6, ratio: Array(6).fill(0.8) }), 1600, 10, 32, 0, 0).across).toBe(3);
  });
  it("do not overlap and stay within the figure", () => {
    for (let width = 240; width < 2600; width += 37) {
      const { boxes, height } = panels(layout({ count: 5, ratio: Array(5).fill(0.7) }), width, 130, 32, 0, 0);
      for (const [k, a] of boxes.entries()) {
        expect(a.left + a.width).toBeLessThanOrEqual(Math.max(width, 210));
        expect(a.top + a.height).toBeLessThanOrEqual(height);
        for (const b of boxes.slice(k + 1)) {
          expect(
            a.left + a.width <= b.left ||
              b.left + b.width <= a.left ||
              a.top + a.height <= b.top ||
              b.top + b.height <= a.top,
          ).toBe(true);
        }
      }
    }
  });
  it("share a height that is given", () => {
    const { boxes, height } = panels(layout({ count: 2, most: 1, ratio: [1, 1] }), 500, 10, 30, 0, 430);
    expect(height).toBe(430);
    expect(boxes.map((b) => b.height)).toEqual([160, 160]);
  });
});

describe("arrange", () => {
  it("has the legend below in a narrow figure, and else beside", () => {
    expect(at(payload(), 500).option.legend.orient).toBe("horizontal");
    expect(at(payload(), 600).option.legend.orient).toBe("vertical");
    expect(at(payload(), 559).option.grid[0].width).toBeGreaterThan(at(payload(), 561).option.grid[0].width);
  });
  it("gives both axes the same unit", () => {
    const { option } = at(payload({}, layout({ spans: [[0, 10, 0, 1]] })), 800);
    const [x, y] = [option.xAxis[0], option.yAxis[0]];
    const b = option.grid[0];
    expect((x.max - x.min) / b.width).toBeCloseTo((y.max - y.min) / b.height, 12);
    expect([(x.min + x.max) / 2, (y.min + y.max) / 2]).toEqual([5, 0.5]);
    expect(x.min).toBeLessThanOrEqual(0);
  });
  it("names the outer axes of the first column alone", () => {
    const four = layout({ count: 2, ratio: [0.8, 0.8] });
    const axes = [
      { type: "value", outer: true, name: "dimension 2" },
      { type: "value", outer: true, name: "dimension 2" },
    ];
    expect(
      at(payload({ yAxis: axes }, four), 1200).option.yAxis.map((/** @type {any} */ a) => a.name),
    ).toEqual(["dimension 2", ""]);
  });
  it("refuses a figure that is too high to draw", () => {
    expect(() => at(payload({}, layout({ count: 100, ratio: Array(100).fill(3), high: 900 })), 300)).toThrow(
      "too high to draw",
    );
  });
});

describe("titles and legends", () => {
  it("break a title that is longer than the space beside the buttons", () => {
    expect(titleOf(100, 300, 600, 96)).toEqual({ middle: 300, space: 408, lines: 1, under: 0 });
    expect(titleOf(450, 300, 600, 96)).toEqual({ middle: 252, space: 496, lines: 1, under: 0 });
    expect(titleOf(900, 300, 600, 96).lines).toBe(2);
    expect(titleOf(1e6, 300, 600, 96).lines).toBe(4);
    expect(titleOf(280, 100, 180, 144)).toEqual({ middle: 90, space: 172, lines: 2, under: 22 });
  });
  it("count the rows of a legend, each name once", () => {
    const o = /** @type {any} */ ({
      legend: { data: ["aaaaaaaaaa", "aaaaaaaaaa", "bbbbbbbbbb", "cccccccccc"] },
      series: [],
      title: [],
    });
    expect(legendRows(o, 260, measure)).toBe(2); // 110 pixels each, in 240
    expect(legendRows(o, 1000, measure)).toBe(1);
  });
  it("mix changes into lists and objects, and keep the styles of texts", () => {
    const option = { title: [{ text: "a", textStyle: { fontSize: 14 } }], legend: { right: 4 } };
    expect(
      mix(option, { title: [{ left: 1, textStyle: { width: 9 } }], legend: { top: 2 }, grid: [{ left: 3 }] }),
    ).toEqual({
      title: [{ text: "a", left: 1, textStyle: { fontSize: 14, width: 9 } }],
      legend: { right: 4, top: 2 },
      grid: [{ left: 3 }],
    });
  });
});
