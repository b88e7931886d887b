// Computes the layout of a figure for the width of the page. Go's layout.place has the same rules.
// A narrow figure has its legend below the panels, and a long title on several lines.
import { loader } from "./loader.js";
import { panels } from "./rules.js";
import { edge } from "./theme.js";

/**
 * span returns the width of a text in pixels.
 * @param {string} text @param {string} font
 */
export function span(text, font) {
  loader.canvas ??= document.createElement("canvas");
  const context = /** @type {CanvasRenderingContext2D} */ (loader.canvas.getContext("2d"));
  context.font = font;
  return context.measureText(text).width;
}

const FONT = "12px sans-serif";

/** @param {Option} o @returns {string[]} */
const entries = (o) => [...new Set((o.legend.data || o.series).map((/** @type {any} */ s) => s.name || s))];

/**
 * legendRows returns the number of rows of a legend below the panels.
 * @param {Option} o @param {number} width @param {typeof span} measure
 */
export function legendRows(o, width, measure) {
  let rows = 1;
  let x = 0;
  const list = /** @type {string[]} */ (o.legend.data || o.series.map((s) => s.name));
  for (const n of new Set(list)) {
    if (!n) continue;
    const w = measure(n, FONT) + (o.legend.itemWidth || 25) + 15;
    if (x > 0 && x + w > width - 20) {
      rows++;
      x = 0;
    }
    x += w;
  }
  return rows;
}

/**
 * Given contains the values that Go set for settings that the page changes: the maximum number of
 * axis steps, the type of the legend, and the names of axes that only the first panel in a row
 * shows. zoom is the visible part of the x axes and of the y axes, in per cent. axis, fit and
 * attach are described in Kinds.
 * @typedef {{steps: Record<string, number>, legend?: string, outer: Record<number, string>,
 *   zoom?: {start: number, end: number}[], axis?: Kinds["axis"], fit?: Kinds["fit"], attach?: Kinds["attach"]}} Given
 */

/**
 * titleOf places the title: centred above the panels if it fits on one line, and otherwise beside
 * or below the buttons, on several lines.
 * @param {number} long its width @param {number} middle of the panels @param {number} width
 * @param {number} buttons their width
 */
export function titleOf(long, middle, width, buttons) {
  let space = 2 * Math.min(middle, width - middle - buttons);
  if (long <= space) return { middle, space, lines: 1, under: 0 };
  space = width - buttons - 8;
  const under = space < 120 ? 22 : 0;
  if (under) space += buttons;
  return { middle: space / 2 + 4, space, lines: Math.min(Math.ceil(long / Math.max(space, 60)), 4), under };
}

/**
 * arrange computes the layout for a width: the changes of the ECharts option, the height of the
 * figure, and the distances of the cameras relative to wide panels.
 * @param {Payload} payload @param {number} width @param {number} buttons the width of those beside the title
 * @param {Given} given @param {boolean} first whether the option is as Go gives it @param {typeof span} measure
 * @returns {Arranged}
 */
