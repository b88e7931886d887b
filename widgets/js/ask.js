// A question of a lesson. The answer is a choice, a number, a place on the stage, or a drawn curve.

import { ink } from "../../viz/js/theme.js";
import { contextOf, follow, scaled } from "./box.js";
import { button, el } from "./elements.js";
import { capture, placeIn } from "./gestures.js";

/**
 * @typedef {import("./types.js").AskTask} AskTask
 * @typedef {import("./types.js").Point} Point
 * @typedef {import("./lesson.js").Answer} Answer
 */

const TRIES = 3;
const STEPS = 100; // of a slider

/**
 * verdict reports whether an answer is right. It returns null if the question has no right answer.
 * @param {AskTask} task
 * @param {Answer} answer
 * @returns {boolean | null}
 */
export function verdict(task, answer) {
  if (task.kind === "choice") {
    return task.right < 0 ? null : answer === task.right;
  }
  if (task.kind === "number") {
    const { answer: right, tolerance = 0, from = 0, to = 0 } = task;
    const rounding = 4 * Number.EPSILON * Math.max(Math.abs(from), Math.abs(to));
    return right === undefined ? null : Math.abs(Number(answer) - right) <= tolerance + rounding;
  }
  if (task.kind === "point" && task.where?.length && Array.isArray(answer)) {
    return task.where.some(([x, y, r]) => Math.hypot(answer[0] - x, answer[1] - y) <= r);
  }
  return null;
}

/**
 * fits reports whether a stored answer is valid for the question.
 * @param {AskTask} task
 * @param {Answer | undefined} answer
 */
export function fits(task, answer) {
  if (task.kind === "choice") {
    return Number.isInteger(answer) && Number(answer) >= 0 && Number(answer) < (task.options?.length || 0);
  }
  if (task.kind === "number") {
    return typeof answer === "number" && within(task, answer);
  }
  return Array.isArray(answer) && answer.length === (task.kind === "point" ? 2 : task.at?.length);
}

/**
 * within reports whether a number is in the range of the question.
 * @param {AskTask} task
 * @param {number} v
 */
function within({ from = 0, to = 0 }, v) {
  return v >= from && v <= to;
}

/**
 * rounded returns the number at a place that a reader points at: within the range of the question,
 * and rounded to at least a tenth of a step of its slider.
 * @param {AskTask} task
 * @param {number} v
 */
export function rounded({ from = 0, to = 0 }, v) {
  const decimals = 1 - Math.floor(Math.log10((to - from) / STEPS));
  return Math.min(Math.max(Number(v.toFixed(Math.min(Math.max(decimals, 0), 100))), from), to);
}

/**
 * fault returns what is wrong with a number in a text, or "" if it is valid or empty.
 * @param {AskTask} task
 * @param {string} text
 */
export function fault(task, text) {
  const { from = 0, to = 0, unit } = task;
  return text === "" || within(task, Number(text))
    ? ""
    : `Give a number from ${from} to ${to}${unit ? ` ${unit}` : ""}.`;
}

/**
 * told describes an answer in words.
 * @param {AskTask} task
 * @param {Answer} answer
 */
export function told(task, answer) {
  const unit = task.unit ? ` ${task.unit}` : "";
  if (task.kind === "choice") {
    return task.options?.[Number(answer)] || "";
  }
  if (task.kind === "number") {
    return `${answer}${unit}`;
  }
  return task.kind === "point"
    ? "the place you clicked"
    : `${/** @type {number[]} */ (answer).join(", ")}${unit}`;
}

export class Ask {
  #task;
  #done;
  #say = el("div", { class: "ssdrnb-say", role: "status" });
  #send = button("This is my answer", "Give this answer", () => this.#give());
  /** @type {Answer | null} */
  #value = null;
  #tries = 0;
  /** Writes a stored answer into the fields. @type {(v: Answer) => void} */
  #set = () => {};
  /** Empties the fields. @type {() => void} */
  #clear = () => {};
  /** @type {() => void} */
  #close = () => {};
  #fields = el("div");
  /** Shows the error of the first invalid field. */
  #wrong = el("div", { class: "ssdrnb-status", role: "status" });
  answered = false;

