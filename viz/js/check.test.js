import { check, fits, restorer } from "./check.js";
import { deflated } from "./testing.js";

describe("check", () => {
  it("refuses what is no figure", () => {
    for (const v of [null, 1, [], {}, { kind: "none" }, { kind: "constructor" }, { kind: {} }]) {
      expect(() => fits("figures", v)).toThrow("ssdrnb has no output of this kind");
    }
  });
  it("names the key that does not fit", () => {
    expect(() => fits("figures", { kind: "curves", gl: "yes" })).toThrow(/at curves\./);
  });
  it("counts before it parses", () => {
    expect(() => check("figures", "[".repeat(3_000_000))).toThrow("more values");
    expect(() => check("figures", '""'.repeat(30_000_000))).toThrow(/more values|too long/);
  });
});

/** mesh returns a figure of a mesh whose third axis has the given keys. @param {object} z */
function mesh(z) {
  const text = (/** @type {number} */ fontSize) => ({
    fontSize,
    lineHeight: fontSize + 6,
    margin: 4,
    color: "@ink",
  });
  const axis = {
    type: "value",
    min: 0,
    max: 1,
    name: "",
    nameGap: 4,
    axisLabel: text(11),
    nameTextStyle: text(13),
    axisLine: { lineStyle: { color: "@ink", width: 1.5 } },
    axisTick: { length: 4 },
    splitLine: { lineStyle: { color: "@faint" } },
    axisPointer: { label: { textStyle: { color: "@ink" } }, lineStyle: { color: "@ink" } },
  };
  const layout = {
    above: 4,
    below: 0,
    count: 1,
    foot: 0,
    gap: 10,
    head: 34,
    high: 560,
    kept: false,
    least: 330,
    left: 4,
    legend: 72,
    most: 2,
    ratio: [1],
    right: 4,
  };
  const option = {
    animation: false,
    grid3D: [],
    legend: { show: false },
    series: [],
    title: [],
    tooltip: { trigger: "item" },
    xAxis3D: [axis],
    yAxis3D: [axis],
    zAxis3D: [{ ...axis, ...z }],
  };
  return { kind: "mesh", gl: true, height: 0, extra: { names: ["a", "b"], x: [], y: [] }, option, layout };
}

describe("axes", () => {
  it("have a length and few steps", () => {
    for (const z of [{}, { interval: 0.02 }, { interval: 2 }, { min: -1, max: 1e-9, interval: 0.5 }]) {
      expect(fits("figures", mesh(z)).kind).toBe("mesh");
    }
    for (const z of [
      { interval: 0.01 },
      { min: 1, interval: 0.01 },
      { min: 1, interval: 1e-300 },
      { min: 2, interval: 1 },
    ]) {
      expect(() => fits("figures", mesh(z))).toThrow("mesh.option.zAxis3D.0.interval");
    }
  });
});

describe("packed data", () => {
  const quoted = async (/** @type {string} */ text) => `"${await deflated(text)}"`;
  it("are restored", async () => {
    const text = await quoted('{"x":{"~":[[1,5],[-1,2]]}}');
    expect(await restorer()(text)).toBe('{"x":[[0.5,2]]}');
    expect(await restorer()("{}")).toBe("{}");
  });
  it("are counted before they are parsed, and before their rows are restored", async () => {
    const parse = vi.spyOn(JSON, "parse");
    for (const bomb of [
      "[".repeat(600_000),
      `{"x":{"~":[[0${",1".repeat(6_000_000)}]]}}`,
      `{"x":{"~":[[0,1]${",[]".repeat(600_000)}]}}`,
      `["${'","'.repeat(600_000)}"]`,
    ]) {
      await expect(restorer()(await quoted(bomb))).rejects.toThrow("more values");
    }
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
    const uneven = `{"x":{"~":[[0${",1".repeat(1000)}]${",[]".repeat(1000)}]}}`;
    await expect(restorer()(await quoted(uneven))).rejects.toThrow("damaged");
  });
  it("of an output have a common limit", async () => {
    const restored = restorer();
    await restored(`{"a":"${"a".repeat((64 << 20) - 100)}"}`);
    await expect(restored(await quoted(`{"a":"${"a".repeat(1000)}"}`))).rejects.toThrow("too long");
  });
});
