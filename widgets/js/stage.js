// A stage of a lesson: panels, dials, buttons and meters, and the reader's actions. A hand is a
// kind of press or drag on a panel.

import { el } from "./elements.js";
import { capture, placeIn } from "./gestures.js";
import { Panel } from "./panel.js";

/**
 * @typedef {import("./types.js").Frame} Frame
 * @typedef {import("./types.js").Point} Point
 * @typedef {import("./types.js").StageAction} StageAction
 * @typedef {import("./types.js").StageSetup} StageSetup
 * @typedef {import("./types.js").StageState} StageState
 */

const REST = 700; // ms after which the note is spoken
const STEP = 0.03; // of a panel's side, that an arrow key moves, and between two dabs of the brush
const HELD = ["turn", "drag", "look", "brush"]; // hands whose drags do not scroll the page

/** The name of each hand in the menu, and its description. */
const HANDS = /** @type {Record<string, [string, string]>} */ ({
  turn: ["Turn", "Drag, or use the arrow keys, to turn."],
  pick: ["Choose", "Click one to choose it."],
  ask: ["Ask", "Click a dot to ask the expert for its group."], // a pick where the setup says so
  point: ["Add", "Click to make a point."],
  brush: ["Paint", "Drag over the canvas to paint."],
  drag: ["Move", "Drag a large dot."],
  drop: ["Remove", "Click a large dot to remove it."],
  look: ["Look", "Move over the picture."],
  link: ["Join", "Click two dots to join them."],
  part: ["Part", "Click two dots that must be apart."],
  cut: ["Cut", "Click a link to cut it."],
});

export class Stage {
  #frame;
  #setup;
  /** @type {Panel[]} */
  #panels = [];
  #grid = el("div", { class: "ssdrnb-panels" });
  #note = el("div", { class: "ssdrnb-spoken", role: "status", "aria-live": "polite" });
  #won = el("div", { class: "ssdrnb-won", role: "status" });
  #hint = el("div", { class: "ssdrnb-status" });
  /** @type {{ show: (k: number, more: string) => void }[]} */
  #dials = [];
  /** @type {HTMLButtonElement[]} */
  #buttons = [];
  /** @type {{ box: HTMLElement, value: HTMLElement }[]} */
  #meters = [];
  /** @type {HTMLElement[]} */
  #hands = [];
  /** The entries of the legend, one for each class. @type {HTMLElement[]} */
  #keys = [];
  #hand = 0;
  #given = -1; // the hand that the stage gave last
  /** @type {Point} */
  #turn = [0, 0];
  #turning = false;
  /** The mark that is dragged, −1 for none. */
  #mark = -1;
  #ticker = 0;
  #timer = 0;
  /** @type {StageState | null} */
  last = null;
  /** Is called after a state has been shown. @type {(s: StageState) => void} */
  seen = () => {};
  /** Receives the next press for a question. @type {((q: Point) => void) | null} */
  asks = null;

