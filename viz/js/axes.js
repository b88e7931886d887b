// Axes in three dimensions. echarts-gl draws the numbers and names of axes as sprites. This module
// keeps them a few pixels away from their axis in any view, keeps names within the panel, and hides
// numbers that would overlap or be cut. It changes internal state of echarts-gl, which has no
// function to place sprites.

/** @typedef {{left: number, right: number, top: number, bottom: number}} Rectangle */

const into = (/** @type {number} */ from, /** @type {number} */ to, /** @type {number} */ most) =>
  Math.max(-from, 0) - Math.max(to - most, 0);

/**
 * clear arranges the numbers and names of the axes in all panels of a chart.
 * @param {any} chart
 */
export function clear(chart) {
  const ratio = chart.getDevicePixelRatio();
  chart.getModel().eachComponent("grid3D", (/** @type {any} */ model) => {
    const view = chart.getViewOfComponentModel(model);
    const camera = view._control.getCamera();
    const size = model.coordinateSystem.viewGL.viewport;
    /** @type {Rectangle[]} */
    const taken = [];
    /** pixel returns the position in the panel, in pixels, of the point p of an axis. */
    const pixel = (/** @type {any} */ axis, /** @type {number[]} */ p) => {
      for (const { array: m } of [axis.rootNode.worldTransform, camera.viewMatrix, camera.projectionMatrix]) {
        p = [0, 1, 2, 3].map(
          (row) => m[row] * p[0] + m[4 + row] * p[1] + m[8 + row] * p[2] + m[12 + row] * p[3],
        );
      }
      return [((p[0] / p[3] + 1) / 2) * size.width, ((1 - p[1] / p[3]) / 2) * size.height];
    };
    /** sprite moves text k of an axis away from the axis by gap pixels, and returns its box. */
    const sprite = (
      /** @type {any} */ axis,
      /** @type {number} */ k,
      /** @type {any} */ element,
      /** @type {number} */ gap,
    ) => {
      const g = axis.labelsMesh.geometry;
      const r = element.getBoundingRect();
      const half = element.style.fontSize * 0.45;
      const by = g.attributes.offset.value;
      const at = 8 * k;
      g.setSpriteAlign(
        k,
        [r.width * ratio, r.height * ratio],
        axis.textAlign,
        axis.textVerticalAlign,
        gap * ratio,
      );
      g.dirty();
      const [u, v] = pixel(axis, [...g.attributes.position.value.subarray(12 * k, 12 * k + 3), 1]);
      const x = u + by[at] / ratio;
      const y = v - (by[at + 1] + by[at + 5]) / 2 / ratio;
      const box = (/** @type {number} */ left, /** @type {number} */ middle) => ({
        left: left - 3,
        right: left + r.width + 3,
        top: middle - half,
        bottom: middle + half,
      });
      return {
        ...box(x, y),
        move(/** @type {number} */ dx, /** @type {number} */ dy) {
          for (let i = at; i < at + 8; i += 2) {
            by[i] += dx * ratio;
            by[i + 1] -= dy * ratio;
          }
          return box(x + dx, y + dy);
        },
        hide: () => by.fill(0, at, at + 8),
      };
    };
    const free = (/** @type {Rectangle} */ a) =>
      !into(a.left, a.right, size.width) &&
      !into(a.top, a.bottom, size.height) &&
      taken.every((b) => a.right < b.left || b.right < a.left || a.bottom < b.top || b.bottom < a.top);
    for (const axis of view._axes) {
      // Texts must not cover the ends of ticks. The second of the three coordinates is the height.
      for (const { coord } of model.coordinateSystem.getAxis(axis.dim).getTicksCoords()) {
        for (const out of [0, 4]) {
          const [x, y] = pixel(
            axis,
            axis.dim === "x"
              ? [coord, 0, out, 1]
              : axis.dim === "y"
                ? [out, 0, coord, 1]
                : [0, coord, out, 1],
          );
          taken.push({ left: x, right: x, top: y, bottom: y });
        }
      }
      if (!axis.nameLabelElement) continue;
      const widths = axis.labelElements.map((/** @type {any} */ e) =>
        e.style.text ? e.getBoundingRect().width : 0,
      );
      const s = sprite(
        axis,
        axis.labelElements.length,
        axis.nameLabelElement,
        axis.textAlign === "center" ? 30 : Math.max(0, ...widths) + 16,
      );
      taken.push(s.move(into(s.left, s.right, size.width), into(s.top, s.bottom, size.height)));
    }
    for (const axis of view._axes) {
      axis.labelElements.forEach((/** @type {any} */ e, /** @type {number} */ k) => {
        const s = sprite(axis, k, e, 5);
        if (e.style.text && free(s)) taken.push(s);
        else s.hide();
      });
    }
  });
}
