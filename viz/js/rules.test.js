import { diverging, factorLabel, factors, marks, measurer, panels, shade } from "./rules.js";
import written from "./testdata/rules.json";

// Go writes the cases, and checks that they are up to date: see TestSharedRules of package viz.
const cases = /** @type {any} */ (written);

describe("rules that Go has too", () => {
  it("places panels", () => {
    for (const c of cases.panels) {
      const { layout: l, width, fixed } = c;
      const got = panels(l, width, l.right + l.legend, l.head, l.foot, fixed);
      expect(got.height).toBe(c.height);
      got.boxes.forEach((b, k) => {
        [b.left, b.top, b.width, b.height].forEach((v, i) => expect(v).toBeCloseTo(c.boxes[k][i], 6));
      });
      expect(got.boxes.length).toBe(c.boxes.length);
    }
  });
  it("places the marks of grades", () => {
    for (const c of cases.grades) {
      /** @type {[string, number][]} */
      const written = [];
      /** @type {number[]} */
      const centres = [];
      const width = (/** @type {string} */ text) => 7 * [...text].length;
      marks(
        c.grade,
        c.left,
        c.right,
        width,
        (text, x) => written.push([text, x]),
        (x) => centres.push(x),
      );
      expect(written.map(([text]) => text)).toEqual([c.name, ...c.grade.names]);
      expect(written[0][1]).toBe(c.left);
      expect(centres.map((x, i) => [x, written[i + 1][1]])).toEqual(c.marks);
    }
  });
  it("shades painted samples", () => {
    for (const c of cases.shades) expect(shade(c.count, c.mean)).toBeCloseTo(c.shade, 9);
  });
  it("colours what is above and below", () => {
    for (const c of cases.colors) expect(diverging(c.share)).toEqual(c.color);
  });
  it("labels logarithmic axes", () => {
    for (const c of cases.factors) {
      const size = (/** @type {string} */ label) => 7 * label.length + 8;
      expect(factors(c.lo, c.hi, c.length, size).map(factorLabel)).toEqual(c.labels);
    }
  });
  it("measures distances in the data", () => {
    const { places, n, distance, usual } = cases.places[0];
    const m = measurer(places, n);
    expect(m?.usual).toBeCloseTo(usual, 9);
    distance.forEach((/** @type {number} */ d, /** @type {number} */ i) => {
      expect(m?.between(0, i)).toBeCloseTo(d, 9);
    });
  });
  it("refuses places of other samples", () => {
    const { places, n } = cases.places[0];
    expect(measurer(places, n + 1)).toBeNull();
    expect(measurer({ ...places, dims: 4 }, n)).toBeNull();
  });
});
