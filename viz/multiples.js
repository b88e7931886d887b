(function (id) {
  "use strict";
  // Samples in a picture of small embeddings: the picture stays, and what readers point at,
  // select and switch off is drawn over it. For the rest of the script the picture is a chart.
  // An extension of the notebook gives the element itself.
  var data = typeof id === "string" ? document.getElementById(id) : id, figure = data && data.previousElementSibling;
  if (!figure || figure.dataset.drawn) { return; }
  figure.dataset.drawn = "pending";
  var loader = window.__ssdrnbLoader = window.__ssdrnbLoader || {}, payload, chart, place, known = 0;
// select.js
  var over, base, tip, bar, legend = [], off = {}, heard = {}, at = null, pointed = null;
  var ruler = document.createElement("span");
  ruler.style.display = "block";
  figure.appendChild(ruler);

  // shown is the picture that the page's width has chosen.
  function shown() {
    var all = Array.from(figure.querySelectorAll(":scope > img"));
    return all.find(function (img) { return img.clientWidth > 0; });
  }
  function scale() { return known / at.width; }
  // arrange says where the panels are.
  function arrange() {
    var s = scale();
    return {option: {grid: at.tiles.map(function (t) { return {left: t[0] * s, top: t[1] * s, width: payload.side * s, height: payload.side * s}; })}};
  }
  // unpack makes the samples of the panels series of a chart, one for each class.
  function unpack() {
    var series = [];
    payload.points.forEach(function (text, k) {
      var raw = atob(text), look = payload.looks[payload.look[k]], of = look.names.map(function () { return []; });
      function two(b) { return raw.charCodeAt(b) + 256 * raw.charCodeAt(b + 1); }
      look.of.slice(0, raw.length / 4).forEach(function (g, i) {
        var x = two(4 * i), y = two(4 * i + 2);
        if (x < 65535 && of[g]) { of[g].push([x / 65534, y / 65534, i]); } // the others are outside of the panel
      });
      of.forEach(function (points, g) {
        if (points.length) { series.push({type: "scatter", name: look.names[g], xAxisIndex: k, data: points, itemStyle: {}, look: {fill: look.colors[g], symbol: look.symbols[g]}}); }
      });
    });
    payload.option = {series: series};
  }
  function series(k) { return payload.option.series[k]; }
  function fire(name, p) { (heard[name] || []).forEach(function (f) { f(p); }); }
  // paper is the ground of the picture; #121212 is what the filter of dark pages makes of white.
  function paper(alpha) { return "rgba(" + (dark() ? "18,18,18," : "255,255,255,") + alpha + ")"; }
  function adapter() {
    return {
      get ground() { return paper(1); },
      on: function (name, f) { (heard[name] = heard[name] || []).push(f); },
      getWidth: function () { return place.clientWidth; },
      getHeight: function () { return place.clientHeight; },
      convertToPixel: function (of, v) { var b = arrange().option.grid[of.xAxisIndex]; return [b.left + v[0] * b.width, b.top + v[1] * b.height]; },
      dispatchAction: function (a) {
        if (/Tip$/.test(a.type)) {
          var s = a.type === "showTip" && series(a.seriesIndex), k = s && s.xAxisIndex, spot = s && read()[k].of(s.data[a.dataIndex][2]);
          pointed = null;
          lay(spot ? [k, spot, spots[k].place(spot)] : null);
          return;
        }
        if (a.type === "legendSelect") { delete off[a.name]; } else { off[a.name] = true; }
        paint();
      },
      getModel: function () {
        return {getComponent: function () { return {isSelected: function (name) { return !off[name]; }}; }, getSeriesByIndex: function (k) {
          var look = series(k).look;
          return {getData: function () { return {getItemVisual: function (i, what) { return what === "style" ? {fill: look.fill} : what === "symbol" ? look.symbol : Math.max(5.5 * scale(), 4); }}; }};
        }};
      }
    };
  }
  // paint draws the panels without the classes that are switched off. In a dark page it draws them
  // anyhow, and the dots of the legend: the filter that makes the picture dark changes colours too.
  function paint() {
    var c = base.getContext("2d"), r = window.devicePixelRatio || 1, any = dark() || Object.keys(off).length > 0;
    base.width = any ? Math.round(place.clientWidth * r) : 1;
    base.height = any ? Math.round(place.clientHeight * r) : 1;
    legend.forEach(function (b) { b.ariaPressed = String(!off[b.dataset.name]); b.style.background = off[b.dataset.name] ? paper(0.75) : "none"; });
    if (!any) { return; }
    c.setTransform(r, 0, 0, r, 0, 0);
    c.fillStyle = paper(1);
    read().forEach(function (p) { c.fillRect(p.box.left + 1, p.box.top + 1, p.box.width - 2, p.box.height - 2); });
    looks = [];
    spots.forEach(function (p) {
      c.save();
      c.beginPath();
      c.rect(p.box.left + 1, p.box.top + 1, p.box.width - 2, p.box.height - 2);
      c.clip();
      p.each(function (s) { if (listed(s.name)) { dot(c, s, p.place(s), 0.69); } });
      c.restore();
    });
    if (dark()) {
      at.keys.forEach(function (k) {
        var look = payload.looks.find(function (l) { return l.names.indexOf(k[3]) >= 0; }), g = look && look.names.indexOf(k[3]), s = scale(), q = [(k[0] + 6) * s, (k[1] + 9) * s];
        if (!look) { return; }
        c.globalAlpha = 1;
        c.fillStyle = paper(1);
        c.fillRect(q[0] - 6.5 * s, q[1] - 6.5 * s, 13 * s, 13 * s);
        shape(c, q, look.symbols[g], 4 * s, look.colors[g], false, 1);
      });
    }
  }
  // The sample under the pointer, in [panel, sample] or null.
  function under(e) {
    var b = place.getBoundingClientRect(), q = [e.clientX - b.left, e.clientY - b.top], k = read().findIndex(function (p) { return within(p.box, q); }), best = null, least = 64;
    if (k < 0) { return null; }
    spots[k].each(function (s) {
      var at = spots[k].place(s), d = (at[0] - q[0]) * (at[0] - q[0]) + (at[1] - q[1]) * (at[1] - q[1]);
      if (d < least && listed(s.name)) { least = d; best = [k, s, at]; }
    });
    return best;
  }
  function hover(e) {
    var found = e && !e.buttons ? under(e) : null, id = found && found[0] + " " + found[1].i;
    if (id === pointed) { return; }
    pointed = id;
    lay(found);
    if (found) { fire("mouseover", {componentType: "series", seriesIndex: found[1].series, value: found[1].v}); } else { fire("mouseout"); }
  }
  // lay lays the card beside a sample, in [panel, sample, place].
  function lay(found) {
    tip.style.display = found ? "" : "none";
    if (!found) { return; }
    tip.replaceChildren(card(payload.extra.panels[found[0]], found[1].name, found[1].v, found[1].i));
    var left = found[2][0] + 14, top = found[2][1] + 12;
    tip.style.left = (left + tip.offsetWidth > place.clientWidth ? Math.max(found[2][0] - 14 - tip.offsetWidth, 0) : left) + "px";
    tip.style.top = Math.max(Math.min(top, place.clientHeight - tip.offsetHeight), 0) + "px";
  }
  function movable() { return false; }
  function begin() {
    payload = JSON.parse(data.textContent);
    at = payload.wide;
    unpack();
    over = document.createElement("div");
    over.className = "ssdrnb-over";
    styled(over, "position:absolute");
    figure.appendChild(over);
    place = document.createElement("div");
    styled(place, "width:100%;height:100%");
    over.appendChild(place);
    base = part("canvas", "width:100%;height:100%");
    tip = part("div", "z-index:3;padding:5px 8px;border-radius:4px;font:13px/1.4 sans-serif;white-space:nowrap;display:none;box-shadow:0 1px 6px rgba(0,0,0,.3)");
    chart = adapter();
  }
  // fit gives what is over the picture its place.
  function fit(img) {
    at = img.classList.contains("ssdrnb-narrow") ? payload.narrow : payload.wide;
    known = img.clientWidth;
    over.style.left = img.offsetLeft + "px";
    over.style.top = img.offsetTop + "px";
    over.style.width = 100 * known / figure.clientWidth + "%"; // so that it shrinks with the picture on paper
    over.style.aspectRatio = at.width + "/" + at.height;
    tip.style.background = dark() ? "#222" : "#fff";
    tip.style.color = dark() ? "#eee" : "#333";
    spots = null;
    scheme();
    hover(null);
    ring("", -1);
    if (!layer) {
      attach();
      keyboard();
      place.addEventListener("pointermove", hover);
      place.addEventListener("pointerleave", function () { hover(null); });
    }
    if (bar) { bar.remove(); }
    bar = toolbar();
    shapes(bar);
    over.appendChild(bar);
    legend.forEach(function (b) { b.remove(); });
    var s = scale();
    legend = at.keys.map(function (k) {
      var b = el("button", "position:absolute;padding:0;border:0;cursor:pointer;z-index:2;left:" + k[0] * s + "px;top:" + k[1] * s + "px;width:" + k[2] * s + "px;height:" + 18 * s + "px", "", over);
      b.type = "button";
      b.dataset.name = k[3];
      b.title = b.ariaLabel = "Show or hide " + k[3];
      b.onclick = function () {
        var on = !!off[k[3]], selected = {};
        selected[k[3]] = on;
        fire("legendselectchanged", {name: k[3], selected: selected});
      };
      return b;
    });
    paint();
    mark();
    figure.dataset.drawn = "yes";
  }
  var near = false, fitted = "";
  function look() {
    var img = near && shown();
    if (!img) { return; }
    if (!payload) { begin(); }
    if (layer) { join(); }
    if (fitted !== img.clientWidth + " " + dark()) {
      fitted = img.clientWidth + " " + dark();
      fit(img);
    }
  }
  link.renew = look;
  // Notebooks change their theme without reloading the page, and JupyterLab shows nothing meanwhile.
  var themes = new MutationObserver(function () { requestAnimationFrame(function () { setTimeout(look, 0); }); });
  new ResizeObserver(function () {
    themes.disconnect();
    if (figure.clientWidth) { themes.observe(document.body, {attributes: true, attributeFilter: ["data-jp-theme-light", "data-vscode-theme-kind"]}); }
    look();
  }).observe(ruler);
  new IntersectionObserver(function (entries) {
    near = near || entries.some(function (e) { return e.isIntersecting; });
    look();
  }, {rootMargin: "600px", scrollMargin: "600px"}).observe(figure);
})