  /**
   * @param {AskTask} task
   * @param {(answer: Answer) => void} done is called with the final answer
   */
  constructor(task, done) {
    this.#task = task;
    this.#done = done;
    const make = {
      choice: () => this.#choice(),
      number: () => this.#number(),
      point: () => this.#point(),
      drawing: () => this.#drawing(),
    };
    make[task.kind]?.();
    this.#send.disabled = this.#value === null;
    this.node = el("fieldset", { class: "ssdrnb-ask", "data-kind": task.kind }, [
      el("legend", { text: task.question }),
      this.#fields,
      this.#wrong,
      el("div", { class: "ssdrnb-bar" }, [this.#send, this.#say]),
    ]);
  }

  /** @param {Answer} v */
  #take(v) {
    this.#value = v;
    this.#send.disabled = this.answered;
  }

  /** #drop discards the value. */
  #drop() {
    this.#value = null;
    this.#send.disabled = true;
  }

  /**
   * #checked shows the first error in the fields, and reports whether there is none.
   * @param {HTMLInputElement[]} fields
   */
  #checked(fields) {
    const faults = fields.map((e) =>
      e.validity?.badInput ? fault(this.#task, "x") : fault(this.#task, e.value),
    );
    for (const [k, e] of fields.entries()) {
      e.setAttribute("aria-invalid", String(faults[k] !== ""));
    }
    this.#wrong.textContent = faults.find(Boolean) || "";
    return !this.#wrong.textContent;
  }

  #give() {
    const v = this.#value;
    if (v === null || this.answered) {
      return;
    }
    const right = verdict(this.#task, v);
    this.#tries++;
    const why = this.#task.kind === "choice" ? this.#task.why?.[Number(v)] || "" : "";
    if (right === false && this.#tries < TRIES) {
      const left = TRIES - this.#tries;
      this.#say.textContent = `Not yet. ${why} ${left} ${left === 1 ? "try" : "tries"} left.`;
      return;
    }
    this.#end(v, right, why);
    this.#done(v);
  }

