  // --- Axes in three dimensions. echarts-gl draws their numbers and names as sprites: here they
  // keep some pixels from their axis however it is seen, names stay within the panel, and numbers
  // that would cover others or be cut are left out. echarts-gl does not say where its sprites
  // are, so that this reads what it keeps. ---

  clear = function (chart) {
    var ratio = chart.getDevicePixelRatio();
    chart.getModel().eachComponent("grid3D", function (model) {
      var view = chart.getViewOfComponentModel(model), camera = view._control.getCamera(), size = model.coordinateSystem.viewGL.viewport, taken = [];
      // pixel is where a place of an axis is seen.
      function pixel(axis, p) {
        [axis.rootNode.worldTransform, camera.viewMatrix, camera.projectionMatrix].forEach(function (m) {
          m = m.array;
          p = [0, 1, 2, 3].map(function (row) { return m[row] * p[0] + m[4 + row] * p[1] + m[8 + row] * p[2] + m[12 + row] * p[3]; });
        });
        return [(p[0] / p[3] + 1) / 2 * size.width, (1 - p[1] / p[3]) / 2 * size.height];
      }
      // sprite moves text k of an axis away from it by a gap, and returns its place, in pixels.
      function sprite(axis, k, element, gap) {
        var g = axis.labelsMesh.geometry, r = element.getBoundingRect(), half = element.style.fontSize * 0.45, by = g.attributes.offset.value, at = 8 * k;
        g.setSpriteAlign(k, [r.width * ratio, r.height * ratio], axis.textAlign, axis.textVerticalAlign, gap * ratio);
        g.dirty();
        var p = pixel(axis, Array.from(g.attributes.position.value.subarray(12 * k, 12 * k + 3)).concat(1)), x = p[0] + by[at] / ratio, y = p[1] - (by[at + 1] + by[at + 5]) / 2 / ratio;
        function move(dx, dy) {
          for (var i = at; i < at + 8; i += 2) { by[i] += dx * ratio; by[i + 1] -= dy * ratio; }
          return box(x + dx, y + dy);
        }
        function box(x, y) { return {left: x - 3, right: x + r.width + 3, top: y - half, bottom: y + half, move: move, hide: function () { by.fill(0, at, at + 8); }}; }
        return box(x, y);
      }
      function into(from, to, most) { return Math.max(-from, 0) - Math.max(to - most, 0); }
      function free(a) {
        return !into(a.left, a.right, size.width) && !into(a.top, a.bottom, size.height) && taken.every(function (b) { return a.right < b.left || b.right < a.left || a.bottom < b.top || b.bottom < a.top; });
      }
      view._axes.forEach(function (axis) {
        // Both ends of a tick. The second of the three coordinates is the height.
        model.coordinateSystem.getAxis(axis.dim).getTicksCoords().forEach(function (t) {
          [0, 4].forEach(function (out) {
            var q = pixel(axis, axis.dim === "x" ? [t.coord, 0, out, 1] : axis.dim === "y" ? [out, 0, t.coord, 1] : [0, t.coord, out, 1]);
            taken.push({left: q[0], right: q[0], top: q[1], bottom: q[1]});
          });
        });
        var widest = axis.labelElements.reduce(function (w, e) { return e.style.text ? Math.max(w, e.getBoundingRect().width) : w; }, 0);
        if (!axis.nameLabelElement) { return; }
        var s = sprite(axis, axis.labelElements.length, axis.nameLabelElement, axis.textAlign === "center" ? 30 : widest + 16);
        taken.push(s.move(into(s.left, s.right, size.width), into(s.top, s.bottom, size.height)));
      });
      view._axes.forEach(function (axis) {
        axis.labelElements.forEach(function (e, k) {
          var s = sprite(axis, k, e, 5);
          if (e.style.text && free(s)) { taken.push(s); } else { s.hide(); }
        });
      });
    });
  };
