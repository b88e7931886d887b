import { Line } from "./line.js";

/** An element as far as a line needs it. */
class FakeElement {
  hidden = false;
  disabled = false;
  textContent = "";
  title = "";
  /** @type {number | undefined} */
  value;
  /** @type {FakeElement[]} */
  children = [];
  click = () => {};
  setAttribute() {}
  removeAttribute() {
    this.value = undefined;
  }
  /** @param {FakeElement} e */
  appendChild(e) {
    this.children.push(e);
  }
  /** @param {string} type @param {() => void} f */
  addEventListener(type, f) {
    if (type === "click") {
      this.click = f;
    }
  }
}

function make() {
  const line = new Line();
  const [text, bar, button] = /** @type {FakeElement[]} */ (/** @type {any} */ (line.node).children);
  return { line, text, bar, button };
}

describe("the line below a picture", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal("document", { createElement: () => new FakeElement() });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("says what goes on only after 0.3 s, and the newest of it", () => {
    const { line, text, bar, button } = make();
    line.status("PCA(): 3ms");
    line.busy("Fitting", -1, "Stop the fit", () => {});
    vi.advanceTimersByTime(200);
    line.busy("S2NE: layout, 50 of 200", 0.25, "Stop the fit", () => {});
    vi.advanceTimersByTime(99);
    expect([text.textContent, bar.hidden, button.hidden]).toEqual(["PCA(): 3ms", true, true]);
    vi.advanceTimersByTime(1);
    expect([text.textContent, bar.value, button.textContent]).toEqual([
      "S2NE: layout, 50 of 200",
      0.25,
      "Stop the fit",
    ]);
    line.busy("S2NE: layout, 80 of 200", 0.4, "Stop the fit", () => {});
    expect(text.textContent).toBe("S2NE: layout, 80 of 200");
    line.busy("S2NE: spectrum", -1, "Stop the fit", () => {});
    expect(bar.value).toBeUndefined();
  });

  it("never shows a short fit", () => {
    const { line, text, bar } = make();
    line.busy("Fitting", -1, "Stop the fit", () => {});
    vi.advanceTimersByTime(250);
    line.status("PCA(): 240ms");
    line.rest();
    vi.advanceTimersByTime(1000);
    expect([text.textContent, bar.hidden]).toEqual(["PCA(): 240ms", true]);
  });

  it("keeps a status that comes meanwhile for later", () => {
    const { line, text } = make();
    line.busy("Fitting", -1, "Stop the fit", () => {});
    vi.advanceTimersByTime(300);
    line.status("5 labels");
    expect(text.textContent).toBe("Fitting");
    line.rest();
    expect(text.textContent).toBe("5 labels");
  });

  it("stops once, and offers to begin again", () => {
    const { line, text, bar, button } = make();
    const [stop, again] = [vi.fn(), vi.fn()];
    line.busy("Fitting", -1, "Stop the fit", stop);
    vi.advanceTimersByTime(300);
    button.click();
    expect([stop.mock.calls.length, button.disabled]).toEqual([1, true]);
    line.busy("Fitting still", -1, "Stop the fit", stop);
    expect(button.disabled).toBe(true);
    line.halted("It was stopped.", "Fit", again);
    expect([text.textContent, bar.hidden, button.textContent, button.disabled]).toEqual([
      "It was stopped.",
      true,
      "Fit",
      false,
    ]);
    button.click();
    expect(again).toHaveBeenCalledOnce();
    line.busy("Fitting", -1, "Stop the fit", stop);
    vi.advanceTimersByTime(300);
    expect([button.textContent, button.disabled]).toEqual(["Stop the fit", false]);
  });
});
