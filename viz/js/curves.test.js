import { curves } from "./curves.js";
import { arrange } from "./layout.js";

const measure = (/** @type {string} */ text) => 7 * text.length;
const layout = {
  count: 1,
  most: 1,
  least: 0,
  high: 330,
  ratio: [1],
  head: 34,
  above: 4,
  below: 60,
  left: 62,
  right: 14,
  gap: 0,
  legend: 100,
};
const given = () => ({ ...curves, steps: {}, outer: {} });

describe("bars", () => {
  const data = Array.from({ length: 15 }, (_, k) => `a feature with the number ${k}`);
  const at = (/** @type {number} */ width) => {
    const option = {
      title: [],
      series: [],
      legend: { data: [] },
      xAxis: { type: "category", data, axisLabel: { width: 210 } },
      yAxis: { nameGap: 44 },
    };
    const payload = /** @type {any} */ ({ kind: "bars", gl: false, height: 0, layout, option });
    return arrange(payload, width, 96, given(), true, measure);
  };
  it("have names that do not overlap at any width", () => {
    for (let width = 240; width < 2400; width += 40) {
      const { option, height } = at(width);
      const { rotate, interval } = option.xAxis.axisLabel;
      const [{ left, top, width: w, height: h }] = option.grid;
      const apart = ((interval + 1) * w) / data.length;
      const [turn, wide] = [(rotate * Math.PI) / 180, 7 * data[14].length];
      if (rotate) expect(apart * Math.sin(turn)).toBeGreaterThan(13);
      else expect(apart).toBeGreaterThan(wide);
      expect(left + apart / 2 - Math.cos(turn) * wide).toBeGreaterThan(-0.01);
      expect(top + h + Math.sin(turn) * wide).toBeLessThan(height);
    }
  });
});

describe("logarithmic axes", () => {
  it("have the labels of the visible part", () => {
    const option = () => ({
      title: [],
      series: [],
      legend: { data: [] },
      xAxis: [{ type: "log", min: 1e-5, max: 1000 }],
      yAxis: [{ type: "value" }],
    });
    const labels = (/** @type {any} */ zoom) => {
      const payload = /** @type {any} */ ({ kind: "curves", gl: false, height: 0, layout, option: option() });
      return arrange(payload, 600, 96, { ...given(), zoom }, true, measure).option.xAxis[0].axisLabel
        .customValues;
    };
    expect(labels(undefined)).toEqual([1e-5, 1e-4, 1e-3, 0.01, 0.1, 1, 10, 100, 1000]);
    expect(labels([{ start: 20, end: 50 }])).toEqual([250, 300, 350, 400, 450, 500]);
  });
});

describe("the scale of colours below the panels", () => {
  it("has space for the texts at its ends", () => {
    for (const text of [
      ["2021-02-13", "2021-01-01"],
      ["1", "0"],
      ["1234567.891", "1234567.234"],
    ]) {
      for (let width = 300; width < 560; width += 20) {
        const option = {
          title: [{ text: "a quantity with a long name", scale: true }],
          series: [],
          legend: { show: false },
          visualMap: [{ text }],
        };
        const payload = /** @type {any} */ ({ kind: "embedding", gl: false, height: 0, layout, option });
        const [bar] = arrange(payload, width, 96, given(), true, measure).option.visualMap;
        expect(bar.left + 7 * (text[0].length + text[1].length) + 10 + bar.itemHeight).toBeLessThan(width);
        expect(bar.itemHeight).toBeGreaterThan(30);
      }
    }
  });
});
