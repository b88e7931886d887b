// The line below a widget: its status or, during long work, the progress and a button that stops
// the work.

import { button, el } from "./elements.js";

const SOON = 300; // ms after which work is shown

export class Line {
  #text = el("span", { class: "ssdrnb-status" });
  #bar = el("progress", { max: 1 });
  #button;
  /** The text of the line while no work is shown. */
  #status = "";
  #busy = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #began = 0;
  /** @type {() => void} */
  #action = () => {};

  constructor() {
    this.#button = button("Stop", "", () => this.#action());
    this.node = el("div", { class: "ssdrnb-line" }, [this.#text, this.#bar, this.#button]);
    this.#offer("", "", () => {});
    this.#bar.hidden = true;
  }

  /**
   * #offer sets the button.
   * @param {string} label "" for no button
   * @param {string} title
   * @param {() => void} f
   */
  #offer(label, title, f) {
    this.#button.hidden = !label;
    this.#button.textContent = label;
    this.#button.title = title;
    this.#action = f;
  }

  /**
   * status sets the text of the line while no work is shown.
   * @param {string} text
   */
  status(text) {
    this.#status = text;
    if (!this.#busy || this.#bar.hidden) {
      this.#text.textContent = text;
    }
  }

  /**
   * busy shows the running work, from 0.3 s after its beginning.
   * @param {string} text
   * @param {number} share from 0 to 1, −1 if it is not known
   * @param {string} label of the button
   * @param {() => void} stop
   */
  busy(text, share, label, stop) {
    const now = performance.now();
    if (!this.#busy) {
      this.#busy = true;
      this.#began = now;
    }
    clearTimeout(this.#timer);
    const show = () => {
      this.#text.textContent = text;
      this.#bar.hidden = false;
      if (share >= 0) {
        this.#bar.value = share;
      } else {
        this.#bar.removeAttribute("value");
      }
      if (this.#button.textContent !== label) {
        this.#offer(label, "Stop what is going on; the picture stays", () => {
          this.#button.disabled = true;
          stop();
        });
        this.#button.disabled = false;
      }
    };
    const wait = this.#began + SOON - now;
    if (wait <= 0) {
      show();
    } else {
      this.#timer = setTimeout(show, wait);
    }
  }

  /** rest shows the status again, after the work has ended. */
  rest() {
    clearTimeout(this.#timer);
    this.#busy = false;
    this.#bar.hidden = true;
    this.#offer("", "", () => {});
    this.#text.textContent = this.#status;
  }

  /**
   * halted shows a text about stopped work, and a button that starts the work again.
   * @param {string} text
   * @param {string} label
   * @param {() => void} again
   */
  halted(text, label, again) {
    this.rest();
    this.#text.textContent = text;
    this.#offer(label, "", again);
    this.#button.disabled = false;
  }
}
