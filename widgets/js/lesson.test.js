import { fault, fits, rounded, verdict } from "./ask.js";
import { filled, parted } from "./beat.js";
import { answersOf, Lesson } from "./lesson.js";
import { heatColor } from "./panel.js";
import { classesOf, sentences } from "./stage.js";
import { chartOf, heights, label, ticks, widths } from "./window.js";

test("answers that a page keeps are numbers, short texts and lists of numbers", () => {
  const kept = {
    a: 1,
    b: "x",
    c: [1, 2],
    d: null,
    e: [1, "x"],
    f: { g: 1 },
    h: "x".repeat(300),
    __proto__: 3,
  };
  expect({ ...answersOf(JSON.stringify(kept)) }).toEqual({ a: 1, b: "x", c: [1, 2] });
  for (const text of [null, "", "{", "3", "null", "[[]]"]) {
    expect(Object.keys(answersOf(text)).length).toBe(0 + (text === "[[]]" ? 1 : 0));
  }
});

describe("a lesson in two tabs", () => {
  /** @type {Map<string, string>} */
  const stored = new Map();
  /** The listeners of each tab. @type {((e: object) => void)[]} */
  const tabs = [];
  /** tab opens the lesson. @param {boolean} [storage] */
  const tab = (storage = true) => {
    const k = tabs.length;
    vi.stubGlobal("window", {
      addEventListener: (/** @type {string} */ _, /** @type {any} */ f) => tabs.push(f),
    });
    const lesson = new Lesson("L");
    const told = (/** @type {string | null} */ newValue) => {
      for (const [n, f] of tabs.entries()) if (n !== k) f({ key: "ssdrnb-lesson L", newValue });
    };
    /** @param {() => void} f */
    const here = (f, tells = true) => {
      vi.stubGlobal("localStorage", {
        getItem: (/** @type {string} */ key) => stored.get(key) ?? null,
        setItem(/** @type {string} */ key, /** @type {string} */ text) {
          if (!storage) throw new Error("no storage");
          stored.set(key, text);
          if (tells) told(text);
        },
        removeItem(/** @type {string} */ key) {
          stored.delete(key);
          if (tells) told(null);
        },
      });
      f();
    };
    return { lesson, here };
  };
  beforeEach(() => {
    stored.clear();
    tabs.length = 0;
  });
  afterEach(() => vi.unstubAllGlobals());

  for (const tells of [true, false]) {
    test(`each keeps the answers of the other, ${tells ? "told" : "before it is told"}`, () => {
      const [a, b] = [tab(), tab()];
      a.here(() => a.lesson.keep("1", 2), tells);
      b.here(() => b.lesson.keep("2", "x"), tells);
      a.here(() => a.lesson.keep("3", [1, 2]), tells);
      expect({ ...answersOf(stored.get("ssdrnb-lesson L") || null) }).toEqual({ 1: 2, 2: "x", 3: [1, 2] });
      expect(a.lesson.answer("2")).toBe("x");
    });
  }

  test("both forget the answers when one begins again", () => {
    const [a, b] = [tab(), tab()];
    let restarts = 0;
    for (const one of [a, b]) {
      const node = /** @type {any} */ ({ isConnected: true });
      one.lesson.join({ name: "1", node, asked: ["1"], restart: () => restarts++ });
    }
    a.here(() => a.lesson.keep("1", 2));
    const line = /** @type {any} */ (a.lesson.line());
    const begin = line.querySelectorAll("button")[0];
    a.here(() => begin.fire("click"));
    expect([restarts, a.lesson.answer("1"), b.lesson.answer("1")]).toEqual([2, undefined, undefined]);
  });

  test("without storage, a tab keeps its own answers", () => {
    const a = tab(false);
    a.here(() => {
      a.lesson.keep("1", 2);
      a.lesson.keep("2", 3);
    });
    expect([a.lesson.answer("1"), a.lesson.answer("2")]).toEqual([2, 3]);
  });
});

