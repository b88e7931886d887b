  // --- Panels of many samples: Go packs them, and the page paints them. ---

  crowd = (function () {
    var FEW = 10000, BROAD = 300000; // samples that are painted as points, and those of two by two pixels
    var RED = 1 << 24, BLUE = 1 << 28; // what sums of colours are multiplied by
    var unpacked = [], sums = null, image = null, canvas = null, card = null, flat = document.createElement("canvas"), soon = 0;
    function numbers(text, Kind) {
      var raw = atob(text), b = new Uint8Array(raw.length);
      for (var k = 0; k < raw.length; k++) { b[k] = raw.charCodeAt(k); }
      return Kind ? new Kind(b.buffer, 0, Math.floor(b.length / Kind.BYTES_PER_ELEMENT)) : b;
    }
    function packed(k) { var p = payload.extra && payload.extra.panels && payload.extra.panels[k]; return p && p.many; }
    // samples are those of panel k, from their bytes.
    function samples(k) {
      var m = packed(k);
      if (!m) { return null; }
      if (!unpacked[k]) {
        var u = unpacked[k] = {x: numbers(m.x, Uint16Array), y: numbers(m.y, Uint16Array), of: numbers(m.of), rows: m.rows && numbers(m.rows, Uint32Array), values: m.values && numbers(m.values, Uint16Array)};
        u.count = Math.min(m.count, u.x.length, u.y.length);
        if (u.of.length >= 2 * m.count) { u.of = new Uint16Array(u.of.buffer); }
      }
      return unpacked[k];
    }
    // series are those of panel k: their looks, and whether the legend shows them.
    function series(k) {
      var out = [], shown = lister();
      payload.option.series.forEach(function (s, at) {
        if (s.type !== "scatter" || s.silent || (s.xAxisIndex || 0) !== k) { return; }
        out.push({at: at, name: s.name, fill: s.itemStyle.color, symbol: s.symbol, size: s.symbolSize, ring: !!s.ring, alpha: s.itemStyle.opacity, on: shown(s.name)});
      });
      return out;
    }
    function rgb(css) { return [1, 3, 5].map(function (k) { return parseInt(css.slice(k, k + 2), 16) || 0; }); }
    // tone is the colour of sample r.
    function tone(m, u, s, r) { return u.values && u.values[r] < 65535 ? m.stops[Math.round(u.values[r] / 65534 * (m.stops.length - 1))] : s.fill; }

    // of gives select.js the samples of panel k.
    function of(k) {
      var m = packed(k), u = samples(k);
      if (!u) { return null; }
      var list = series(k), size = [0, 1].map(function (dim) { return (m.to[dim] - m.from[dim]) / 65535; });
      function spot(r, out) {
        var s = list[u.of[r]];
        out.i = u.rows ? u.rows[r] : r;
        out.v = [m.from[0] + u.x[r] * size[0], m.from[1] + u.y[r] * size[1]];
        if (u.values) { out.v.push(u.values[r] < 65535 ? m.range[0] + u.values[r] / 65534 * (m.range[1] - m.range[0]) : null); }
        out.v.push(out.i);
        out.name = s.name;
        out.series = s.at;
        out.fill = tone(m, u, s, r);
        out.symbol = s.symbol;
        out.size = Math.max(s.size, 5);
        out.ring = s.ring;
        return out;
      }
      function place(i) {
        if (!u.rows) { return i < u.count ? i : -1; }
        for (var a = 0, b = u.count - 1; a <= b;) {
          var mid = a + b >> 1;
          if (u.rows[mid] === i) { return mid; }
          if (u.rows[mid] < i) { a = mid + 1; } else { b = mid - 1; }
        }
        return -1;
      }
      return {count: u.count, from: m.from, to: m.to, of: function (i) { var r = place(i); return r < 0 || !list[u.of[r]] ? undefined : spot(r, {}); },
        each: function (f) { for (var r = 0, one = {}; r < u.count; r++) { if (list[u.of[r]]) { f(spot(r, one)); } } },
        seek: function (score) {
          var b = arrange(known).option.grid[k], f = frame(b, k), left = b.left + f.x, top = b.top + f.y, right = b.left + b.width, bottom = b.top + b.height, best = -1, least = Infinity;
          var X = u.x, Y = u.y, O = u.of, R = u.rows, on = series(k).map(function (s) { return s.on; });
          for (var r = 0; r < u.count; r++) {
            var x = left + X[r] * f.dx, y = top + Y[r] * f.dy;
            if (!on[O[r]] || x < b.left || y < b.top || x > right || y > bottom) { continue; }
            var c = score(x, y, R ? R[r] : r);
            if (c < least) { least = c; best = r; }
          }
          return R && best >= 0 ? R[best] : best;
        }};
    }

    // paint paints all panels, in the next frame.
    function paint() {
      if (!soon && canvas) { soon = requestAnimationFrame(function () { soon = 0; if (chart && canvas) { now(); } }); }
    }
    function now() {
      var began = performance.now(), scale = window.devicePixelRatio || 1, width = Math.round(chart.getWidth() * scale), height = Math.round(chart.getHeight() * scale), c = canvas.getContext("2d"), seen = 0;
      if (canvas.width !== width || canvas.height !== height) { canvas.width = width; canvas.height = height; } else { c.setTransform(1, 0, 0, 1, 0, 0); c.clearRect(0, 0, width, height); }
      arrange(known).option.grid.forEach(function (b, k) {
        c.setTransform(scale, 0, 0, scale, 0, 0);
        if (packed(k)) { seen += panel(c, b, k); }
      });
      figure.dataset.painted = seen;
      figure.dataset.frame = (performance.now() - began).toFixed(1);
    }
    // frame says where positions of 0 are in a panel's box, and how long a step is, in pixels.
    function frame(b, k) {
      var m = packed(k), axes = {xAxisIndex: k, yAxisIndex: k}, p = chart.convertToPixel(axes, m.from), q = chart.convertToPixel(axes, m.to);
      return {x: p[0] - b.left, y: p[1] - b.top, dx: (q[0] - p[0]) / 65535, dy: (q[1] - p[1]) / 65535};
    }
    function panel(c, b, k) {
      var m = packed(k), u = samples(k), list = series(k), f = frame(b, k), w = Math.ceil(b.width), h = Math.ceil(b.height), few = new Int32Array(FEW), top = [], seen = 0;
      var on = new Uint8Array(u.of.BYTES_PER_ELEMENT > 1 ? 65536 : 256), X = u.x, Y = u.y, O = u.of, V = u.values, count = u.count, fx = f.x, fy = f.y, dx = f.dx, dy = f.dy;
      // How many samples are at each pixel, and the sums of their colours, two in a number: the
      // count and the red, the green and the blue. Of not too many, one covers two by two pixels.
      // The rules are those of Go's crowd.
      var first = new Float64Array(on.length + 256), second = new Float64Array(on.length + 256), wide = 2 * (w + 1), n = wide * (h + 1), broad = count <= BROAD, taken = 0;
      function tint(at, css) {
        var t = rgb(css);
        first[at] = 1 + t[0] * RED;
        second[at] = t[1] + t[2] * BLUE;
      }
      list.forEach(function (s, j) { on[j] = s.on ? s.ring && m.above ? 2 : 1 : 0; tint(j, s.fill); });
      for (var level = 0; V && level < 256; level++) { tint(on.length + level, m.stops[Math.round(level / 255 * (m.stops.length - 1))]); }
      if (!sums || sums.length < n) { sums = new Float64Array(n); }
      for (var r = 0; r < count; r++) {
        var j = O[r];
        if (on[j] === 0) { continue; }
        var x = fx + X[r] * dx, y = fy + Y[r] * dy;
        if (x < 0 || y < 0 || x >= w || y >= h) { continue; }
        if (on[j] === 2) { top.push(r); continue; }
        if (seen < FEW) { few[seen] = r; }
        seen++;
        var at = (y | 0) * wide + 2 * (x | 0), t = V && V[r] < 65535 ? on.length + (V[r] >> 8) : j, a = first[t], z = second[t];
        if (sums[at] === 0) { taken++; }
        sums[at] += a;
        sums[at + 1] += z;
        if (broad) {
          for (var q = 1; q < 4; q++) {
            var by = at + (q & 1) * 2 + (q >> 1) * wide;
            if (sums[by] === 0) { taken++; }
            sums[by] += a;
            sums[by + 1] += z;
          }
        }
      }
      c.save();
      c.beginPath();
      c.rect(b.left, b.top, b.width, b.height);
      c.clip();
      if (seen > FEW) {
        density(w, h, (broad ? 4 : 1) * seen / taken);
        c.drawImage(flat, 0, 0, w, h, b.left, b.top, w, h);
      } else { points(c, b, f, m, u, list, few, seen, seen > 2000 ? 4 : 6); }
      sums.fill(0, 0, n);
      points(c, b, f, m, u, list, top, top.length, 8);
      c.restore();
      return seen + top.length;
    }
    // density paints the sums in the means of their colours.
    function density(w, h, mean) {
      if (flat.width < w || flat.height < h) { flat.width = w; flat.height = h; }
      var into = flat.getContext("2d", {willReadFrequently: true}), log = Math.log(Math.max(8 * mean, 2)), shades = new Uint8Array(1000);
      function shade(count) { return Math.round(255 * Math.min(0.3 + 0.7 * Math.log(count) / log, 1)); }
      for (var count = 1; count < shades.length; count++) { shades[count] = shade(count); }
      if (!image || image.width !== w || image.height !== h) { image = into.createImageData(w, h); }
      var d = new Uint32Array(image.data.buffer);
      for (var y = 0, p = 0; y < h; y++) {
        for (var x = 0, z = 2 * y * (w + 1); x < w; x++, p++, z += 2) {
          var a = sums[z];
          if (a === 0) { d[p] = 0; continue; }
          var red = Math.floor(a / RED), v = a - red * RED, blue = Math.floor(sums[z + 1] / BLUE), green = sums[z + 1] - blue * BLUE;
          d[p] = (v < shades.length ? shades[v] : shade(v)) << 24 | blue / v << 16 | green / v << 8 | red / v;
        }
      }
      into.putImageData(image, 0, 0);
    }
    // points paints samples as symbols, in an order that favours no class.
    function points(c, b, f, m, u, list, rows, count, size) {
      var stride = count % 7919 ? 7919 : 7907, stamps = {}, scale = window.devicePixelRatio || 1, side = Math.ceil(size + 4);
      for (var t = 0; t < count; t++) {
        var r = rows[t * stride % count], s = list[u.of[r]], fill = tone(m, u, s, r), id = u.of[r] + fill, stamp = stamps[id];
        if (!stamp) {
          stamp = stamps[id] = document.createElement("canvas");
          stamp.width = stamp.height = Math.ceil(side * scale);
          var into = stamp.getContext("2d");
          into.scale(scale, scale);
          shape(into, [side / 2, side / 2], s.symbol, size / 2, fill, s.ring, 1);
        }
        c.globalAlpha = s.ring ? 1 : Math.max(s.alpha, count > 2000 ? 0.45 : 0.75);
        c.drawImage(stamp, b.left + f.x + u.x[r] * f.dx - side / 2, b.top + f.y + u.y[r] * f.dy - side / 2, side, side);
      }
      c.globalAlpha = 1;
    }
    // nearest is the sample next to a place of the figure, in ten pixels.
    function nearest(at) {
      var found = null;
      arrange(known).option.grid.forEach(function (b, k) {
        if (!packed(k) || !within(b, at)) { return; }
        var u = samples(k), list = series(k), f = frame(b, k), least = 100, best = -1;
        for (var r = 0; r < u.count; r++) {
          var x = b.left + f.x + u.x[r] * f.dx - at[0], y = b.top + f.y + u.y[r] * f.dy - at[1], q = x * x + y * y;
          if (q < least && list[u.of[r]] && list[u.of[r]].on) { least = q; best = r; }
        }
        if (best >= 0) { found = {panel: k, row: u.rows ? u.rows[best] : best}; }
      });
      return found;
    }
    function hide() {
      if (card && card.style.display !== "none") {
        card.style.display = "none";
        delete figure.dataset.hovered;
        tell("ring", keyOf(Number(card.dataset.panel)), -1);
      }
    }
    // show shows the card of the sample next to the pointer.
    function show(at) {
      var hit = nearest(at), spot = hit && of(hit.panel).of(hit.row);
      if (!spot) { hide(); return; }
      lay(hit.panel, spot, at);
      if (keyOf(hit.panel)) { tell("ring", keyOf(hit.panel), hit.row, figure, hit.panel); }
    }
    // tip shows the card of sample i of panel k, and none without a place where it is seen. It
    // tells whether the panel is one of those here.
    function tip(k, i) {
      var at = card && packed(k) && sight(read()[k], i);
      if (at) { lay(k, read()[k].of(i), at); } else { hide(); }
      return !!packed(k);
    }
    // lay lays the card of a sample beside a place.
    function lay(k, spot, at) {
      card.replaceChildren(payload.option.tooltip.formatter({componentType: "series", value: spot.v, seriesIndex: spot.series, seriesName: spot.name}));
      card.style.display = "block";
      card.dataset.panel = k;
      figure.dataset.hovered = spot.i;
      var w = card.offsetWidth, h = card.offsetHeight;
      card.style.left = Math.max(Math.min(at[0] + 14, chart.getWidth() - w), 0) + "px";
      card.style.top = (at[1] + 18 + h < chart.getHeight() ? at[1] + 18 : Math.max(at[1] - h - 10, 0)) + "px";
    }
    function attach() {
      if (!payload.extra || !payload.extra.many) { return; }
      place.style.position = "relative";
      place.style.isolation = "isolate";
      canvas = part("canvas", "width:100%;height:100%;z-index:-1");
      canvas.className = "ssdrnb-many";
      card = part("div", "display:none;max-width:260px;padding:6px 10px;border:1px solid #999;border-radius:4px;background:" + (dark() ? "#222" : "#fff") + ";color:" + (dark() ? "#ddd" : "#444") + ";font:13px/1.5 sans-serif;box-shadow:1px 2px 8px rgba(0,0,0,.25);z-index:9");
      card.className = "ssdrnb-card";
      var wanted = null, here = place;
      here.addEventListener("mousemove", function (e) {
        var box = here.getBoundingClientRect(), waits = wanted;
        wanted = e.buttons || tool ? [] : [e.clientX - box.left, e.clientY - box.top];
        if (!waits) { requestAnimationFrame(function () { var at = wanted; wanted = null; if (place === here && chart) { if (at && at.length) { show(at); } else { hide(); } } }); }
      });
      here.addEventListener("mouseleave", function () { wanted = wanted && []; hide(); });
      chart.on("datazoom", function () { hide(); paint(); });
      now(); // a page that is printed has no next frame
    }
    return {of: of, tip: tip, attach: attach, paint: paint, dispose: function () { canvas = card = null; }};
  })();
