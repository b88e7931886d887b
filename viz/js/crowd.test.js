import { layersOf, numbers, unpacked } from "./crowd.js";
import { covers, groundOf } from "./density.js";
import { indexOf } from "./many.js";
import { seriesOf } from "./pictures.js";
import { keysOf, listOf } from "./samples.js";

const base64 = (/** @type {ArrayBufferView<ArrayBuffer>} */ a) =>
  btoa(String.fromCharCode(...new Uint8Array(a.buffer)));
const packed = (more = {}) => ({
  count: 3,
  x: base64(Uint16Array.of(0, 32768, 65535)),
  y: base64(Uint16Array.of(65535, 1, 0)),
  of: base64(Uint8Array.of(0, 1, 1)),
  from: [0, 0],
  to: [1, 1],
  above: true,
  stops: [],
  range: [],
  ...more,
});

describe("quantised positions", () => {
  it("are two bytes each", () => {
    const u = unpacked(packed());
    expect([...u.x]).toEqual([0, 32768, 65535]);
    expect([...u.y]).toEqual([65535, 1, 0]);
    expect([...u.of]).toEqual([0, 1, 1]);
    expect(u.count).toBe(3);
  });
  it("have two bytes for more than 256 series", () => {
    expect([...unpacked(packed({ of: base64(Uint16Array.of(0, 700, 3)) })).of]).toEqual([0, 700, 3]);
  });
  it("are no more than there are bytes", () => {
    expect(unpacked(packed({ count: 1e6 })).count).toBe(3);
    expect(unpacked(packed({ y: "" })).count).toBe(0);
    expect([...numbers("AAE", Uint16Array)]).toEqual([256]); // half a number is none
  });
  it("have sizes and opacities of their own, or one for all", () => {
    const bytes = (/** @type {number[]} */ ...list) => base64(Uint8Array.from(list));
    const u = unpacked(packed({ sizes: bytes(15, 45, 90), opacities: bytes(102) }));
    expect([[...u.sizes], [...u.opacities]]).toEqual([[15, 45, 90], [102]]);
    expect([...unpacked(packed({ sizes: bytes(15, 45) })).sizes]).toEqual([]); // not of each
    expect(covers(300_000)[0] / covers(300_001)[0]).toBe(2);
  });
  it("have a tone for each number of a series, which is hidden if there is no such series", () => {
    const series = [{ fill: "#0072b2" }, { fill: "#e69f00" }];
    const box = { left: 0, top: 0, width: 10.5, height: 4 };
    const g = groundOf(box, unpacked(packed()), series, (j) => j === 1, ["#000000", "#ffffff"]);
    expect([g.w, g.h, g.row, g.tones.length]).toEqual([11, 4, 1, 2048]);
    expect([...g.tones.subarray(0, 12)]).toEqual([0, 0x72, 0xb2, 0, 0xe6, 0x9f, 0, 255, 0, 0, 0, 0]);
    expect([g.tones[1024], g.tones[2044]]).toEqual([0, 255]);
    const wide = unpacked(packed({ of: base64(Uint16Array.of(0, 65535, 3)) }));
    const all = groundOf(box, wide, series, () => true, []);
    expect([all.row, all.tones[4 * 65535 + 3]]).toEqual([256, 0]);
  });
  it("have a layer for samples that are not highlighted, for the others, and for those with rings", () => {
    const list = [false, false, true].map((ring) => ({ ring }));
    const layers = (/** @type {{faded?: boolean, above: boolean}} */ m) =>
      [0, 1, 2, 3].map((j) => layersOf(m, list).findIndex((has) => has(j)));
    expect(layers({ above: true })).toEqual([1, 1, 2, -1]);
    expect(layers({ above: false })).toEqual([1, 1, 1, -1]);
    expect(layers({ faded: true, above: true })).toEqual([0, 1, 2, -1]);
  });
  it("are found by their rows", () => {
    const all = unpacked(packed());
    expect([-1, 0, 2, 3].map((i) => indexOf(all, i))).toEqual([-1, 0, 2, -1]);
    const some = unpacked(packed({ rows: base64(Uint32Array.of(2, 70000, 70001)) }));
    expect([0, 2, 3, 70000, 70001, 70002].map((i) => indexOf(some, i))).toEqual([-1, 0, -1, 1, 2, -1]);
  });
});

it("small embeddings have a series for each class, without samples outside of the panel", () => {
  const points = [base64(Uint16Array.of(0, 65534, 65535, 65535, 32767, 0))];
  const looks = [{ names: ["a", "b"], colors: ["#000", "#fff"], symbols: ["circle", "rect"], of: [1, 0, 1] }];
  const series = seriesOf({ points, look: [0], looks });
  expect(series.map((s) => [s.name, s.xAxisIndex, s.data, s.look])).toEqual([
    [
      "b",
      0,
      [
        [0, 1, 0],
        [0.5, 0, 2],
      ],
      { fill: "#fff", symbol: "rect" },
    ],
  ]);
});

describe("samples of panels", () => {
  const series = /** @type {Series[]} */ ([
    {
      type: "scatter",
      name: "a",
      itemStyle: {},
      data: [
        [1, 2, 7],
        [3, -4, 9],
      ],
    },
    { type: "scatter", name: "a", itemStyle: { borderWidth: 1.4 }, data: [[0, 0, 8]] },
    { type: "scatter", name: "b", silent: true, itemStyle: {}, data: [[9, 9, 1]] },
    { type: "scatter", name: "c", xAxisIndex: 1, itemStyle: {}, data: [[5, 5, 7]] },
  ]);
  it("are known by their rows", () => {
    const list = listOf(series, 0);
    expect([list.count, list.from, list.to]).toEqual([3, [0, -4], [3, 2]]);
    expect(list.of(8)).toMatchObject({ name: "a", series: 1, at: 0, ring: true });
    expect(list.of(1)).toBeUndefined();
    expect(listOf(series, 1).of(7)?.v).toEqual([5, 5, 7]);
  });
  it("have the same key in figures of the same samples", () => {
    const panel = (/** @type {string} */ print) => ({ samples: { n: 3, print, data: "d" } });
    const payload = /** @type {any} */ ({ extra: { panels: [panel("0a"), null, panel("")] } });
    expect(keysOf(payload)).toEqual(["3 0a", "", "3 d"]);
    expect(keysOf(undefined)).toEqual([]);
  });
});
