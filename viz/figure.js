(function (id) {
  "use strict";
  // An extension of the notebook gives the element itself.
  var data = typeof id === "string" ? document.getElementById(id) : id, figure = data && data.previousElementSibling;
  if (!figure || figure.dataset.drawn) { return; }
  figure.dataset.drawn = "pending";
  var payload, line = figure.querySelector(".ssdrnb-static");
  if (line) { line.style.display = "none"; }

  // One loader per page: where ECharts comes from is decided once.
  var loader = window.__ssdrnbLoader = window.__ssdrnbLoader || {};
  loader.ready = loader.ready || {}; // ECharts by false, and echarts-gl by true
  // Paper is not as wide as the window, and no script runs between the two: there a chart
  // becomes smaller or larger as a whole.
  if (!loader.sheet) {
    loader.sheet = document.head.appendChild(document.createElement("style"));
    loader.sheet.textContent = "@media print{.ssdrnb-chart{height:auto!important}.ssdrnb-chart>div:first-child{position:absolute!important;inset:0;width:auto!important;height:auto!important}" +
      ".ssdrnb-chart canvas{width:100%!important;height:100%!important}.ssdrnb-tools{display:none!important}}";
  }
  function base() {
    var config = jupyter();
    return config ? config.baseUrl || "/" : null;
  }
  // The last of the places is another server, which is believed only for a script of this sum.
  function fetchScript(urls, sum) {
    return new Promise(function (resolve, reject) {
      (function next(k) {
        if (k === urls.length) { reject(new Error("not found at " + urls.join(", "))); return; }
        var tag = document.createElement("script"), define = window.define;
        // ECharts would register with RequireJS instead of the window.
        window.define = undefined;
        if (k === urls.length - 1) { tag.integrity = sum; tag.crossOrigin = "anonymous"; }
        tag.src = urls[k];
        tag.onload = function () { window.define = define; resolve(); };
        tag.onerror = function () { window.define = define; tag.remove(); next(k + 1); };
        document.head.appendChild(tag);
      })(0);
    });
  }
  function places(file, remote) {
    var b = base(), urls = [];
    if (b !== null) { urls.push(b.replace(/\/?$/, "/") + "lab/extensions/ssdrnb-assets/static/" + file); }
    urls.push(remote); // the last resort, reached only where the server has no copy
    return urls;
  }
  function charts(gl) {
    if (!loader.charts) {
      loader.charts = window.echarts ? Promise.resolve() :
        fetchScript(places("echarts.min.js", "https://cdn.jsdelivr.net/npm/echarts@5.6.0/dist/echarts.min.js"), "sha384-pPi0zxBAoDu6+JXW/C68UZLvBUUtU+7zonhif43rqj7pxsGyqyqzcian2Rj37Rss");
    }
    if (!gl) { return loader.charts; }
    if (!loader.gl) {
      loader.gl = loader.charts.then(function () {
        if (window.__ssdrnbInlineGL) { return; }
        return fetchScript(places("echarts-gl.min.js", "https://cdn.jsdelivr.net/npm/echarts-gl@2.1.0/dist/echarts-gl.min.js"), "sha384-RSPZ3vSNVFJnUBsUVMnD0qizvywfxO1bcpIeS9dg5sseJ+Daf08BIyMCZMX+rmLl");
      });
    }
    return loader.gl;
  }

  // The queue of the page: a chart is made in steps, one in a task, and between two of them
  // the page does what else there is to do. Those near the window come first, the others
  // where the page is idle and its first widget has begun, and all flat ones that can before it
  // is printed. A step may return a promise, for which its job waits.
  var queue = loader.queue = loader.queue || (function () {
    var jobs = [], soon = false, later = false;
    var idle = window.requestIdleCallback || function (f) { setTimeout(f, 200); };
    function free(j) { return !j.held && j.width; }
    function next(all) { return jobs.find(function (j) { return free(j) && j.near; }) || all && jobs.find(free); }
    function drop(j) { if (jobs.indexOf(j) >= 0) { jobs.splice(jobs.indexOf(j), 1); } }
    function leave(j) { drop(j); j.steps = null; }
    function took(j, step) {
      if (step.done) { leave(j); return; }
      if (!step.value) { return; }
      j.held = true;
      step.value.then(function () { j.held = false; wake(); }, function (e) { j.held = false; took(j, j.steps.throw(e)); wake(); });
    }
    function advance(j) { took(j, (j.steps = j.steps || j.begin()).next()); }
    function run(all) {
      var j = next(all);
      if (j) { advance(j); }
      wake();
    }
    // The widget that begins with the page needs both the processor and the page's thread.
    function beginning() {
      var w = performance.now() < 10000 && document.querySelector(".ssdrnb-widget[data-page]");
      return w && w.dataset.state === "connecting";
    }
    function rest() {
      later = false;
      run(!beginning());
    }
    function wake() {
      if (next(false)) {
        if (!soon) { soon = true; setTimeout(function () { soon = false; run(false); }, 0); }
      } else if (!later && next(true)) {
        later = true;
        if (beginning()) { setTimeout(rest, 100); } else { idle(rest); }
      }
    }
    window.addEventListener("beforeprint", function () {
      if (loader.samples) { loader.samples.scheme(true); } // charts of a dark page are drawn anew
      // What WebGL begins in this task does not come onto the paper: there the static picture stays.
      for (var j; (j = jobs.find(function (j) { return free(j) && !j.gl; }));) { advance(j); }
    });
    return {jobs: jobs, wake: wake, drop: drop, put: function (j) {
      if (jobs.indexOf(j) < 0) { jobs.push(j); }
      wake();
    }};
  })();

  function labels(list) {
    return function (v) { return v === Math.round(v) && list[v] !== undefined ? list[v] : ""; };
  }
  // What Go marks with "draw" is drawn by these functions; Go sends the numbers.
  var painters = {
    // A picture between two corners of the plane.
    picture: function (s) {
      return function (params, api) {
        var a = api.coord([api.value(0), api.value(1)]), b = api.coord([api.value(2), api.value(3)]);
        return {type: "image", style: {image: s.image, x: Math.min(a[0], b[0]), y: Math.min(a[1], b[1]),
          width: Math.abs(a[0] - b[0]), height: Math.abs(a[1] - b[1])}};
      };
    },
    // Samples as pictures, where they do not cover earlier ones, framed in the colours of
    // their groups. Those of hidden groups are hidden.
    thumbnails: function (s, option, extra) {
      var t = extra.sheets[extra.panels[s.panel].sheet], longer = Math.max(t.w, t.h), w = s.side * t.w / longer, h = s.side * t.h / longer;
      var urls = {}, taken, shown;
      return function (params, api) {
        if (params.dataIndexInside === 0) {
          taken = {};
          shown = {};
          api.currentSeriesIndices().forEach(function (k) { shown[option.series[k].name] = true; });
        }
        var group = api.value(2), i = api.value(3), at = api.coord([api.value(0), api.value(1)]), x = Math.floor(at[0] / w), y = Math.floor(at[1] / h), box = params.coordSys;
        if (!shown[s.names[group]] || at[0] < box.x || at[0] > box.x + box.width || at[1] < box.y || at[1] > box.y + box.height) { return null; }
        for (var k = 0; k < 9; k++) {
          var other = taken[(x + k % 3 - 1) + "," + (y + Math.floor(k / 3) - 1)];
          if (other && Math.abs(other[0] - at[0]) < w && Math.abs(other[1] - at[1]) < h) { return null; }
        }
        taken[x + "," + y] = at;
        urls[i] = urls[i] || picture(t, i);
        var shape = {x: at[0] - w / 2, y: at[1] - h / 2, width: w, height: h};
        return {type: "group", children: [{type: "image", style: Object.assign({image: urls[i]}, shape)},
          {type: "rect", shape: shape, style: {fill: null, stroke: s.tones[group], lineWidth: 1.5}}]};
      };
    },
    // The area between the second and the third number over the first.
    band: function (s) {
      return function (params, api) {
        if (params.dataIndex !== 0) { return null; }
        var there = [], back = [];
        s.data.forEach(function (v) { there.push(api.coord([v[0], v[2]])); back.unshift(api.coord([v[0], v[1]])); });
        return {type: "polygon", shape: {points: there.concat(back)}, style: {fill: s.itemStyle.color, opacity: s.itemStyle.opacity}};
      };
    },
    // Error bars. Those of grouped bars (series "beside" the first ones) are in the
    // middle of their bar, which moves when the legend hides others.
    whiskers: function (s) {
      return function (params, api) {
        var x = api.value(0), lo = api.coord([x, api.value(1)]), hi = api.coord([x, api.value(2)]), shift = 0, cap = 3;
        if (s.beside) {
          var shown = api.currentSeriesIndices().filter(function (k) { return k < s.beside; });
          var bar = api.barLayout({barGap: "8%", barCategoryGap: "22%", count: shown.length})[shown.indexOf(params.seriesIndex - s.beside)];
          if (!bar) { return null; }
          shift = bar.offsetCenter;
          cap = Math.min(4, bar.width / 3);
        }
        var style = {stroke: s.itemStyle.color, opacity: s.itemStyle.opacity, lineWidth: 1.2, fill: null};
        function stroke(x1, y1, x2, y2) { return {type: "line", shape: {x1: x1 + shift, y1: y1, x2: x2 + shift, y2: y2}, style: style}; }
        return {type: "group", children: [stroke(lo[0], lo[1], hi[0], hi[1]),
          stroke(lo[0] - cap, lo[1], lo[0] + cap, lo[1]), stroke(hi[0] - cap, hi[1], hi[0] + cap, hi[1])]};
      };
    }
  };
  // Colours that follow the theme. Data have none and are skipped.
  function tint(o) {
    Object.keys(o).forEach(function (k) {
      if (o[k] === "@ink") { o[k] = forced() ? system("CanvasText") : dark() ? "#eee" : "#222"; }
      else if (o[k] === "@page") { o[k] = forced() ? system("Canvas") : dark() ? "#111" : "#fff"; }
      else if (o[k] === "@faint") { o[k] = dark() ? "#555" : "#ccc"; }
      else if (k !== "data" && o[k] && typeof o[k] === "object") { tint(o[k]); }
    });
  }
  // contrast gives text and axes the colour of text, and makes points less pale.
  function contrast(option, ink) {
    function put(o, key, what) { o[key] = Object.assign(o[key] || {}, what); }
    [].concat(option.title || [], option.legend || [], option.visualMap || []).forEach(function (t) { put(t, "textStyle", {color: ink}); });
    ["xAxis", "yAxis", "xAxis3D", "yAxis3D", "zAxis3D"].forEach(function (name) {
      [].concat(option[name] || []).forEach(function (a) {
        put(a, "axisLabel", {color: ink});
        put(a, "nameTextStyle", {color: ink});
        put(a, "axisLine", {lineStyle: {color: ink}});
      });
    });
    option.series.forEach(function (s) {
      if (/^scatter/.test(s.type) && s.itemStyle && s.itemStyle.opacity > 0) { s.itemStyle.opacity = Math.max(s.itemStyle.opacity, 0.9); }
    });
  }
  // skin is what a chart has to be drawn anew for.
  function skin() { return forced() ? "forced " + system("Canvas") + system("CanvasText") : dark(); }
  // Labels of an axis whose numbers ECharts would write in full: relative to the offset
  // in the axis's name.
  function shifted(a) {
    var unit = Math.pow(10, Math.floor(Math.log10(a.span)) - 4);
    return function (v) {
      var n = Math.round((v - a.from) / unit);
      return isFinite(n) ? String(Number((n * unit).toPrecision(6))) : digits(v);
    };
  }
  function spread(v) { return v === undefined || v === null ? "" : " ± " + digits(v); }

  function dress(option, extra) {
    option.series.forEach(function (s) { s.ring = !!s.itemStyle && s.itemStyle.borderColor === "@ink"; }); // other borders are no rings
    tint(option);
    if (dark()) { // ECharts has a white card, and its paler entries of a legend would be brighter
      Object.assign(option.tooltip || {}, {backgroundColor: "#222", textStyle: {color: "#eee"}});
      Object.assign(option.legend || {}, {inactiveColor: "#555"});
    }
    if (forced()) { contrast(option, system("CanvasText")); }
    option.series.forEach(function (s) {
      if (s.draw === "segments") { // each begins with the number of its places
        var flat = [];
        for (var k = 0; k + 3 < s.data.length; k += 4) { flat.push(2, s.data[k], s.data[k + 1], s.data[k + 2], s.data[k + 3]); }
        s.data = flat;
      } else if (s.draw) { s.renderItem = painters[s.draw](s, option, extra); }
      if (s.dataShape && s.dataShape[0] * s.dataShape[1] !== s.data.length) { throw new Error(s.data.length + " points are no grid of " + s.dataShape.join(" by ")); }
      if (s.itemStyle && s.itemStyle.decal) {
        s.itemStyle.decal = {symbol: s.itemStyle.decal, symbolSize: 0.7, dashArrayX: [1, 0], dashArrayY: [2, 4], rotation: 0.8, color: "rgba(0,0,0,0.45)"};
      }
      if (s.label) { s.label.formatter = function (p) { return p.name; }; }
      if (s.labelLayout) { // names stay within the figure
        s.labelLayout = function (l) {
          var r = l.labelRect;
          return {hideOverlap: true, dx: Math.max(2 - r.x, 0) - Math.max(r.x + r.width + 2 - across, 0)};
        };
      }
      // Pale points would be hard to see on a dark page.
      if (dark() && /^scatter/.test(s.type) && s.itemStyle && s.itemStyle.opacity === 0.45) { s.itemStyle.opacity = 0.75; }
    });
    ["xAxis", "yAxis", "xAxis3D", "yAxis3D", "zAxis3D"].forEach(function (name) {
      [].concat(option[name] || []).forEach(function (a) {
        if (a.span) { a.axisLabel = Object.assign(a.axisLabel || {}, {formatter: shifted(a)}); }
      });
    });
    ["xAxis3D", "yAxis3D", "zAxis3D"].forEach(function (name) {
      [].concat(option[name] || []).forEach(function (a) {
        if (!a.tight) { return; }
        var write = a.axisLabel.formatter || digits;
        a.axisLabel.formatter = function (v) { return v <= a.min || v >= a.max ? "" : write(v); };
      });
    });
    if (extra.short && option.legend) { // names that begin alike are cut where they differ
      var cut = new Map(extra.short);
      option.legend.formatter = function (name) { return cut.has(name) ? cut.get(name) : name; };
    }
    // Hover cards are elements: as a text, ECharts would take its own, or the data's, for HTML.
    option.tooltip.renderMode = "html";
    option.tooltip.formatter = function (p) {
      if (p.componentType !== "series") { return words([p.name]); } // an entry of the legend
      var v = p.value, own = {
        curves: function () { return words([p.seriesName, extra.x + " " + digits(v[0]) + ": " + digits(v[1]) + spread(v[2])]); },
        bars: function () { return words([p.name, p.seriesName + ": " + digits(v) + spread(extra.spread[p.seriesIndex][p.dataIndex])]); },
        convergence: function () { return words([p.seriesName, "iteration " + v[0] + ": " + Number(v[1]).toPrecision(10)]); },
        // Surfaces lie over the same grid: the card has what all of them are at a cell.
        mesh: function () {
          return words([extra.names[0] + " " + extra.x[v[0]], extra.names[1] + " " + extra.y[v[1]]].concat(option.series.map(function (s) {
            var cell = s.data.find(function (c) { return c[0] === v[0] && c[1] === v[1]; });
            return s.name + " " + (cell && typeof cell[2] === "number" ? cell[2] : "not known");
          })));
        }
      };
      if (extra.panels) { return card(extra.panels[option.series[p.seriesIndex].xAxisIndex || 0], p.seriesName, v, v[v.length - 1]); }
      return Object.prototype.hasOwnProperty.call(own, payload.kind) ? own[payload.kind]() : words([p.seriesName, [].concat(v).map(digits).join(", ")]);
    };
    if (payload.kind === "adjacency") {
      // Classes stand at the middle of their samples; the pointer tells the sample.
      var name = function (v) { return extra.names[extra.middles.indexOf(v)] || ""; };
      var sample = function (p) {
        var at = Math.min(Math.max(Math.floor(p.value), 0), extra.order.length - 1), k = 0;
        while (extra.bounds[k + 1] <= at) { k++; }
        return "sample " + extra.order[at] + ", " + extra.names[k];
      };
      option.xAxis.concat(option.yAxis).forEach(function (a) {
        a.axisLabel.formatter = name;
        a.axisPointer.label = {formatter: sample};
      });
    }
    if (payload.kind === "mesh") {
      option.xAxis3D.forEach(function (a) { a.axisLabel.formatter = labels(extra.x); });
      option.yAxis3D.forEach(function (a) { a.axisLabel.formatter = labels(extra.y); });
    }
    if (payload.kind === "convergence") {
      option.yAxis[1].axisLabel.formatter = function (v) { return v > 0 ? v.toExponential(0) : ""; };
    }
    return option;
  }

  // How wide a text is in pixels.
  function span(text, font) {
    var ctx = (loader.canvas = loader.canvas || document.createElement("canvas")).getContext("2d");
    ctx.font = font;
    return ctx.measureText(text).width;
  }
  function entryCount(o) { return new Set((o.legend.data || o.series).map(function (s) { return s.name || s; })).size; }
  // The rows that the legend takes where it is below the panels: items are as wide as
  // their symbols and names.
  function legendRows(o, width) {
    var rows = 1, x = 0, list = o.legend.data || o.series.map(function (s) { return s.name; });
    list.filter(function (n, k) { return n && list.indexOf(n) === k; }).forEach(function (n) {
      var w = span(n, "12px sans-serif") + (o.legend.itemWidth || 25) + 15;
      if (x > 0 && x + w > width - 20) { rows++; x = 0; }
      x += w;
    });
    return rows;
  }
  // The width of the buttons beside the title.
  function buttons() { return payload.gl || !keys().some(Boolean) ? 96 : movers().length > 1 ? 168 : 144; }
  // Where everything is in a figure of this width, as a change of the option, how high the
  // figure is, and how much farther than in a wide panel each camera stands. The rules are
  // those of Go's layout.place. A narrow figure has its legend below, and a long title in
  // lines.
  function arrange(width, first) {
    var l = payload.layout, o = payload.option, below = l.legend > 0 && width < 560;
    // A bar of colours that is of no panel stands in the column of the legend.
    var scale = (o.visualMap || []).some(function (v) { return v.panel === undefined && v.show !== false; }), listed = o.legend && o.legend.show !== false;
    var right = l.right + (below ? 0 : l.legend), rows = below && listed ? legendRows(o, width) : 0;
    var foot = below ? (rows > 4 ? 34 : rows ? 10 + 24 * rows : 0) + (scale ? 34 : 0) : 0, lines = l.foot || 0, inner = width - l.left - right + l.gap;
    // The title is over the panels, or beside the buttons if it is too long for that.
    var middle = (l.left + width - right) / 2, space = 2 * Math.min(middle, width - middle - buttons()), long = 0;
    var named = 0; // width of the name of the bar, which stands before the bar where both are below
    o.title.forEach(function (t) {
      if (t.scale) { named = Math.min(span(t.text, "12px sans-serif"), Math.max(width - 220, 20)); } else if (t.panel === undefined) { long = span(t.text, "bold 14px sans-serif") * 1.05; }
    });
    var begin = Math.max((width - named - 210) / 2, 4);
    if (long > space) { middle = (width - buttons()) / 2; space = width - buttons() - 8; }
    var head = l.head + 18 * (Math.min(Math.ceil(long / Math.max(space, 60)), 4) - 1) * (long > space);
    var across = Math.max(Math.min(Math.floor(inner / (l.least + l.gap)), l.most, l.count), 1), down = Math.ceil(l.count / across);
    across = Math.ceil(l.count / down);
    var w = Math.max(inner / across - l.gap, 20), h = Math.min(w * Math.max.apply(null, l.ratio), l.high);
    if (payload.height) { h = (payload.height - head - foot - lines) / down - l.above - l.below; }
    h = Math.max(h, 20);
    var row = l.above + h + l.below, height = payload.height || Math.ceil(head + down * row + foot + lines), out = {};
    if (!(height < 30000)) { throw new Error("it would be " + height + " pixels high, which no browser draws"); }
    var boxes = l.ratio.map(function (r, k) {
      var b = {left: l.left + k % across * (w + l.gap), top: head + Math.floor(k / across) * row + l.above, width: w, height: h};
      if (l.kept) {
        b.width = Math.min(w, h / r);
        b.height = b.width * r;
        b.left += (w - b.width) / 2;
      }
      return b;
    });
    var axes = !payload.gl;
    out[axes ? "grid" : "grid3D"] = boxes.map(function (b) {
      var g = Object.assign({}, b);
      if (axes) { g.show = payload.kind !== "pictures"; g.borderColor = dark() ? "#555" : "#ccc"; }
      return g;
    });
    // A camera sees the height of its panel: in one that is hardly wider it stands back.
    var near = boxes.map(function (b) { return payload.kind === "mesh" ? Math.max(1, 1.35 * b.height / b.width) : Math.max(1.12, (b.width < 500 ? 2.1 : 1.85) * b.height / b.width); });
    out.title = o.title.map(function (t) {
      if (t.scale) { // the name of the bar of colours
        return below ? {left: begin, top: height - 23, textAlign: "left", textStyle: {width: named + 4, overflow: "truncate"}} : {left: width - 4, top: listed ? height - l.below - lines - 204 : height / 2 - 112, textAlign: "right"};
      }
      if (t.panel === undefined) { return {left: middle, top: 6, textAlign: "center", textStyle: {width: Math.max(space, 60), overflow: "break", lineHeight: 18}}; }
      var b = boxes[t.panel];
      return {left: b.left + b.width / 2, top: b.top - 22, textAlign: "center", textStyle: {width: b.width + 40, overflow: "truncate"}};
    });
    if (l.legend) {
      wanted.legend = wanted.legend || o.legend.type || "plain";
      if (listed) {
        out.legend = below ? {type: rows > 4 ? "scroll" : "plain", orient: "horizontal", left: "center", right: "auto", top: "auto", bottom: scale ? 34 : 0} :
          {orient: "vertical", left: "auto", right: 4, top: scale ? l.head : "middle", bottom: "auto", type: wanted.legend};
        if (lines) { out.legend.height = below ? "auto" : height - 2 * lines - 20; }
        // One that fills the column leaves the buttons free.
        else if (wanted.legend === "scroll") { out.legend.height = below || scale || 24 * entryCount(o) < height - 76 ? "auto" : height - 76; }
      }
    }
    if (axes) {
      ["xAxis", "yAxis"].forEach(function (name, dim) {
        if (!Array.isArray(o[name])) { return; }
        out[name] = o[name].map(function (a, k) {
          var change = {}, s = l.spans && l.spans[k], b = boxes[k];
          if (s) { // equal scales
            var unit = Math.max((s[1] - s[0]) / b.width, (s[3] - s[2]) / b.height), length = unit * (dim ? b.height : b.width);
            var mid = (s[2 * dim] + s[2 * dim + 1]) / 2;
            change.min = mid - length / 2;
            change.max = mid + length / 2;
          }
          // As many numbers as have space, and no more than Go asks for.
          wanted[name + k] = wanted[name + k] || a.splitNumber || 5;
          if (a.type === "value") { change.splitNumber = Math.max(2, Math.min(wanted[name + k], Math.floor(dim ? b.height / 32 : b.width / 52))); }
          if (a.outer) { change.name = k % across ? "" : first ? a.name : outer[k]; }
          return change;
        });
      });
    }
    if (o.visualMap) {
      out.visualMap = o.visualMap.map(function (v) {
        if (v.show === false) { return {}; }
        if (v.panel === undefined) {
          return below ? {orient: "horizontal", left: named ? begin + named + 12 : "center", right: "auto", top: "auto", bottom: 0, itemWidth: 12} :
            {orient: "vertical", left: "auto", right: listed ? 24 : 4, top: listed ? "auto" : "middle", bottom: listed ? l.below + lines : "auto", itemWidth: 20};
        }
        var b = boxes[v.panel];
        return {left: b.left + b.width + 6, top: b.top + b.height * 0.15 - 20, itemHeight: 0.7 * b.height};
      });
    }
    return {option: out, height: height, near: near, lines: head + down * row};
  }
  // grades writes what sizes and opacities show into lines below the panels: marks with their
  // numbers. The rules are those of Go's canvas.grades.
  function grades(at) {
    var all = payload.extra && payload.extra.grades, font = "12px sans-serif", ink = dark() ? "#eee" : "#464646", marks = [];
    if (strip) { strip.remove(); strip = null; }
    if (!all) { return; }
    function write(x, y, t) {
      marks.push(["text", {x: x, y: y + 4}, t]);
      return x + span(t, font) + 12;
    }
    all.forEach(function (g, k) {
      var x = payload.layout.left, y = at.lines + 24 * (k + 0.5), name = String(g.name), short = name;
      var room = g.names.reduce(function (room, t) { return room - span(t, font) - 40; }, known - x - 4);
      for (var n = name.length - 1; n > 0 && span(short, font) > Math.max(room, 40); n--) { short = name.slice(0, n) + "…"; }
      x = write(x, y, short);
      g.names.forEach(function (t, i) {
        marks.push(["circle", {cx: x + 9, cy: y, r: g.values[i] / 2, fill: dark() ? "#b9b8ce" : "#6e7079", "fill-opacity": g.range[i]}, ""]);
        x = write(x + 22, y, t);
      });
    });
    strip = part("div", "width:100%;height:100%");
    var sheet = svg("svg", {width: "100%", height: "100%", viewBox: "0 0 " + known + " " + at.height, fill: ink}, strip);
    styled(sheet, "font:" + font);
    marks.forEach(function (m) { svg(m[0], m[1], sheet).textContent = m[2]; });
    strip.className = "ssdrnb-grades";
    strip.ariaHidden = "true"; // the figure's words say it
  }
  var outer = {}; // the names of axes that only the first panel of a row shows
  var wanted = {}; // what Go gives: the numbers of steps of the axes, the type of the legend
  var near; // of the cameras of the chart
  // mix puts what arrange says into an option.
  function mix(option, at) {
    Object.keys(at).forEach(function (k) {
      if (Array.isArray(at[k])) {
        option[k] = at[k].map(function (change, i) {
          var old = (option[k] || [])[i] || {}, text = old.textStyle;
          old = Object.assign(old, change);
          if (text) { old.textStyle = Object.assign(text, change.textStyle); }
          return old;
        });
      } else { option[k] = Object.assign(option[k] || {}, at[k]); }
    });
    return option;
  }

  var place, chart, bar, strip, theme, known = 0, across = 0, active = false, hands = 0, pan; // across is the width in which names are placed, hands counts what the reader does
  var clear = function () {}; // what axes in three dimensions need
// select.js
// many.js
// axes.js
  // The wheel scrolls the page. It zooms with Ctrl, or after a click into the figure.
  ["wheel", "mousewheel"].forEach(function (name) {
    figure.addEventListener(name, function (e) {
      hands++;
      if (!(e.ctrlKey || e.metaKey || active)) { e.stopImmediatePropagation(); }
    }, {capture: true, passive: true});
  });
  figure.addEventListener("pointerdown", function (e) { hands++; active = !!place && place.contains(e.target); });
  figure.addEventListener("pointerleave", function () { active = false; });

  // The state of a chart that a reader has changed.
  function state() {
    var o = chart.getOption();
    return {legend: o.legend && o.legend[0] && {selected: o.legend[0].selected},
      dataZoom: o.dataZoom && o.dataZoom.map(function (z) { return {start: z.start, end: z.end}; }),
      grid3D: o.grid3D && o.grid3D.map(function (g) {
        var v = g.viewControl;
        return {viewControl: {alpha: v.alpha, beta: v.beta, distance: v.distance, center: v.center}};
      })};
  }
  // zoom scales the picture, about a place in a panel if one is given; by 0 it shows all again.
  function zoom(factor, place, box) {
    var now = state();
    hands++;
    if (payload.gl) {
      now.grid3D.forEach(function (g) { g.viewControl.distance = factor ? g.viewControl.distance / factor : home[0].viewControl.distance; });
      chart.setOption({grid3D: factor ? now.grid3D : home});
      if (!factor) { rest(hands, 15); }
      return;
    }
    now.dataZoom.forEach(function (z, k) {
      var share = !place ? 0.5 : k ? 1 - (place[1] - box.top) / box.height : (place[0] - box.left) / box.width;
      var half = factor ? Math.min((z.end - z.start) / 2 / factor, 50) : 50, mid = Math.min(Math.max(z.start + share * (z.end - z.start), half), 100 - half);
      chart.dispatchAction({type: "dataZoom", dataZoomIndex: k, start: mid - half, end: mid + half});
    });
    if (!factor) { chart.dispatchAction({type: "legendAllSelect"}); }
  }
  // rest puts the cameras back again while they still go on from an earlier turn of the wheel.
  function rest(since, times) {
    if (!chart || !times || hands !== since) { return; }
    if (state().grid3D.some(function (g, k) { return g.viewControl.distance !== home[k].viewControl.distance; })) { chart.setOption({grid3D: home}); }
    setTimeout(rest, 100, since, times - 1);
  }
  function dragging() {
    if (payload.gl) {
      chart.setOption({grid3D: payload.option.grid3D.map(function () { return {viewControl: {rotateMouseButton: pan ? "right" : "left", panMouseButton: pan ? "left" : "right"}}; })});
    } else { chart.setOption({dataZoom: payload.option.dataZoom.map(function () { return {moveOnMouseMove: pan}; })}); }
  }
  var home; // the cameras at the beginning
  function movable() { return payload.gl || !!payload.option.dataZoom; }
  // turn turns the cameras by a step.
  function turn(way) {
    var now = state().grid3D;
    hands++;
    now.forEach(function (g) {
      g.viewControl.beta -= 10 * way[0];
      g.viewControl.alpha = Math.min(Math.max(g.viewControl.alpha - 10 * way[1], -90), 90);
    });
    chart.setOption({grid3D: now});
  }
  // together turns the other surfaces of a mesh as the reader turns one.
  function together() {
    if (payload.kind !== "mesh" || payload.option.grid3D.length < 2) { return; }
    var of = chart, turned = null;
    chart.on("grid3dcamerachanged", function (e) {
      if (!turned) { requestAnimationFrame(follow); }
      turned = e;
    });
    function follow() {
      var e = turned;
      turned = null;
      if (chart !== of) { return; }
      var views = state().grid3D.map(function (g) { return g.viewControl; }), apart = false;
      var own = views.findIndex(function (v) { return v.alpha === e.alpha && v.beta === e.beta && v.distance === e.distance; });
      var now = views.map(function (v, k) {
        var to = {alpha: e.alpha, beta: e.beta, distance: e.distance * near[k] / near[own], center: e.center};
        if (k === own) { return {}; }
        apart = apart || Math.abs(v.alpha - to.alpha) + Math.abs(v.beta - to.beta) + Math.abs(v.distance - to.distance) > 1e-3 || String(v.center) !== String(to.center);
        return {viewControl: to};
      });
      if (own >= 0 && apart) { chart.setOption({grid3D: now}); }
    }
  }
  function tools() {
    if (!movable()) { return; }
    if (pan === undefined) { pan = !payload.gl; }
    bar = toolbar();
    function button(text, name, act) { return press(bar, text, name, act); }
    button("+", "Zoom in (Ctrl and the wheel)", function () { zoom(1.5); });
    button("−", "Zoom out (Ctrl and the wheel)", function () { zoom(1 / 1.5); });
    var move = button("✥", payload.gl ? "Drag moves the picture instead of turning it" : "Drag moves the picture", function () { pan = !pan; dragging(); pressed(); });
    function pressed() { move.ariaPressed = String(pan); move.style.opacity = pan ? 1 : 0.45; }
    pressed();
    button("⟲", "Show all again", function () { zoom(0); });
    if (!payload.gl && keys().some(Boolean)) {
      shapes(bar);
      if (movers().length > 1) { button("⇄", "Move the samples from one panel to the next", follow); }
    }
    figure.appendChild(bar);
  }
  var img = figure.querySelector("img"), still = {}; // the styles of the static picture
  ["display", "width", "objectFit", "height"].forEach(function (k) { still[k] = img ? img.style[k] : ""; });
  function dispose() {
    if (bar) { bar.remove(); }
    if (chart) { chart.dispose(); }
    if (place) { place.remove(); }
    crowd.dispose();
    untally();
    bar = chart = place = strip = layer = spots = null;
    rings = [];
  }
  // reserve gives the place of the chart its height. Until the chart is there the static
  // picture has it.
  function reserve() {
    payload = payload || JSON.parse(data.textContent);
    job.gl = payload.gl;
    var height = arrange(job.width).height + "px";
    if (chart) { place.style.height = height; } else if (img) { styled(img, "display:block;width:100%;object-fit:contain;height:" + height); }
  }
  function stale() {
    return figure.dataset.drawn !== "no" && (!chart || theme !== skin() || Math.abs(job.width - known) >= 2);
  }
  // update makes the chart or brings it up to date, in steps.
  function* update() {
    try {
      while (stale()) {
        if (!chart || theme !== skin()) { yield* draw(true); } else if (!fit()) { yield* draw(false); }
      }
    } catch (e) { unable(e); }
  }
  // unable says why there is no chart, below the static picture.
  function unable(e) {
    dispose();
    figure.dataset.drawn = "no";
    if (img) { Object.assign(img.style, still); }
    if (!line) { return; }
    line.textContent = "Static picture: the chart could not be drawn (" + e.message + "). " +
      (base() === null ? "Pages by ./install.sh page need no network." : "Run ./install.sh and reload the page.");
    line.style.display = "";
  }
  // draw makes the chart anew, beside the page, and puts it there with the state of a former
  // one, whose cameras it may keep.
  function* draw(cameras) {
    if (!payload || payload.dressed) { payload = JSON.parse(data.textContent); }
    if (!loader.ready[payload.gl]) {
      yield charts(payload.gl);
      loader.ready[payload.gl] = true;
    }
    var width = across = job.width, tone = dark(), next = document.createElement("div"), made, was, samples;
    payload.dressed = true;
    var option = dress(payload.option, payload.extra || {}), at = arrange(width, true);
    (Array.isArray(option.yAxis) ? option.yAxis : []).forEach(function (a, k) { outer[k] = a.name; });
    option = mix(option, at.option);
    option.backgroundColor = payload.gl ? tone ? "#111" : "#fff" : "transparent";
    if (payload.gl) { // a camera stands at once where it is put: on its way it would be read as the reader's
      option.grid3D.forEach(function (g, k) { g.viewControl.distance *= at.near[k]; g.viewControl.animation = false; });
    } else { // the samples come after the axes and legends, in a task of their own
      samples = option.series.map(function (s) { var d = s.data; s.data = []; return d; });
    }
    yield;
    try {
      next.className = "ssdrnb-chart";
      styled(next, "width:100%;height:" + at.height + "px;aspect-ratio:" + width + "/" + at.height);
      // The size is given, because beside the page there is none.
      made = window.echarts.init(next, tone ? "dark" : null, {width: width, height: at.height});
      if (img) { // the chart is a picture to those who hear it, with the static picture's words
        next.firstElementChild.setAttribute("role", "img");
        next.firstElementChild.setAttribute("aria-label", img.alt);
      }
      var frames = made.getZr().animation;
      frames.pause(); // a frame would do the following steps at once
      made.on("grid3dcamerachanged", function () { clear(made); });
      yield;
      made.setOption(option, {lazyUpdate: true});
      yield;
      made.resize(); // does what is lazy
      if (samples) {
        yield;
        option.series.forEach(function (s, k) { s.data = samples[k]; });
        made.setOption({series: samples.map(function (d) { return {data: d}; })}, {lazyUpdate: true});
        yield;
        made.resize();
      }
      yield;
      was = chart && state();
      if (was) {
        if (!cameras) { was.grid3D = null; }
        Object.keys(was).forEach(function (k) { if (!was[k]) { delete was[k]; } });
        if (was.grid3D) { was.grid3D.forEach(function (g, k) { g.viewControl.distance *= at.near[k] / near[k]; }); }
        made.setOption(was);
      }
      made.getZr().flush(); // a page that is printed has no next frame
      frames.resume();
    } catch (e) {
      if (made) { made.dispose(); }
      throw e;
    }
    var focused = place && place === document.activeElement;
    dispose();
    chart = made;
    place = next;
    theme = skin();
    known = width;
    near = at.near;
    if (payload.gl) { home = option.grid3D.map(function (g) { return {viewControl: Object.assign({}, g.viewControl)}; }); }
    if (img) { img.style.display = "none"; }
    figure.insertBefore(place, moving ? moving.node : box ? box.node : ruler);
    attach();
    crowd.attach();
    together();
    tools();
    grades(at);
    keyboard();
    if (was && bar) { dragging(); }
    if (focused) { place.focus({preventScroll: true}); }
    figure.dataset.drawn = "yes";
  }
  // fit gives the chart the width of the page, and its panels their places. It is false where
  // the chart has to be made anew.
  function fit() {
    var width = job.width, at = arrange(width), change = at.option;
    if (change.legend && change.legend.type !== payload.option.legend.type) { return false; } // ECharts cannot change it
    if (payload.gl) {
      state().grid3D.forEach(function (g, k) { change.grid3D[k].viewControl = {distance: g.viewControl.distance * at.near[k] / near[k]}; });
      home.forEach(function (g, k) { g.viewControl.distance *= at.near[k] / near[k]; });
    }
    known = across = width;
    near = at.near;
    place.style.aspectRatio = width + "/" + at.height;
    chart.resize({width: width, height: at.height});
    chart.setOption(change);
    grades(at);
    spots = null;
    mark();
    return true;
  }
  var job = {near: false, width: 0, begin: update};
  function renew() { if (stale()) { queue.put(job); } }
  link.renew = function () {
    if (payload && payload.gl && chart && img) { // WebGL begun now would miss the paper: a dark chart leaves its place to the static picture
      var away = loader.paper && theme;
      place.style.display = away ? "none" : "";
      img.style.display = away ? "block" : "none";
      if (away) { return; }
    }
    renew();
  };
  // A figure out of the page has no width: nothing holds it there, and it is drawn when it
  // is back. What is observed has no height, which would change in turn.
  var themes = new MutationObserver(renew); // notebooks change their theme without reloading the page
  var ruler = document.createElement("span");
  ruler.style.display = "block";
  figure.appendChild(ruler);
  new ResizeObserver(function () {
    job.width = figure.clientWidth;
    themes.disconnect();
    if (!job.width) { queue.drop(job); return; }
    themes.observe(document.body, {attributes: true, attributeFilter: ["data-jp-theme-light", "data-vscode-theme-kind"]});
    if (figure.dataset.drawn !== "no") { try { reserve(); } catch (e) { unable(e); } }
    if (chart && keys().some(Boolean)) { join(); }
    renew();
  }).observe(ruler);
  new IntersectionObserver(function (entries) {
    job.near = entries[entries.length - 1].isIntersecting;
    queue.wake();
  }, {rootMargin: "600px", scrollMargin: "600px"}).observe(figure);
})
