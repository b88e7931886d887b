// Shows the selected samples in a table, and the line of Go code that uses them. The reader can
// store the selection under a name.
import { className, written } from "./card.js";
import { el, styled } from "./dom.js";
import { page } from "./page.js";
import { download, revision, shelfOf } from "./store.js";
import { dark, edge } from "./theme.js";
import { thumbnail } from "./thumbnails.js";

const BAD =
  "Give a name of 1 to 100 bytes (a Chinese character has 3) that has no /, \\ or : and does not start with a dot.";

/** @typedef {import("./different.js").Different} Different */

/**
 * tableOf returns the table below a view. differentOf adds a tab with differences, for figures with
 * Contrast.
 * @param {View} view @param {Linked} samples @param {typeof import("./different.js").differentOf} [differentOf]
 */
export function tableOf(view, samples, differentOf) {
  /** @type {{node: HTMLElement, key: string, heading?: HTMLElement, different?: Different | null} | null} */
  let table = null;
  let title = ""; // the name that the reader has given
  let tab = "different"; // the reader's choice of two tabs
  /** @type {Record<string, {rows: number[] | null}>} */
  const against = {}; // the selections that readers compare with

  function close() {
    table?.different?.close();
    table?.node.remove();
    table = null;
  }
  /** frame returns the empty element of the table. */
  function frame() {
    const node = el("div", "font:13px/1.5 sans-serif;margin:2px 0 6px");
    node.className = "ssdrnb-selection";
    node.dataset.lmSuppressShortcuts = "true"; // keys that are typed here are no commands of the notebook
    return node;
  }
  /** differentIn returns the part that shows the differences in panel k, or null. */
  function differentIn(/** @type {number} */ k) {
    const { key } = samples.read()[k];
    against[key] ??= { rows: null };
    return differentOf?.(view, samples, k, against[key]) || null;
  }
  /** previews reports whether panel k shows differences while the reader draws a lasso. */
  const previews = (/** @type {number} */ k) =>
    !!differentOf && tab === "different" && view.payload.extra.panels?.[k]?.contrast !== undefined;
  /** preview shows the differences of rows that are not selected yet. */
  function preview(/** @type {number} */ k, /** @type {number[]} */ rows) {
    const { key } = samples.read()[k];
    if (!rows.length) return;
    if (!table?.different || table.key !== key) {
      const node = frame();
      const heading = el("b", "", "", node);
      close();
      const different = differentIn(k);
      if (!different) return;
      table = { node, key, heading, different };
      node.append(different.node);
      view.figure.insertBefore(node, view.ruler);
      scheme();
    }
    const n = view.payload.extra.panels?.[k]?.samples.n;
    if (table.heading) table.heading.textContent = `${rows.length} of ${n} samples`;
    table.different?.update(rows, false);
  }
  /** scheme sets the theme of the table's scroll bars. */
  function scheme() {
    if (table) table.node.style.colorScheme = dark() ? "dark" : "light";
  }
  function open(/** @type {number} */ k) {
    close();
    const { extra } = view.payload;
    const e = /** @type {Panel} */ (extra.panels?.[k]);
    const who = e.samples;
    const p = samples.read()[k];
    const rows = page.chosen[p.key];
    const { kernel, notebook, path } = view.data.dataset;
    const shelf = shelfOf(kernel, notebook, path);
    const node = frame();
    const different = differentIn(k);
    table = { node, key: p.key, different };
    scheme();
    const line = el("div", "display:flex;flex-wrap:wrap;gap:6px;align-items:center", "", node);
    const action = (
      /** @type {string} */ text,
      /** @type {string} */ name,
      /** @type {() => void} */ act,
      parent = line,
    ) => {
      const style = `font:inherit;padding:0 8px;border:1px solid ${edge()};border-radius:4px;background:transparent;color:inherit;cursor:pointer`;
      const b = el("button", style, text, parent);
      b.type = "button";
      b.title = name;
      b.onclick = act;
    };
    table.heading = el("b", "", samples.selected(k), line);
    const field = el(
      "input",
      `font:inherit;width:11em;background:transparent;color:inherit;border:1px solid ${edge()}`,
      "",
      line,
    );
    field.placeholder = field.ariaLabel = "name of the selection";
    field.value = title;
    action("Store", "Store the selection under this name, for later cells", keep);
    action("Export", "Save the selection as a JSON file", () => {
      if (named()) download(`selection-${title}.json`, content(0));
    });
    action("Clear", "Clear the selection (Escape)", () => samples.choose(p.key, null));
    const said = el("span", "opacity:.8;overflow-wrap:anywhere", "", line);
    said.role = "status";
    const list = el("div", "", "", node);
    listed(list, e, p, rows);
    if (different) tabs(node, list, different, rows);
    const below = el("div", "display:flex;gap:6px;align-items:start", "", node);
    const code = el(
      "code",
      "font:12px monospace;overflow-wrap:anywhere;max-height:5em;overflow:auto",
      "",
      below,
    );
    action(
      "Copy",
      "Copy the line that fits the method to the selection; d is the data",
      () => {
        navigator.clipboard?.writeText(code.textContent || "").catch(() => {
          said.textContent = "The browser does not allow copying.";
        });
      },
      below,
    );
    let there = false;
    // If cells cannot read the stored selection from a server, the code lists the rows.
    function refit() {
      const stored = there || rows.length > 10000;
      const part = stored
        ? `viz.Selection(${JSON.stringify(title || "name")}).Apply(d)`
        : `d.Subset([]int{${rows.join(", ")}})`;
      code.textContent = who.code ? `${who.code}.Fit(${part})` : part;
    }
    refit();
    shelf.locate().then((f) => {
      there = !!f;
      refit();
    });
    field.oninput = () => {
      title = field.value.trim();
      refit();
    };
    field.onkeydown = (event) => {
      event.stopPropagation();
      if (event.key === "Enter") keep();
      if (event.key === "Escape") samples.choose(p.key, null);
    };
    function named() {
      title = field.value.trim();
      const bad =
        !title ||
        new TextEncoder().encode(title).length > 100 ||
        /[/\\:\p{Cc}]/u.test(title) ||
        title[0] === ".";
      if (bad) {
        said.textContent = BAD;
        field.focus();
      }
      return !bad;
    }
    const content = (/** @type {number} */ number) =>
      `${JSON.stringify({ format: 1, data: who.data, samples: who.n, fingerprint: who.print, revision: number, rows })}\n`;
    async function keep() {
      if (!named()) return;
      const name = title;
      const file = `selection-${name}`;
      said.textContent = "Storing…";
      const old = await shelf.read(file, null);
      const text = content(revision(old) + 1);
      const before = old === null || revision(old) < 0 ? 0 : (JSON.parse(old).rows || []).length;
      const here = shelf.keep(file, text);
      const at = await shelf.publish(file, text);
      node.dataset.stored = name;
      const replaced = before
        ? `The earlier selection with this name (${before} ${before === 1 ? "sample" : "samples"}) is replaced. `
        : "";
      const elsewhere = here
        ? "Stored in this browser, where no cell can read it."
        : "Not stored: this browser keeps nothing for this page.";
      said.textContent =
        replaced +
        (at
          ? `Stored in ${at}: viz.Selection(${JSON.stringify(name)}) reads it.`
          : `${elsewhere} Use the line below in a cell, or press Export.`);
    }
    view.figure.insertBefore(node, view.ruler);
  }
  /** tabs lets the reader choose between the rows and their differences. */
  function tabs(
    /** @type {HTMLElement} */ node,
    /** @type {HTMLElement} */ list,
    /** @type {Different} */ different,
    /** @type {number[]} */ rows,
  ) {
    const bar = el("div", "display:flex;gap:4px;margin:4px 0 0");
    bar.role = "tablist";
    node.insertBefore(bar, list);
    node.insertBefore(different.node, list);
    const parts = /** @type {const} */ ([
      ["rows", "Rows", list],
      ["different", "What is different", different.node],
    ]).map(([name, text, part], k) => {
      const b = el("button", "", text, bar);
      b.type = "button";
      b.role = "tab";
      part.role = "tabpanel";
      part.ariaLabel = text;
      b.onclick = () => choose(name);
      b.onkeydown = (event) => {
        if (!/^Arrow(Left|Right)$/.test(event.key)) return;
        event.stopPropagation();
        event.preventDefault();
        choose(parts[1 - k].name);
        parts[1 - k].b.focus();
      };
      return { name, b, part };
    });
    function choose(/** @type {string} */ name) {
      tab = name;
      for (const { name: one, b, part } of parts) {
        const on = one === name;
        b.ariaSelected = String(on);
        b.tabIndex = on ? 0 : -1;
        part.style.display = on ? "" : "none";
        styled(
          b,
          `font:inherit;padding:0 8px;border:0;border-bottom:2px solid ${on ? "currentColor" : "transparent"};background:transparent;color:inherit;cursor:pointer`,
        );
      }
      if (name === "different") different.update(rows, true);
      else different.close();
    }
    choose(tab);
  }
  /** listed adds a table of the first 50 rows. */
  function listed(
    /** @type {HTMLElement} */ node,
    /** @type {Panel} */ e,
    /** @type {Spots} */ p,
    /** @type {number[]} */ rows,
  ) {
    const frame = el("div", "max-height:230px;overflow:auto;margin:4px 0", "", node);
    const grid = el("table", "border-collapse:collapse;font-size:12px;margin:0", "", frame);
    const sheet = view.payload.extra.sheets[e.sheet];
    const facts = e.facts || [];
    const labels = e.labelled.includes("1"); // otherwise all labels are given, or none
    const row = (/** @type {"th" | "td"} */ tag, /** @type {unknown[]} */ cells) => {
      const tr = el("tr", "", "", grid);
      for (const text of cells)
        el(tag, "text-align:left;padding:1px 10px 1px 0;background:none", String(text), tr);
      return tr;
    };
    row("th", [
      "row",
      "class",
      ...(labels ? ["label"] : []),
      ...facts.map((f) => f.name),
      ...(sheet ? ["picture"] : []),
    ]);
    for (const i of rows.slice(0, 50)) {
      const s = p.of(i);
      if (!s) continue;
      const tr = row("td", [
        i,
        className(e, s.name, i),
        ...(labels ? [e.labelled[i] === "1" ? "given" : ""] : []),
        ...facts.map((f) => written(f, s.v, i)),
      ]);
      const picture = sheet && thumbnail(sheet, i);
      if (picture) {
        Object.assign(picture.style, { height: "28px", imageRendering: "pixelated", display: "block" });
        el("td", "padding:1px", "", tr).append(picture);
      }
      tr.onmouseenter = () => samples.point(p.key, i);
    }
    grid.onmouseleave = () => samples.point(p.key, -1);
    if (rows.length > 50)
      el("div", "font-size:12px;opacity:.8", `The first 50 of ${rows.length} rows.`, node);
  }
  return {
    open,
    previews,
    preview,
    close,
    scheme,
    of: (/** @type {string} */ key) => table?.key === key,
    node: () => table?.node || null,
  };
}
