// The page in which outputs are attacked. It renders outputs with the extension as JupyterLab does,
// acts like a reader, and records effects that an output must not have.
(function () {
  "use strict";
  var TRAP = "http://127.0.0.1:9/trap"; // nobody listens there
  window.__violations = [];
  window.__errors = [];
  document.addEventListener("securitypolicyviolation", function (e) { window.__violations.push(e.violatedDirective + " " + String(e.blockedURI).slice(0, 100)); });
  window.addEventListener("error", function (e) { window.__errors.push(String(e.message).slice(0, 200)); });
  // The keys of the browser's storage that scripts use, and the paths that they request from the
  // server.
  var names = [], ask = window.fetch;
  ["getItem", "setItem"].forEach(function (name) {
    var own = Storage.prototype[name];
    Storage.prototype[name] = function (key, value) { names.push(String(key)); return own.call(this, key, value); };
  });
  window.fetch = function (address, how) {
    if (/api\//.test(address)) { names.push(new URL(address).pathname); }
    return ask.call(window, address, how);
  };
  window.kept = function () { return names.splice(0); };
  // The running workers. Those that keep running are engines of widgets.
  var workers = new Set(), Own = window.Worker, end = Own.prototype.terminate;
  window.Worker = new Proxy(Own, { construct: function (target, given) { var w = Reflect.construct(target, given); workers.add(w); return w; } });
  Own.prototype.terminate = function () { workers.delete(this); return end.call(this); };
  window.workers = function () { return workers.size; };
  // The longest time in milliseconds for which the page was blocked.
  var ticked = performance.now();
  window.__longest = 0;
  setInterval(function () { window.__longest = Math.max(window.__longest, performance.now() - ticked - 20); ticked = performance.now(); }, 20);
  function pause(ms) { return new Promise(function (go) { setTimeout(go, ms); }); }
  class Widget { constructor() { this.node = document.createElement("div"); } addClass() {} }

  // show renders a bundle, waits until its figure is drawn or refused, and returns the state.
  window.show = async function (bundle, path) {
    var container = _JUPYTERLAB["ssdrnb-assets"], node, began = performance.now(), e;
    document.body.dataset.jpThemeLight = "true";
    window.__longest = 0;
    ticked = began;
    container.init({ "@lumino/widgets": { "2.0.0": { get: async function () { return function () { return { Widget: Widget }; }; } } } });
    var made = (await container.get("./mimeExtension"))().default.rendererFactory.createRenderer({ mimeType: "application/vnd.ssdrnb.figure.v1+json", resolver: { path: path || "untrusted.ipynb" } });
    node = made.node;
    document.body.replaceChildren(node);
    await made.renderModel({ data: bundle });
    for (;;) {
      await pause(20);
      e = node.querySelector("div.ssdrnb-figure,div.ssdrnb-widget");
      if (!e || /could not be drawn/.test(node.textContent) || /^(yes|no)$/.test(e.dataset.drawn) || /^(live|dead)$/.test(e.dataset.state) || performance.now() - began > 60000) { break; }
    }
    return window.state();
  };
  window.state = function () {
    // echarts-gl itself compiles expressions, so violations by eval do not count if it is loaded.
    var gl = !!(window.__ssdrnbLoader || {}).gl, e = document.querySelector("div.ssdrnb-figure,div.ssdrnb-widget"), img = e && e.querySelector("img"), covers = Array.from(document.body.querySelectorAll("*")).filter(function (x) { return getComputedStyle(x).position === "fixed"; });
    return { drawn: e && (e.dataset.drawn || e.dataset.state) || "", picture: !!img && img.getBoundingClientRect().width > 50, text: document.body.innerText.slice(0, 3000), longest: window.__longest,
      harm: [].concat(window.__pwned ? ["a script ran: " + window.__pwned] : [], ({}).harmed !== undefined ? ["a prototype changed"] : [], window.__violations.filter(function (v) { return !gl || !/^script-src(-elem)? eval$/.test(v); }), covers.map(function (x) { return "position: fixed of " + x.className; }),
        document.querySelector("[onerror],[onload],[onclick],iframe,object,embed,a[href],form,base,link[rel=stylesheet]") ? ["an element that viz does not make"] : []) };
  };
  // provoke acts on a figure or widget as a reader might: it hovers, selects, and toggles legend
  // entries and the theme.
  window.provoke = async function () {
    var figure = document.querySelector(".ssdrnb-figure"), place = figure && figure.querySelector(".ssdrnb-keyed"), chart = place && window.echarts && echarts.getInstanceByDom(place), x, y, k;
    var widget = document.querySelector("div.ssdrnb-widget");
    if (widget) {
      widget.querySelectorAll("canvas").forEach(function (c) {
        var b = c.getBoundingClientRect();
        ["pointermove", "pointerdown", "pointermove", "pointerup"].forEach(function (type, k) {
          c.dispatchEvent(new PointerEvent(type, { clientX: b.left + b.width / 2 + 5 * k, clientY: b.top + b.height / 2, bubbles: true, cancelable: true, pointerId: 1 }));
        });
      });
      widget.querySelectorAll("button,td,.ssdrnb-legend span").forEach(function (e, k) { if (k < 15 && !/^(Export|Import|CSV|NPZ)$/.test(e.textContent)) { e.click(); } });
      await pause(200);
      document.body.dataset.jpThemeLight = "false";
      await pause(50);
      document.body.dataset.jpThemeLight = "true";
    }
    if (!place) { return window.state(); }
    function key(name, shift) { place.dispatchEvent(new KeyboardEvent("keydown", { key: name, shiftKey: !!shift, bubbles: true, cancelable: true })); }
    place.scrollIntoView();
    if (chart) {
      var series = chart.getOption().series;
      for (k = 0; k < Math.min(series.length, 5); k++) {
        [0, 1].forEach(function (i) {
          try { chart.dispatchAction({ type: "showTip", seriesIndex: k, dataIndex: i }); } catch (e) { /* data that do not match have no card */ }
        });
        await pause(0);
      }
      for (y = 10; y < chart.getHeight(); y += 85) { // the title, the panels, the legend
        for (x = 10; x < chart.getWidth(); x += 100) {
          var box = place.getBoundingClientRect();
          place.firstElementChild.dispatchEvent(new MouseEvent("mousemove", { clientX: box.left + x, clientY: box.top + y, bubbles: true, cancelable: true }));
        }
        await pause(0);
      }
    }
    place.focus();
    ["ArrowRight", "ArrowDown", "Enter", "PageDown", "ArrowLeft", "Enter", "+", "0"].forEach(function (name) { key(name); });
    await pause(60);
    figure.querySelectorAll(".ssdrnb-tools button, [role=group] button").forEach(function (b, k) { if (k < 12) { b.click(); } });
    await pause(60);
    document.body.dataset.jpThemeLight = "false";
    for (k = 0; k < 100 && figure.isConnected; k++) {
      await pause(20);
      if (k > 3 && figure.dataset.drawn !== "pending") { break; }
    }
    key("Escape");
    key("Escape");
    document.body.dataset.jpThemeLight = "true";
    await pause(30);
    return window.state();
  };

  // --- Harmful data. ---

  var html = "<img src=x onerror=\"window.__pwned='html'\"></text></svg></script><script>window.__pwned='script'</script><iframe src=\"" + TRAP + "\">";
  var TEXTS = { html: html, quotes: "'\"><img src=x onerror=window.__pwned='quotes'>", css: "red;background:url(" + TRAP + ")", url: "url(" + TRAP + ")", address: TRAP, image: "image://" + TRAP, inner: "emptyimage://" + TRAP,
    script: "javascript:window.__pwned='address'", prototype: "__proto__", constructor: "constructor", rich: "{a|" + TRAP + "}", expression: "expr(window.__pwned='expression')" };
  function deep(n) { var v = []; for (var k = 0; k < n; k++) { v = [v]; } return v; }
  function own(object, key, value) { Object.defineProperty(object, key, { value: value, enumerable: true, configurable: true, writable: true }); return object; }
  var NUMBERS = { "1e8": 1e8, "1e9": 1e9, "1e300": 1e300, "-1e300": -1e300, "1e-300": 1e-300, "-1": -1, "0": 0, "0.5": 0.5, "3": 3, "1e17": 1e17 };
  var NEVER = { long: "a".repeat(200000), path: "path://" + "M0,0L1,1".repeat(1000), endless: new Array(3000000).fill(1), deep: deep(1000), "function": { formatter: html }, "an image": { image: "image://" + TRAP, type: "pattern" },
    prototypes: own({}, "__proto__", { harmed: 1 }), "a length": { length: 1e9 }, "no number": Infinity };
  var KEYS = "formatter tooltip graphic rich link sublink target renderItem extraCssText valueFormatter className appendTo toolbox dataset transform media timeline baseOption __proto__ constructor prototype toString html style cssText src href onclick image symbol icon backgroundColor".split(" ");
  // The keys whose values may be any text: FREE in figures and widgets, WORDS also in widgets.
  var FREE = /^(text|name|names|short|legend|data|keys|code|x|y)$/, WORDS = /^(method|options|name|classes|classNames|featureNames|attributes|Name|Values|controls|notes|err|stored|lesson|reveal|question|why|unit)$/;

  // places returns the paths of the values in the data. Of a long list it includes only the first
  // two items and the last.
  function places(v, path, out) {
    out.push(path);
    if (Array.isArray(v)) { v.forEach(function (one, k) { if (k < 2 || k === v.length - 1) { places(one, path.concat(k), out); } }); }
    else if (v !== null && typeof v === "object") { Object.keys(v).forEach(function (k) { places(v[k], path.concat(k), out); }); }
    return out;
  }
  // shorter returns the data with shorter lists, which contain all items that places includes.
  function shorter(v) {
    if (Array.isArray(v)) { return (v.length > 6 ? v.slice(0, 5).concat([v[v.length - 1]]) : v).map(shorter); }
    if (v === null || typeof v !== "object") { return v; }
    var out = {};
    Object.keys(v).forEach(function (k) { out[k] = shorter(v[k]); });
    return out;
  }
  function at(root, path) { return path.reduce(function (v, k) { return v[k]; }, root); }
  function put(root, path, value) { at(root, path.slice(0, -1))[path[path.length - 1]] = value; }
  function named(path) { return path.filter(function (k) { return typeof k === "string"; }).pop(); }

  // mutate replaces each value in turn by each harmful value, or only every n-th value if every is
  // n. It returns the number of attempts (count), the harmful data that the extension accepts
  // (wrong), and the replacements that it may accept and does accept (passed), which are drawn
  // later.
  window.mutate = function (kinds, text, every) {
    // Packed numbers are valid at any length, so a part of them is enough.
    var root = JSON.parse(text, function (key, v) { return typeof v === "string" && v.length > 4000 ? v.slice(0, 4000) : v; }), wrong = [], passed = [], count = 0;
    check.fits(kinds, root); // fits as it is
    // A shorter list has the same kinds of values and is checked faster.
    try {
      var less = shorter(root);
      check.fits(kinds, less);
      root = less;
    } catch (e) { /* its lists depend on each other */ }
    function passes() {
      count++;
      try { check.fits(kinds, root); return true; } catch (e) { return false; }
    }
    places(root, [], []).slice(1).forEach(function (path, nth) {
      if (nth % every) { return; }
      var was = at(root, path), where = path.join("."), packed = /^[A-Za-z0-9+\/=]{100,}$/.test(was);
      var text = typeof was === "string" || named(path) === "data" && was !== null && typeof was.name === "string" && was.icon; // an entry of the legend is a name, or has one
      // The engine of widgets, not the extension, checks the values of options and stored content.
      var option = kinds === "widgets" && /(options|Values|stored)(\.\w+)?$/.test(where) && (was === null || typeof was !== "object");
      var free = text && (FREE.test(named(path)) || kinds === "widgets" && (WORDS.test(named(path)) || path.indexOf("stage") >= 0)) || option;
      function attempt(name, value, allowed) {
        put(root, path, value);
        if (!passes()) { return; }
        if (allowed) { passed.push([path, name]); } else { wrong.push(where + " = " + name); }
      }
      Object.keys(TEXTS).forEach(function (k) { attempt(k, TEXTS[k], free || packed && k === "constructor"); });
      Object.keys(NUMBERS).forEach(function (k) { attempt(k, NUMBERS[k], typeof was === "number" || was === null || option); });
      Object.keys(NEVER).forEach(function (k) { attempt(k, NEVER[k], 
        kinds === "widgets" && (free && /^(long|path)$/.test(k) || named(path) === "options" && /^(function|an image|a length)$/.test(k) || (named(path) === "with" || /\.named\.\d+\.values$/.test(where)) && k === "a length") || k === "path" && named(path) === "code" || k === "long" && packed); });
      attempt("null", null, true);
      attempt("{}", {}, was !== null && typeof was === "object" && !Array.isArray(was));
      attempt("[]", [], Array.isArray(was) || was === null);
      put(root, path, was);
      if (was !== null && typeof was === "object" && !Array.isArray(was)) {
        KEYS.forEach(function (k) {
          if (Object.prototype.hasOwnProperty.call(was, k)) { return; }
          [html, { formatter: html, harmed: 1 }].forEach(function (value) {
            own(was, k, value);
            if (passes() && !(kinds === "widgets" && /^(options|ranges)$/.test(named(path)) && typeof value === "string" && !/^(__proto__|constructor|prototype)$/.test(k))) { wrong.push(where + "." + k); }
            delete was[k];
          });
        });
      }
    });
    return { count: count, wrong: wrong, passed: passed };
  };
  // changed returns the data with replacements that mutate has returned in passed.
  window.changed = function (text, mutations) {
    var root = JSON.parse(text);
    mutations.forEach(function (m) {
      try { put(root, m[0], m[1] in TEXTS ? TEXTS[m[1]] : m[1] in NUMBERS ? NUMBERS[m[1]] : m[1] === "null" ? null : m[1] === "[]" ? [] : {}); } catch (e) { /* another one has taken its place away */ }
    });
    return JSON.stringify(root).replace(/</g, "\\u003c"); // as Go writes it
  };
})();