  /**
   * @param {Answer} v
   * @param {boolean | null} right
   * @param {string} why
   */
  #end(v, right, why) {
    this.answered = true;
    this.#send.disabled = true;
    for (const e of this.#fields.querySelectorAll("input,button")) {
      /** @type {HTMLInputElement} */ (e).disabled = true;
    }
    const solution = right === false ? this.#solution() : "";
    const words = { true: "Right.", false: `It is: ${solution}.`, null: `You said: ${told(this.#task, v)}.` };
    this.#say.textContent = `${words[/** @type {"true"} */ (String(right))]} ${why}`.trim();
    this.#say.dataset.right = String(right);
  }

  #solution() {
    const { kind, right, answer = 0 } = this.#task;
    return kind === "point" ? "another place" : told(this.#task, kind === "choice" ? right : answer);
  }

  /** @param {Answer} v a stored answer */
  restore(v) {
    this.#set(v);
    const why = this.#task.kind === "choice" ? this.#task.why?.[Number(v)] || "" : "";
    this.#end(v, verdict(this.#task, v), why);
  }

  /** restart removes the answer. */
  restart() {
    this.answered = false;
    this.#value = null;
    this.#tries = 0;
    this.#send.disabled = true;
    for (const e of this.#fields.querySelectorAll("input,button")) {
      /** @type {HTMLInputElement} */ (e).disabled = false;
    }
    this.#say.textContent = this.#wrong.textContent = "";
    delete this.#say.dataset.right;
    this.#clear();
  }

  #choice() {
    const name = `ssdrnb-ask-${Math.random()}`;
    const inputs = (this.#task.options || []).map((_, k) =>
      el("input", { type: "radio", name, value: k, onchange: () => this.#take(k) }),
    );
    this.#set = (v) => {
      inputs[Number(v)].checked = true;
    };
    this.#clear = () => {
      for (const input of inputs) {
        input.checked = false;
      }
    };
    this.#fields.append(
      ...inputs.map((input, k) =>
        el("label", {}, [input, el("span", { text: this.#task.options?.[k] || "" })]),
      ),
    );
  }

  #number() {
    const { from = 0, to = 0, unit } = this.#task;
    const range = el("input", {
      type: "range",
      min: from,
      max: to,
      step: (to - from) / STEPS,
      "aria-label": this.#task.question,
    });
    const number = el("input", {
      type: "number",
      step: "any",
      "aria-label": `${this.#task.question}, as a number`,
    });
    range.addEventListener("input", () => {
      number.value = String(rounded(this.#task, Number(range.value)));
      if (this.#checked([number])) {
        this.#take(Number(number.value));
      }
    });
    number.addEventListener("input", () => {
      if (this.#checked([number]) && number.value !== "") {
        range.value = number.value;
        this.#take(Number(number.value));
      } else {
        this.#drop();
      }
    });
    this.#set = (v) => {
      range.value = number.value = String(v);
    };
    this.#clear = () => {
      range.value = String((from + to) / 2);
      number.value = "";
      number.removeAttribute("aria-invalid");
    };
    this.#clear(); // an end of the slider would suggest an answer
    this.#fields.append(el("label", {}, [range, number, el("span", { text: unit || "" })]));
  }

  #point() {
    this.#fields.append(
      el("div", {
        class: "ssdrnb-status",
        text: "Click in the picture below, or move there by the arrow keys and press Enter.",
      }),
    );
  }

  /**
   * place answers the question with a place on the stage.
   * @param {Point} q in shares of the panel's width and height
   */
  place(q) {
    this.#take([Math.round(1000 * q[0]) / 1000, Math.round(1000 * q[1]) / 1000]);
    this.#give();
  }

  #drawing() {
    const { at = [], from = 0, to = 0, unit = "" } = this.#task;
    const heights = at.map(() => from);
    const set = at.map(() => false);
    const canvas = el("canvas", { role: "img", "aria-label": "Draw the curve, or write its heights below" });
    const context = contextOf(canvas);
    let size = /** @type {Point} */ ([300, 220]);
    const x = (/** @type {number} */ k) => 34 + ((size[0] - 46) * k) / Math.max(1, at.length - 1);
    const y = (/** @type {number} */ v) => 12 + (size[1] - 40) * (1 - (v - from) / (to - from));
    const draw = () => {
      scaled(canvas, context, size[0]);
      context.clearRect(0, 0, ...size);
      context.fillStyle = context.strokeStyle = ink();
      context.font = "11px system-ui, sans-serif";
      context.textAlign = "center";
      for (const [k, v] of at.entries()) {
        context.fillText(String(v), x(k), size[1] - 8);
      }
      context.textAlign = "right";
      context.fillText(String(to), 28, y(to) + 4);
      context.fillText(String(from), 28, y(from) + 4);
      context.beginPath();
      for (const [k, v] of heights.entries()) {
        if (set[k]) {
          context.lineTo(x(k), y(v));
        }
      }
      context.lineWidth = 2;
      context.stroke();
      for (const [k, v] of heights.entries()) {
        if (set[k]) {
          context.beginPath();
          context.arc(x(k), y(v), 4, 0, 2 * Math.PI);
          context.fill();
        }
      }
    };
    const fields = at.map((v, k) => {
      const input = el("input", { type: "number", step: "any", "aria-label": `height at ${v}` });
      input.addEventListener("input", () => {
        if (this.#checked(fields) && fields[k].value !== "") {
          put(k, Number(input.value), false);
        } else {
          set[k] = false;
          draw();
          this.#drop();
        }
      });
      return input;
    });
    /** @param {number} k @param {number} v @param {boolean} write */
    const put = (k, v, write) => {
      heights[k] = Math.max(from, Math.min(to, v));
      set[k] = true;
      if (write) {
        fields[k].value = String(heights[k]);
      }
      draw();
      if (this.#checked(fields) && set.every(Boolean)) {
        this.#take([...heights]);
      }
    };
    let pressed = false;
    const follows = (/** @type {PointerEvent} */ e) => {
      if (pressed && !this.answered) {
        const q = placeIn(canvas, e);
        const k = Math.round(((q[0] - 34) / Math.max(1, size[0] - 46)) * (at.length - 1));
        const v = from + (to - from) * (1 - (q[1] - 12) / (size[1] - 40));
        if (k >= 0 && k < at.length) {
          put(k, rounded(this.#task, v), true);
        }
      }
    };
    canvas.addEventListener("pointerdown", (e) => {
      pressed = true;
      capture(canvas, e);
      follows(e);
    });
    canvas.addEventListener("pointermove", follows);
    for (const end of ["pointerup", "pointercancel"]) {
      canvas.addEventListener(end, () => {
        pressed = false;
      });
    }
    this.#close = follow(canvas, (w, h) => {
      size = [w, h];
      draw();
    });
    this.#set = (v) => {
      for (const [k, one] of /** @type {number[]} */ (v).entries()) {
        put(k, one, true);
      }
    };
    this.#clear = () => {
      heights.fill(from);
      set.fill(false);
      for (const input of fields) {
        input.value = "";
        input.removeAttribute("aria-invalid");
      }
      draw();
    };
    const labels = fields.map((input, k) =>
      el("label", {}, [el("span", { text: `${at[k]}:` }), input, el("span", { text: unit })]),
    );
    this.#fields.append(
      canvas,
      el("details", {}, [el("summary", { text: "As numbers" }), el("div", { class: "ssdrnb-form" }, labels)]),
    );
  }

  close() {
    this.#close();
  }
}
