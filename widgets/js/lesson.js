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

export class Lesson {
  #place;
  #title;
  #answers;
  /** Names of the questions in the page, in order. @type {Set<string>} */
  #asked = new Set();
  #bar = el("progress", { max: 1, value: 0 });
  #text = el("span");
  #placed = false;
  /** Functions that reset the parts of the lesson. @type {(() => void)[]} */
  #restarts = [];

  /** @param {string} title */
  constructor(title) {
    this.#title = title;
    this.#place = `ssdrnb-lesson ${title}`;
    let kept = null;
    try {
      kept = localStorage.getItem(this.#place);
    } catch {
      // a page without storage
    }
    this.#answers = answersOf(kept);
  }

  /** line returns the progress line at the first call, and null afterwards. */
  line() {
    if (this.#placed) {
      return null;
    }
    this.#placed = true;
    return el("div", { class: "ssdrnb-progress" }, [
      this.#bar,
      this.#text,
      button("Begin again", "Forget all answers of this lesson", () => this.#begin()),
      button("Export answers", "Save the answers of this lesson as a file", () => this.#export()),
    ]);
  }

  /** expect registers a question of the page. @param {string} name */
  expect(name) {
    this.#asked.add(name);
    this.#show();
  }

  /** @param {() => void} restart is called when the reader begins the lesson again */
  onBegin(restart) {
    this.#restarts.push(restart);
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
    this.#answers[name] = value;
    try {
      localStorage.setItem(this.#place, JSON.stringify(this.#answers));
    } catch {
      // a page without storage
    }
    this.#show();
  }

  #show() {
    const done = [...this.#asked].filter((name) => this.#answers[name] !== undefined).length;
    this.#bar.max = Math.max(1, this.#asked.size);
    this.#bar.value = done;
    this.#text.textContent = `${done} of ${this.#asked.size} answered`;
  }

  #begin() {
    try {
      localStorage.removeItem(this.#place);
    } catch {
      // a page without storage
    }
    this.#answers = answersOf(null);
    for (const restart of this.#restarts) {
      restart();
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
