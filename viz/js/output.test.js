import { between, parts, sized } from "./output.js";

/** @param {number} w @param {number} h */
function png(w, h) {
  const head = [137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82];
  const four = (/** @type {number} */ v) => [v >>> 24, (v >> 16) & 255, (v >> 8) & 255, v & 255];
  return btoa(String.fromCharCode(...head, ...four(w), ...four(h), 8, 6, 0, 0));
}

describe("parts", () => {
  const picture = `<img src="data:image/png;base64,${png(3, 4)}">`;
  it("takes data and pictures out of the HTML, and leaves scripts out", () => {
    const html = `<div>${picture}</div><script type="application/json" id="a">{"a":1}</script><script>alert(1)</script><p>text</p>`;
    expect(parts(html)).toEqual({
      data: ['{"a":1}'],
      pictures: [`data:image/png;base64,${png(3, 4)}`],
      rest: '<div><img src="data:,0"></div><hr><p>text</p>',
    });
  });
  it("has no picture that is none, or too large", () => {
    for (const code of [png(20_000, 5), png(5, 2 ** 31), "AAAA", "not base64!", `${png(3, 4)}<b>`]) {
      expect(parts(`<img src="data:image/png;base64,${code}">`).pictures).toEqual([""]);
    }
    expect([sized(png(10_000, 20_000)), sized(png(10_001, 1)), sized(""), sized("%")]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
  it("ends at a script without an end", () => expect(parts("a<script>b").rest).toBe("a"));
  it("refuses more markup than viz writes", () => {
    expect(() => parts("<b>".repeat(2000))).toThrow("more markup");
    expect(() => parts(`<b ${"a".repeat(9000)}>`)).toThrow("more markup");
  });
});

it("lengths are within their bounds", () => {
  expect([
    between("500px", 200, 2000, 700),
    between("5", 200, 2000, 700),
    between("1e9", 200, 2000, 700),
    between(null, 200, 2000, 700),
  ]).toEqual([500, 200, 700, 700]);
});
