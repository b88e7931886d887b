import { membersOf, steps } from "./tree.js";

describe("the tree of clusters", () => {
  it("has round steps up to its ends", () => {
    expect(steps(178)).toEqual([0, 50, 100, 150]);
    expect(steps(0.43)).toEqual([0, 0.1, 0.2, 0.3, 0.4]);
    expect(steps(1)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
    expect(steps(0)).toEqual([0]);
  });
  it("counts the samples of children to their parents", () => {
    const node = (/** @type {number} */ parent) => /** @type {any} */ ({ parent });
    expect(membersOf([1, 2, 0, 2, 3], [node(-1), node(0), node(0), node(2)])).toEqual([
      [0, 1, 2, 3, 4],
      [0],
      [1, 3, 4],
      [4],
    ]);
  });
  it("ends where a damaged tree has no root", () => {
    const node = (/** @type {number} */ parent) => /** @type {any} */ ({ parent });
    expect(membersOf([1, 7, -1], [node(1), node(0)])).toEqual([[0], [0]]);
    expect(membersOf([0], [node(0)])).toEqual([[0]]);
  });
});
