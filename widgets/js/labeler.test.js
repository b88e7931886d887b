import { entriesOf, keysOf } from "./labeler.js";
import { UNKNOWN } from "./plot.js";

/** @type {any} */
const state = {
  names: ["unlabelled", "cat", "dog"],
  next: [{ row: 3, class: -1, chance: 0 }],
  doubtful: [{ row: 4, class: 1, chance: 0.514 }],
  wrong: [
    { row: 5, label: 0, proposed: 1, strongly: true, group: 0, because: [7, 8] },
    { row: 9, label: 1, proposed: 0, strongly: false, group: 3, because: [7] },
  ],
  disputes: [[6, 1, 0]],
};

test("each queue tells what it has of a sample", () => {
  expect(entriesOf("next", state)).toEqual([{ row: 3, text: "sample 3", proposed: -1, because: [] }]);
  expect(entriesOf("doubtful", state)[0].text).toBe("sample 4: dog 51 %");
  const [wrong, backed] = entriesOf("wrong", state);
  expect(wrong.text).toBe("sample 5: labelled cat, its neighbourhood says dog, strongly");
  expect([wrong.proposed, wrong.because]).toEqual([1, [7, 8]]);
  expect(backed.text).toBe(
    "sample 9: labelled dog, like all 3 samples of its group; labels outside the group say cat",
  );
  expect(entriesOf("disputes", state)[0].text).toBe("sample 6: dog here, cat there");
});

test("a class named by a digit has it for a key, the others have those that are left", () => {
  expect(keysOf(["unlabelled", "cat", "dog"])).toEqual(["1", "2"]);
  expect(keysOf(["unlabelled", "0", "1", "2"])).toEqual(["0", "1", "2"]);
  expect(keysOf(["unlabelled", "cat", "1", "10", "dog"])).toEqual(["2", "1", "3", "4"]);
  const many = Array.from({ length: 12 }, (_, k) => `class ${k}`);
  expect(keysOf(["unlabelled", ...many])).toEqual([..."123456789", "", "", ""]);
});

test("samples without a class have a contrast of 3:1 to light and dark pages", () => {
  const light = (/** @type {string} */ color) => {
    const v = Number.parseInt(color.slice(1, 3), 16) / 255; // grey
    return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  };
  for (const page of ["#ffffff", "#111111", "#161616", "#1e1e1e"]) {
    const [a, b] = [light(page), light(UNKNOWN)].sort((p, q) => q - p);
    expect((a + 0.05) / (b + 0.05)).toBeGreaterThan(3);
  }
});
