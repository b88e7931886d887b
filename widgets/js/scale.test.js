import { positionOf, steps, valueAt } from "./scale.js";

/** @param {Partial<import("./types.js").Option>} given @returns {import("./types.js").Option} */
function option(given) {
  return {
    name: "x",
    doc: "",
    kind: "float",
    min: 0,
    max: 1,
    log: false,
    zero: false,
    auto: "",
    automatic: -1,
    choices: [],
    ...given,
  };
}

describe("the slider of an option", () => {
  const kinds = {
    int: option({ kind: "int", min: 1, max: 20 }),
    linear: option({ min: -2, max: 6 }),
    log: option({ min: 1e-6, max: 1e3, log: true }),
    "log with zero": option({ min: 1e-6, max: 1, log: true, zero: true }),
  };
  for (const [name, c] of Object.entries(kinds)) {
    it(`${name} goes from end to end and back`, () => {
      const first = c.zero ? 0 : c.min;
      expect(valueAt(c, 0)).toBeCloseTo(first, 12);
      expect(valueAt(c, steps(c)) / c.max).toBeCloseTo(1, 3);
      for (let p = 1; p <= steps(c); p += 7) {
        expect(positionOf(c, valueAt(c, p))).toBeCloseTo(p, 0);
        expect(valueAt(c, p)).toBeGreaterThan(valueAt(c, p - 1));
      }
    });
  }
  it("shows values beyond its ends at its ends", () => {
    expect(positionOf(kinds.int, 50)).toBe(49); // the slider itself stops at 19
    expect(positionOf(kinds.log, 0)).toBe(0);
    expect(positionOf(kinds["log with zero"], -1)).toBe(0);
  });
});
