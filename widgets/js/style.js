// The style sheet of all widgets, in the colours of JupyterLab's theme or else of the system's
// colour scheme.

import { el } from "./elements.js";

const ID = "ssdrnb-widget-style";

/** Selectors of a page with a dark theme, and of a page without a theme. */
const DARK = `body:is([data-jp-theme-light="false"],[data-vscode-theme-kind="vscode-dark"],[data-vscode-theme-kind="vscode-high-contrast"])`;
const PLAIN = "body:not([data-jp-theme-light],[data-vscode-theme-kind])";

const dark = `--ssdrnb-page:var(--jp-layout-color1,#1e1e1e);--ssdrnb-raised:var(--jp-layout-color2,#333);--ssdrnb-line:var(--jp-border-color1,#666);--ssdrnb-faint:var(--jp-border-color2,#555);--ssdrnb-bad:#f2a59f;color-scheme:dark`;
const inverted = "filter:invert(.93) hue-rotate(180deg)";

const STYLE = `
.ssdrnb-widget {
  --ssdrnb-page: var(--jp-layout-color1, #fff); --ssdrnb-raised: var(--jp-layout-color2, #eee);
  --ssdrnb-line: var(--jp-border-color1, #bbb); --ssdrnb-faint: var(--jp-border-color2, #ddd); --ssdrnb-bad: #b3261e;
  font: 13px/1.4 var(--jp-ui-font-family, system-ui, sans-serif); color: var(--jp-ui-font-color1, inherit); max-width: none;
}
${DARK} .ssdrnb-widget { ${dark} }
${DARK} .ssdrnb-widget > img { ${inverted} }
@media screen and (prefers-color-scheme: dark) {
  ${PLAIN} .ssdrnb-widget { ${dark} }
  ${PLAIN} .ssdrnb-widget > img { ${inverted} }
}
.ssdrnb-widget [hidden] { display: none !important; }
.ssdrnb-widget > img { max-width: 100%; height: auto; }
.ssdrnb-row { display: flex; flex-wrap: wrap; gap: 12px 16px; align-items: flex-start; }
.ssdrnb-row > * { min-width: 0; max-width: 100%; box-sizing: border-box; }
.ssdrnb-bar { display: flex; gap: 6px; align-items: center; flex-wrap: wrap; margin: 4px 0; }
.ssdrnb-widget button {
  font: inherit; padding: 2px 10px; border: 1px solid var(--ssdrnb-line); border-radius: 3px;
  background: var(--ssdrnb-page); color: inherit; cursor: pointer; max-width: 100%; overflow-wrap: anywhere;
}
.ssdrnb-widget button[aria-pressed=true] { outline: 2px solid #0072b2; outline-offset: -1px; }
.ssdrnb-widget button:disabled { opacity: .45; cursor: default; }
.ssdrnb-dead .ssdrnb-side, .ssdrnb-dead .ssdrnb-bar { opacity: .45; pointer-events: none; }
.ssdrnb-view { flex: 1 1 500px; max-width: min(100%, max(440px, min(75vh, 900px))); }
.ssdrnb-half { flex: 1 1 300px; max-width: min(100%, max(382px, min(70vh, 760px))); }
.ssdrnb-plot { position: relative; }
.ssdrnb-square, .ssdrnb-picture, .ssdrnb-curve { display: block; box-sizing: border-box; border: 1px solid var(--ssdrnb-faint); }
.ssdrnb-square { width: 100%; aspect-ratio: 1; }
.ssdrnb-canvas { cursor: crosshair; touch-action: none; }
.ssdrnb-row > .ssdrnb-picture { flex: 1 1 300px; max-width: min(100%, max(390px, 70vh)); border: 0; image-rendering: pixelated; }
.ssdrnb-curve { width: 100%; max-width: 720px; height: 120px; border: 0; }
.ssdrnb-share { flex: 1 1 160px; max-width: 320px; min-width: 0; }
.ssdrnb-tip {
  position: absolute; pointer-events: none; z-index: 5; padding: 4px 8px; border-radius: 3px; background: var(--ssdrnb-raised);
  border: 1px solid var(--ssdrnb-line); box-sizing: border-box; width: max-content; max-width: min(300px, 100%); overflow-wrap: anywhere;
}
.ssdrnb-tip canvas { width: 64px; image-rendering: pixelated; margin-top: 4px; }
.ssdrnb-side { flex: 1 1 270px; max-width: 420px; }
.ssdrnb-side:not(.ssdrnb-map) { container-type: inline-size; }
.ssdrnb-side.ssdrnb-map { flex: 0 1 auto; max-width: 100%; }
.ssdrnb-control { display: grid; grid-template-columns: 88px minmax(40px, 1fr) 74px 56px; gap: 6px; align-items: center; margin: 3px 0; }
.ssdrnb-control > label:first-child { overflow-wrap: anywhere; }
.ssdrnb-control input[type=number] { width: 70px; font: inherit; background: transparent; color: inherit; border: 1px solid var(--ssdrnb-line); box-sizing: border-box; }
.ssdrnb-control input[type=range] { width: 100%; min-width: 0; }
.ssdrnb-control input[type=checkbox] { justify-self: start; }
.ssdrnb-control select { font: inherit; grid-column: 2 / 5; min-width: 0; }
.ssdrnb-widget select { background: var(--ssdrnb-page); color: inherit; border: 1px solid var(--ssdrnb-line); max-width: 100%; }
@container (max-width: 264px) {
  .ssdrnb-control { grid-template-columns: minmax(40px, 1fr) 74px; }
  .ssdrnb-control > :is(label, select) { grid-column: 1 / 3; }
}
.ssdrnb-tick { display: inline-flex; gap: 4px; align-items: center; }
.ssdrnb-legend span { display: inline-flex; align-items: center; margin: 0 10px 2px 0; cursor: pointer; }
.ssdrnb-swatch[data-symbol] { box-shadow: none; }
.ssdrnb-swatch[data-symbol=circle] { border-radius: 50%; }
.ssdrnb-swatch[data-symbol=triangle] { clip-path: polygon(50% 0, 100% 100%, 0 100%); }
.ssdrnb-swatch[data-symbol=diamond] { clip-path: polygon(50% 0, 100% 50%, 50% 100%, 0 50%); }
.ssdrnb-swatch { width: 10px; height: 10px; margin-right: 5px; flex: none; display: inline-block; box-shadow: 0 0 0 1px var(--ssdrnb-faint); forced-color-adjust: none; }
.ssdrnb-legend .off { opacity: .35; text-decoration: line-through; }
.ssdrnb-line { display: flex; gap: 8px; align-items: center; flex-wrap: wrap; min-height: 26px; }
.ssdrnb-line progress { flex: 0 1 120px; min-width: 40px; height: 6px; }
.ssdrnb-status { font-size: 12px; opacity: .85; overflow-wrap: anywhere; }
.ssdrnb-error { color: var(--ssdrnb-bad); min-height: 18px; overflow-wrap: anywhere; }
.ssdrnb-side code { display: block; font: 12px/1.4 var(--jp-code-font-family, monospace); overflow-wrap: anywhere; margin: 6px 0; }
.ssdrnb-side code.ssdrnb-literal { white-space: pre-wrap; max-height: 160px; overflow: auto; }
.ssdrnb-side h4 { margin: 8px 0 2px; font-size: 12px; }
.ssdrnb-widget .ssdrnb-list { list-style: none !important; max-height: 150px; overflow: auto; font-size: 12px; margin: 4px 0 8px; padding: 0; }
.ssdrnb-list li { cursor: pointer; padding: 1px 4px; }
.ssdrnb-list li:is(:hover, :focus) { background: var(--ssdrnb-raised); }
.ssdrnb-list li[aria-current=true] { background: var(--ssdrnb-raised); font-weight: 600; }
.ssdrnb-sample { display: flex; gap: 12px; align-items: flex-start; flex-wrap: wrap; min-height: 150px; }
.ssdrnb-large { width: 144px; height: auto; max-width: 100%; image-rendering: pixelated; border: 1px solid var(--ssdrnb-faint); }
.ssdrnb-what { flex: 1 1 180px; min-width: 0; }
/* What follows a sample stays in its place when the next one is shown, under the finger that taps. */
.ssdrnb-read { max-height: 300px; overflow: auto; margin: 0 0 6px; }
.ssdrnb-pane { height: clamp(180px, 36vh, 300px); }
.ssdrnb-guesses { min-height: 76px; }
.ssdrnb-review { min-height: 26px; }
.ssdrnb-said { min-height: 17px; }
.ssdrnb-widget .ssdrnb-table { border-collapse: collapse; margin: 0 !important; font-size: 14px; line-height: 1.4; table-layout: auto; }
.ssdrnb-widget .ssdrnb-table :is(th, td) { text-align: left !important; vertical-align: top; padding: 1px 8px 1px 0 !important; white-space: pre-wrap; overflow-wrap: anywhere; background: none; }
.ssdrnb-widget .ssdrnb-table th { opacity: .75; font-weight: normal; min-width: 6em; }
.ssdrnb-guess { display: grid; grid-template-columns: minmax(60px, 1fr) 2fr 44px; gap: 6px; align-items: center; font-size: 12px; overflow-wrap: anywhere; }
.ssdrnb-rail { height: 8px; background: var(--ssdrnb-faint); }
.ssdrnb-chance { display: block; height: 8px; forced-color-adjust: none; }
.ssdrnb-widget input[type=text] { font: inherit; padding: 2px 6px; border: 1px solid var(--ssdrnb-line); border-radius: 3px; background: transparent; color: inherit; min-width: 0; flex: 1 1 100px; max-width: 200px; }
.ssdrnb-corner {
  position: fixed; right: 18px; bottom: 34px; z-index: 1000; display: flex; flex-wrap: wrap; gap: 8px; align-items: center; padding: 6px 10px; max-width: calc(100vw - 56px);
  border: 1px solid var(--ssdrnb-line); border-radius: 4px; background: var(--ssdrnb-page); box-shadow: 0 2px 8px rgba(0, 0, 0, .25);
}
.ssdrnb-note { font-weight: 600; }
.ssdrnb-scroll { overflow: auto; }
.ssdrnb-heat { border-collapse: collapse !important; margin: 0 !important; }
.ssdrnb-heat :is(td, th) { padding: 4px 7px !important; text-align: center !important; cursor: pointer; font-size: 12px; }
.ssdrnb-heat td { forced-color-adjust: none; }
.ssdrnb-heat th { cursor: default; background: none; }
.ssdrnb-heat td.ssdrnb-on { outline: 3px solid #d55e00; outline-offset: -3px; }
.ssdrnb-panels { display: grid; gap: 10px; grid-template-columns: repeat(auto-fit, minmax(min(100%, 260px), 1fr)); }
.ssdrnb-panels[data-panels="1"] { max-width: 640px; }
.ssdrnb-panels[data-panels="2"] { max-width: 1000px; }
.ssdrnb-panels[data-brush]:not([data-panels="1"]) > :first-child { grid-column: span 2; grid-row: span 2; }
.ssdrnb-panels:is([data-panels="5"], [data-panels="6"], [data-panels="7"], [data-panels="8"], [data-panels="9"]) { grid-template-columns: repeat(3, 1fr); gap: 6px; max-width: 900px; }
.ssdrnb-panel-box { min-width: 0; padding: 2px; border: 2px solid transparent; border-radius: 4px; }
.ssdrnb-panel-box.ssdrnb-chosen { border-color: #d55e00; }
.ssdrnb-panel-box.ssdrnb-chosen.ssdrnb-right { border-color: #009e73; }
.ssdrnb-panel-title { font-weight: 600; min-height: 19px; overflow-wrap: anywhere; }
.ssdrnb-panel { display: block; width: 100%; aspect-ratio: 1; cursor: crosshair; box-sizing: border-box; border: 1px solid var(--ssdrnb-faint); border-radius: 3px; }
.ssdrnb-panel.ssdrnb-wide { aspect-ratio: 4 / 3; }
.ssdrnb-panel:focus-visible { outline: 2px solid #0072b2; outline-offset: 1px; }
.ssdrnb-dials { display: flex; flex-wrap: wrap; gap: 6px 18px; align-items: center; margin: 6px 0; }
.ssdrnb-dial { display: inline-flex; flex-wrap: wrap; gap: 4px 8px; align-items: center; border: 0; margin: 0; padding: 0; min-width: 0; max-width: 100%; }
.ssdrnb-dial legend { float: left; padding: 0; margin-right: 8px; }
.ssdrnb-dial input[type=range] { width: 160px; max-width: 48vw; }
.ssdrnb-dial output { min-width: 5ch; font-variant-numeric: tabular-nums; font-weight: 600; }
.ssdrnb-widget .ssdrnb-named { border: 0; padding: 0 2px; background: none; color: inherit; text-decoration: underline; text-underline-offset: 2px; }
.ssdrnb-hands { display: inline-flex; gap: 4px; flex-wrap: wrap; }
.ssdrnb-meters { display: flex; flex-wrap: wrap; gap: 6px 10px; margin: 8px 0; }
.ssdrnb-meter { display: grid; padding: 4px 10px; border: 1px solid var(--ssdrnb-faint); border-radius: 4px; min-width: 110px; min-height: 46px; box-sizing: border-box; }
.ssdrnb-meter b { font-size: 18px; font-variant-numeric: tabular-nums; }
.ssdrnb-meter.ssdrnb-met { border-color: #009e73; box-shadow: inset 0 0 0 1px #009e73; }
.ssdrnb-meter.ssdrnb-met b::after { content: " ✓"; }
.ssdrnb-keys { display: flex; flex-wrap: wrap; gap: 2px 12px; margin: 4px 0; }
.ssdrnb-keys span { display: inline-flex; align-items: center; }
.ssdrnb-won { font-weight: 600; color: #009e73; }
.ssdrnb-won:empty { display: none; }
.ssdrnb-spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.ssdrnb-beat { max-width: 1000px; font-size: 15px; line-height: 1.5; }
.ssdrnb-beat > p { max-width: 38em; margin: 4px 0 10px; }
.ssdrnb-ask { border: 0; border-left: 4px solid #0072b2; margin: 8px 0; padding: 4px 12px; min-width: 0; }
.ssdrnb-ask legend { float: left; width: 100%; padding: 0; font-weight: 600; }
.ssdrnb-ask > * { clear: both; }
.ssdrnb-ask label { display: flex; gap: 8px; align-items: center; padding: 3px 0; }
.ssdrnb-ask .ssdrnb-form label { display: inline-flex; margin-right: 12px; }
.ssdrnb-ask input[type=number] { width: 80px; font: inherit; background: transparent; color: inherit; border: 1px solid var(--ssdrnb-line); }
.ssdrnb-ask canvas { display: block; width: 100%; max-width: 460px; height: 220px; touch-action: none; border: 1px solid var(--ssdrnb-faint); cursor: crosshair; }
.ssdrnb-say { min-height: 24px; }
.ssdrnb-shut { position: relative; }
.ssdrnb-shut > .ssdrnb-stage { visibility: hidden; }
.ssdrnb-shut::before { content: "Answer first. The stage opens then."; position: absolute; inset: 0; display: grid; place-items: center; border: 1px dashed var(--ssdrnb-line); border-radius: 6px; }
.ssdrnb-place { min-height: 420px; }
.ssdrnb-reveal { min-height: 48px; max-width: 38em; }
.ssdrnb-progress { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; font-size: 13px; padding: 4px 0; border-bottom: 1px solid var(--ssdrnb-faint); }
.ssdrnb-progress progress { width: 120px; height: 8px; }
@media (pointer: coarse) {
  .ssdrnb-widget button { min-height: 36px; padding: 4px 12px; }
  .ssdrnb-widget input[type=range], .ssdrnb-widget select { min-height: 32px; }
  .ssdrnb-widget input[type=text] { min-height: 30px; }
  .ssdrnb-widget input[type=checkbox] { min-width: 20px; min-height: 20px; }
  .ssdrnb-legend span, .ssdrnb-list li { min-height: 28px; }
  .ssdrnb-review { min-height: 36px; }
  .ssdrnb-line { min-height: 52px; } /* three lines, or a button that stops a fit */
  .ssdrnb-canvas, .ssdrnb-plot canvas { -webkit-user-select: none; user-select: none; -webkit-touch-callout: none; }
}
@media (forced-colors: active) {
  .ssdrnb-widget button[aria-pressed=true] { outline-color: Highlight; }
  .ssdrnb-widget > img { filter: none !important; }
}
@media print {
  .ssdrnb-corner, .ssdrnb-line :is(progress, button) { display: none; }
}
`;

/** styled adds the style sheet to the page, once. */
export function styled() {
  if (!document.getElementById(ID)) {
    document.head.appendChild(el("style", { id: ID, text: STYLE }));
  }
}
