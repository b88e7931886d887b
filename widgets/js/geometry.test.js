import {
  along,
  box,
  clipped,
  eased,
  frameOf,
  pinched,
  positions,
  sprayed,
  viewOf,
  WHOLE,
  zoomed,
} from "./geometry.js";

/** @typedef {import("./types.js").Point} Point */

/** @param {number[]} steps */
function packed(steps) {
  const bytes = new Uint8Array(new Int16Array(steps).buffer); // little-endian here as in Go
  return btoa(String.fromCharCode(...bytes));
}

describe("positions", () => {
  it("are signed steps of 16 bits", () => {
    const at = positions({ steps: packed([0, 1, -1, 32767, -32768, 256]), unit: 0.5 }, 3);
    expect(Array.from(at || [])).toEqual([0, 0.5, -0.5, 16383.5, -16384, 128]);
  });
  it("of another number of samples are refused", () => {
    expect(positions({ steps: packed([1, 2, 3, 4]), unit: 1 }, 3)).toBeNull();
    const apart = positions({ steps: packed([1, -1]), unit: 2, unitY: 1000, from: [10, 5e5] }, 1);
    expect([...(apart || [])]).toEqual([12, 499000]);
    expect(positions({ steps: "", unit: 1 }, 0)).toHaveLength(0);
  });
});

describe("the frame of points", () => {
  it("is the square around them", () => {
    expect(frameOf([0, 0, 4, 1, 2, -1])).toEqual({ x: 2, y: 0, side: 4 });
  });
  it("has a side for a single point", () => {
    expect(frameOf([3, 3]).side).toBeGreaterThan(0);
  });
});

describe("a view", () => {
  // Where a place of the whole picture, in sides of it, is in a view.
  const seen = (/** @type {import("./geometry.js").View} */ v, /** @type {Point} */ q) => [
    0.5 + (q[0] - 0.5) * v.k + v.x,
    0.5 + (q[1] - 0.5) * v.k + v.y,
  ];
  it("zooms around the pointer", () => {
    const v = zoomed(WHOLE, [0.2, 0.7], 3);
    expect(seen(v, [0.2, 0.7])[0]).toBeCloseTo(0.2);
    expect(seen(v, [0.2, 0.7])[1]).toBeCloseTo(0.7);
    expect(v.k).toBe(3);
  });
  it("stays between the whole picture and 50 times", () => {
    expect(zoomed({ k: 2, x: 0.3, y: 0 }, [0, 0], 0.1)).toEqual(WHOLE);
    expect(zoomed(WHOLE, [0.5, 0.5], 1e9).k).toBe(50);
  });
  it("follows two fingers", () => {
    const before = /** @type {[Point, Point]} */ ([
      [0.4, 0.5],
      [0.6, 0.5],
    ]);
    const after = /** @type {[Point, Point]} */ ([
      [0.2, 0.6],
      [0.8, 0.6],
    ]);
    const v = pinched(WHOLE, before, after);
    expect(v.k).toBeCloseTo(3);
    for (const k of [0, 1]) {
      expect(seen(v, before[k])[0]).toBeCloseTo(after[k][0]);
      expect(seen(v, before[k])[1]).toBeCloseTo(after[k][1]);
    }
  });
  it("survives fingers at one place", () => {
    const one = /** @type {Point} */ ([0.5, 0.5]);
    expect(pinched(WHOLE, [one, one], [one, one])).toEqual(WHOLE);
  });
  it("that a page has kept is checked", () => {
    expect(viewOf({ k: 2, x: 0.1, y: -0.2 })).toEqual({ k: 2, x: 0.1, y: -0.2 });
    for (const bad of [
      null,
      3,
      "k",
      { k: "2", x: 0, y: 0 },
      { k: 0.5, x: 0, y: 0 },
      { k: 1e9, x: 0, y: 0 },
      { k: 2, x: 90, y: 0 },
      { k: NaN, x: 0, y: 0 },
    ]) {
      expect(viewOf(bad)).toEqual(WHOLE);
    }
  });
});

describe("ways", () => {
  it("along a line have even gaps and leave the rest for later", () => {
    const way = along([0, 0], [0.12, 0.16], 0.05);
    expect(way).toHaveLength(4);
    expect(way[3][0]).toBeCloseTo(0.12);
    expect(way[3][1]).toBeCloseTo(0.16);
    expect(along([0, 0], [0.04, 0], 0.05)).toEqual([]);
    expect(along([1, 1], [1, 1], 0.05)).toEqual([]);
  });
  it("of a spray stay in its disc", () => {
    let n = 0;
    const random = () => (n++ * 0.377) % 1;
    for (const [x, y] of sprayed([0.5, -0.5], 0.1, 200, random)) {
      expect(Math.hypot(x - 0.5, y + 0.5)).toBeLessThanOrEqual(0.1 + 1e-12);
    }
  });
  it("are clipped to the canvas, in thousandths", () => {
    expect(clipped([2, -0.12345])).toEqual([1, -0.123]);
    expect(clipped([-2, 2], 1.5)).toEqual([-1.5, 1.5]);
  });
  it("around a box close it", () => {
    expect(box([1, 2], [3, 5])).toEqual([
      [1, 2],
      [3, 2],
      [3, 5],
      [1, 5],
    ]);
  });
  it("of an animation begin and end slowly", () => {
    expect([eased(0), eased(0.5), eased(1)]).toEqual([0, 0.5, 1]);
    expect(eased(0.1)).toBeLessThan(0.1);
  });
});
