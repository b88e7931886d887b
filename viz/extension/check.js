// What a notebook may carry, by the schema that package viz/schema writes: the function returns
// check(kinds, text), which parses the data of a figure ("figures") or widget ("widgets") and
// throws an error unless they fit as a whole. check.fits(kinds, data) is that for parsed data.
(function (schema) {
  "use strict";
  var has = Object.prototype.hasOwnProperty, patterns = new Map();
  function matches(pattern, text) {
    if (!patterns.has(pattern)) { patterns.set(pattern, new RegExp(pattern)); }
    return patterns.get(pattern).test(text);
  }
  // length is that of a list or text, or of the data of an object.
  function length(v) {
    if (typeof v === "string" || Array.isArray(v)) { return v.length; }
    return v !== null && typeof v === "object" && has.call(v, "data") && Array.isArray(v.data) ? v.data.length : 0;
  }
  function word(s, v) {
    return v.length <= s.maxLength && (s.pattern === undefined || matches(s.pattern, v)) && (s.not === undefined || !matches(s.not.pattern, v));
  }
  // same tells whether data are those of the schema.
  function same(a, v) {
    if (a === null || typeof a !== "object") { return a === v; }
    if (v === null || typeof v !== "object" || Array.isArray(a) !== Array.isArray(v)) { return false; }
    var names = Object.keys(a);
    return (Array.isArray(v) ? v : Object.keys(v)).length === names.length && names.every(function (k) { return has.call(v, k) && same(a[k], v[k]); });
  }
  // object returns the keys that lead to what does not fit.
  function object(s, v) {
    if (v === null || typeof v !== "object" || Array.isArray(v)) { return []; }
    var names = Object.keys(v), known = 0, k, why;
    if (s.properties === undefined) { // of any names
      if (names.length > s.maxProperties) { return []; }
      for (k = 0; k < names.length; k++) {
        if (names[k].length > s.propertyNames.maxLength || s.propertyNames.not.enum.indexOf(names[k]) >= 0) { return [names[k]]; }
        why = fault(s.additionalProperties, v[names[k]]);
        if (why) { return [names[k]].concat(why); }
      }
      return null;
    }
    for (var name in s.properties) { // in the order of the description: first those that tell types apart
      if (!has.call(v, name)) {
        if (s.required.indexOf(name) >= 0) { return [name]; }
        continue;
      }
      known++;
      why = fault(s.properties[name], v[name]);
      if (why) { return [name].concat(why); }
    }
    if (known < names.length) { return [names.find(function (n) { return !has.call(s.properties, n); })]; }
    return s.maxSteps !== undefined && has.call(v, "interval") && !((v.max - v.min) / v.interval <= s.maxSteps) ? ["interval"] : null;
  }
  function array(s, v) {
    if (!Array.isArray(v) || v.length > s.maxItems || v.length < (s.minItems || 0)) { return []; }
    for (var k = 0, total = 0; k < v.length; k++) {
      var why = fault(s.prefixItems ? s.prefixItems[k] : s.items, v[k]);
      if (why) { return [k].concat(why); }
      total += length(v[k]);
    }
    return s.maxTotal !== undefined && total > s.maxTotal ? [] : null;
  }
  // fault returns the keys that lead to what does not fit, or null.
  function fault(s, v) {
    if (s.$ref !== undefined) { s = schema.$defs[s.$ref.slice("#/$defs/".length)]; }
    if (s.anyOf !== undefined) {
      for (var k = 0, deepest = []; k < s.anyOf.length; k++) {
        var why = fault(s.anyOf[k], v);
        if (!why) { return null; }
        if (why.length > deepest.length) { deepest = why; }
      }
      return deepest;
    }
    if (s.const !== undefined) { return same(s.const, v) ? null : []; }
    if (s.enum !== undefined) { return s.enum.indexOf(v) >= 0 ? null : []; }
    switch (s.type) {
      case "number": return typeof v === "number" && v >= s.minimum && v <= s.maximum ? null : [];
      case "integer": return typeof v === "number" && v >= s.minimum && v <= s.maximum && v === Math.floor(v) ? null : [];
      case "boolean": return typeof v === "boolean" ? null : [];
      case "null": return v === null ? null : [];
      case "string": return typeof v === "string" && word(s, v) ? null : [];
      case "array": return array(s, v);
      case "object": return object(s, v);
    }
    return []; // a word of the schema that is none here
  }
  function fits(kinds, v) {
    var kind = v !== null && typeof v === "object" && has.call(v, "kind") ? v.kind : undefined;
    if (typeof kind !== "string" || !has.call(schema[kinds], kind)) { throw new Error("its kind is none of ssdrnb's"); }
    var why = fault(schema[kinds][kind], v);
    if (why) { throw new Error("ssdrnb does not write such data: " + [kind].concat(why).map(function (k) { return String(k).slice(0, 40); }).join(".")); }
    return v;
  }
  function check(kinds, text) {
    var most = schema.max, lists = 0, values = 0, quotes = 0;
    if (text.length > most.data) { throw new Error("its data are longer than ssdrnb writes them"); }
    for (var k = 0; k < text.length && lists <= most.lists && values <= most.values && quotes <= most.quotes; k++) { // a browser takes many seconds to parse millions of lists or names
      var c = text.charCodeAt(k);
      if (c === 91 || c === 123) { lists++; } else if (c === 44) { values++; } else if (c === 34) { quotes++; }
    }
    if (lists > most.lists || values > most.values || quotes > most.quotes) { throw new Error("its data have more values than ssdrnb writes"); }
    return fits(kinds, JSON.parse(text));
  }
  check.fits = fits;
  return check;
})
