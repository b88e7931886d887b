import { columnsOf, comparer, labelOf, regionOf, score, usual } from "./contrast.js";
import written from "./testdata/contrast.json";

// Go writes the cases, and checks that they are up to date: see TestSharedContrast of package viz.
const cases = /** @type {any[]} */ (written);

/** @param {number | null} want @param {number} got */
function same(want, got) {
  if (want === null) expect(got).toBeNaN();
  else expect(got).toBeCloseTo(want, 9);
}

describe("what makes a group different", () => {
  it("has the numbers of Go", () => {
    for (const c of cases) {
      const columns = columnsOf(c.contrast.columns, c.samples, Number.POSITIVE_INFINITY);
      const { compare, effect } = comparer(columns, c.samples);
      const points = {
        rows: c.x.map((/** @type {number} */ _, /** @type {number} */ i) => i),
        x: c.x,
        y: c.y,
      };
      const { length } = c.rows;
      /** @type {[number[], number[] | null][]} */
      const regions = c.contrast.centers.map((/** @type {any} */ _, /** @type {number} */ k) =>
        regionOf(points, c.contrast.centers, k, length, c.others ? c.others.length : null),
      );
      const found = compare(c.rows, c.others);
      expect(found.map((r) => labelOf(columns, r))).toEqual(c.found.map((/** @type {any} */ r) => r.label));
      found.forEach((r, k) => {
        same(c.found[k].delta, r.delta);
        same(c.found[k].in, r.in);
        same(c.found[k].out, r.out);
        same(c.found[k].usual, usual(regions.map((region) => effect(r, region))));
      });
      const largest = regions.map((region) => Math.max(...found.map((r) => effect(r, region))));
      same(c.largest, usual(largest));
    }
  });
  it("orders a value that is hardly known last", () => {
    expect(score(0.4, 0.5)).toBe(0);
    expect(score(-0.9, 0.1)).toBeCloseTo(0.8, 12);
    expect(score(Number.NaN, Number.POSITIVE_INFINITY)).toBe(0);
  });
  it("takes bytes that do not fit as missing", () => {
    const [short, wild, none] = columnsOf(
      [
        { name: "short", of: "AAA=", levels: [1, 2] },
        { name: "wild", of: btoa("\x00\x01\x07\xff"), levels: [1, 2] },
        { name: "none", of: "A", levels: [1] },
      ],
      4,
      Number.POSITIVE_INFINITY,
    );
    expect([...short.of]).toEqual([255, 255, 255, 255]);
    expect([...wild.of]).toEqual([0, 1, 255, 255]);
    expect([...none.of]).toEqual([255, 255, 255, 255]);
    const { compare } = comparer([short, wild, none], 4);
    const found = compare([0], null);
    expect(found.find((r) => r.column === 0 && !r.missing)?.delta).toBeNaN();
    expect(found.find((r) => r.column === 1 && !r.missing)?.delta).toBe(-1);
  });
  it("takes no more columns than Go writes, and makes nothing for damaged ones", () => {
    const columns = (/** @type {number} */ k) => Array(k).fill({ name: "", of: "", levels: [0] });
    expect(columnsOf(columns(2000), 1e6, 8e6)).toEqual([]);
    const eight = columnsOf(columns(8), 1e6, 8e6);
    expect(eight.length).toBe(8);
    expect(new Set(eight.map((c) => c.of)).size).toBe(1);
  });
});
