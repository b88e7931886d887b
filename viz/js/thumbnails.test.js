import { shades } from "./thumbnails.js";

describe("shades", () => {
  it("reads two pixels of three bits from a character", () => {
    // 0 7, 3 (with a half character at the end), then the second sample.
    const sheet = { w: 3, h: 1, count: 2, data: "H/YA" };
    expect([...(shades(sheet, 0) ?? [])]).toEqual([0, 255, 109]);
    expect([...(shades(sheet, 1) ?? [])]).toEqual([255, 255, 0]);
  });
  it("has no sample that the sheet has not", () => {
    expect(shades({ w: 3, h: 1, count: 2, data: "H/YA" }, 2)).toBeNull();
    expect(shades({ w: 3, h: 1, count: 9, data: "H/YA" }, 2)).toBeNull();
    expect(shades({ w: 16, h: 16, count: 5000, data: "" }, 0)).toBeNull();
  });
});
