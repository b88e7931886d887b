import { check, fits } from "./check.js";

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
