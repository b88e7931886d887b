import { brief, digits, written } from "./card.js";
import { quantities } from "./different.js";

describe("numbers", () => {
  it("are written as Go has rounded them", () => {
    const f = /** @type {Fact} */ ({ name: "price", values: [250007, 5.123456789012, null] });
    expect([0, 1, 2].map((i) => written(f, [], i))).toEqual(["250007", "5.123456789012", "not known"]);
    expect(written(/** @type {Fact} */ ({ name: "price", at: 1 }), [0, 250273], 0)).toBe("250273");
  });
  it("and texts may all be unknown", () => {
    expect(written(/** @type {Fact} */ ({ name: "price", of: [-1] }), [], 0)).toBe("not known");
  });
  it("lose only rounding errors", () => {
    expect([0.1 + 0.2, 12345, 0.98765].map(digits)).toEqual(["0.3", "12345", "0.98765"]);
  });
  it("have four digits, or all before the point", () => {
    expect([250007.4, 1.23456, -98765, 0].map(brief)).toEqual(["250007", "1.235", "-98765", "0"]);
  });
  it("differ if medians differ", () => {
    expect(quantities(250001, 250002)).toEqual(["250001", "250002"]);
    expect(quantities(1.00001, 1.00002)).toEqual(["1.00001", "1.00002"]);
    expect(quantities(190, 217.5)).toEqual(["190", "217.5"]);
    expect(quantities(2.71, Number.NaN)).toEqual(["2.71", "–"]);
    expect(quantities(2, 2)).toEqual(["2", "2"]);
  });
});
