// The large view of a sample: its image or a table of attributes or features, and its most probable
// classes.

import { el, swatch } from "./elements.js";

/**
 * @typedef {object} Sample
 * @property {number} row
 * @property {number} label -1 for none
 * @property {[number, number][]} chance classes and probabilities, most probable class first
 * @property {[string, string][]} lines names and values of attributes or features
 * @property {number} more attributes or features that are left out
 * @property {boolean} [read] lines contains attributes, which may be long texts
 * @property {number} [width]
 * @property {number} [height]
 * @property {string} [pixels] grey levels, one byte per pixel, in base64
 */

/** @param {Sample} s */
function picture(s) {
  const { width = 0, height = 0, pixels = "" } = s;
  if (!pixels) {
    return null;
  }
  const bytes = Uint8Array.from(atob(pixels), (c) => c.charCodeAt(0));
  const canvas = el("canvas", {
    class: "ssdrnb-large",
    role: "img",
    "aria-label": `picture of sample ${s.row}`,
  });
  canvas.width = width;
  canvas.height = height;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const image = context.createImageData(width, height);
  for (const [p, v] of bytes.entries()) {
    image.data.set([v, v, v, 255], 4 * p);
  }
  context.putImageData(image, 0, 0);
  return canvas;
}

/** @param {Sample} s */
function table(s) {
  if (!s.lines.length && !s.read) {
    return null;
  }
  const rows = s.lines.map(([name, value]) =>
    el("tr", {}, [el("th", { text: name }), el("td", { text: value })]),
  );
  if (s.more) {
    rows.push(el("tr", {}, [el("th"), el("td", { text: `and ${s.more} more` })]));
  }
  // The element can be focused, so that keys scroll a long table.
  return el(
    "div",
    {
      class: `ssdrnb-read${s.read ? " ssdrnb-pane" : ""}`,
      tabindex: 0,
      role: "region",
      "aria-label": `sample ${s.row}`,
    },
    [el("table", { class: "ssdrnb-table" }, rows)],
  );
}

/**
 * large creates the elements of the large view of a sample.
 * @param {Sample} s
 * @param {string[]} names "unlabelled", then the names of the classes
 * @param {string[]} colors
 * @param {string[]} symbols
 */
export function large(s, names, colors, symbols) {
  const chances = s.chance.map(([k, p]) => {
    const bar = el("i", { class: "ssdrnb-chance" });
    bar.style.width = `${Math.round(100 * p)}%`;
    bar.style.backgroundColor = colors[k + 1];
    return el("div", { class: "ssdrnb-guess" }, [
      el("span", {}, [swatch(colors[k + 1], symbols[k + 1]), document.createTextNode(names[k + 1] || "")]),
      el("span", { class: "ssdrnb-rail" }, [bar]),
      el("span", { text: `${Math.round(100 * p)} %` }),
    ]);
  });
  const guesses = el("div", { class: "ssdrnb-guesses" }, chances);
  return [picture(s), el("div", { class: "ssdrnb-what" }, [table(s), guesses])];
}