test("answers are judged by their question", () => {
  const number = {
    question: "",
    kind: /** @type {const} */ ("number"),
    right: -1,
    answer: 63,
    tolerance: 0.5,
  };
  expect([62.4, 62.5, 63, 63.5, 63.6].map((v) => verdict(number, v))).toEqual([
    false,
    true,
    true,
    true,
    false,
  ]);
  expect(verdict({ ...number, answer: undefined }, 1)).toBe(null);
  // The tolerance holds at any size of the numbers, up to rounding.
  for (const size of [1e-300, 1e-12, 1e-9, 1e-3, 1, 1e6, 1e300]) {
    const task = { ...number, from: 0, to: size, answer: 0.5 * size, tolerance: 0.1 * size };
    expect([0, 0.39, 0.4, 0.6, 0.61, 1].map((v) => verdict(task, v * size))).toEqual([
      false,
      false,
      true,
      true,
      false,
      false,
    ]);
  }
  const choice = { question: "", kind: /** @type {const} */ ("choice"), right: 1, options: ["a", "b"] };
  expect([verdict(choice, 0), verdict(choice, 1), verdict({ ...choice, right: -1 }, 1)]).toEqual([
    false,
    true,
    null,
  ]);
  const point = {
    question: "",
    kind: /** @type {const} */ ("point"),
    right: -1,
    where: /** @type {[number, number, number][]} */ ([[0.5, 0.5, 0.1]]),
  };
  expect([verdict(point, [0.55, 0.5]), verdict(point, [0.7, 0.5])]).toEqual([true, false]);
  expect([
    fits(choice, 2),
    fits(choice, 1),
    fits(choice, "1"),
    fits(point, [1]),
    fits(point, [1, 2]),
  ]).toEqual([false, true, false, false, true]);
});

test("a number outside of the range is no answer, and the range is told", () => {
  const ask = { question: "", kind: /** @type {const} */ ("number"), right: -1, from: 0, to: 100, unit: "%" };
  expect([-1, 0, 50, 100, 500, Number.NaN].map((v) => fits(ask, v))).toEqual([
    false,
    true,
    true,
    true,
    false,
    false,
  ]);
  expect(["", "0", "100", "1e1"].map((text) => fault(ask, text))).toEqual(["", "", "", ""]);
  for (const text of ["500", "-1", "x", "1e999"]) {
    expect(fault(ask, text)).toBe("Give a number from 0 to 100 %.");
  }
  // An end at 0 is left out of the question's JSON.
  expect([-5, 0, 1].map((v) => fits({ ...ask, from: -10, to: undefined }, v))).toEqual([true, true, false]);
  expect(fault({ ...ask, to: 10, unit: "" }, "999")).toBe("Give a number from 0 to 10.");
});

test("the number of a slider is that of its position", () => {
  for (const [from, to] of [
    [0, 1],
    [0, 100],
    [-1, 0],
    [12345, 12395],
    [99996, 100100],
    [1e9, 1e9 + 1],
    [-2e-7, 1e-7],
    [0, 3e300],
    [1 / 3, 2 / 3],
    [5, 5],
  ]) {
    const ask = { question: "", kind: /** @type {const} */ ("number"), right: -1, from, to };
    for (let k = 0; k <= 100; k++) {
      const at = from + (k * (to - from)) / 100;
      const v = rounded(ask, at);
      expect(fits(ask, v)).toBe(true);
      expect(Math.abs(v - at)).toBeLessThanOrEqual((to - from) / 1000);
    }
  }
  expect(rounded({ question: "", kind: "number", right: -1, from: 0, to: 1 }, 0.1 + 0.2)).toBe(0.3);
});

test("each part of a note has one full stop", () => {
  expect(sentences(["1 must-link, 0 cannot-links.", "", "ratio: 0.5"])).toBe(
    "1 must-link, 0 cannot-links. ratio: 0.5.",
  );
  expect(sentences(["Which one is real?"])).toBe("Which one is real?");
});

