import { page } from "./page.js";
import { link } from "./pictures.js";
import { samplesOf } from "./samples.js";
import { Box, body, resize } from "./testpage.js";

const base64 = (/** @type {number[]} */ list) =>
  btoa(String.fromCharCode(...new Uint8Array(Uint16Array.from(list).buffer)));
const rest = () => new Promise((go) => setTimeout(go, 10));

/**
 * figure draws samples on the diagonal of a panel of 200 pixels, one per class.
 * @param {string[]} classes
 */
function figure(classes) {
  const [place, data] = ["div", "script"].map((tag) => body.appendChild(new Box(tag)));
  place.appendChild(new Box("img"));
  const tiles = { width: 400, height: 300, tiles: [[0, 0]], keys: classes.map((name) => [0, 0, 9, name]) };
  const n = classes.length;
  data.textContent = JSON.stringify({
    side: 100,
    wide: tiles,
    narrow: tiles,
    points: [base64(classes.flatMap((_, i) => Array(2).fill(Math.round((65534 * (i + 0.5)) / n))))],
    look: [0],
    looks: [
      {
        names: classes,
        colors: classes.map(() => "#000"),
        symbols: classes.map(() => "circle"),
        of: classes.map((_, i) => i),
      },
    ],
    extra: {
      legend: "class",
      sheets: [],
      panels: [
        { labelled: "0".repeat(n), sheet: -1, names: [], samples: { n, print: "aa", data: "", name: "" } },
      ],
    },
  });
  /** @type {any} */
  const made = {};
  link((view) => {
    made.view = view;
    made.samples = samplesOf(view, {});
    return made.samples;
  })(/** @type {any} */ (data));
  resize();
  return /** @type {{view: View & {place: Box}, samples: Linked}} */ (made);
}

describe("a finger in a figure", () => {
  const { view } = figure(["a", "b", "c", "d"]);
  const key = "4 aa";
  const inner = view.place.appendChild(new Box("canvas"));
  const lasso = () => {
    for (const b of view.figure.querySelectorAll("button"))
      if (b.title.startsWith("Select with a lasso")) /** @type {any} */ (b).onclick();
  };
  const draw = (/** @type {string} */ end) => {
    const at = [
      [1, 1],
      [99, 1],
      [99, 99],
      [1, 99],
    ];
    at.forEach(([clientX, clientY], k) => {
      inner.fire(k ? "pointermove" : "pointerdown", { clientX, clientY, button: 0, pointerType: "touch" });
    });
    inner.fire(end);
  };
  const touches = () =>
    ["touchstart", "touchmove", "touchend"].map((name) => {
      let heard = false;
      inner.addEventListener(name, () => (heard = true));
      inner.fire(name);
      return heard;
    });
  afterEach(() => {
    delete page.chosen[key];
  });

  it("scrolls the page and moves the panel without a tool", () => {
    expect([view.place.style.touchAction, touches()]).toEqual(["", [true, true, true]]);
    draw("pointerup");
    expect(page.chosen[key]).toBeUndefined();
  });
  it("only draws with a tool", () => {
    lasso();
    expect([view.place.style.touchAction, touches()]).toEqual(["none", [false, false, false]]);
    draw("pointerup");
    expect(page.chosen[key]).toEqual([0, 1]);
    lasso();
  });
  it("that the browser takes over leaves the selection as it was", () => {
    lasso();
    for (const rows of [undefined, [3]]) {
      if (rows) page.chosen[key] = rows;
      draw("pointercancel");
      expect(page.chosen[key]).toEqual(rows);
    }
    lasso();
  });
});

describe("a class", () => {
  it("is shown whatever its name is", async () => {
    const names = ["constructor", "toString", "valueOf", "__proto__", "hasOwnProperty", "cats"];
    const { view, samples } = figure(names);
    await rest();
    const shown = () => names.filter((name) => samples.listed(name));
    expect(shown()).toEqual(names);
    for (const name of names) {
      const entry = /** @type {any} */ (view.figure).find(
        (/** @type {Box} */ e) => e.dataset.name === name,
      )[0];
      entry.onclick();
      expect(shown()).toEqual(names.filter((one) => one !== name));
      entry.onclick();
      expect(shown()).toEqual(names);
    }
  });
});
