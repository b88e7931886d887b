import { aim, corners, encloses, within } from "./geometry.js";

describe("a lasso", () => {
  it("encloses what is inside of it, also where it bends", () => {
    const bent = [
      [0, 0],
      [10, 0],
      [10, 10],
      [5, 3],
      [0, 10],
    ];
    expect(encloses(bent, 1, 5)).toBe(true);
    expect(encloses(bent, 9, 5)).toBe(true);
    expect(encloses(bent, 5, 8)).toBe(false);
    expect(encloses(bent, 5, 1)).toBe(true);
    expect(encloses(bent, 11, 1)).toBe(false);
  });
  it("has every point of a grid in one of two halves", () => {
    const halves = [
      [
        [0, 0],
        [6, 0],
        [4, 10],
        [0, 10],
      ],
      [
        [6, 0],
        [10, 0],
        [10, 10],
        [4, 10],
      ],
    ];
    for (let x = 0.25; x < 10; x += 0.5) {
      for (let y = 0.25; y < 10; y += 0.5) expect(halves.filter((h) => encloses(h, x, y)).length).toBe(1);
    }
  });
  it("encloses nothing without an area", () => {
    expect(encloses([], 0, 0)).toBe(false);
    expect(
      encloses(
        [
          [0, 0],
          [5, 5],
        ],
        2,
        2,
      ),
    ).toBe(false);
  });
});

it("a box has the corners of its ends", () => {
  const box = corners([
    [1, 2],
    [9, 9],
    [5, 7],
  ]);
  expect(box).toEqual([
    [1, 2],
    [5, 2],
    [5, 7],
    [1, 7],
  ]);
  expect(encloses(box, 3, 4)).toBe(true);
  expect(within({ left: 1, top: 2, width: 4, height: 5 }, [5, 7])).toBe(true);
  expect(within({ left: 1, top: 2, width: 4, height: 5 }, [5.1, 7])).toBe(false);
});

describe("aim", () => {
  const best = (/** @type {number[][]} */ all, /** @type {Score} */ score) => {
    const scores = all.map(([x, y], r) => score(x, y, r));
    return scores.indexOf(Math.min(...scores));
  };
  it("prefers what is ahead, and near", () => {
    const all = [
      [0, 0],
      [10, 0],
      [4, 1],
      [-2, 0],
      [1, 9],
    ];
    expect(best(all, aim([0, 0], [1, 0], 0, 0))).toBe(2);
    expect(best(all, aim([0, 0], [-1, 0], 0, 0))).toBe(3);
    expect(best(all, aim([0, 0], [0, 1], 0, 0))).toBe(4);
    expect(best(all, aim([0, 0], [1, 0], 8, 0))).toBe(1);
  });
  it("goes through samples at the same place by their rows, and ends", () => {
    const all = [
      [0, 0],
      [0, 0],
      [0, 0],
    ];
    const next = (/** @type {number} */ i) => all.map(([x, y], r) => aim([0, 0], [1, 0], 0, i)(x, y, r));
    expect(next(0)[1]).toBeLessThan(0);
    expect(next(1)[2]).toBeLessThan(0);
    expect(next(1)[0]).toBe(Number.POSITIVE_INFINITY);
    expect(next(2)).toEqual([Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]);
  });
  it("without a way takes the nearest", () =>
    expect(
      best(
        [
          [5, 5],
          [1, 2],
        ],
        aim([0, 0], null, 0, -1),
      ),
    ).toBe(1));
});
