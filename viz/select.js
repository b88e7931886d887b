  // --- What a page shows of samples: for the scripts of charts and of pictures. ---

  // words are lines of text as an element.
  function words(lines) {
    var node = document.createElement("div");
    lines.forEach(function (text, k) {
      if (k) { node.appendChild(document.createElement("br")); }
      node.appendChild(document.createTextNode(String(text)));
    });
    return node;
  }
  // svg makes an element of a drawing.
  function svg(tag, attributes, parent) {
    var e = document.createElementNS("http://www.w3.org/2000/svg", tag);
    Object.keys(attributes).forEach(function (k) { e.setAttribute(k, attributes[k]); });
    parent.appendChild(e);
    return e;
  }
  // JupyterLab and VS Code say at the body which theme the page has, elsewhere the system says it.
  // In forced colours the page has those of the reader, who may not have the theme's: dark
  // tells by the colour of the page, and ink is that of text.
  function forced() { return !loader.paper && !!(window.matchMedia && window.matchMedia("(forced-colors: active)").matches); }
  function system(name) {
    var e = document.createElement("span");
    styled(e, "display:none;forced-color-adjust:none;color:" + name);
    document.body.appendChild(e);
    var shade = getComputedStyle(e).color;
    e.remove();
    return shade;
  }
  function brightness(rgb) { return (rgb.match(/[\d.]+/g) || [255, 255, 255]).slice(0, 3).reduce(function (sum, v, k) { return sum + v * [0.299, 0.587, 0.114][k]; }, 0); }
  function dark() {
    if (forced()) { return brightness(system("Canvas")) < 128; }
    var said = document.body.dataset;
    if (said.jpThemeLight !== undefined) { return said.jpThemeLight === "false"; }
    if (said.vscodeThemeKind) { return /^vscode-(dark|high-contrast)$/.test(said.vscodeThemeKind); }
    return !loader.paper && !!(window.matchMedia && window.matchMedia("(prefers-color-scheme: dark)").matches);
  }
  // Thumbnails: 8 shades, two pixels per character, samples one after another.
  function picture(t, i) {
    loader.canvas = loader.canvas || document.createElement("canvas");
    var c = loader.canvas, bytes = Math.ceil(t.w * t.h / 2);
    if (!(t.count * bytes <= t.data.length && i < t.count)) { return ""; } // in a notebook from elsewhere, sizes may be any
    c.width = t.w; c.height = t.h;
    var ctx = c.getContext("2d"), image = ctx.createImageData(t.w, t.h);
    for (var p = 0; p < t.w * t.h; p++) {
      var b = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".indexOf(t.data[(p >> 1) * t.count + i]), v = (p & 1 ? b & 7 : b >> 3) * 255 / 7;
      image.data.set([v, v, v, 255], 4 * p);
    }
    ctx.putImageData(image, 0, 0);
    return c.toDataURL();
  }
  function digits(v) { return typeof v === "number" ? String(Number(v.toPrecision(4))) : String(v); }
  // The class of a sample of a panel, and one of the values that are shown of it.
  function className(panel, series, i) { return panel.of ? panel.names[panel.of[i]] : series; }
  function written(f, v, i) {
    var value = f.at ? v[f.at] : f.of ? f.names[f.of[i]] : f.values[i];
    return value === undefined || value === null ? "not known" : typeof value === "number" ? digits(value) : String(value);
  }

  function thumbnail(t, i, parent) {
    if (!t || i >= t.count) { return; }
    var img = document.createElement("img");
    img.width = 64;
    img.height = Math.round(64 * t.h / t.w);
    styled(img, "image-rendering:pixelated;margin-top:4px");
    img.src = picture(t, i);
    parent.appendChild(document.createElement("br"));
    parent.appendChild(img);
  }
  // card is the hover card of a sample of a panel.
  function card(e, series, v, i) {
    var node = words(facts(e, series, v, i));
    thumbnail(payload.extra.sheets[e.sheet], i, node);
    return node;
  }
  function facts(e, series, v, i) {
    return ["sample " + i + ": " + className(e, series, i) + (e.labelled[i] === "1" ? ", labelled" : "")].concat((e.facts || []).map(function (f) { return f.name + ": " + written(f, v, i); }));
  }
  // toolbar makes the place of a figure's buttons, press one of them, and shapes those that
  // select.
  function toolbar() {
    var bar = document.createElement("div");
    bar.className = "ssdrnb-tools";
    styled(bar, "position:absolute;top:2px;right:2px;display:flex;gap:2px;z-index:2");
    return bar;
  }
  function press(bar, text, name, act) {
    var b = document.createElement("button");
    b.type = "button";
    b.textContent = text;
    b.title = b.ariaLabel = name;
    styled(b, "width:22px;height:22px;padding:0;border:1px solid " + (dark() ? "#555" : "#ccc") + ";border-radius:4px;background:" +
      (dark() ? "#222" : "#fff") + ";color:" + (dark() ? "#ddd" : "#444") + ";font:14px/18px sans-serif;cursor:pointer");
    b.onclick = function () { act(b); };
    bar.appendChild(b);
    return b;
  }
  function shapes(bar) {
    var icons = {lasso: ["Select with a lasso; with Shift, add to the selection; Escape clears it", "M6.5 10.5C3 10 1.5 8 1.5 6.2 1.5 3.5 4.5 2 8 2s6.5 1.5 6.5 4.2-3 4.3-6 4.3M6.5 10.5c-2.5 0-2.5 3 0 2.5 1 1 .5 2-1 2.5"],
      box: ["Select with a box; with Shift, add to the selection; Escape clears it", "M2 2h3M7 2h3M12 2h2v2M14 6v3M14 11v3h-2M10 14H7M5 14H2v-3M2 9V6M2 4V2"]};
    var all = Object.keys(icons).map(function (name) {
      var b = press(bar, "", icons[name][0], function () { tool = tool === name ? "" : name; chosen(); });
      var icon = svg("svg", {width: 14, height: 14, viewBox: "0 0 16 16"}, b);
      styled(icon, "vertical-align:-2px");
      svg("path", {fill: "none", stroke: "currentColor", "stroke-width": 1.5, d: icons[name][1]}, icon);
      return [name, b];
    });
    function chosen() {
      all.forEach(function (c) { c[1].ariaPressed = String(c[0] === tool); c[1].style.opacity = c[0] === tool ? 1 : 0.6; });
      place.style.cursor = lasso.style.cursor = tool ? "crosshair" : "";
    }
    chosen();
  }

  // --- Samples that readers point at, select and follow. Figures of the same samples share
  // these: page.chosen has the selected rows by the samples' key, page.off the switched-off
  // entries of legends by key and subject. ---

  // store.js
  // What is done with panels of many samples; here nothing.
  var crowd = {of: function () { return null; }, tip: function () { return false; }, attach: function () {}, paint: function () {}, dispose: function () {}};
  var page = loader.samples = loader.samples || {figures: [], chosen: {}, off: {}};
  var spots = null; // of the panels, see read; null until they are needed
  var inked = false; // whether the layer has marks, or a new one may have to
  var layer, lasso, rings = [], box = null, tool = "", moving = null, soon = 0;

  function keyOf(k) {
    var p = payload.extra && payload.extra.panels && payload.extra.panels[k], s = p && p.samples;
    return s ? s.n + " " + (s.print || s.data) : "";
  }
  function keys() {
    var list = payload && payload.extra && payload.extra.panels || [];
    return list.map(function (p, k) { return keyOf(k); });
  }
  function subject(key) { return key + " " + payload.extra.legend; }
  // listOf has the samples of a panel: of gives one by its row, and each calls f with all.
  function listOf(key, panel) {
    var by = {}, all = [];
    payload.option.series.forEach(function (s, k) {
      if (s.type !== "scatter" || s.silent || (s.xAxisIndex || 0) !== panel || !key) { return; }
      s.data.forEach(function (v, r) {
        var spot = {i: v[v.length - 1], v: v, name: s.name, series: k, at: r, ring: s.itemStyle.borderWidth > 1};
        if (!by[spot.i]) { all.push(spot); }
        by[spot.i] = spot;
      });
    });
    return {count: all.length, of: function (i) { return by[i]; }, each: function (f) { all.forEach(f); },
      from: [0, 1].map(function (dim) { return all.reduce(function (m, s) { return Math.min(m, s.v[dim]); }, Infinity); }),
      to: [0, 1].map(function (dim) { return all.reduce(function (m, s) { return Math.max(m, s.v[dim]); }, -Infinity); })};
  }
  // read collects the samples of each panel: their places, and how they look.
  function read() {
    if (spots) { return spots; }
    var boxes = arrange(known).option.grid;
    spots = keys().map(function (key, k) { return crowd.of(k) || listOf(key, k); });
    spots.forEach(function (p, k) {
      p.key = keyOf(k);
      p.box = boxes[k];
      if (!p.count) { return; }
      // Places in pixels follow from those of two corners, until the picture is zoomed.
      var from = p.from, to = p.to.map(function (v, dim) { return v > from[dim] ? v : from[dim] + 1; });
      p.frame = function () {
        var of = {xAxisIndex: k, yAxisIndex: k}, a = chart.convertToPixel(of, from), b = chart.convertToPixel(of, to);
        p.place = function (s) { return [0, 1].map(function (dim) { return a[dim] + (s.v[dim] - from[dim]) / (to[dim] - from[dim]) * (b[dim] - a[dim]); }); };
      };
      p.frame();
    });
    return spots;
  }
  function listed(name) {
    var legend = chart.getModel().getComponent("legend");
    return !legend || !legend.isSelected || legend.isSelected(name);
  }
  // lister is listed for many samples at once.
  function lister() {
    var on = {};
    return function (name) { return on[name] === undefined ? (on[name] = !!listed(name)) : on[name]; };
  }
  function within(b, q) { return q[0] >= b.left && q[0] <= b.left + b.width && q[1] >= b.top && q[1] <= b.top + b.height; }
  var looks = []; // of the series, as ECharts holds them for a frame
  function dot(c, s, q, alpha) {
    var d = s.fill ? null : looks[s.series] = looks[s.series] || chart.getModel().getSeriesByIndex(s.series).getData();
    shape(c, q, d ? d.getItemVisual(s.at, "symbol") : s.symbol, (d ? d.getItemVisual(s.at, "symbolSize") : s.size) / 2, d ? d.getItemVisual(s.at, "style").fill : s.fill, s.ring, alpha);
  }
  // shape draws a symbol of radius r around q.
  function shape(c, q, symbol, r, fill, ring, alpha) {
    c.globalAlpha = alpha;
    c.beginPath();
    if (symbol === "triangle") { c.moveTo(q[0], q[1] - r); c.lineTo(q[0] + r, q[1] + r); c.lineTo(q[0] - r, q[1] + r); c.closePath(); }
    else if (symbol === "rect") { c.rect(q[0] - r, q[1] - r, 2 * r, 2 * r); }
    else if (symbol === "diamond") { c.moveTo(q[0], q[1] - r); c.lineTo(q[0] + r, q[1]); c.lineTo(q[0], q[1] + r); c.lineTo(q[0] - r, q[1]); c.closePath(); }
    else { c.arc(q[0], q[1], r, 0, 6.2832); }
    c.fillStyle = fill;
    c.fill();
    if (ring) { c.strokeStyle = dark() ? "#eee" : "#222"; c.lineWidth = 1.2; c.stroke(); }
  }
  function ground() {
    for (var e = figure; e; e = e.parentElement) {
      var shade = getComputedStyle(e).backgroundColor;
      if (shade && shade !== "transparent" && !/, 0\)$/.test(shade)) { return shade; }
    }
    return forced() ? system("Canvas") : dark() ? "#111" : "#fff";
  }
  // mark draws what is selected, or on its way, over the paler rest; once in a frame.
  function mark() {
    crowd.paint();
    if (!soon) { soon = requestAnimationFrame(function () { soon = 0; if (chart && layer) { marked(); } }); }
  }
  function marked() {
    var some = keys().some(function (key) { return page.chosen[key]; });
    if (!inked && !some && !moving) { return; }
    inked = some || !!moving;
    tally();
    var c = layer.getContext("2d"), scale = window.devicePixelRatio || 1, count = 0;
    looks = [];
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.clearRect(0, 0, layer.width, layer.height);
    if (some || moving) {
      var width = Math.round(chart.getWidth() * scale), height = Math.round(chart.getHeight() * scale);
      if (layer.width !== width || layer.height !== height) { layer.width = width; layer.height = height; }
      c.setTransform(scale, 0, 0, scale, 0, 0);
      var shade = chart.ground || ground(), shown = lister();
      read().forEach(function (p) {
        var rows = page.chosen[p.key];
        if (!p.count || !rows && !moving) { return; }
        c.save();
        c.beginPath();
        c.rect(p.box.left + 1, p.box.top + 1, p.box.width - 2, p.box.height - 2);
        c.clip();
        c.globalAlpha = moving ? 0.86 : 0.78;
        c.fillStyle = shade;
        c.fillRect(p.box.left, p.box.top, p.box.width, p.box.height);
        if (!moving) {
          rows.forEach(function (i) {
            var s = p.of(i);
            if (s && shown(s.name)) { dot(c, s, p.place(s), 0.95); count++; }
          });
        }
        c.restore();
      });
      if (moving) { travel(c); }
    }
    figure.dataset.marked = count;
  }
  // selected says how many samples of a panel are selected.
  function selected(k) { return page.chosen[keyOf(k)].length + " of " + payload.extra.panels[k].samples.n + " samples selected"; }
  // tally says beside the figure's buttons why samples are pale, and lets the reader end it. The
  // table of a selection says so itself.
  var told = null;
  function tally() {
    var words = keys().map(function (key, k, all) {
      return page.chosen[key] && all.indexOf(key) === k && !(box && box.key === key) ? selected(k) : "";
    }).filter(Boolean).join(", ");
    if (!words) { untally(); return; }
    if (!told) {
      told = el("div", "");
      told.className = "ssdrnb-chosen";
      told.dataset.lmSuppressShortcuts = "true";
      told.words = el("span", "", "", told);
      told.words.setAttribute("role", "status");
      told.words.setAttribute("aria-live", "polite");
      el("span", "", "·", told).setAttribute("aria-hidden", "true");
      var clear = el("button", "font:inherit;padding:0;border:0;background:none;color:inherit;text-decoration:underline;cursor:pointer", "Clear", told);
      clear.type = "button";
      clear.title = "Select nothing, in all figures of these samples (Escape)";
      clear.onclick = function () {
        link.clear();
        if (place.tabIndex === 0) { place.focus({preventScroll: true}); }
      };
      figure.insertBefore(told, ruler);
    }
    // A narrow figure has its title there, and no place beside its buttons.
    styled(told, (figure.clientWidth < 560 ? "position:static;width:fit-content" : "position:absolute;width:auto") + ";top:2px;left:2px;z-index:2;display:flex;gap:5px;padding:2px 7px;border-radius:4px;font:12px/18px sans-serif;border:1px solid " +
      (dark() ? "#555;background:#222;color:#ddd" : "#ccc;background:#fff;color:#444"));
    if (told.words.textContent !== words) { told.words.textContent = words; }
  }
  function untally() { if (told) { told.remove(); told = null; } }
  // travel draws the samples between two of the panels.
  function travel(c) {
    var of = moving.of, k = Math.min(Math.floor(moving.at), of.length - 2), t = moving.at - k, a = spots[of[k]], b = spots[of[k + 1]], rows = page.chosen[a.key] && new Set(page.chosen[a.key]);
    t = t * t * (3 - 2 * t);
    a.each(function (s) {
      var to = b.of(s.i);
      if (!to || !listed(s.name)) { return; }
      var p = a.place(s), q = b.place(to);
      if (within(a.box, p) && within(b.box, q)) { dot(c, s, [p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])], rows && !rows.has(s.i) ? 0.12 : 0.8); }
    });
  }
  // ring marks a sample that the pointer is on in another panel or figure.
  function ring(key, i, besides) {
    var any = false;
    rings.forEach(function (r, k) {
      var p = i >= 0 && k !== besides && keyOf(k) === key ? read()[k] : null, s = p && p.of(i), q = s && listed(s.name) && p.place(s), on = q && within(p.box, q);
      r.style.transform = on ? "translate(" + (q[0] - 10) + "px," + (q[1] - 10) + "px)" : ""; // what is hidden makes no page wider
      any = any || !!on;
      r.style.visibility = on ? "visible" : "hidden";
    });
    if (any) { figure.dataset.pointed = i; } else { delete figure.dataset.pointed; }
  }
  var link = {figure: figure, ring: function (key, i, from, k) {
    if (chart && layer && keys().indexOf(key) >= 0) { ring(key, i, from === figure ? k : -1); }
  }, change: function (key, from) {
    if (!chart || keys().indexOf(key) < 0) { return; }
    if (box && box.key === key && from !== figure) { unlist(); }
    mark();
  }, entry: function (about, name, on) {
    if (!chart || !keys().some(function (key) { return key && subject(key) === about; })) { return; }
    if (payload.option.series.some(function (s) { return s.name === name; }) && listed(name) !== on) { chart.dispatchAction({type: on ? "legendSelect" : "legendUnSelect", name: name}); mark(); }
  }};
  function join() {
    page.figures = page.figures.filter(function (l) { return l.figure.isConnected; });
    if (page.figures.indexOf(link) < 0) { page.figures.push(link); }
  }
  function tell(what, a, b, c, d) { page.figures.forEach(function (l) { l[what](a, b, c, d); }); }
  // choose selects rows, or none, of the samples of a key in all figures.
  function choose(key, rows) {
    if (rows && rows.length) { page.chosen[key] = rows; } else { delete page.chosen[key]; unlist(); }
    tell("change", key, figure);
  }
  // Keys are for the figure that has the focus; Escape clears also the selection of that which
  // the pointer is in.
  if (!page.keys) {
    page.keys = page.escape = true;
    window.addEventListener("keydown", function (e) {
      page.figures.forEach(function (l) {
        if (!(l.key && l.key(e)) && e.key === "Escape" && (l.figure.matches(":hover") || l.figure.contains(document.activeElement)) && l.clear()) { e.stopPropagation(); }
      });
    }, true);
  }
  // A page without a theme of its own has that of the reader's system, and on paper a light one.
  if (!page.scheme) {
    page.scheme = function (paper) {
      loader.paper = paper;
      page.figures.forEach(function (l) { if (l.renew) { l.renew(); } });
    };
    if (window.matchMedia) { ["(prefers-color-scheme: dark)", "(forced-colors: active)"].forEach(function (q) { window.matchMedia(q).addEventListener("change", function () { page.scheme(loader.paper); }); }); }
    window.addEventListener("beforeprint", function () { page.scheme(true); });
    window.addEventListener("afterprint", function () { page.scheme(false); });
  }
  link.clear = function () {
    var any = keys().filter(function (key) { return page.chosen[key]; });
    any.forEach(function (key) { choose(key, null); });
    return any.length > 0;
  };

  // attach makes a new chart one of those that share their samples.
  function attach() {
    var list = keys().filter(function (key, k, all) { return key && all.indexOf(key) === k; });
    if (!list.length) { return; }
    spots = null;
    join();
    chart.on("mouseover", function (p) {
      var s = p.componentType === "series" && payload.option.series[p.seriesIndex], k = s && s.xAxisIndex || 0;
      if (s && /^scatter/.test(s.type) && keyOf(k) && Array.isArray(p.value)) { tell("ring", keyOf(k), p.value[p.value.length - 1], figure, k); }
    });
    chart.on("mouseout", function () { list.forEach(function (key) { tell("ring", key, -1); }); });
    function switched(name, on) {
      list.forEach(function (key) {
        var off = page.off[subject(key)] = page.off[subject(key)] || {};
        if (on) { delete off[name]; } else { off[name] = true; }
        tell("entry", subject(key), name, on);
      });
    }
    chart.on("legendselectchanged", function (p) { switched(p.name, p.selected[p.name]); mark(); });
    chart.on("legendselectall", function () { payload.option.series.forEach(function (s) { if (s.name) { switched(s.name, true); } }); mark(); });
    list.forEach(function (key) { Object.keys(page.off[subject(key)] || {}).forEach(function (name) { link.entry(subject(key), name, false); }); });
    if (payload.gl) { return; }
    chart.on("datazoom", function () { if (spots) { spots.forEach(function (p) { if (p.frame) { p.frame(); } }); ring("", -1); mark(); } });
    place.style.position = "relative";
    layer = part("canvas", "width:100%;height:100%");
    layer.width = layer.height = 1;
    inked = true;
    lasso = part("div", "width:100%;height:100%");
    rings = keys().map(function () { return part("div", "width:14px;height:14px;border:3px solid #d6006c;box-shadow:0 0 0 2px " + (dark() ? "#111" : "#fff") + ";border-radius:50%;visibility:hidden;will-change:transform"); });
    rings.forEach(function (r) { r.className = "ssdrnb-ring"; });
    drawing();
    scheme();
    mark();
  }
  // scheme gives the table the theme's scroll bars.
  function scheme() { if (box) { box.node.style.colorScheme = dark() ? "dark" : "light"; } }
  function part(tag, style) {
    var e = document.createElement(tag);
    styled(e, "position:absolute;left:0;top:0;pointer-events:none;z-index:1;" + style);
    place.appendChild(e);
    return e;
  }
  // drawing lets the reader draw a lasso or a box over a panel.
  function drawing() {
    var path = null, k = -1, more = false, mine = place;
    function at(e) { var b = mine.getBoundingClientRect(); return [e.clientX - b.left, e.clientY - b.top]; }
    function show() {
      var corners = path && tool === "box" ? corner(path) : path;
      lasso.replaceChildren();
      if (path) {
        svg("polygon", {fill: "#0072b2", "fill-opacity": 0.1, stroke: dark() ? "#eee" : "#222", "stroke-dasharray": "4 3", points: corners.join(" ")}, svg("svg", {width: "100%", height: "100%"}, lasso));
      }
    }
    function corner(p) { var a = p[0], b = p[p.length - 1]; return [a, [b[0], a[1]], b, [a[0], b[1]]]; }
    place.addEventListener("pointerdown", function (e) {
      if (!tool || e.button || moving) { return; }
      var q = at(e);
      k = read().findIndex(function (p) { return p.count && within(p.box, q); });
      if (k < 0) { return; }
      e.stopPropagation();
      path = [q];
      more = e.shiftKey;
      try { mine.setPointerCapture(e.pointerId); } catch (err) { /* a pointer that is already gone */ }
    }, true);
    place.addEventListener("pointermove", function (e) {
      if (!path) { return; }
      e.stopPropagation();
      path.push(at(e));
      show();
    }, true);
    function end(e) {
      if (!path) { return; }
      e.stopPropagation();
      var p = spots[k], round = tool === "box" ? corner(path) : path, rows = e.type === "pointerup" && path.length > 2 ? inside(p, round) : [];
      path = null;
      show();
      if (more) { rows = rows.concat(page.chosen[p.key] || []); }
      rows = rows.sort(function (a, b) { return a - b; }).filter(function (i, r, all) { return i !== all[r - 1]; });
      choose(p.key, rows);
      if (rows.length) { list(k); }
    }
    place.addEventListener("pointerup", end, true);
    place.addEventListener("pointercancel", end, true);
  }
  function inside(p, path) {
    var rows = [], shown = lister();
    p.each(function (s) {
      var q = p.place(s);
      if (shown(s.name) && within(p.box, q) && encloses(path, q[0], q[1])) { rows.push(s.i); }
    });
    return rows;
  }

  // --- Without a mouse: a figure takes the focus, and then keys. Arrows go from sample to sample,
  // and what the pointer would show is shown and said. ---

  var steps = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}, scales = {"+": 1.5, "=": 1.5, "-": 1 / 1.5, "_": 1 / 1.5, "0": 0};
  var cursor = null, voice = null, names = [], moved = false; // the panel and the sample that the keys are on, what is said, the entries of the legend, whether the pointer moved after the last key
  if (!loader.focus) {
    loader.focus = document.head.appendChild(document.createElement("style"));
    loader.focus.textContent = ".ssdrnb-keyed:focus-visible{outline:3px solid #2a8fd4;outline-offset:-3px}.ssdrnb-figure button:focus-visible{outline:3px solid #2a8fd4;outline-offset:0}" +
      ".ssdrnb-help{display:none}@media screen{.ssdrnb-figure:not([data-pointed]) .ssdrnb-keyed:focus-visible>.ssdrnb-help{display:block}}";
  }
  // keyboard makes a new chart one that takes keys.
  function keyboard() {
    var mine = place, hint = part("div", "top:auto;bottom:3px;left:50%;transform:translateX(-50%);width:max-content;max-width:90%;padding:1px 8px;border-radius:4px;z-index:3;font:12px/1.5 sans-serif;background:#2a8fd4;color:#fff");
    join();
    voice = voice || el("span", "position:absolute;left:0;top:0;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)", "", figure);
    voice.className = "ssdrnb-voice";
    voice.setAttribute("role", "status");
    voice.setAttribute("aria-live", "polite");
    entries();
    hint.className = "ssdrnb-help";
    hint.id = "ssdrnb-help-" + (page.helps = (page.helps || 0) + 1);
    hint.textContent = [payload.gl ? "Arrows: turn" : keys().some(Boolean) && "Arrows: next sample (with Shift farther); Enter: select", !payload.gl && keys().length > 1 && keys().some(Boolean) && "Page Up, Page Down: next panel", movable() && "+ − 0: zoom", names.length && "Tab: legend", "Escape: leave"].filter(Boolean).join("; ");
    mine.classList.add("ssdrnb-keyed");
    mine.style.position = "relative";
    mine.tabIndex = 0;
    mine.setAttribute("role", "application");
    mine.setAttribute("aria-label", figure.querySelector("img") ? figure.querySelector("img").alt : "figure");
    mine.setAttribute("aria-describedby", hint.id);
    // A click leaves the focus where it would be without a figure: its keys are the notebook's.
    mine.addEventListener("mousedown", function () { mine.removeAttribute("tabindex"); setTimeout(function () { mine.tabIndex = 0; }, 0); }, true);
    mine.addEventListener("focus", function () { if (cursor) { point(cursor.k, cursor.i); } });
    mine.addEventListener("blur", function () { hide(); });
    // After it is rendered, ECharts shows the card of what lies uppermost where the card is.
    mine.addEventListener("pointermove", function () { moved = true; });
    chart.on("showTip", function (e) {
      var s = mine === document.activeElement && cursor && !moved && read()[cursor.k].of(cursor.i);
      if (s && (e.seriesIndex !== s.series || e.dataIndex !== s.at)) { present(cursor.k, cursor.i, s); }
    });
  }
  // aim scores a place by how far it is from q on the way of a key. First come those at least so
  // many pixels ahead within 45° to both sides, then such within 90°, then nearer ones. Samples
  // at the same place follow by their rows.
  function aim(q, way, least, i) {
    var u = q[0], v = q[1], dx = way ? way[0] : 0, dy = way ? way[1] : 0;
    return function (x, y, r) {
      x -= u;
      y -= v;
      if (!way) { return x * x + y * y; }
      var ahead = x * dx + y * dy, aside = Math.abs(x * dy - y * dx);
      if (ahead > 1e-6) { return ahead + 2 * aside + (aside > ahead ? 1e6 : 0) + (ahead < least ? 2e6 : 0); }
      return ahead > -1e-6 && aside < 1e-6 && (r - i) * (dx + dy) > 0 ? -1 / Math.abs(r - i) : Infinity;
    };
  }
  // seek is the sample of a panel that is seen and has the smallest score, or −1.
  function seek(p, score) {
    if (p.seek) { return p.seek(score); }
    var best = -1, least = Infinity, shown = lister();
    p.each(function (s) {
      var q = p.place(s), c = shown(s.name) && within(p.box, q) ? score(q[0], q[1], s.i) : Infinity;
      if (c < least) { least = c; best = s.i; }
    });
    return best;
  }
  // sight is where a sample of a panel is seen, or null.
  function sight(p, i) {
    var s = p.of(i), q = s && listed(s.name) && p.place(s);
    return q && within(p.box, q) ? q : null;
  }
  function go(way, far) {
    var all = read(), k = cursor ? cursor.k : all.findIndex(function (p) { return p.count; }), p = all[k], q = cursor && sight(p, cursor.i);
    var least = far ? 40 : p.seek ? 3 : 0; // of very many samples the next is hardly at another place
    var found = seek(p, aim(q || [p.box.left + p.box.width / 2, p.box.top + p.box.height / 2], q && way, least, cursor && cursor.i));
    if (found >= 0) { point(k, found); } else { voice.textContent = q ? "no sample farther this way" : "no sample is seen"; }
  }
  // pass goes to the next panel, to the same sample if that is seen there.
  function pass(by) {
    var all = read(), k = cursor ? cursor.k : by > 0 ? -1 : all.length;
    for (k += by; all[k] && !all[k].count;) { k += by; }
    if (!all[k]) { return; }
    var i = cursor && all[k].key === all[cursor.k].key && sight(all[k], cursor.i) ? cursor.i : -1;
    hide();
    cursor = {k: k, i: i};
    if (i >= 0) { point(k, i); } else { go(); }
  }
  // point shows a sample as the pointer does, marks it in all figures, and says it.
  function point(k, i) {
    var p = read()[k], s = p.of(i), e = payload.extra.panels[k], rows = page.chosen[p.key] || [], words = s ? facts(e, s.name, s.v, i) : [];
    cursor = {k: k, i: i};
    if (!s) { return; }
    present(k, i, s);
    tell("ring", p.key, i, figure, -1);
    if (keys().length > 1 && e.samples.name) { words.unshift(e.samples.name); }
    if (rows.indexOf(i) >= 0) { words.push("selected"); }
    voice.textContent = words.concat(rows.length ? [selected(k)] : []).join(", ");
  }
  function present(k, i, s) {
    if (!crowd.tip(k, i)) { chart.dispatchAction(sight(read()[k], i) ? {type: "showTip", seriesIndex: s.series, dataIndex: s.at} : {type: "hideTip"}); }
  }
  function hide() {
    if (!cursor || !chart) { return; }
    if (!crowd.tip(cursor.k, -1)) { chart.dispatchAction({type: "hideTip"}); }
    tell("ring", keyOf(cursor.k), -1);
  }
  // pick adds the sample to the selection, or takes it out.
  function pick() {
    var key = keyOf(cursor.k), rows = (page.chosen[key] || []).filter(function (i) { return i !== cursor.i; });
    if (rows.length === (page.chosen[key] || []).length) { rows = rows.concat(cursor.i).sort(function (a, b) { return a - b; }); }
    choose(key, rows);
    if (rows.length) { list(cursor.k); }
    point(cursor.k, cursor.i);
  }
  // act does what a key says to the figure, and tells whether it says something.
  function act(e) {
    var some = !payload.gl && keys().some(Boolean);
    if (steps[e.key] && payload.gl) { turn(steps[e.key]); } else if (steps[e.key] && some) { go(steps[e.key], e.shiftKey); }
    else if (/^Page/.test(e.key) && some) { pass(e.key === "PageDown" ? 1 : -1); }
    else if (/^(Enter| )$/.test(e.key)) { if (cursor && some && !e.shiftKey) { pick(); } }
    else if (scales[e.key] !== undefined && movable()) {
      var p = cursor && read()[cursor.k];
      zoom(scales[e.key], p && sight(p, cursor.i), p && p.box);
      if (cursor) { point(cursor.k, cursor.i); }
    } else { return false; }
    return true;
  }
  // leave ends one thing after another: the sample, the selection, the focus. It tells whether
  // the key is used up.
  function leave() {
    if (cursor) { hide(); cursor = null; voice.textContent = ""; return true; }
    if (link.clear()) { voice.textContent = "nothing is selected"; return true; }
    var outer = figure.parentElement && figure.parentElement.closest("[tabindex]");
    document.activeElement.blur();
    if (outer) { outer.focus({preventScroll: true}); }
    return true;
  }
  // key takes a key that is meant for the figure. It is no command of the notebook; that of the
  // browser it is unless the figure uses it.
  link.key = function (e) {
    var at = e.target, k = names.indexOf(at);
    moved = false;
    if (!chart || !figure.contains(at) || at.closest("[data-lm-suppress-shortcuts]") || e.ctrlKey || e.metaKey || e.altKey || e.key === "Tab") { return false; }
    e.stopPropagation();
    if (at === place ? e.key === "Escape" ? leave() : act(e) : k >= 0 && (steps[e.key] || e.key === "Escape")) { e.preventDefault(); }
    if (k >= 0 && steps[e.key]) { names[Math.min(Math.max(k + steps[e.key][0] + steps[e.key][1], 0), names.length - 1)].focus(); }
    if (k >= 0 && e.key === "Escape") { place.focus(); }
    return at === place || k >= 0;
  };
  // entries lays a button over that entry of the legend that has the focus.
  function entries() {
    var model = chart.getModel().getComponent("legend"), all = model && model.getData && model.get("show") !== false && model.get("selectedMode") !== false ? model.getData() : [];
    var group = part("div", "z-index:2"), mine = chart;
    names = [];
    group.setAttribute("role", "group");
    group.ariaLabel = "legend";
    all.forEach(function (m, k) {
      var name = m.get("name"), b;
      if (!name || name === "\n") { return; }
      b = el("button", "position:absolute;padding:0;border:0;background:none;width:1px;height:1px", "", group);
      b.type = "button";
      b.ariaLabel = name;
      b.setAttribute("role", "switch");
      b.tabIndex = names.length ? -1 : 0;
      b.onclick = function () { chart.dispatchAction({type: "legendToggleSelect", name: name}); };
      b.onfocus = function () {
        names.forEach(function (other) { other.tabIndex = other === b ? 0 : -1; });
        settle(true);
      };
      b.settle = function (turn) {
        var content = mine.getViewOfComponentModel(mine.getModel().getComponent("legend")).getContentGroup(), clip = content.parent.getClipPath && content.parent.getClipPath(), item = null, r, at;
        content.eachChild(function (c) { if (c.__legendDataIndex === k) { item = c; } });
        if (!item) { return; }
        r = item.getBoundingRect();
        if (turn && clip) {
          at = item.y + content.y + r.y + r.height / 2;
          var beside = item.x + content.x + r.x + r.width / 2;
          if (at < clip.shape.y || at > clip.shape.y + clip.shape.height || beside < clip.shape.x || beside > clip.shape.x + clip.shape.width) { mine.dispatchAction({type: "legendScroll", scrollDataIndex: k}); }
        }
        at = item.transformCoordToGlobal(r.x, r.y);
        Object.assign(b.style, {left: at[0] - 2 + "px", top: at[1] - 2 + "px", width: r.width + 4 + "px", height: r.height + 4 + "px"});
      };
      b.name = name;
      names.push(b);
    });
    function settle(turn) {
      names.forEach(function (b) {
        b.ariaChecked = String(!!listed(b.name));
        if (b === document.activeElement) { b.settle(turn); }
      });
    }
    if (names.length) {
      settle(false);
      chart.on("finished", function () { if (chart === mine) { settle(false); } });
    }
  }

  // --- The selected samples as a table, under a name, and as a line of Go. ---

  function el(tag, style, text, parent) {
    var e = document.createElement(tag);
    styled(e, style);
    if (text) { e.textContent = text; }
    if (parent) { parent.appendChild(e); }
    return e;
  }
  function unlist() { if (box) { box.node.remove(); box = null; } }
  var title = ""; // the name that the reader has given
  function list(k) {
    unlist();
    var e = payload.extra.panels[k], who = e.samples, p = spots[k], rows = page.chosen[p.key], edge = dark() ? "#555" : "#ccc";
    var node = el("div", "font:13px/1.5 sans-serif;margin:2px 0 6px"), line = el("div", "display:flex;flex-wrap:wrap;gap:6px;align-items:center", "", node);
    node.className = "ssdrnb-selection";
    node.dataset.lmSuppressShortcuts = "true"; // keys that are typed here are no commands of the notebook
    box = {node: node, key: p.key};
    scheme();
    function action(text, name, act, parent) {
      var b = el("button", "font:inherit;padding:0 8px;border:1px solid " + edge + ";border-radius:4px;background:transparent;color:inherit;cursor:pointer", text, parent);
      b.type = "button";
      b.title = name;
      b.onclick = act;
      return b;
    }
    el("b", "", selected(k), line);
    var field = el("input", "font:inherit;width:11em;background:transparent;color:inherit;border:1px solid " + edge, "", line);
    field.placeholder = field.ariaLabel = "name of the selection";
    field.value = title;
    action("Store", "Store the selection under this name, for later cells", keep, line);
    action("Export", "Save the selection as a JSON file", function () {
      if (named()) { download("selection-" + title + ".json", new TextEncoder().encode(content(0))); }
    }, line);
    action("Clear", "Select nothing (Escape)", function () { choose(p.key, null); }, line);
    var said = el("span", "opacity:.8;overflow-wrap:anywhere", "", line), frame = el("div", "max-height:230px;overflow:auto;margin:4px 0", "", node), table = el("table", "border-collapse:collapse;font-size:12px;margin:0", "", frame);
    said.role = "status";
    var sheet = payload.extra.sheets[e.sheet], facts = e.facts || [];
    function row(tag, cells, uri) {
      var tr = el("tr", "", "", table);
      cells.forEach(function (text) { el(tag, "text-align:left;padding:1px 10px 1px 0;background:none", String(text), tr); });
      if (uri) { el("img", "height:28px;image-rendering:pixelated;display:block", "", el(tag, "padding:1px", "", tr)).src = uri; }
      return tr;
    }
    var labels = e.labelled.indexOf("1") >= 0; // else all are given, or none
    row("th", ["row", "class"].concat(labels ? ["label"] : [], facts.map(function (f) { return f.name; })).concat(sheet ? ["picture"] : []));
    rows.slice(0, 50).forEach(function (i) {
      var s = p.of(i);
      if (!s) { return; }
      row("td", [i, className(e, s.name, i)].concat(labels ? [e.labelled[i] === "1" ? "given" : ""] : [], facts.map(function (f) { return written(f, s.v, i); })), sheet && i < sheet.count ? picture(sheet, i) : "").onmouseenter = function () { tell("ring", p.key, i); };
    });
    table.onmouseleave = function () { tell("ring", p.key, -1); };
    if (rows.length > 50) { el("div", "font-size:12px;opacity:.8", "The first 50 of " + rows.length + " rows.", node); }
    var code = el("code", "font:12px monospace;overflow-wrap:anywhere", "", el("div", "display:flex;gap:6px;align-items:start", "", node)), shelf = shelfOf(data.dataset.kernel, data.dataset.notebook, data.dataset.path), there = false;
    code.style.maxHeight = "5em";
    code.style.overflow = "auto";
    action("Copy", "Copy the line that fits the method to the selection; d is the data", function () {
      if (navigator.clipboard) { navigator.clipboard.writeText(code.textContent).catch(function () { said.textContent = "The browser does not allow to copy."; }); }
    }, code.parentNode);
    // Where no server keeps the selection for a cell, the line has the rows themselves.
    function refit() {
      var part = there || rows.length > 10000 ? "viz.Selection(" + JSON.stringify(title || "name") + ").Apply(d)" : "d.Subset([]int{" + rows.join(", ") + "})";
      code.textContent = who.code ? who.code + ".Fit(" + part + ")" : part;
    }
    refit();
    shelf.locate().then(function (f) { there = !!f; refit(); });
    field.oninput = function () { title = field.value.trim(); refit(); };
    field.onkeydown = function (event) {
      event.stopPropagation();
      if (event.key === "Enter") { keep(); }
      if (event.key === "Escape") { choose(p.key, null); }
    };
    function named() {
      title = field.value.trim();
      var bad = !title || title.length > 80 || /[\/\\:\u0000-\u001f]/.test(title) || title[0] === ".";
      if (bad) { said.textContent = "Give a name of 1 to 80 characters other than / \\ and :, the first not a dot."; field.focus(); }
      return !bad;
    }
    function content(number) {
      return JSON.stringify({format: 1, data: who.data, samples: who.n, fingerprint: who.print, revision: number, rows: rows}) + "\n";
    }
    function keep() {
      if (!named()) { return; }
      var name = title, file = "selection-" + name, text;
      said.textContent = "…";
      shelf.read(file, null).then(function (old) {
        text = content(revision(old) + 1);
        var before = revision(old) < 0 ? 0 : (JSON.parse(old).rows || []).length;
        var here = shelf.keep(file, text);
        return shelf.publish(file, text).then(function (at) {
          node.dataset.stored = name;
          said.textContent = (before ? "The selection of " + before + " samples with this name is replaced. " : "") + (at ? "Stored in " + at + ": viz.Selection(" + JSON.stringify(name) + ") reads it." :
            (here ? "Stored in this browser, where no cell can read it." : "Not stored: this browser keeps nothing for this page.") + " Use the line below, or Export.");
        });
      });
    }
    figure.insertBefore(node, ruler);
  }

  // --- Moving the samples from one panel to the next. ---

  // movers are the panels that show the same samples as the first that others show too.
  function movers() {
    var all = keys().map(function (key, k) { return payload.extra.panels[k] && payload.extra.panels[k].many ? "" : key; }), first = all.findIndex(function (key, k) { return key && all.indexOf(key, k + 1) > 0; });
    return all.map(function (key, k) { return k; }).filter(function (k) { return first >= 0 && all[k] === all[first]; });
  }
  function follow() {
    if (moving) { stay(); return; }
    var of = movers(), node = el("div", "display:flex;gap:8px;align-items:center;font:12px sans-serif"), slider = el("input", "flex:1;max-width:420px", "", node), at = el("span", "opacity:.8", "", node);
    node.className = "ssdrnb-move";
    slider.type = "range";
    slider.min = 0;
    slider.max = of.length - 1;
    slider.step = 0.01;
    slider.value = 0;
    slider.ariaLabel = "from one panel to the next";
    read();
    moving = {of: of, at: 0, node: node};
    function to(v) {
      moving.at = v;
      var k = Math.min(Math.floor(v), of.length - 2), name = function (j) { return payload.extra.panels[of[j]].samples.name; };
      at.textContent = name(k) + " → " + name(k + 1) + ", " + Math.round(100 * (v - k)) + " %";
      mark();
    }
    slider.oninput = function () { moving.still = true; to(Number(slider.value)); };
    slider.onkeydown = function (e) { e.stopPropagation(); };
    node.dataset.lmSuppressShortcuts = "true";
    figure.insertBefore(node, box ? box.node : ruler);
    to(0);
    if (window.matchMedia && window.matchMedia("(prefers-reduced-motion: reduce)").matches) { return; }
    var began = performance.now(), mine = moving;
    requestAnimationFrame(function step(now) {
      if (moving !== mine || mine.still) { return; }
      slider.value = Math.min(Math.max(now - began, 0) / 1500, of.length - 1);
      to(Number(slider.value));
      if (mine.at < of.length - 1) { requestAnimationFrame(step); }
    });
  }
  function stay() {
    if (moving) { moving.node.remove(); moving = null; mark(); }
  }
