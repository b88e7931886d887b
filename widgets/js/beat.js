// A beat, a step of a lesson: its text, the questions before the stage, the stage, and the revealed
// text.

import { Ask, fits, told } from "./ask.js";
import { button, el } from "./elements.js";
import { lessonOf } from "./lesson.js";
import { Stage } from "./stage.js";

/**
 * @typedef {import("./types.js").BeatTask} BeatTask
 * @typedef {import("./types.js").Frame} Frame
 * @typedef {import("./types.js").StageSetup} StageSetup
 * @typedef {import("./types.js").StageState} StageState
 */

/**
 * filled replaces each {name} in a text by the value of the meter with this name.
 * @param {string} text
 * @param {StageSetup} setup
 * @param {StageState} state
 */
export function filled(text, setup, state) {
  return text.replace(/\{([^{}]*)\}/g, (whole, name) => {
    const k = (setup.meters || []).findIndex((m) => m.name === name);
    return k < 0 ? whole : state.meters?.[k]?.text || "–";
  });
}

/**
 * parted splits a text at the given names, which have odd indices in the result.
 * @param {string} text
 * @param {string[]} names
 */
export function parted(text, names) {
  const known = names.filter(Boolean).sort((a, b) => b.length - a.length);
  if (known.length === 0) {
    return [text];
  }
  const escaped = known.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return text.split(new RegExp(`(${escaped.join("|")})`));
}

/** named returns the name of question k of a beat. @param {BeatTask} task @param {number} k */
const named = (task, k) => `${task.key || task.name} ${k + 1}`;

/**
 * questions creates the questions of a beat and restores the stored answers.
 * @param {BeatTask} task
 * @param {() => void} changed is called after each answer
 */
function questions(task, changed) {
  const lesson = lessonOf(task.lesson);
  return (task.asks || []).map((one, k) => {
    const name = named(task, k);
    const ask = new Ask(one, (answer) => {
      lesson.keep(name, answer);
      changed();
    });
    const kept = lesson.answer(name);
    if (kept !== undefined && fits(one, kept)) {
      ask.restore(kept);
    }
    return ask;
  });
}

/**
 * joined adds a beat to its lesson. It returns a function that removes the beat and ends its
 * questions.
 * @param {BeatTask} task
 * @param {HTMLElement} node of the beat
 * @param {Ask[]} asks
 * @param {() => void} restart is called when the reader begins the lesson again
 */
function joined(task, node, asks, restart) {
  const lesson = lessonOf(task.lesson);
  const part = {
    name: task.key || task.name,
    node,
    asked: asks.map((_, k) => named(task, k)),
    restart() {
      for (const a of asks) {
        a.restart();
      }
      restart();
    },
  };
  lesson.join(part);
  return () => {
    lesson.leave(part);
    for (const a of asks) {
      a.close();
    }
  };
}

/**
 * @param {BeatTask} task
 */
function heading(task) {
  const text = el("p");
  text.append(el("b", { text: `${task.name} ` }), task.text);
  return text;
}

/**
 * @param {Frame} frame
 * @param {BeatTask} task
 * @returns {import("./types.js").View}
 */
export function beat(frame, task) {
  const lesson = lessonOf(task.lesson);
  const text = heading(task);
  const place = el("div", { class: "ssdrnb-place" });
  const reveal = el("p", { class: "ssdrnb-reveal", role: "status" });
  /** @type {Stage | null} */
  let stage = null;
  /** @type {StageSetup | null} */
  let setup = null;
  let acted = false;
  let first = -1; // revision that the reader found
  const asks = questions(task, () => open());
  const points = (task.asks || []).some((a) => a.kind === "point");
  const done = () => asks.every((a) => a.answered);
  const reset = button("Reset", "Put this stage back to its beginning", () => stage?.act({ kind: "reset" }));
  reset.disabled = true;

  // The stage opens when all questions are answered, or at once if an answer is a place on it.
  function open() {
    place.classList.toggle("ssdrnb-shut", !done() && !points);
    const inert = !done() && !points;
    place.inert = inert;
    reset.disabled = inert || !stage;
    if (stage) {
      const next = asks.find((a, k) => !a.answered && task.asks?.[k].kind === "point");
      stage.asks = next ? (q) => next.place(q) : null;
      show();
    }
  }

  function show() {
    const state = stage?.last;
    if (!setup || !state || !task.reveal || !done() || !(acted || points)) {
      reveal.textContent = "";
      return;
    }
    const said = (task.asks || []).flatMap((a, k) => {
      const kept = lesson.answer(named(task, k));
      return a.kind !== "point" && kept !== undefined && fits(a, kept) ? [`You said: ${told(a, kept)}.`] : [];
    });
    reveal.textContent = [...said, filled(task.reveal, setup, state)].join(" ");
  }

  const line = lesson.line();
  const node = el("div", { class: "ssdrnb-beat" }, [
    line,
    text,
    ...asks.map((a) => a.node),
    place,
    reveal,
    el("div", { class: "ssdrnb-bar" }, [reset, frame.line]),
    frame.failure,
  ]);
  frame.body.append(node);
  const leave = joined(task, node, asks, () => {
    stage?.act({ kind: "reset" });
    acted = false;
    first = -1;
    open();
  });
  open();
  return {
    setup(/** @type {unknown} */ s) {
      if (stage) {
        return;
      }
      setup = /** @type {StageSetup} */ (s);
      const one = new Stage(frame, setup);
      stage = one;
      const names = (setup.named || []).map((n) => n.name);
      text.replaceChildren(
        el("b", { text: `${task.name} ` }),
        ...parted(task.text, names).map((part, k) =>
          k % 2 ? one.named(names.indexOf(part)) : document.createTextNode(part),
        ),
      );
      stage.seen = (state) => {
        first = first < 0 ? state.revision : first;
        acted = acted || state.revision !== first;
        show();
      };
      place.append(stage.node);
      open();
    },
    state: (s) => stage?.state(/** @type {StageState} */ (s)),
    draw: () => stage?.draw(),
    last: () => stage?.last,
    close() {
      stage?.close();
      leave();
    },
  };
}

/**
 * quiz shows questions without a stage. It needs no engine.
 * @param {Frame} frame
 * @param {BeatTask} task
 * @returns {import("./types.js").View}
 */
export function quiz(frame, task) {
  const asks = questions(task, () => {});
  const line = lessonOf(task.lesson).line();
  const node = el("div", { class: "ssdrnb-beat" }, [line, heading(task), ...asks.map((a) => a.node)]);
  frame.body.append(node);
  return { state: () => {}, close: joined(task, node, asks, () => {}) };
}
