// The controls that set the options of methods, the menu of methods, and common buttons.

import { bar, button, copy, el } from "./elements.js";
import { positionOf, steps, valueAt } from "./scale.js";

/**
 * @typedef {import("./types.js").Chosen} Chosen
 * @typedef {import("./types.js").Frame} Frame
 * @typedef {import("./types.js").MethodSetup} MethodSetup
 * @typedef {import("./types.js").Option} Option
 * @typedef {import("./types.js").Value} Value
 */

/** @typedef {{ node: HTMLElement, show: (v: Value) => void }} Control */

/**
 * line creates a line with the name of a control and its elements.
 * @param {string} name
 * @param {string} title
 * @param {(Node | null)[]} children
 */
export function line(name, title, children) {
  const label = el("label", { text: name, title });
  const node = el("div", { class: "ssdrnb-control", "data-name": name }, [label, ...children]);
  const first = node.querySelector("input,select");
  if (first) {
    first.setAttribute("aria-label", name);
  }
  return node;
}

/**
 * control creates the control that sets an option.
 * @param {Frame} frame
 * @param {Option} c
 * @returns {Control}
 */
export function control(frame, c) {
  const key = `set ${c.name}`;
  /** @type {Value | undefined} */
  let current;
  const set = (/** @type {Value} */ v) => {
    current = v;
    frame.refuse("");
    frame.post("set", { name: c.name, value: v }, { key });
  };
  /** shown calls f only if v is new and no change waits. @param {(v: Value) => void} f */
  const shown = (f) => (/** @type {Value} */ v) => {
    if (v !== current && !frame.waiting(key)) {
      current = v;
      f(v);
    }
  };
  if (c.kind === "choice") {
    const options = c.choices.map((v) => el("option", { value: v, text: v }));
    const select = el("select", { onchange: () => set(select.value) }, options);
    return {
      node: line(c.name, c.doc, [select]),
      show: shown((v) => {
        select.value = String(v);
      }),
    };
  }
  if (c.kind === "switch") {
    const check = el("input", { type: "checkbox", onchange: () => set(check.checked) });
    return {
      node: line(c.name, c.doc, [check]),
      show: shown((v) => {
        check.checked = Boolean(v);
      }),
    };
  }
  return slider(c, set, shown, () => current);
}

/**
 * slider creates the control of a numeric option: a slider, a number field and, if the option has
 * an automatic value, a checkbox for it.
 * @param {Option} c
 * @param {(v: Value) => void} set sends a value
 * @param {(f: (v: Value) => void) => (v: Value) => void} shown see control
 * @param {() => Value | undefined} current
 * @returns {Control}
 */
function slider(c, set, shown, current) {
  const range = el("input", { type: "range", min: 0, max: steps(c), step: 1, title: c.doc });
  const number = el("input", { type: "number", step: "any", "aria-label": c.name });
  const auto = c.auto ? el("input", { type: "checkbox", title: `automatic: ${c.auto}` }) : null;
  const at = () => valueAt(c, Number(range.value));
  const enable = () => {
    range.disabled = number.disabled = Boolean(auto?.checked);
  };
  range.addEventListener("input", () => {
    number.value = String(at());
    set(at());
  });
  number.addEventListener("change", () => {
    const v = Number(number.value);
    if (number.value === "" || !Number.isFinite(v)) {
      number.value = String(current() ?? "");
      return;
    }
    range.value = String(positionOf(c, v));
    set(v);
  });
  auto?.addEventListener("change", () => {
    set(auto.checked ? c.automatic : at());
    enable();
  });
  return {
    node: line(c.name, c.doc, [
      range,
      number,
      auto && el("label", {}, [auto, document.createTextNode("auto")]),
    ]),
    show: shown((v) => {
      const automatic = auto !== null && v === c.automatic;
      if (auto) {
        auto.checked = automatic;
      }
      range.value = String(automatic ? steps(c) / 2 : positionOf(c, Number(v)));
      number.value = automatic ? "" : String(v);
      enable();
    }),
  };
}

/**
 * controls creates the controls of several options.
 * @param {Frame} frame
 * @param {Option[]} options
 */
export function controls(frame, options) {
  const all = new Map(options.map((c) => [c.name, control(frame, c)]));
  return {
    nodes: [...all.values()].map((c) => c.node),
    /** @param {Record<string, Value>} values */
    show(values) {
      for (const [name, v] of Object.entries(values)) {
        all.get(name)?.show(v);
      }
    },
  };
}

/**
 * codeOf shows a method as a Go expression, with buttons that copy it and reset the options.
 * @param {Frame} frame
 * @param {HTMLElement[]} [more] buttons
 */
export function codeOf(frame, more = []) {
  const code = el("code");
  const buttons = bar([
    button("Copy", "Copy the Go expression", () => copy(code.textContent || "")),
    ...more,
    button("Reset", "Back to the options of the code", () => frame.post("reset", null, { key: "reset" })),
    ...transfer(frame),
  ]);
  return { code, buttons };
}

/**
 * transfer creates the buttons that export the stored content to a file and import it.
 * @param {Frame} frame
 */
export function transfer(frame) {
  if (!frame.stores) {
    return [];
  }
  const file = el("input", { type: "file", accept: ".json,application/json", hidden: true });
  file.addEventListener("change", async () => {
    const [given] = Array.from(file.files || []);
    file.value = "";
    if (given) {
      frame.post("import", await given.text());
    }
  });
  const out = button("Export", "Save what is stored as a JSON file", () => {
    const stored = frame.stored();
    if (stored === null) {
      frame.refuse("There is nothing to export yet.");
    } else {
      frame.save(`${frame.name()}.json`, new TextEncoder().encode(stored));
    }
  });
  return [out, button("Import", "Read a file that Export has saved", () => file.click()), file];
}

/**
 * undoing creates the buttons Undo and Redo.
 * @param {Frame} frame
 */
export function undoing(frame) {
  const undo = button("Undo", "Undo the last change (Ctrl+Z)", () => frame.post("undo", null));
  const redo = button("Redo", "Redo the change that was undone last (Ctrl+Shift+Z)", () =>
    frame.post("redo", null),
  );
  return {
    buttons: [undo, redo],
    /** @param {{ undo: number, redo: number }} s */
    show(s) {
      undo.disabled = !s.undo;
      redo.disabled = !s.redo;
    },
    /** @param {boolean} again presses Redo instead of Undo */
    press(again) {
      const b = again ? redo : undo;
      if (!b.disabled) {
        b.click();
      }
    },
  };
}

/**
 * menu creates a menu of methods, and the controls of the chosen method.
 * @param {Frame} frame
 * @param {MethodSetup[]} methods
 */
export function menu(frame, methods) {
  let current = -1;
  let shown = controls(frame, []);
  const options = el("div");
  const { code, buttons } = codeOf(frame);
  const entries = methods.map((m, k) => el("option", { value: k, text: m.name, title: m.title }));
  const choose = el(
    "select",
    { title: "the method", onchange: () => frame.post("method", Number(choose.value), { key: "method" }) },
    entries,
  );
  return {
    line: line("method", "", [choose]),
    options: [options, code, buttons],
    /** @param {Chosen} s */
    state(s) {
      if (s.method !== current) {
        current = s.method;
        shown = controls(frame, methods[current].controls);
        options.replaceChildren(...shown.nodes);
      }
      shown.show(s.values);
      if (!frame.waiting("method")) {
        choose.value = String(s.method);
      }
      code.textContent = s.code;
    },
  };
}
