import { tint } from "./layer.js";

describe("classes of pixels", () => {
  it("have the colours of their classes, and none where there is none", () => {
    expect(Array.from(tint("0/1", 3, ["#ff8000", "#0000ff"], 70))).toEqual([
      255, 128, 0, 70, 0, 0, 0, 0, 0, 0, 255, 70,
    ]);
  });
  it("beyond the picture or the colours are left out", () => {
    expect(Array.from(tint("000", 1, ["#010203"], 255))).toEqual([1, 2, 3, 255]);
    expect(Array.from(tint("9", 1, ["#010203"], 255))).toEqual([0, 0, 0, 0]);
    expect(Array.from(tint("0", 2, ["#010203"], 255)).slice(4)).toEqual([0, 0, 0, 0]);
  });
});