  /**
   * @param {Frame} frame
   * @param {StageSetup} setup
   */
  constructor(frame, setup) {
    this.#frame = frame;
    this.#setup = setup;
    const meters = (setup.meters || []).map((m) => this.#meter(m));
    const controls = [
      ...(setup.dials || []).map((d) => this.#dial(d)),
      ...(setup.buttons || []).map((b) => this.#button(b)),
    ];
    const named = (setup.named || []).map((_, k) => this.named(k));
    const hands = (setup.hands || []).length > 1 ? [this.#menu()] : [];
    this.#say();
    if (setup.hands?.includes("brush")) {
      this.#grid.dataset.brush = ""; // the first panel is large
    }
    this.node = el("div", { class: "ssdrnb-stage" }, [
      el("div", { class: "ssdrnb-dials" }, controls),
      named.length || hands.length ? el("div", { class: "ssdrnb-bar" }, [...named, ...hands]) : null,
      this.#grid,
      this.#legend(),
      this.#hint,
      el("div", { class: "ssdrnb-meters" }, meters),
      this.#won,
      this.#note,
    ]);
  }

  /**
   * act sends an action of the reader to the stage. It replaces a queued action with the same key.
   * @param {StageAction} action
   * @param {string} [key]
   */
  act(action, key) {
    this.#frame.refuse("");
    this.#frame.post("action", action, { key });
  }

  /** @param {NonNullable<StageSetup["meters"]>[number]} m */
  #meter(m) {
    const value = el("b", { text: "–" });
    const goals = (m.goals || []).map((g) => `${g.most ? "at most" : "at least"} ${shown(g.value, m.unit)}`);
    const box = el("div", { class: "ssdrnb-meter", title: m.doc, "data-name": m.name }, [
      el("span", { text: m.name }),
      value,
      goals.length > 0 ? el("small", { text: `goal: ${goals.join(", ")}` }) : null,
    ]);
    this.#meters.push({ box, value });
    return box;
  }

  /** @param {NonNullable<StageSetup["dials"]>[number]} d */
  #dial(d) {
    const key = `dial ${d.name}`;
    const send = (/** @type {number} */ index) => this.act({ kind: "dial", name: d.name, index }, key);
    const text = (/** @type {number} */ k) => `${d.values[k] ?? ""}${d.unit ? ` ${d.unit}` : ""}`;
    if (d.slider) {
      const value = el("output", { text: "" });
      const input = el("input", {
        type: "range",
        min: 0,
        max: d.values.length - 1,
        step: 1,
        "aria-label": d.name,
      });
      let added = "";
      const say = (/** @type {number} */ k) => {
        value.textContent = `${text(k)}${added}`;
        input.setAttribute("aria-valuetext", value.textContent);
      };
      input.addEventListener("input", () => {
        say(Number(input.value));
        send(Number(input.value));
      });
      this.#dials.push({
        show: (k, more) => {
          if (!this.#frame.waiting(key)) {
            added = more && ` ${more}`;
            input.value = String(k);
            say(k);
          }
        },
      });
      return el("label", { class: "ssdrnb-dial", title: d.doc }, [
        el("span", { text: d.name }),
        input,
        value,
      ]);
    }
    const two = d.values.length === 2;
    const name = `${key} ${Math.random()}`;
    if (d.values.length <= 4) {
      const inputs = d.values.map((_, k) =>
        el("input", { type: "radio", name, value: k, onchange: () => send(k) }),
      );
      this.#dials.push({
        show: (k) => {
          if (!this.#frame.waiting(key) && inputs[k]) {
            inputs[k].checked = true;
          }
        },
      });
      const choices = inputs.map((input, k) => el("label", {}, [input, el("span", { text: text(k) })]));
      return el("fieldset", { class: "ssdrnb-dial", title: d.doc, "data-switch": two || undefined }, [
        el("legend", { text: d.name }),
        ...choices,
      ]);
    }
    const select = el("select", { "aria-label": d.name, onchange: () => send(Number(select.value)) }, [
      ...d.values.map((_, k) => el("option", { value: k, text: text(k) })),
    ]);
    this.#dials.push({
      show: (k) => {
        if (!this.#frame.waiting(key)) {
          select.value = String(k);
        }
      },
    });
    return el("label", { class: "ssdrnb-dial", title: d.doc }, [el("span", { text: d.name }), select]);
  }

  /** @param {NonNullable<StageSetup["buttons"]>[number]} b */
  #button(b) {
    const button = el("button", {
      type: "button",
      text: b.name,
      title: b.doc,
      onclick: () => this.act({ kind: "press", name: b.name }),
    });
    this.#buttons.push(button);
    return button;
  }

  /**
   * named creates a link that sets the dials to a named setting.
   * @param {number} k
   */
  named(k) {
    const name = this.#setup.named?.[k]?.name || "";
    return el("button", {
      type: "button",
      class: "ssdrnb-named",
      text: name,
      title: `Set the controls to: ${name}`,
      onclick: () => this.act({ kind: "named", index: k }, "named"),
    });
  }

  #menu() {
    this.#hands = (this.#setup.hands || []).map((hand, k) =>
      el("button", {
        type: "button",
        text: this.#words(hand)?.[0] || hand,
        title: this.#words(hand)?.[1],
        onclick: () => this.#take(k),
      }),
    );
    return el(
      "span",
      { class: "ssdrnb-hands", role: "group", "aria-label": "What a click does" },
      this.#hands,
    );
  }

  /** @param {number} k */
  #take(k) {
    this.#hand = k;
    this.#say();
  }

  #say() {
    for (const [k, b] of this.#hands.entries()) {
      b.setAttribute("aria-pressed", String(k === this.#hand));
    }
    this.#hint.textContent = this.#words(this.hand())?.[1] || "";
    for (const p of this.#panels) {
      p.first = -1;
      p.canvas.style.touchAction = HELD.includes(this.hand()) ? "none" : "pan-y";
    }
  }

  /** @param {string} hand */
  #words(hand) {
    return HANDS[hand === "pick" && this.#setup.asks ? "ask" : hand];
  }

  /** hand returns the selected hand. */
  hand() {
    return this.#setup.hands?.[this.#hand] || "";
  }

  #legend() {
    const { names, colors } = this.#setup;
    this.#keys = (names || []).map((name, k) => {
      const swatch = el("i", { class: "ssdrnb-swatch" });
      swatch.style.backgroundColor = colors[k] || "";
      return el("span", {}, [swatch, el("span", { text: name })]);
    });
    return el("div", { class: "ssdrnb-keys" }, this.#keys);
  }

  /** @param {StageState} s */
  state(s) {
    this.last = s;
    for (const [k, d] of this.#dials.entries()) {
      d.show(s.dials?.[k] ?? 0, s.more?.[k] || "");
    }
    for (const [k, b] of this.#buttons.entries()) {
      b.disabled = s.enabled?.[k] === false;
    }
    for (const [k, m] of this.#meters.entries()) {
      const reading = s.meters?.[k];
      m.value.textContent = reading?.text || "–";
      m.box.classList.toggle("ssdrnb-met", Boolean(reading?.met));
    }
    if (s.hand !== this.#given) {
      this.#given = s.hand;
      this.#take(s.hand);
    }
    const panels = s.panels || [];
    while (this.#panels.length > panels.length) {
      const gone = /** @type {Panel} */ (this.#panels.pop());
      gone.close();
      gone.node.remove();
    }
    while (this.#panels.length < panels.length) {
      this.#add();
    }
    this.#grid.dataset.panels = String(panels.length);
    for (const [k, p] of panels.entries()) {
      this.#panels[k].show(p);
    }
    // The legend shows the classes in the panels, unless there is only one.
    const drawn = classesOf(panels);
    for (const [k, key] of this.#keys.entries()) {
      key.hidden = drawn.size < 2 || !drawn.has(k);
    }
    this.#won.textContent = s.won || "";
    clearTimeout(this.#timer);
    const numbers = (this.#setup.meters || []).map((m, k) => `${m.name}: ${s.meters?.[k]?.text || "–"}`);
    this.#timer = window.setTimeout(() => {
      this.#note.textContent = sentences([s.note, ...numbers]);
    }, REST);
    clearTimeout(this.#ticker);
    if (s.tick && s.tick > 0) {
      this.#ticker = window.setTimeout(() => this.act({ kind: "tick" }, "tick"), s.tick);
    }
    this.#frame.drawn(s.revision, true);
    this.seen(s);
  }

  draw() {
    for (const p of this.#panels) {
      p.draw();
    }
  }

  close() {
    clearTimeout(this.#timer);
    clearTimeout(this.#ticker);
    for (const p of this.#panels) {
      p.close();
    }
  }

  panels() {
    return this.#panels;
  }

  #add() {
    const panel = new Panel(this.#setup);
    const k = this.#panels.length;
    this.#panels.push(panel);
    this.#grid.append(panel.node);
    const canvas = panel.canvas;
    canvas.style.touchAction = HELD.includes(this.hand()) ? "none" : "pan-y";
    /** @type {{ q: Point, far: boolean } | null} */
    let down = null;
    canvas.addEventListener("pointerdown", (e) => {
      if (!e.isPrimary || e.button !== 0) {
        return;
      }
      const q = placeIn(canvas, e);
      down = { q, far: false };
      capture(canvas, e);
      const can = (this.#setup.hands || []).includes("drag") && this.hand() !== "drop" && !this.asks;
      this.#mark = can ? panel.mark(q) : -1;
      if (this.#mark >= 0) {
        canvas.style.touchAction = "none";
      }
      if (this.#paints()) {
        this.press(k, q);
      }
    });
    canvas.addEventListener("pointermove", (e) => {
      const q = placeIn(canvas, e);
      if (this.hand() === "look" && !this.asks) {
        this.act({ kind: "look", panel: k, at: panel.chart().place(q) }, "look");
        return;
      }
      if (!down) {
        return;
      }
      const by = /** @type {Point} */ ([q[0] - down.q[0], q[1] - down.q[1]]);
      down.far = down.far || Math.hypot(...by) > 4;
      if (this.#mark >= 0 && down.far) {
        const at = panel.chart().place(q);
        this.act({ kind: "drag", panel: k, index: this.#mark, at }, `drag ${this.#mark}`);
      } else if (this.hand() === "turn" && down.far && !this.asks) {
        const side = Math.max(1, Math.min(canvas.clientWidth, canvas.clientHeight));
        this.#spin(k, [by[0] / side, by[1] / side]);
        down.q = q;
      } else if (this.#paints() && Math.hypot(...by) > STEP * canvas.clientWidth) {
        this.press(k, q);
        down.q = q;
      }
    });
    canvas.addEventListener("pointerup", (e) => {
      const q = placeIn(canvas, e);
      const press = down && !down.far && this.#mark < 0 && !this.#paints();
      down = null;
      this.#mark = -1;
      if (press) {
        this.press(k, q);
      }
    });
    canvas.addEventListener("pointercancel", () => {
      down = null;
      this.#mark = -1;
    });
    canvas.addEventListener("keydown", (e) => this.#key(k, e));
    canvas.addEventListener("focus", () => panel.draw());
    canvas.addEventListener("blur", () => {
      this.#mark = -1;
      panel.draw();
    });
  }

  /** #paints reports whether a drag paints. */
  #paints() {
    return this.hand() === "brush" && !this.asks;
  }

  /**
   * #spin rotates the cloud of a panel. Rotations are added up while the engine computes.
   * @param {number} k
   * @param {Point} by
   */
  #spin(k, by) {
    this.#turn = [this.#turn[0] + by[0], this.#turn[1] + by[1]];
    if (this.#turning) {
      return;
    }
    this.#turning = true;
    const sum = this.#turn;
    this.#turn = [0, 0];
    this.#frame.post(
      "action",
      { kind: "turn", panel: k, by: sum },
      {
        taken: () => {
          this.#turning = false;
          if (this.#turn[0] !== 0 || this.#turn[1] !== 0) {
            this.#spin(k, [0, 0]);
          }
        },
      },
    );
  }

  /**
   * press handles a click or tap on a panel.
   * @param {number} k
   * @param {Point} q in CSS pixels
   */
  press(k, q) {
    const panel = this.#panels[k];
    const at = panel.chart().place(q);
    if (this.asks) {
      const v = panel.shown?.view;
      if (v) {
        this.asks([(at[0] - v.x0) / (v.x1 - v.x0 || 1), (at[1] - v.y0) / (v.y1 - v.y0 || 1)]);
      }
      return;
    }
    const hand = this.hand();
    if (hand === "pick") {
      this.act({ kind: hand, panel: k, index: panel.shown?.bars ? panel.bar(q) : panel.sample(q) });
    } else if (hand === "point" || hand === "brush") {
      this.act({ kind: hand, panel: k, at });
    } else if (hand === "drop") {
      this.#drop(k, q);
    } else if (hand === "link" || hand === "part") {
      this.#pair(k, panel.sample(q));
    } else if (hand === "cut") {
      const pair = panel.link(q);
      if (pair) {
        this.act({ kind: hand, panel: k, pair });
      }
    } else if (hand === "look") {
      this.act({ kind: hand, panel: k, at }, "look");
    }
  }

  /**
   * @param {number} k
   * @param {Point} q
   */
  #drop(k, q) {
    const index = this.#panels[k].mark(q);
    if (index >= 0 && this.#setup.hands?.includes("drop")) {
      this.act({ kind: "drop", panel: k, index });
    }
  }

  /**
   * @param {number} k
   * @param {number} i
   */
  #pair(k, i) {
    const panel = this.#panels[k];
    const first = panel.first;
    panel.first = first < 0 ? i : -1;
    if (first >= 0 && i >= 0 && i !== first) {
      this.act({ kind: this.hand(), panel: k, pair: [first, i] });
    }
    panel.draw();
  }

  /**
   * #key handles keys. Arrow keys rotate the cloud or move a cross. Enter presses at the cross, and
   * Delete removes the mark there. Enter also picks up and puts down a mark that can be dragged.
   * @param {number} k
   * @param {KeyboardEvent} e
   */
  #key(k, e) {
    const panel = this.#panels[k];
    const { clientWidth: w, clientHeight: h } = panel.canvas;
    const arrows = /** @type {Record<string, Point>} */ ({
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, -1],
      ArrowDown: [0, 1],
    });
    const arrow = arrows[e.key];
    const q = panel.cursor || /** @type {Point} */ ([w / 2, h / 2]);
    const step = STEP * (e.shiftKey ? 4 : 1);
    if (arrow && this.hand() === "turn" && !this.asks) {
      this.#spin(k, [arrow[0] * step, arrow[1] * step]);
    } else if (arrow) {
      const side = Math.min(w, h);
      panel.cursor = [
        Math.max(0, Math.min(w, q[0] + arrow[0] * step * side)),
        Math.max(0, Math.min(h, q[1] + arrow[1] * step * side)),
      ];
      const at = panel.chart().place(panel.cursor);
      if (this.#mark >= 0) {
        this.act({ kind: "drag", panel: k, index: this.#mark, at }, `drag ${this.#mark}`);
      } else if (this.hand() === "look" && !this.asks) {
        this.act({ kind: "look", panel: k, at }, "look");
      }
      panel.draw();
    } else if (e.key === "Enter" || e.key === " ") {
      const take =
        !this.asks && this.#mark < 0 && this.#setup.hands?.includes("drag") && this.hand() !== "drop";
      const mark = take ? panel.mark(q) : -1;
      if (this.#mark >= 0 || mark >= 0) {
        this.#mark = this.#mark >= 0 ? -1 : mark;
      } else {
        this.press(k, q);
      }
    } else if (e.key === "Delete" || e.key === "Backspace") {
      this.#drop(k, q);
    } else {
      return;
    }
    e.preventDefault();
    e.stopPropagation();
  }
}

/**
 * sentences joins texts to sentences. It adds missing full stops.
 * @param {string[]} texts
 */
export function sentences(texts) {
  return texts
    .filter(Boolean)
    .map((text) => (/[.!?]$/.test(text) ? text : `${text}.`))
    .join(" ");
}

/**
 * classesOf returns the classes whose colours appear in the panels.
 * @param {NonNullable<StageState["panels"]>} panels
 */
export function classesOf(panels) {
  /** @type {Set<number>} */
  const out = new Set();
  for (const p of panels) {
    for (const k of (p.samples?.levels ? null : p.samples?.of) || []) {
      out.add(k);
    }
    for (const one of [...(p.lines || []), ...(p.marks || []), ...(p.bars || [])]) {
      out.add(one.class);
    }
  }
  out.delete(-1);
  return out;
}

/**
 * shown formats a number with its unit. With the unit %, the number is a share: 0.5 becomes 50 %.
 * @param {number} v
 * @param {string} [unit]
 */
export function shown(v, unit) {
  return unit === "%" ? `${Number((100 * v).toPrecision(3))} %` : `${v}${unit ? ` ${unit}` : ""}`;
}

/**
 * @param {Frame} frame
 * @param {StageSetup} setup
 * @returns {import("./types.js").View}
 */
export function stage(frame, setup) {
  const one = new Stage(frame, setup);
  const reset = el("button", { type: "button", text: "Reset", onclick: () => one.act({ kind: "reset" }) });
  frame.body.append(
    frame.title(setup.title),
    one.node,
    el("div", { class: "ssdrnb-bar" }, [reset, frame.line]),
    frame.failure,
  );
  return {
    state: (s) => one.state(/** @type {StageState} */ (s)),
    draw: () => one.draw(),
    last: () => one.last,
    close: () => one.close(),
  };
}
