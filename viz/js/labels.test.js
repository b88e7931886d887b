import { labels } from "./labels.js";

/** labelled returns a series of names, as dressSeries prepares it. */
const labelled = (view = /** @type {any} */ (undefined)) => {
  const s = /** @type {any} */ ({ label: { fontSize: 15 }, labelLayout: { hideOverlap: true } });
  labels.label?.(s, () => 262, view);
  return s;
};
const rect = (/** @type {number} */ x, /** @type {number} */ y) => ({ x, y, width: 60, height: 8 });

describe("names on a map", () => {
  it("hide the smaller of two that overlap where they are drawn", () => {
    const s = labelled();
    for (let again = 0; again < 2; again++) {
      const at = [rect(190, 50), rect(270, 59), rect(10, 50), rect(190, 80)].map((labelRect, dataIndex) =>
        s.labelLayout({ dataIndex, labelRect }),
      );
      expect(at.map((a) => a.x)).toEqual([undefined, -9999, undefined, undefined]);
    }
  });
  it("are hidden with their class", () => {
    const isSelected = (/** @type {string} */ name) => name !== "setosa";
    const view = { chart: { getModel: () => ({ getComponent: () => ({ isSelected }) }) } };
    const write = labelled(view).label.formatter;
    expect(
      [{ legend: "setosa" }, { legend: "virginica" }, {}].map((data) => write({ name: "a", data })),
    ).toEqual(["", "a", "a"]);
    expect(labelled().label.formatter({ name: "a", data: { legend: "setosa" } })).toBe("a");
  });
});
