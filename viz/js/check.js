// Checks the data of figures and widgets against the schema that package viz/schema writes.
import described, { max } from "../extension/schema.json";
import { unpack } from "./packed.js";
import { plain } from "./start.js";

/**
 * The keywords of JSON Schema that package viz/schema uses, and its own keywords maxTotal and
 * maxSteps.
 * @typedef {{
 *   $ref?: string, anyOf?: Schema[], const?: unknown, enum?: unknown[], type?: string,
 *   minimum: number, maximum: number, maxLength: number, pattern?: string, not?: {pattern: string},
 *   items: Schema, prefixItems?: Schema[], minItems?: number, maxItems: number, maxTotal?: number,
 *   properties?: Record<string, Schema>, required: string[], additionalProperties: Schema,
 *   maxProperties: number, propertyNames: {maxLength: number, not: {enum: string[]}}, maxSteps?: number,
 * }} Schema
 * @typedef {"figures" | "widgets"} Kinds
 * @typedef {(string | number)[] | null} Fault the path of a value that does not match, or null
 * @typedef {{[key: string]: any, kind: string}} Payload data that have been checked
 */

const schema = /** @type {{$defs: Record<string, Schema>} & Record<Kinds, Record<string, Schema>>} */ (
  /** @type {unknown} */ (described)
);
const has = Object.hasOwn;
/** @type {Map<string, RegExp>} */
const patterns = new Map();

/** @param {string} pattern @param {string} text */
function matches(pattern, text) {
  let r = patterns.get(pattern);
  if (!r) {
    r = new RegExp(pattern);
    patterns.set(pattern, r);
  }
  return r.test(text);
}

/** @param {unknown} v @returns {v is Record<string, unknown>} */
function isObject(v) {
  return v !== null && typeof v === "object" && !Array.isArray(v);
}

/**
 * length returns the length of a list or string. For an object, it returns the length of the list
 * with the key "data".
 * @param {unknown} v
 */
function length(v) {
  if (typeof v === "string" || Array.isArray(v)) return v.length;
  return isObject(v) && has(v, "data") && Array.isArray(v.data) ? v.data.length : 0;
}

/** @param {Schema} s @param {string} v */
function word(s, v) {
  return (
    v.length <= s.maxLength &&
    (s.pattern === undefined || matches(s.pattern, v)) &&
    (s.not === undefined || !matches(s.not.pattern, v))
  );
}

/**
 * same reports whether a value equals a constant of the schema.
 * @param {any} a @param {any} v @returns {boolean}
 */
function same(a, v) {
  if (a === null || typeof a !== "object") return a === v;
  if (v === null || typeof v !== "object" || Array.isArray(a) !== Array.isArray(v)) return false;
  const names = Object.keys(a);
  const count = Array.isArray(v) ? v.length : Object.keys(v).length;
  return count === names.length && names.every((k) => has(v, k) && same(a[k], v[k]));
}

/** @param {Schema} s @param {Record<string, unknown>} v @returns {Fault} */
function dictionary(s, v) {
  const names = Object.keys(v);
  if (names.length > s.maxProperties) return [];
  for (const name of names) {
    if (name.length > s.propertyNames.maxLength || s.propertyNames.not.enum.includes(name)) return [name];
    const why = fault(s.additionalProperties, v[name]);
    if (why) return [name, ...why];
  }
  return null;
}

/** @param {Schema} s @param {unknown} v @returns {Fault} */
function object(s, v) {
  if (!isObject(v)) return [];
  if (s.properties === undefined) return dictionary(s, v);
  let known = 0;
  for (const name of Object.keys(s.properties)) {
    // Keys are checked in the order of the schema, in which keys that distinguish types come first.
    if (!has(v, name)) {
      if (s.required.includes(name)) return [name];
      continue;
    }
    known++;
    const why = fault(s.properties[name], v[name]);
    if (why) return [name, ...why];
  }
  const names = Object.keys(v);
  const { properties } = s;
  if (known < names.length) return [/** @type {string} */ (names.find((n) => !has(properties, n)))];
  if (s.maxSteps !== undefined && has(v, "interval")) {
    const { min, max, interval } = /** @type {Record<string, number>} */ (v);
    // ECharts would widen an axis without length, which adds steps.
    if (!(min < max && (max - min) / interval <= s.maxSteps)) return ["interval"];
  }
  return null;
}

