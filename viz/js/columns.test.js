import { withRows } from "./columns.js";

describe("withRows", () => {
  it("writes rows of decimals and of ascending numbers", () => {
    const carried = {
      data: {
        "~": [
          [3, -12723, 0, 5],
          [-1, 3, 1, 10],
          [0, 7, 7, -7],
        ],
      },
    };
    expect(withRows(carried)).toEqual({
      data: [
        [-12.723, 3, 7],
        [0, 4, 7],
        [0.005, 14, -7],
      ],
    });
  });
  it("gives the numbers that their decimals are", () => {
    for (let v = 0; v < 20000; v += 7) {
      expect(withRows({ "~": [[4, v]] })[0][0]).toBe(
        Number(`${Math.floor(v / 1e4)}.${String(v % 1e4).padStart(4, "0")}`),
      );
    }
  });
  it("refuses columns that its text does not contain", () => {
    for (const columns of [
      [],
      [[0, 1, 1], []],
      [
        [0, 1],
        [0, 1, 2],
      ],
      ["0123", "0123"],
      [[0, [1, 2]]],
      [[-1, "a", "b"]],
      [[0, null]],
      [{ length: 2 }, { length: 2 }],
      [null],
    ]) {
      expect(() => withRows({ a: [{ "~": columns }] })).toThrow();
    }
  });
  it("leaves what has no columns", () => {
    const plain = { a: [1, null, "x"], b: [{ c: null }], d: [[1, 2]] };
    expect(withRows(structuredClone(plain))).toEqual(plain);
  });
});
