// The labeler. The reader labels samples one by one or in groups. The page shows the predicted
// classes, the sample to label next, and suspicious labels.

import { undoing } from "./controls.js";
import { Curve } from "./curve.js";
import { arrange, bar, button, el, press, row, side } from "./elements.js";
import { Plot } from "./plot.js";
import { large } from "./sample.js";

/**
 * @typedef {import("./types.js").Frame} Frame
 * @typedef {import("./types.js").Scene} Setup
 * @typedef {{ row: number, class: number, chance: number }} Guess
 * @typedef {{ row: number, label: number, proposed: number, strongly: boolean, group: number, because: number[] }} Wrong
 * @typedef {object} Labels
 * @property {import("./types.js").Packed} at
 * @property {number[]} of
 * @property {string} ringed
 * @property {string} sure
 * @property {string[]} names
 * @property {string[]} colors
 * @property {string[]} symbols empty if the colours suffice to distinguish the classes
 * @property {Guess[]} next
 * @property {Guess[]} doubtful
 * @property {Wrong[]} wrong
 * @property {string} checked
 * @property {[number, number, number][]} disputes row, own class, class by the other annotator
 * @property {[number, number][]} curve
 * @property {number} labels
 * @property {boolean} steady
 * @property {number} undo
 * @property {number} redo
 * @typedef {import("./types.js").State & Labels} State
 */

/** An entry of a queue. @typedef {{ row: number, text: string, proposed: number, because: number[] }} Entry */

/** @typedef {"next" | "doubtful" | "wrong" | "disputes"} Queue */

/** @type {[Queue, string, string][]} */
const QUEUES = [
  ["next", "Next", "Samples whose labels would help most to predict the others"],
  ["doubtful", "Doubtful", "Samples whose classes are least certain"],
  [
    "wrong",
    "Suspicious",
    "Labels that disagree with their neighbourhoods, or that only their group supports",
  ],
  ["disputes", "Disputed", "Samples to which another annotator gave another class"],
];

const percent = (/** @type {number} */ p) => `${Math.round(100 * p)} %`;

/**
 * entriesOf lists the entries of a queue.
 * @param {Queue} queue
 * @param {State} s
 * @returns {Entry[]}
 */
export function entriesOf(queue, s) {
  const name = (/** @type {number} */ k) => s.names[k + 1] || "?";
  if (queue === "wrong") {
    return s.wrong.map((w) => ({
      row: w.row,
      text: w.group
        ? `sample ${w.row}: labelled ${name(w.label)}, like all ${w.group} samples of its group; labels outside the group say ${name(w.proposed)}`
        : `sample ${w.row}: labelled ${name(w.label)}, its neighbourhood says ${name(w.proposed)}${w.strongly ? ", strongly" : ""}`,
      proposed: w.proposed,
      because: w.because,
    }));
  }
  if (queue === "disputes") {
    return s.disputes.map(([i, mine, theirs]) => ({
      row: i,
      text: `sample ${i}: ${name(mine)} here, ${name(theirs)} there`,
      proposed: theirs,
      because: [],
    }));
  }
  return s[queue].map((g) => ({
    row: g.row,
    text: `sample ${g.row}${g.class < 0 ? "" : `: ${name(g.class)} ${percent(g.chance)}`}`,
    proposed: g.class,
    because: [],
  }));
}

/**
 * keysOf returns the key of each class: the digit that is its name, or else the next free digit
 * from 1 to 9, or "" if none is left.
 * @param {string[]} names "unlabelled", then the names of the classes
 */
export function keysOf(names) {
  const own = names.slice(1).map((name) => (/^[0-9]$/.test(name) ? name : ""));
  const free = Array.from("123456789").filter((digit) => !own.includes(digit));
  return own.map((digit) => digit || free.shift() || "");
}

/**
 * @param {Frame} frame
 * @param {Setup} setup
 * @returns {import("./types.js").View}
 */
