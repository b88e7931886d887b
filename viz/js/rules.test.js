import { marks, panels, shade } from "./rules.js";
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
      const got = marks(c.grade, c.left, c.right, (text) => 7 * [...text].length);
      expect(got).toEqual({ name: c.name, places: c.marks });
    }
  });
  it("shades painted samples", () => {
    for (const c of cases.shades) expect(shade(c.count, c.mean)).toBeCloseTo(c.shade, 9);
  });
});
