// What sizes and opacities show, in lines below the panels. The rules are those of Go's
// canvas.grades.
import { over, styled, svg } from "./dom.js";
import { span } from "./layout.js";
import { dark } from "./theme.js";

/**
 * gradesOf writes marks with their numbers.
 * @param {View} view @param {Arranged} at
 */
export function gradesOf(view, at) {
  const all = view.payload.extra?.grades;
  const font = "12px sans-serif";
  view.place.querySelector(".ssdrnb-grades")?.remove();
  if (!all) return;
  const strip = over(view.place, "div", "width:100%;height:100%");
  strip.className = "ssdrnb-grades";
  strip.ariaHidden = "true"; // the figure's words say it
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
  const write = (/** @type {number} */ x, /** @type {number} */ y, /** @type {string} */ t) => {
    svg("text", { x, y: y + 4 }, sheet).textContent = t;
    return x + span(t, font) + 12;
  };
  all.forEach((g, k) => {
    const y = at.lines + 24 * (k + 0.5);
    const left = view.payload.layout.left;
    const room = g.names.reduce((sum, t) => sum - span(t, font) - 40, view.known - left - 4);
    const name = String(g.name);
    let short = name;
    for (let n = name.length - 1; n > 0 && span(short, font) > Math.max(room, 40); n--)
      short = `${name.slice(0, n)}…`;
    let x = write(left, y, short);
    g.names.forEach((t, i) => {
      svg(
        "circle",
        {
          cx: x + 9,
          cy: y,
          r: g.values[i] / 2,
          fill: dark() ? "#b9b8ce" : "#6e7079",
          "fill-opacity": g.range[i],
        },
        sheet,
      );
      x = write(x + 22, y, t);
    });
  });
}