/** @param {Schema} s @param {unknown} v @returns {Fault} */
function array(s, v) {
  if (!Array.isArray(v) || v.length > s.maxItems || v.length < (s.minItems || 0)) return [];
  let total = 0;
  for (let k = 0; k < v.length; k++) {
    const why = fault(s.prefixItems ? s.prefixItems[k] : s.items, v[k]);
    if (why) return [k, ...why];
    total += length(v[k]);
  }
  return s.maxTotal !== undefined && total > s.maxTotal ? [] : null;
}

/** @param {Schema[]} list @param {unknown} v @returns {Fault} */
function anyOf(list, v) {
  /** @type {(string | number)[]} */
  let deepest = [];
  for (const one of list) {
    const why = fault(one, v);
    if (!why) return null;
    if (why.length > deepest.length) deepest = why;
  }
  return deepest;
}

/** @param {Schema} s @param {unknown} v @returns {Fault} */
function fault(s, v) {
  if (s.$ref !== undefined) s = schema.$defs[s.$ref.slice("#/$defs/".length)];
  if (s.anyOf !== undefined) return anyOf(s.anyOf, v);
  if (s.const !== undefined) return same(s.const, v) ? null : [];
  if (s.enum !== undefined) return s.enum.includes(v) ? null : [];
  switch (s.type) {
    case "number":
      return typeof v === "number" && v >= s.minimum && v <= s.maximum ? null : [];
    case "integer":
      return typeof v === "number" && v >= s.minimum && v <= s.maximum && v === Math.floor(v) ? null : [];
    case "boolean":
      return typeof v === "boolean" ? null : [];
    case "null":
      return v === null ? null : [];
    case "string":
      return typeof v === "string" && word(s, v) ? null : [];
    case "array":
      return array(s, v);
    case "object":
      return object(s, v);
  }
  return []; // an unknown keyword of the schema
}

/**
 * fits returns v, parsed data of a figure or widget, if v matches the schema. Otherwise it throws
 * an error.
 * @param {Kinds} kinds @param {unknown} v @returns {Payload}
 */
export function fits(kinds, v) {
  const kind = isObject(v) && has(v, "kind") ? v.kind : undefined;
  if (typeof kind !== "string" || !has(schema[kinds], kind))
    throw new Error("ssdrnb has no output of this kind");
  const why = fault(schema[kinds][kind], v);
  if (why) {
    const path = [kind, ...why].map((k) => String(k).slice(0, 40)).join(".");
    throw new Error(`its data differ from what ssdrnb writes, at ${path}`);
  }
  return /** @type {Payload} */ (v);
}

/**
 * bounded returns the JSON text of a figure or widget. It throws an error if the text is too large
 * to parse.
 * @param {string} text
 */
export function bounded(text) {
  const { data, ...most } = max;
  if (text.length > data) throw new Error("its data are too long");
  let lists = 0;
  let values = 0;
  let quotes = 0;
  for (let k = 0; k < text.length; k++) {
    // Count before parsing, because a browser takes many seconds for millions of lists or names.
    const c = text.charCodeAt(k);
    if (c === 91 || c === 123) lists++;
    else if (c === 44) values++;
    else if (c === 34) quotes++;
    if (lists > most.lists || values > most.values || quotes > most.quotes) {
      throw new Error("its data have more values than ssdrnb writes");
    }
  }
  return text;
}

/**
 * restorer returns a function that returns the JSON text of a figure or widget, which may be packed.
 * The function throws an error if the packed text is too large to parse, or if all texts together
 * are too large.
 */
export function restorer() {
  let left = max.data;
  return async (/** @type {string} */ text) => {
    const json = await plain(text, async (packed) => bounded(await unpack(packed, left)));
    left -= json.length;
    return json;
  };
}

/**
 * check parses the data of a figure or widget. It throws an error if they are too large to parse or
 * do not match the schema.
 * @param {Kinds} kinds @param {string} text
 */
export const check = (kinds, text) => fits(kinds, JSON.parse(bounded(text)));
