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
  function dress(option, extra) {
    if (payload.kind === "embedding") {
      option.tooltip.formatter = function (p) {
        var v = p.value, i = v[v.length - 1];
        return "sample " + i + ": " + escape(p.seriesName) + (extra.labelled[i] === "1" ? ", labelled" : "") + thumbnail(extra.thumbnails, i);
      };
    }
    if (payload.kind === "mesh") {
      option.xAxis3D.axisLabel.formatter = labels(extra.x);
      option.yAxis3D.axisLabel.formatter = labels(extra.y);
      option.tooltip.formatter = function (p) {
        return escape(extra.names[0]) + " " + escape(extra.x[p.value[0]]) + "<br>" + escape(extra.names[1]) + " " +
          escape(extra.y[p.value[1]]) + "<br>" + escape(extra.names[2]) + " " + p.value[2];
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

  charts(payload.gl).then(function () {
    var place = document.createElement("div");
    place.style.cssText = "width:100%;height:100%";
    figure.appendChild(place);
    var img = figure.querySelector("img"), chart;
    try {
      if (img) { img.style.display = "none"; }
      chart = window.echarts.init(place, dark() ? "dark" : null);
      payload.option.backgroundColor = "transparent";
      if (payload.gl) { payload.option.backgroundColor = dark() ? "#111" : "#fff"; }
      chart.setOption(dress(payload.option, payload.extra || {}));
      figure.dataset.drawn = "yes";
    } catch (e) {
      if (chart) { chart.dispose(); }
      place.remove();
      if (img) { img.style.display = ""; }
      throw e;
    }
  }).catch(function (e) {
    figure.dataset.drawn = "no";
    var note = document.createElement("div");
    note.style.cssText = "font-size:12px;opacity:.7";
    note.textContent = "Static picture: the interactive chart could not be drawn (" + e.message + ").";
    figure.appendChild(note);
  });
})