test("meters fill the text, and names in it become links", () => {
  const setup = { title: "", meters: [{ name: "spread kept" }], names: [], colors: [], symbols: [] };
  const state = {
    revision: 1,
    dials: [],
    hand: 0,
    panels: [],
    meters: [{ value: 1, text: "97 %" }],
    note: "",
  };
  expect(filled("It is {spread kept}, {other}.", setup, state)).toBe("It is 97 %, {other}.");
  expect(parted("at ten labels, or at one", ["at one", "at ten labels"])).toEqual([
    "",
    "at ten labels",
    ", or ",
    "at one",
    "",
  ]);
  expect(parted("a.b", ["."])).toEqual(["a", ".", "b"]);
  expect(parted("a", [])).toEqual(["a"]);
});

test("a window maps its corners and back", () => {
  for (const square of [false, true]) {
    for (const axes of [false, true]) {
      const chart = chartOf({ x0: -2, x1: 4, y0: 1, y1: 2, square, axes }, 300, 200);
      for (const p of /** @type {[number, number][]} */ ([
        [-2, 1],
        [4, 2],
        [0.5, 1.25],
      ])) {
        const [x, y] = chart.place(chart.pixel(p));
        expect(x).toBeCloseTo(p[0]);
        expect(y).toBeCloseTo(p[1]);
      }
      expect(chart.place([-1000, -1000])).toEqual([-2, 2]); // within
    }
  }
  expect(ticks(0, 10, 5)).toEqual([0, 2, 4, 6, 8, 10]);
  expect(ticks(1, 1, 5)).toEqual([]);
  expect(ticks(Number.NaN, 1, 5)).toEqual([]);
});

test("the numbers at the axes are short and are not cut off", () => {
  expect([0, 20000, 0.002, -0.5, 1e5, 1024000, 4e-8, -2e6].map(label)).toEqual([
    "0",
    "20000",
    "0.002",
    "-0.5",
    "1e5",
    "1.024e6",
    "4e-8",
    "-2e6",
  ]);
  for (const [y0, y1] of [
    [-1.5e5, 1.1e6],
    [0, 3e-7],
    [1024000, 1024010],
    [-3.5, 3.5],
    [0, 99999],
  ]) {
    const view = { x0: y0, x1: y1, y0, y1, axes: true };
    const texts = heights(view, 300).map(label);
    expect(texts.length).toBeGreaterThan(2);
    expect(new Set(texts).size).toBe(texts.length);
    // A digit of the font has at most 6.5 pixels.
    const left = chartOf(view, 320, 300).pixel([y0, y0])[0];
    expect(left - 5).toBeGreaterThan(6.5 * Math.max(...texts.map((t) => t.length)));
    const along = widths(view, 260);
    const gap = (260 * (along[1] - along[0])) / (y1 - y0);
    expect(gap).toBeGreaterThan(6.5 * Math.max(...along.map((v) => label(v).length)));
  }
});

test("colours of levels are colours", () => {
  for (let v = 0; v < 256; v++) {
    for (const c of heatColor(v)) {
      expect(c).toBeGreaterThanOrEqual(0);
      expect(c).toBeLessThanOrEqual(255);
    }
  }
});

test("the legend has the classes that are drawn", () => {
  const view = { x0: 0, x1: 1, y0: 0, y1: 1 };
  const at = { steps: "", unit: 1 };
  const mark = { at: /** @type {[number, number]} */ ([0, 0]), index: -1, class: 4 };
  const panels = [
    { title: "", view, samples: { at, of: [-1, 2, 2] } },
    { title: "", view, samples: { at, of: [7], levels: "AA==" } },
    { title: "", view, marks: [mark] },
  ];
  expect([...classesOf(panels)]).toEqual([2, 4]);
  expect(classesOf([])).toEqual(new Set());
});