export function arrange(payload, width, buttons, given, first, measure = span) {
  const fitted = given.fit?.(payload, width, measure);
  const l = fitted?.layout || payload.layout;
  const o = payload.option;
  const flat = !payload.gl;
  const below = l.legend > 0 && width < 560;
  // A colour bar for all panels is in the column of the legend.
  const scale = o.visualMap?.find((/** @type {any} */ v) => v.panel === undefined && v.show !== false);
  const listed = o.legend && o.legend.show !== false;
  const right = l.right + (below ? 0 : l.legend);
  const rows = below && listed ? legendRows(o, width, measure) : 0;
  const foot = below ? (rows > 4 ? 34 : rows ? 10 + 24 * rows : 0) + (scale ? 34 : 0) : 0;
  const lines = l.foot || 0;
  // Widths for a colour bar below the panels: the texts at its ends, its name, and the bar itself.
  const ends = (scale?.text || []).reduce(
    (/** @type {number} */ sum, /** @type {string} */ text) => sum + measure(text, FONT),
    24,
  );
  let named = 0;
  let long = 0;
  for (const t of o.title) {
    if (t.scale) named = Math.min(measure(t.text, FONT), Math.max(width - ends - 80, 20));
    else if (t.panel === undefined) long = measure(t.text, "bold 14px sans-serif") * 1.05;
  }
  const length = Math.min(140, width - named - ends - 20);
  const begin = Math.max((width - named - ends - length) / 2, 4);
  const title = titleOf(long, (l.left + width - right) / 2, width, buttons);
  const head = l.head + 18 * (title.lines - 1) + title.under;
  const placed = panels(l, width, right, head, foot + lines, payload.height);
  const { boxes, across, height } = placed;
  if (!(height < 30000)) throw new Error(`it would be ${height} pixels high, too high to draw`);
  /** @type {any} */
  const out = {};
  out[flat ? "grid" : "grid3D"] = boxes.map((b) =>
    flat ? { ...b, show: payload.kind !== "pictures", borderColor: edge() } : { ...b },
  );
  out.title = o.title.map((t) => {
    if (t.scale) {
      // the name of the bar of colours
      return below
        ? {
            left: begin,
            top: height - 23,
            textAlign: "left",
            textStyle: { width: named + 4, overflow: "truncate" },
          }
        : {
            left: width - 4,
            top: listed ? height - l.below - lines - 204 : height / 2 - 112,
            textAlign: "right",
          };
    }
    if (t.panel === undefined) {
      return {
        left: title.middle,
        top: 6 + title.under,
        textAlign: "center",
        textStyle: { width: Math.max(title.space, 60), overflow: "break", lineHeight: 18 },
      };
    }
    const b = boxes[t.panel];
    return {
      left: b.left + b.width / 2,
      top: b.top - 22,
      textAlign: "center",
      textStyle: { width: b.width + 40, overflow: "truncate" },
    };
  });
  if (l.legend) {
    given.legend ||= o.legend.type || "plain";
    if (listed) {
      out.legend = below
        ? {
            type: rows > 4 ? "scroll" : "plain",
            orient: "horizontal",
            left: "center",
            right: "auto",
            top: "auto",
            bottom: scale ? 34 : 0,
          }
        : {
            orient: "vertical",
            left: "auto",
            right: 4,
            top: scale ? l.head : "middle",
            bottom: "auto",
            type: given.legend,
          };
      if (lines) out.legend.height = below ? "auto" : height - 2 * lines - 20;
      // A legend that fills the column leaves space for the buttons.
      else if (given.legend === "scroll")
        out.legend.height = below || scale || 24 * entries(o).length < height - 76 ? "auto" : height - 76;
    }
  }
  if (fitted) out.xAxis = fitted.xAxis;
  if (flat) {
    for (const [dim, name] of ["xAxis", "yAxis"].entries()) {
      if (Array.isArray(o[name])) out[name] = o[name].map((a, k) => axis(a, k, name, dim));
    }
  }
  /** @param {any} a @param {number} k @param {string} name @param {number} dim */
  function axis(a, k, name, dim) {
    /** @type {any} */
    const change = {};
    const s = l.spans?.[k];
    const b = boxes[k];
    if (s) {
      // equal scales
      const unit = Math.max((s[1] - s[0]) / b.width, (s[3] - s[2]) / b.height);
      const half = (unit * (dim ? b.height : b.width)) / 2;
      const mid = (s[2 * dim] + s[2 * dim + 1]) / 2;
      change.min = mid - half;
      change.max = mid + half;
    }
    // As many labels as there is space for, at most the number that Go set.
    given.steps[name + k] ||= a.splitNumber || 5;
    if (a.type === "value") {
      change.splitNumber = Math.max(
        2,
        Math.min(given.steps[name + k], Math.floor(dim ? b.height / 32 : b.width / 52)),
      );
    }
    given.axis?.(a, change, dim ? b.height : b.width, dim, given, measure);
    if (a.outer) change.name = k % across ? "" : first ? a.name : given.outer[k];
    return change;
  }
  if (o.visualMap) {
    out.visualMap = o.visualMap.map((/** @type {any} */ v) => {
      if (v.show === false) return {};
      if (v.panel === undefined) {
        return below
          ? {
              orient: "horizontal",
              left: named ? begin + named + 12 : "center",
              right: "auto",
              top: "auto",
              bottom: 0,
              itemWidth: 12,
              itemHeight: length,
            }
          : {
              orient: "vertical",
              left: "auto",
              right: listed ? 24 : 4,
              top: listed ? "auto" : "middle",
              bottom: listed ? l.below + lines : "auto",
              itemWidth: 20,
              itemHeight: 140,
            };
      }
      const b = boxes[v.panel];
      return { left: b.left + b.width + 6, top: b.top + b.height * 0.15 - 20, itemHeight: 0.7 * b.height };
    });
  }
  // The field of view of a camera depends on the height of its panel, so in a narrow panel the
  // camera is farther away.
  const near = boxes.map((b) =>
    payload.kind === "mesh"
      ? Math.max(1, (1.35 * b.height) / b.width)
      : Math.max(1.12, ((b.width < 500 ? 2.1 : 1.85) * b.height) / b.width),
  );
  return { option: out, height, near, lines: placed.lines };
}

/**
 * mix applies the changes computed by arrange to an option.
 * @param {any} option @param {any} at
 */
export function mix(option, at) {
  for (const k of Object.keys(at)) {
    if (!Array.isArray(at[k])) {
      option[k] = Object.assign(option[k] || {}, at[k]);
      continue;
    }
    option[k] = at[k].map((change, i) => {
      const old = option[k]?.[i] || {};
      const text = old.textStyle;
      Object.assign(old, change);
      if (text) old.textStyle = Object.assign(text, change.textStyle);
      return old;
    });
  }
  return option;
}
