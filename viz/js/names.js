// Names of clusters on the map. Many names show only their first feature until a reader zooms in.
// Readers can rename clusters; the new names are stored for the samples of the figure, and are those
// of all figures of these samples.
import { button } from "./buttons.js";
import { el } from "./dom.js";
import { span } from "./layout.js";
import { page, tell } from "./page.js";
import { revision, shelfOf } from "./store.js";
import { box } from "./theme.js";

const CROWDED = 8; // names up to which all are written in full
const LONGEST = 40; // characters of a name that Go has given
const NEAR = 55; // visible per cent of the map below which names are in full

/**
 * shortened returns the first feature of each name, if it distinguishes the name from the others.
 * @param {string[]} names
 */
export function shortened(names) {
  const first = names.map((name) => name.split(", ")[0]);
  return names.map((name, k) => (first.filter((f) => f === first[k]).length > 1 ? name : first[k]));
}

/**
 * storedOf returns the new names in a stored content, by original name.
 * @param {string | null} text
 */
function storedOf(text) {
  /** @type {Map<string, string>} */
  const names = new Map();
  const stored = JSON.parse(text || "{}").names;
  for (const pair of Array.isArray(stored) ? stored.slice(0, 1000) : [])
    if (typeof pair?.[0] === "string" && typeof pair[1] === "string")
      names.set(pair[0], pair[1].slice(0, 200));
  return names;
}

/**
 * namesOf lets the reader rename the clusters of a view.
 * @param {View} view
 */
