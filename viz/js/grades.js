// Keys for sizes and opacities, drawn as lines below the panels.
import { over, styled, svg } from "./dom.js";
import { span } from "./layout.js";
import { marks } from "./rules.js";
import { dark } from "./theme.js";

/**
 * gradesOf draws the keys of a view: circles of several sizes or opacities with their values.
 * @param {View} view @param {Arranged} at
 */
export function gradesOf(view, at) {
  const all = view.payload.extra?.grades;
  const font = "12px sans-serif";
  view.place.querySelector(".ssdrnb-grades")?.remove();
  if (!all) return;
  const strip = over(view.place, "div", "width:100%;height:100%");
  strip.className = "ssdrnb-grades";
  strip.ariaHidden = "true"; // the figure's description contains it
  const sheet = svg(
    "svg",
    {
      width: "100%",
      height: "100%",
      viewBox: `0 0 ${view.known} ${at.height}`,
      fill: dark() ? "#eee" : "#464646",
    },
    strip,
  );
  styled(sheet, `font:${font}`);
  all.forEach((g, k) => {
    const cy = at.lines + 24 * (k + 0.5);
    marks(
      g,
      view.payload.layout.left,
      view.known,
      (text) => span(text, font),
      (text, x) => {
        svg("text", { x, y: cy + 4 }, sheet).textContent = text;
      },
      (cx, i) => {
        const fill = dark() ? "#b9b8ce" : "#6e7079";
        svg("circle", { cx, cy, r: g.values[i] / 2, fill, "fill-opacity": g.range[i] }, sheet);
      },
    );
  });
}
