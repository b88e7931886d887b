// The stored answers of a lesson, and its progress line.

import { download } from "../../viz/js/store.js";
import { button, el } from "./elements.js";

/** @typedef {number | string | number[]} Answer */

const LONGEST = 200; // characters of a kept answer, and numbers of a drawing

/**
 * answersOf decodes the stored answers, by the name of the question. It ignores invalid content.
 * @param {string | null} text
 * @returns {Record<string, Answer>}
 */
export function answersOf(text) {
  /** @type {Record<string, Answer>} */
  const out = Object.create(null);
  try {
    const kept = JSON.parse(text || "{}");
    for (const [name, v] of Object.entries(typeof kept === "object" && kept ? kept : {})) {
      const number = (/** @type {unknown} */ n) => typeof n === "number" && Number.isFinite(n);
      const list = Array.isArray(v) && v.length <= LONGEST && v.every(number);
      if (name.length <= LONGEST && (number(v) || list || (typeof v === "string" && v.length <= LONGEST))) {
        out[name] = /** @type {Answer} */ (v);
      }
    }
  } catch {
    // The content is not JSON.
  }
  return out;
}

/**
 * A beat in the page: its name, its element, the names of its questions, and a function that resets
 * it.
 * @typedef {{ name: string, node: HTMLElement, asked: string[], restart: () => void }} Part
 */

export class Lesson {
  #place;
  #title;
  #answers;
  /** @type {Set<Part>} */
  #parts = new Set();
  #bar = el("progress", { max: 1, value: 0 });
  #text = el("span");
  #line = el("div", { class: "ssdrnb-progress" }, [
    this.#bar,
    this.#text,
    button("Begin again", "Forget all answers of this lesson", () => this.#begin()),
    button("Export answers", "Save the answers of this lesson as a file", () => this.#export()),
  ]);

  /** @param {string} title */
  constructor(title) {
    this.#title = title;
    this.#place = `ssdrnb-lesson ${title}`;
    this.#answers = this.#stored();
    // Another tab of the browser stores an answer, or forgets all of them.
    window.addEventListener("storage", (e) => {
      if (e.key !== null && e.key !== this.#place) {
        return;
      }
      if (e.newValue === null) {
        this.#forget();
      } else {
        this.#answers = answersOf(e.newValue);
        this.#show();
      }
    });
  }

  #stored() {
    try {
      return answersOf(localStorage.getItem(this.#place));
    } catch {
      return answersOf(null); // a page without storage
    }
  }

  /** line returns the progress line, or null if another beat in the page has it. */
  line() {
    return this.#line.isConnected ? null : this.#line;
  }

  /**
   * join adds a beat. It replaces a beat of the same name that is out of the page, because its cell
   * was run again.
   * @param {Part} part
   */
  join(part) {
    for (const other of this.#parts) {
      if (other.name === part.name && !other.node.isConnected) {
        this.#parts.delete(other);
      }
    }
    this.#parts.add(part);
    this.#show();
  }

  /** leave removes a beat. @param {Part} part */
  leave(part) {
    this.#parts.delete(part);
    this.#show();
  }

  /** answer returns the stored answer to a question. @param {string} name */
  answer(name) {
    return this.#answers[name];
  }

  /**
   * @param {string} name of the question
   * @param {Answer} value
   */
  keep(name, value) {
    // Answers that another tab has just stored stay.
    Object.assign(this.#answers, this.#stored(), { [name]: value });
    try {
      localStorage.setItem(this.#place, JSON.stringify(this.#answers));
    } catch {
      // a page without storage
    }
    this.#show();
  }

  #show() {
    const asked = new Set([...this.#parts].flatMap((part) => part.asked));
    const done = [...asked].filter((name) => this.#answers[name] !== undefined).length;
    this.#bar.max = Math.max(1, asked.size);
    this.#bar.value = done;
    this.#text.textContent = `${done} of ${asked.size} answered`;
  }

  #begin() {
    try {
      localStorage.removeItem(this.#place);
    } catch {
      // a page without storage
    }
    this.#forget();
  }

  #forget() {
    this.#answers = answersOf(null);
    for (const part of this.#parts) {
      part.restart();
    }
    this.#show();
  }

  #export() {
    const text = JSON.stringify({ lesson: this.#title, answers: this.#answers }, null, 1);
    download("answers.json", new TextEncoder().encode(text));
  }
}

/** @type {Map<string, Lesson>} */
const lessons = new Map();

/** @param {string} title */
export function lessonOf(title) {
  const lesson = lessons.get(title) || new Lesson(title);
  lessons.set(title, lesson);
  return lesson;
}