export function namesOf(view) {
  let stored = storedOf(null);
  /** @type {HTMLInputElement | null} */
  let field = null;
  /** @type {HTMLElement | null} */
  let said = null;
  let near = false; // whether names are in full
  let asked = false;
  let changes = -1; // revision of what is stored

  const series = () =>
    view.payload.option.series.filter((s) => s.label && s.data?.some((/** @type {any} */ d) => d?.text));
  const any = () => series().length > 0;
  const identity = () => view.payload.extra.panels?.find((p) => p)?.samples;
  const shelf = () => {
    const { kernel, notebook, path } = view.data.dataset;
    return shelfOf(kernel, notebook, path);
  };
  const file = () => `names-${identity()?.print}`;
  /** @type {Map<string, string>} */
  const own = new Map(); // the new names of samples without a fingerprint
  /** fresh returns the names that the reader has given since the page was opened, in any figure. */
  function fresh() {
    if (!identity()?.print) return own;
    page.names ??= {};
    page.names[file()] ??= new Map();
    return page.names[file()];
  }
  /** nameOf returns the full name of label d: the reader's name or, without one, the original. */
  function nameOf(/** @type {any} */ d) {
    const name = fresh().get(d.text) ?? stored.get(d.text) ?? d.given ?? d.name;
    if (name) return name;
    return d.text.length > LONGEST ? `${d.text.slice(0, LONGEST - 1)}…` : d.text;
  }

  /** write puts the current names into the chart. */
  function write() {
    if (!view.chart || !any()) return;
    const ours = series();
    for (const s of ours) {
      const full = s.data.map(nameOf);
      const list = near || full.length <= CROWDED ? full : shortened(full);
      s.data.forEach((/** @type {any} */ d, /** @type {number} */ k) => {
        d.given ??= d.name;
        d.name = list[k];
      });
    }
    view.chart.setOption({
      series: view.payload.option.series.map((s) => (ours.includes(s) ? { data: s.data } : {})),
    });
  }
  function read(/** @type {string | null} */ text) {
    changes = Math.max(changes, revision(text));
    stored = storedOf(text);
    write();
  }
  /** @type {Map<string, string>} */
  const unstored = new Map(); // new names that are not stored yet
  /** keep stores the new names. Other figures and pages may have stored names meanwhile. */
  async function keep() {
    const who = identity();
    if (!who?.print) return;
    read(await shelf().read(file(), null));
    const given = [...unstored];
    const names = [...new Map([...stored, ...given])];
    const content = { format: 1, data: who.data, samples: who.n, fingerprint: who.print };
    const text = `${JSON.stringify({ ...content, revision: ++changes, names })}\n`;
    const here = shelf().keep(file(), text);
    const at = await shelf().publish(file(), text);
    if (at || here) for (const [of, name] of given) if (unstored.get(of) === name) unstored.delete(of);
    say(
      at
        ? `Stored in ${at}: later figures of these samples show the new name.`
        : here
          ? "Stored in this browser."
          : "Not stored: this browser keeps nothing for this page.",
    );
  }
  function say(/** @type {string} */ text) {
    if (!said) {
      said = el("div", "font:12px/1.5 sans-serif;opacity:.8");
      said.role = "status";
      view.figure.insertBefore(said, view.ruler);
    }
    said.textContent = text;
  }

  /** places returns the labels of the chart, with their centres and widths in pixels. */
  function places() {
    const width = view.chart.getWidth();
    return series().flatMap((s) =>
      s.data.map((/** @type {any} */ d) => {
        const axes = { xAxisIndex: s.xAxisIndex || 0, yAxisIndex: s.xAxisIndex || 0 };
        const [x, y] = view.chart.convertToPixel(axes, d.value);
        const wide = span(d.name, "bold 15px sans-serif");
        const mid = Math.max(wide / 2 + 2, Math.min(x, width - wide / 2 - 2));
        return { d, x: mid, y, wide };
      }),
    );
  }
  /** edit opens a text field in which the reader renames label k. */
  function edit(/** @type {number} */ k) {
    const all = places();
    const at = all[k];
    if (!at) return;
    field?.remove();
    const wide = Math.min(Math.max(at.wide + 40, 160), view.place.clientWidth);
    const left = Math.min(Math.max(at.x - wide / 2, 0), view.place.clientWidth - wide);
    const input = el(
      "input",
      `position:absolute;left:${left}px;top:${Math.min(Math.max(at.y - 13, 0), view.place.clientHeight - 26)}px;width:${wide}px;box-sizing:border-box;height:26px;z-index:4;text-align:center;font:bold 14px sans-serif;border:2px solid #2a8fd4;border-radius:4px;${box()}`,
      "",
      view.place,
    );
    field = input;
    input.dataset.lmSuppressShortcuts = "true";
    input.maxLength = 200;
    input.value = nameOf(at.d);
    input.ariaLabel = `name of ${at.d.text}`;
    input.title = "Enter: store; Tab: next name; Escape: cancel; empty: original name";
    const end = (/** @type {boolean} */ stores) => {
      if (field !== input) return;
      field = null;
      const name = input.value.trim();
      input.remove();
      if (!stores || name === nameOf(at.d)) return;
      fresh().set(at.d.text, name);
      tell((l) => l.rename?.(file()));
      unstored.set(at.d.text, name);
      keep();
    };
    input.onblur = () => end(true);
    input.onkeydown = (event) => {
      event.stopPropagation();
      if (event.key === "Tab") {
        event.preventDefault();
        end(true);
        edit((k + (event.shiftKey ? all.length - 1 : 1)) % all.length);
      } else if (event.key === "Enter" || event.key === "Escape") {
        end(event.key === "Enter");
        if (view.place.tabIndex === 0) view.place.focus({ preventScroll: true });
      }
    };
    for (const name of /** @type {const} */ (["pointerdown", "mousedown", "dblclick", "wheel"]))
      input.addEventListener(name, (event) => event.stopPropagation());
    input.focus({ preventScroll: true });
    input.select();
  }
  view.link.rename = (about) => {
    if (about === file()) write();
  };
  /** attach adds renaming to a new chart and reads the stored names. */
  function attach() {
    field = null;
    if (!any()) return;
    near = false;
    view.chart.on("datazoom", () => {
      const now = view.chart.getOption().dataZoom?.some((/** @type {any} */ z) => z.end - z.start < NEAR);
      if (now === near) return;
      near = now;
      write();
    });
    view.place.addEventListener("dblclick", (e) => {
      const b = view.place.getBoundingClientRect();
      const [x, y] = [e.clientX - b.left, e.clientY - b.top];
      const k = places().findIndex((l) => Math.abs(l.x - x) < l.wide / 2 + 4 && Math.abs(l.y - y) < 12);
      if (k < 0) return;
      e.stopPropagation();
      edit(k);
    });
    write();
    if (asked || !identity()?.print) return;
    asked = true;
    shelf()
      .read(file(), null)
      .then(read)
      .catch(() => {});
  }
  return {
    any,
    attach,
    /** tools adds a button that renames the first cluster. A double click renames any cluster. */
    tools(/** @type {HTMLElement} */ bar) {
      if (any()) button(bar, "✎", "Change the names of the clusters (or double-click a name)", () => edit(0));
    },
  };
}
