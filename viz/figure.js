(function (id) {
  "use strict";
  var data = document.getElementById(id), figure = data && data.previousElementSibling;
  if (!figure || figure.dataset.drawn) { return; }
  figure.dataset.drawn = "pending";
  var payload = JSON.parse(data.textContent);

  // One loader per page: where ECharts comes from is decided once.
  var loader = window.__ssdrnbLoader = window.__ssdrnbLoader || {};
  function base() {
    var config = document.getElementById("jupyter-config-data");
    if (config) { try { return JSON.parse(config.textContent).baseUrl || "/"; } catch (e) { return "/"; } }
    return document.body.dataset.baseUrl || null;
  }
  function fetchScript(urls) {
    return new Promise(function (resolve, reject) {
      (function next(k) {
        if (k === urls.length) { reject(new Error("not found at " + urls.join(", "))); return; }
        var tag = document.createElement("script"), define = window.define;
        // ECharts would register with RequireJS instead of the window.
        window.define = undefined;
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
        fetchScript(places("echarts.min.js", "https://cdn.jsdelivr.net/npm/echarts@5.6.0/dist/echarts.min.js"));
    }
    if (!gl) { return loader.charts; }
    if (!loader.gl) {
      loader.gl = loader.charts.then(function () {
        if (window.__ssdrnbInlineGL) { return; }
        return fetchScript(places("echarts-gl.min.js", "https://cdn.jsdelivr.net/npm/echarts-gl@2.1.0/dist/echarts-gl.min.js"));
      });
    }
    return loader.gl;
  }

  function escape(s) {
    return String(s).replace(/[&<>"']/g, function (c) { return "&#" + c.charCodeAt(0) + ";"; });
  }
  function dark() {
    var theme = document.body.dataset.jpThemeLight;
    if (theme !== undefined) { return theme === "false"; }
    return !!(window.matchMedia && window.matchMedia("(prefers-color-scheme: dark)").matches);
  }
  // Thumbnails: 4 bits per pixel, two pixels per byte, samples one after another.
  function thumbnail(t, i) {
    if (!t || i >= t.count) { return ""; }
    loader.canvas = loader.canvas || document.createElement("canvas");
    var c = loader.canvas, raw = t.raw = t.raw || atob(t.data), bytes = Math.ceil(t.w * t.h / 2);
    c.width = t.w; c.height = t.h;
    var ctx = c.getContext("2d"), image = ctx.createImageData(t.w, t.h);
    for (var p = 0; p < t.w * t.h; p++) {
      var b = raw.charCodeAt(i * bytes + (p >> 1)), v = 17 * (p & 1 ? b & 15 : b >> 4);
      image.data.set([v, v, v, 255], 4 * p);
    }
    ctx.putImageData(image, 0, 0);
    return "<br><img width=64 height=" + Math.round(64 * t.h / t.w) +
      " style='image-rendering:pixelated;margin-top:4px' src='" + c.toDataURL() + "'>";
  }
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
      if (o[k] === "@ink") { o[k] = dark() ? "#eee" : "#222"; }
      else if (o[k] === "@faint") { o[k] = dark() ? "#444" : "#ccc"; }
      else if (k !== "data" && o[k] && typeof o[k] === "object") { tint(o[k]); }
    });
  }
  function digits(v) { return typeof v === "number" ? String(Number(v.toPrecision(4))) : escape(v); }
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
    tint(option);
    option.series.forEach(function (s) {
      if (s.draw) { s.renderItem = painters[s.draw](s); }
      // Pale points would be hard to see on a dark page.
      if (dark() && /^scatter/.test(s.type) && s.itemStyle && s.itemStyle.opacity < 0.5) { s.itemStyle.opacity = 0.75; }
    });
    ["xAxis", "yAxis", "xAxis3D", "yAxis3D", "zAxis3D"].forEach(function (name) {
      [].concat(option[name] || []).forEach(function (a) {
        if (a.span) { a.axisLabel = Object.assign(a.axisLabel || {}, {formatter: shifted(a)}); }
      });
    });
    // Two axes meet in the corner; one number there is enough.
    [].concat(option.zAxis3D || []).forEach(function (a) {
      var write = a.axisLabel.formatter || digits;
      a.axisLabel.formatter = function (v) { return v <= a.min ? "" : write(v); };
    });
    if (payload.kind === "curves") {
      option.tooltip.formatter = function (p) {
        return escape(p.seriesName) + "<br>" + escape(extra.x) + " " + digits(p.value[0]) + ": " + digits(p.value[1]) + spread(p.value[2]);
      };
    }
    if (payload.kind === "bars") {
      option.tooltip.formatter = function (p) {
        return escape(p.name) + "<br>" + escape(p.seriesName) + ": " + digits(p.value) + spread(extra.spread[p.seriesIndex][p.dataIndex]);
      };
    }
    if (payload.kind === "embedding" || payload.kind === "field" || payload.kind === "graph") {
      option.tooltip.formatter = function (p) {
        var v = p.value, i = v[v.length - 1], e = extra.panels[option.series[p.seriesIndex].xAxisIndex || 0];
        var name = e.of ? e.names[e.of[i]] : p.seriesName;
        return "sample " + i + ": " + escape(name) + (e.labelled[i] === "1" ? ", labelled" : "") + thumbnail(extra.sheets[e.sheet], i);
      };
    }
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
      option.tooltip.formatter = function (p) {
        return escape(extra.names[0]) + " " + escape(extra.x[p.value[0]]) + "<br>" + escape(extra.names[1]) + " " +
          escape(extra.y[p.value[1]]) + "<br>" + escape(p.seriesName) + " " + p.value[2];
      };
    }
    if (payload.kind === "convergence") {
      option.yAxis[1].axisLabel.formatter = function (v) { return v > 0 ? v.toExponential(0) : ""; };
      option.tooltip.formatter = function (p) {
        return escape(p.seriesName) + "<br>iteration " + p.value[0] + ": " + Number(p.value[1]).toPrecision(10);
      };
    }
    return option;
  }

  var place, chart;
  function clear() {
    if (chart) { chart.dispose(); }
    if (place) { place.remove(); }
    chart = place = null;
  }
  function draw() {
    payload = JSON.parse(data.textContent); // dress has changed the last one
    place = document.createElement("div");
    place.style.cssText = "width:100%;height:100%";
    figure.appendChild(place);
    var img = figure.querySelector("img");
    try {
      if (img) { img.style.display = "none"; }
      chart = window.echarts.init(place, dark() ? "dark" : null);
      payload.option.backgroundColor = "transparent";
      if (payload.gl) { payload.option.backgroundColor = dark() ? "#111" : "#fff"; }
      chart.setOption(dress(payload.option, payload.extra || {}));
      figure.dataset.drawn = "yes";
    } catch (e) {
      clear();
      if (img) { img.style.display = ""; }
      throw e;
    }
  }
  charts(payload.gl).then(function () {
    draw();
    // JupyterLab changes its theme without reloading the page.
    var theme = dark();
    var watch = new MutationObserver(function () {
      if (!document.contains(figure)) { watch.disconnect(); clear(); return; }
      if (dark() !== theme) { theme = dark(); clear(); draw(); }
    });
    watch.observe(document.body, {attributes: true, attributeFilter: ["data-jp-theme-light"]});
  }).catch(function (e) {
    figure.dataset.drawn = "no";
    var note = document.createElement("div");
    note.style.cssText = "font-size:12px;opacity:.7";
    note.textContent = "Static picture: the interactive chart could not be drawn (" + e.message + ").";
    figure.appendChild(note);
  });
})
