import { check, fits, restorer } from "./check.js";
import { deflated } from "./testing.js";

describe("check", () => {
  it("refuses what is no figure", () => {
    for (const v of [null, 1, [], {}, { kind: "none" }, { kind: "constructor" }, { kind: {} }]) {
      expect(() => fits("figures", v)).toThrow("its kind is none of ssdrnb's");
    }
  });
  it("names the key that does not fit", () => {
    expect(() => fits("figures", { kind: "curves", gl: "yes" })).toThrow(/such data: curves\./);
  });
  it("counts before it parses", () => {
    expect(() => check("figures", "[".repeat(3_000_000))).toThrow("more values");
    expect(() => check("figures", '""'.repeat(30_000_000))).toThrow(/more values|longer/);
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
    await expect(restored(await quoted(`{"a":"${"a".repeat(1000)}"}`))).rejects.toThrow("longer");
  });
});
