import { tones } from "./card.js";
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

describe("the picture of a sample", () => {
  it("has two pixels in a byte and begins at a byte", () => {
    const packed = String.fromCharCode(0x0f, 0x80, 0x1e, 0x20); // 3 pixels each
    expect(Array.from(tones(packed, 0, 3)).filter((_, k) => k % 4 === 0)).toEqual([0, 255, 136]);
    expect(Array.from(tones(packed, 1, 3)).filter((_, k) => k % 4 === 0)).toEqual([17, 238, 34]);
  });
});
