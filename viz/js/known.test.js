import { indexed, knownOf } from "./known.js";

const text = (/** @type {number[]} */ list) =>
  btoa(String.fromCharCode(...new Uint8Array(new Uint32Array(list).buffer)));

describe("samples that are the same", () => {
  const panels = [
    { known: text([0, 1, 2, 0xffffffff]), samples: { n: 4 } },
    { known: text([2, 0, 0]), samples: { n: 3 } },
    { known: text([0]), samples: { n: 2 } }, // not of these samples
    { samples: { n: 4 } },
  ];
  const known = knownOf(/** @type {any} */ ({ payload: { extra: { panels } } }));
  it("are found in other panels, none, one or several", () => {
    expect(known.same(0, 2, 1)).toEqual([0]);
    expect(known.same(0, 0, 1)).toEqual([1, 2]);
    expect(known.same(0, 1, 1)).toEqual([]);
    expect(known.same(1, 2, 0)).toEqual([0]);
  });
  it("are found for several samples, each once", () => {
    expect(known.matches(0, [2, 0], 1)).toEqual([0, 1, 2]);
    expect(known.matches(1, [0, 1, 2], 0)).toEqual([2, 0]);
    expect(known.matches(0, [1, 3], 1)).toEqual([]);
    expect(known.matches(3, [0], 1)).toEqual([]);
    const shared = text(Array.from({ length: 20_000 }, (_, i) => i % 3));
    const two = [shared, shared].map((known) => ({ known, samples: { n: 20_000 } }));
    const many = knownOf(/** @type {any} */ ({ payload: { extra: { panels: two } } }));
    const all = Array.from({ length: 20_000 }, (_, i) => i);
    expect(many.matches(0, all, 1).sort((a, b) => a - b)).toEqual(all);
  });
  it("are none without a number", () => {
    expect(known.same(0, 3, 0)).toEqual([]);
    expect(known.same(0, -1, 1)).toEqual([]);
    expect(known.same(3, 0, 1)).toEqual([]);
  });
  it("are refused where the numbers are those of other samples", () => {
    expect(indexed(text([0]), 2)).toBeNull();
    expect([0, 1, 2, 3].map(known.has)).toEqual([true, true, false, false]);
    expect(known.same(0, 0, 2)).toEqual([]);
  });
});
