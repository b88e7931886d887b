// The description of a sample for the hover card, the table of a selection, and screen readers.
import { el, words } from "./dom.js";
import { thumbnail } from "./thumbnails.js";

/** digits writes a number with 12 digits, which hides rounding errors. @param {unknown} v */
export const digits = (v) => String(typeof v === "number" ? Number(v.toPrecision(12)) : v);

/** brief writes a number with four digits, or with all its integer digits. @param {unknown} v */
export const brief = (v) => String(typeof v === "number" ? Number(v.toPrecision(precision(v))) : v);

/** precision returns the number of digits that brief writes. @param {number} v */
export const precision = (v) => Math.max(4, Math.min(`${Math.trunc(Math.abs(v))}`.length, 15));

/**
 * className returns the class of sample i of a panel. series is the name of the sample's series.
 * @param {Panel} panel @param {string} series @param {number} i
 */
export const className = (panel, series, i) => (panel.of ? panel.names[panel.of[i]] : series);

/**
 * written returns the value of the fact f for sample i as text. v is the item of the sample in the
 * point data.
 * @param {Fact} f @param {any[]} v @param {number} i
 */
export function written(f, v, i) {
  const value = f.at ? v[f.at] : f.of ? f.names?.[f.of[i]] : f.values?.[i];
  return value === undefined || value === null ? "not known" : String(value); // Go has rounded it
}

/**
 * facts returns the lines of text that describe sample i.
 * @param {Panel} e @param {string} series @param {any[]} v @param {number} i
 */
export function facts(e, series, v, i) {
  const name = `sample ${i}: ${className(e, series, i)}${e.labelled[i] === "1" ? ", labelled" : ""}`;
  return [name, ...(e.facts || []).map((f) => `${f.name}: ${written(f, v, i)}`)];
}

/**
 * card returns the hover card of sample i of a panel.
 * @param {Extra} extra @param {Panel} e @param {string} series @param {any[]} v @param {number} i
 */
export function card(extra, e, series, v, i) {
  const node = words(facts(e, series, v, i));
  const sheet = extra.sheets[e.sheet];
  const picture = sheet && thumbnail(sheet, i);
  if (picture) {
    Object.assign(picture.style, { width: "64px", imageRendering: "pixelated", marginTop: "4px" });
    node.append(el("br", ""), picture);
  }
  return node;
}
