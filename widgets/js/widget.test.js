import { Box, body } from "../../viz/js/testpage.js";
import { runWidget } from "./widget.js";

const question = { kind: "choice", question: "?", right: 0, options: ["a", "b"] };

/** A cell of JupyterLab in its notebook. */
const notebook = body.appendChild(Object.assign(new Box("div"), { className: "jp-NotebookPanel" }));
const cell = () => {
  const made = notebook.appendChild(Object.assign(new Box("div"), { className: "jp-Cell" }));
  made.appendChild(Object.assign(new Box("div"), { className: "jp-OutputArea" }));
  return made;
};

/**
 * run shows a quiz in an output of a cell.
 * @param {Box} cell @param {string} lesson @param {string} name @param {number} questions
 */
function run(cell, lesson, name, questions) {
  const output = cell.children[0].appendChild(new Box("div"));
  const [root, data] = ["div", "script"].map((tag) => output.appendChild(new Box(tag)));
  const beat = { lesson, name, text: "", asks: Array(questions).fill(question) };
  const page = { task: { beat }, name: "", notebook: "", stored: null };
  data.textContent = JSON.stringify({ kind: "quiz", kernel: "", page });
  runWidget(/** @type {any} */ (data));
  const lines = () => root.find((e) => e.attributes.class === "ssdrnb-progress");
  return {
    output,
    root,
    told: () => lines().map((line) => line.children[1].textContent),
    begin: () => lines()[0].children[2].fire("click"),
    first: () => root.find((e) => e.attributes.type === "radio")[0],
    send: () => root.find((e) => e.textContent === "This is my answer")[0],
  };
}

describe("a widget", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it("ends when its output is deleted, at once or after some time", () => {
    const kept = cell();
    const [outputs] = kept.children;
    for (const { name, leave, ends } of [
      { name: "scrolled away", leave: () => kept.remove(), ends: false },
      { name: "hidden", leave: () => outputs.remove(), ends: false },
      {
        name: "deleted in the extension",
        leave: (/** @type {any} */ w) => w.root.fire("ssdrnb-deleted"),
        ends: true,
      },
      { name: "run again", leave: (/** @type {any} */ w) => w.output.remove(), ends: true },
    ]) {
      notebook.appendChild(kept);
      kept.appendChild(outputs);
      const timers = vi.getTimerCount();
      const w = run(kept, name, "Beat", 1);
      expect([name, vi.getTimerCount()]).toEqual([name, timers + 1]);
      leave(w);
      vi.advanceTimersByTime(300_000);
      expect([name, vi.getTimerCount()]).toEqual([name, ends ? timers : timers + 1]);
    }
  });
});

describe("the progress line of a lesson", () => {
  it("is in one beat, also after the cell of that beat was run again", () => {
    const [first, second] = [cell(), cell()];
    const a = run(first, "L", "Beat 1", 2);
    const b = run(second, "L", "Beat 2", 1);
    expect([a.told(), b.told()]).toEqual([["0 of 3 answered"], []]);
    a.output.remove();
    const again = run(first, "L", "Beat 1", 1); // the author has removed a question
    expect([again.told(), b.told()]).toEqual([["0 of 2 answered"], []]);
    b.root.fire("ssdrnb-deleted");
    expect(again.told()).toEqual(["0 of 1 answered"]);
  });
  it("resets the beats in the page", () => {
    const a = run(cell(), "M", "Beat 1", 1);
    a.first().fire("change");
    a.send().fire("click");
    expect(a.told()).toEqual(["1 of 1 answered"]);
    a.begin();
    expect(a.told()).toEqual(["0 of 1 answered"]);
  });
});