export function labeler(frame, setup) {
  const plot = new Plot(frame, setup);
  const steps = undoing(frame);
  const curve = new Curve();
  /** @type {State | null} */
  let last = null;
  /** @type {Queue} */
  let queue = "next";
  let focus = -1;
  /** The queue's entry for the sample in focus. @type {Entry | null} */
  let entry = null;
  let asked = 0; // counts requests, so that late answers are dropped
  let opened = false; // the reader chose the focus, which stays when the queue changes
  let listed = false; // the focus was in the queue when it was set
  let reviewed = ""; // the subject of the review buttons
  /** The items of the queue by sample. @type {Map<number, HTMLLIElement>} */
  let items = new Map();

  const said = el("div", { class: "ssdrnb-status ssdrnb-said", role: "status" });
  const head = el("h4", { "aria-live": "polite" });
  const card = el("div", { class: "ssdrnb-sample" });
  const review = el("div", { class: "ssdrnb-bar ssdrnb-review" });
  const classes = el("div", { class: "ssdrnb-bar", role: "group", "aria-label": "classes" });
  const list = el("ul", { class: "ssdrnb-list" });
  const checked = el("div", { class: "ssdrnb-status" });
  const fresh = el("input", {
    type: "text",
    maxlength: 60,
    placeholder: "new class",
    "aria-label": "name of a new class",
  });

  /** targets returns the samples to label: the selected group, or else the sample in focus. */
  const targets = () => (plot.rows().length ? plot.rows() : focus < 0 ? [] : [focus]);

  /** @param {string} text */
  const tell = (text) => {
    said.textContent = text;
  };

  /** @param {number[]} rows */
  function choose(rows) {
    plot.chosen = Object.fromEntries(rows.map((i) => [i, true]));
    if (rows.length) {
      tell(`${rows.length} selected: press a class, or Escape`);
    }
    plot.draw();
  }

  /**
   * open sets the focus to a sample that the reader has chosen.
   * @param {number} i -1 for none
   */
  function open(i) {
    look(i);
    opened = i >= 0;
  }

  /**
   * look sets the focus to a sample.
   * @param {number} i -1 for none
   */
  function look(i) {
    opened = opened && i === focus;
    entry = (last && entriesOf(queue, last).find((e) => e.row === i)) || null;
    listed = entry !== null || (listed && i === focus);
    focus = i;
    plot.marks = i < 0 ? [] : [i];
    plot.pairs = (entry?.because || []).map((j) => [i, j, 0, 1]);
    plot.draw();
    show();
    if (i >= 0) {
      const mine = ++asked;
      const reply = (/** @type {import("./sample.js").Sample} */ s) => {
        if (mine === asked && last) {
          place(s, last);
        }
      };
      frame.post("look", i, { key: "look", reply });
    } else {
      card.replaceChildren();
    }
  }

  /**
   * place shows the large view of a sample. It keeps the scroll position if the sample is the same.
   * @param {import("./sample.js").Sample} s
   * @param {State} of
   */
  function place(s, of) {
    const before = card.querySelector(".ssdrnb-read");
    const [top, read] = [before?.scrollTop || 0, before === document.activeElement];
    const again = card.dataset.row === String(s.row);
    card.dataset.row = String(s.row);
    card.replaceChildren(...large(s, of.names, of.colors, of.symbols).filter((e) => e !== null));
    const now = card.querySelector(".ssdrnb-read");
    if (again && before && now instanceof HTMLElement) {
      now.scrollTop = top;
      if (read) {
        now.focus({ preventScroll: true });
      }
    }
  }

  /** show updates the description of the sample in focus, its buttons, and the queue. */
  function show() {
    if (!last) {
      return;
    }
    const s = last;
    const k = s.of[focus];
    const labelled = s.ringed[focus] === "1";
    const of = labelled ? `, labelled ${s.names[k]}` : k ? `, perhaps ${s.names[k]}` : "";
    head.textContent = focus < 0 ? "No sample in focus: click one" : `Sample ${focus}${of}`;
    const proposed = entry ? entry.proposed : labelled ? -1 : k - 1;
    const other = focus >= 0 && proposed >= 0 && !(labelled && proposed === k - 1);
    const keeps = entry && (queue === "wrong" || queue === "disputes");
    const [name, color] = [s.names[proposed + 1], s.colors[proposed + 1]];
    // Unchanged buttons are not replaced, so that a click on them is not lost.
    const now = JSON.stringify([focus, labelled, other && [proposed, name, color], keeps]);
    if (now !== reviewed) {
      reviewed = now;
      const verb = labelled ? "Change to" : "Accept";
      review.replaceChildren(
        ...(other ? [button(`${verb} ${name}`, "Enter", () => give(proposed), color)] : []),
        ...(focus >= 0 && labelled ? [button("Unlabel", "Remove the label (Delete)", () => give(-1))] : []),
        ...(focus >= 0 && labelled && keeps ? [button("Keep", "The label is right (K)", keep)] : []),
      );
    }
    for (const [j, [name, text]] of QUEUES.entries()) {
      tabs[j].textContent = `${text} ${s[name].length}`;
      tabs[j].hidden = name === "disputes" && !s.disputes.length && queue !== name;
    }
    checked.textContent = queue === "wrong" ? s.checked : "";
    const entries = entriesOf(queue, s);
    items = new Map(entries.map((e) => [e.row, items.get(e.row) || item(e.row)]));
    for (const e of entries) {
      const li = /** @type {HTMLLIElement} */ (items.get(e.row));
      li.textContent = e.text;
      li.setAttribute("aria-current", String(e.row === focus));
    }
    arrange(list, [...items.values()]);
  }

  /**
   * follow scrolls the queue to the sample in focus, and moves the keyboard focus within the queue.
   * A click does not call follow, so that the queue stays under the pointer.
   */
  function follow() {
    const li = items.get(focus);
    if (!li) {
      return;
    }
    const { offsetTop: top, offsetHeight: height } = li;
    const from = top - list.offsetTop;
    list.scrollTop = Math.max(from + height - list.clientHeight, Math.min(from, list.scrollTop));
    if (list.contains(document.activeElement)) {
      li.focus({ preventScroll: true });
    }
  }

  /**
   * item creates the list item of a sample.
   * @param {number} i
   */
  function item(i) {
    return el("li", {
      tabindex: 0,
      role: "button",
      onclick: () => open(i),
      onkeydown: (/** @type {KeyboardEvent} */ k) => {
        if (k.key === " ") {
          k.preventDefault();
          open(i);
        }
      },
    });
  }

  /**
   * step moves the focus in the queue.
   * @param {number} by
   */
  function step(by) {
    if (!last) {
      return;
    }
    const entries = entriesOf(queue, last);
    const at = entries.findIndex((e) => e.row === focus);
    const next =
      entries[at < 0 ? (by > 0 ? 0 : entries.length - 1) : (at + by + entries.length) % entries.length];
    open(next ? next.row : -1);
    follow();
  }

  /** advance moves the focus to the next entry of the queue, if the queue contained the focus. */
  function advance() {
    const entries = last ? entriesOf(queue, last) : [];
    const at = entries.findIndex((e) => e.row === focus);
    const rest = entries.filter((e) => e.row !== focus);
    if (listed || focus < 0) {
      look(rest.length ? rest[Math.max(0, at) % rest.length].row : -1);
      if (list.contains(document.activeElement)) {
        follow();
      }
    }
  }

  /**
   * give labels the selected group, or else the sample in focus.
   * @param {number} k -1 removes the label
   */
  function give(k) {
    const rows = targets();
    if (!rows.length) {
      frame.refuse("Click a sample first, or draw a lasso around a group.");
      return;
    }
    frame.post("label", { Rows: rows, Class: k, Unlabelled: false }, { reply: tell });
    gave(rows);
  }

  /** @param {number[]} rows */
  function gave(rows) {
    frame.refuse("");
    tell("");
    const group = plot.rows().length > 0;
    choose([]);
    if (!group && rows[0] === focus) {
      advance();
    }
  }

  function keep() {
    if (focus >= 0) {
      frame.post("keep", focus);
      advance();
    }
  }

  function make() {
    const name = fresh.value.trim();
    if (!name) {
      fresh.focus();
      return;
    }
    const rows = targets();
    frame.post("class", { Name: name, Rows: rows });
    fresh.value = "";
    fresh.blur();
    gave(rows);
  }
  fresh.addEventListener("keydown", (e) => {
    if (e.key === "Enter") {
      e.preventDefault();
      make();
    } else if (e.key === "Escape") {
      fresh.blur();
    }
    e.stopPropagation();
  });

  plot.click = (i) => {
    choose([]);
    open(i);
  };
  const lasso = button("Lasso", "Draw around a group, then press a class (L)", () => draw("lasso"));
  const box = button("Box", "Drag a box over a group, then press a class", () => draw("box"));
  /** @param {"lasso" | "box" | ""} tool */
  function draw(tool) {
    const one = { lasso, box, "": undefined }[tool];
    const off = one?.getAttribute("aria-pressed") === "true" || !tool;
    plot.tool = off ? null : plot.selector(/** @type {"lasso" | "box"} */ (tool), choose);
    press([lasso, box], off ? undefined : one);
  }
  draw("");

  const tabs = QUEUES.map(([name, text, title]) => button(text, title, () => turn(name)));
  /** @param {Queue} to */
  function turn(to) {
    queue = to;
    press(tabs, tabs[QUEUES.findIndex(([name]) => name === to)]);
    show();
    step(1);
  }
  press(tabs, tabs[0]);

  const exports = [
    ["csv", "CSV", "Save the labels as CSV"],
    ["jsonl", "JSON lines", "Save the labels as an object on each line"],
    ["json", "Export", "Save the labels as a JSON file, for Import and Merge"],
  ].map(([format, text, title]) =>
    button(text, title, () =>
      frame.post("export", format, {
        reply: (/** @type {import("./types.js").Exported} */ f) => frame.download(f),
      }),
    ),
  );
  /**
   * reader creates a button that sends the content of a file.
   * @param {string} kind of the message
   * @param {string} text
   * @param {string} title
   */
  function reader(kind, text, title) {
    const file = el("input", {
      type: "file",
      accept: ".json,application/json",
      hidden: true,
      "data-kind": kind,
    });
    file.addEventListener("change", async () => {
      const [given] = Array.from(file.files || []);
      file.value = "";
      if (given) {
        frame.post(kind, await given.text(), { reply: tell });
      }
    });
    return [button(text, title, () => file.click()), file];
  }

  const view = frame.view(plot);
  let legend = /** @type {Element} */ (view.querySelector(".ssdrnb-legend"));
  frame.body.append(
    frame.title(setup.title),
    row([
      view,
      side([
        head,
        card,
        review,
        classes,
        bar([fresh, button("Add", "Make a new class, and give it to the sample or the group (C)", make)]),
        said,
        bar([lasso, box, ...steps.buttons]),
        bar(tabs),
        checked,
        list,
        curve.node,
        bar([
          ...exports,
          ...reader("import", "Import", "Read a file that Export has saved, in place of these labels"),
          ...reader("merge", "Merge", "Add the labels in a file of another annotator"),
        ]),
        frame.failure,
        frame.saved,
      ]),
    ]),
  );

  /** @param {KeyboardEvent} e */
  function key(e) {
    if (e.ctrlKey || e.metaKey || e.altKey) {
      return false;
    }
    if (
      /^(Arrow|Page|Home|End)/.test(e.key) &&
      e.target instanceof Element &&
      e.target.closest(".ssdrnb-read")
    ) {
      return false; // scrolls it
    }
    const given = last ? keysOf(last.names).indexOf(e.key) : -1;
    const plain =
      e.target instanceof Element && e.target.closest("button,li:not([aria-current=true]),.ssdrnb-legend");
    if (given >= 0) {
      give(given);
    } else if (/^[1-9]$/.test(e.key)) {
      frame.refuse(`No class has the key ${e.key}: press C to name a new one.`);
    } else if (e.key === "Enter" && !plain) {
      const proposed = entry ? entry.proposed : last ? last.of[focus] - 1 : -1;
      if (proposed >= 0) {
        give(proposed);
      }
    } else if (e.key === "Enter" && e.target instanceof HTMLLIElement) {
      e.target.click();
    } else if (e.key === "0" || e.key === "Delete" || e.key === "Backspace") {
      give(-1);
    } else if (e.key === "ArrowDown" || e.key === "ArrowRight") {
      step(1);
    } else if (e.key === "ArrowUp" || e.key === "ArrowLeft") {
      step(-1);
    } else if (e.key === "Escape") {
      draw("");
      choose([]);
      tell("");
    } else {
      const action = { n: () => turn("next"), c: () => fresh.focus(), l: () => draw("lasso"), k: keep }[
        e.key.toLowerCase()
      ];
      if (!action) {
        return false;
      }
      action();
    }
    return true;
  }

  return {
    plot,
    last: () => last,
    undo: steps.press,
    key,
    draw: () => curve.draw(),
    close: () => curve.close(),
    /** @param {State} s */
    state(s) {
      const named =
        !last ||
        JSON.stringify([last.names, last.colors, last.symbols]) !==
          JSON.stringify([s.names, s.colors, s.symbols]);
      const before = last;
      last = s;
      plot.of = s.of;
      plot.ringed = s.ringed;
      plot.sure = s.sure;
      if (named) {
        plot.names = s.names;
        plot.colors = s.colors;
        plot.symbols = s.symbols;
        const again = plot.legend();
        legend.replaceWith(again);
        legend = again;
        const keys = keysOf(s.names);
        classes.replaceChildren(
          ...s.names
            .slice(1)
            .map((name, k) =>
              button(
                keys[k] && keys[k] !== name ? `${keys[k]} ${name}` : name,
                `Label as ${name}${keys[k] && ` (${keys[k]})`}`,
                () => give(k),
                s.colors[k + 1],
                s.symbols[k + 1],
              ),
            ),
        );
      }
      steps.show(s);
      curve.show(s.curve);
      plot.move(s.at, s.revision);
      const stale = !opened && queue === "next" && entry && !s.next.some((g) => g.row === focus);
      if (!before || focus < 0 || stale) {
        look(entriesOf(queue, s)[0]?.row ?? -1);
      } else {
        // The predictions for the sample may have changed.
        look(focus);
      }
      if (s.steady) {
        tell("The last 20 labels changed hardly any prediction.");
      }
      plot.draw();
    },
  };
}
