// The buttons of a figure.
import { el, styled, svg } from "./dom.js";
import { box, edge } from "./theme.js";

export function toolbar() {
  const bar = el("div", "position:absolute;top:2px;right:2px;display:flex;gap:2px;z-index:2");
  bar.className = "ssdrnb-tools";
  return bar;
}

/**
 * button adds a button to a toolbar. A click calls act.
 * @param {HTMLElement} bar @param {string} text @param {string} name @param {(b: HTMLButtonElement) => void} act
 */
export function button(bar, text, name, act) {
  const b = el(
    "button",
    `width:22px;height:22px;padding:0;border:1px solid ${edge()};border-radius:4px;${box()};font:14px/18px sans-serif;cursor:pointer`,
    text,
    bar,
  );
  b.type = "button";
  b.title = b.ariaLabel = name;
  b.onclick = () => act(b);
  return b;
}

const HOW = "; with Shift, add to the selection; Escape clears it";
const SHAPES = {
  lasso:
    "M6.5 10.5C3 10 1.5 8 1.5 6.2 1.5 3.5 4.5 2 8 2s6.5 1.5 6.5 4.2-3 4.3-6 4.3M6.5 10.5c-2.5 0-2.5 3 0 2.5 1 1 .5 2-1 2.5",
  box: "M2 2h3M7 2h3M12 2h2v2M14 6v3M14 11v3h-2M10 14H7M5 14H2v-3M2 9V6M2 4V2",
};

/**
 * shapes adds the buttons of the tools that select samples: the lasso and the box.
 * @param {HTMLElement} bar @param {string} tool the chosen tool, or "" @param {(tool: string) => void} choose
 */
export function shapes(bar, tool, choose) {
  const all = Object.entries(SHAPES).map(([name, d]) => {
    const b = button(bar, "", `Select with a ${name}${HOW}`, () => {
      tool = tool === name ? "" : name;
      chosen();
    });
    const icon = svg("svg", { width: 14, height: 14, viewBox: "0 0 16 16" }, b);
    styled(icon, "vertical-align:-2px");
    svg("path", { fill: "none", stroke: "currentColor", "stroke-width": 1.5, d }, icon);
    return { name, b };
  });
  function chosen() {
    for (const { name, b } of all) {
      b.ariaPressed = String(name === tool);
      b.style.opacity = name === tool ? "1" : "0.6";
    }
    choose(tool);
  }
  chosen();
}
