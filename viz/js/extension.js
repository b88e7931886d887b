// The extension of JupyterLab 4 and Notebook 7: a renderer for the outputs of viz and widgets. It
// takes only the data and the pictures from the HTML of an output, and draws them with scripts of
// the extension. It also renders untrusted notebooks: no script of a notebook runs, nothing in it
// becomes HTML or a style, and data that viz cannot have written are refused, see check.js. If data
// are refused, the static picture remains, with a line of text.
//
// The extension is a container of webpack's module federation, from which JupyterLab loads modules.
import "./window.js";
import runWidget from "../../widgets/js/main.js";
import { check, restorer } from "./check.js";
import { figure } from "./figures.js";
import { copy, parts } from "./output.js";

const FIGURE = "application/vnd.ssdrnb.figure.v1+json";
const WIDGET = "application/vnd.ssdrnb.widget.v1+json";

// Styles that Multiples and Tree have in the HTML of outputs, which the extension ignores: they
// darken static pictures, and select the picture for narrow pages.
const small = '.ssdrnb-figure[data-kind="multiples"]';
document.head.appendChild(document.createElement("style")).textContent =
  `body[data-jp-theme-light="false"] :is(${small},.ssdrnb-figure[data-kind="tree"])>img{filter:invert(.93) hue-rotate(180deg)}${small}{container-type:inline-size}` +
  "@container (max-width:720px){.ssdrnb-figure>.ssdrnb-wide{display:none!important}.ssdrnb-figure>.ssdrnb-narrow{display:inline!important}}";

/**
 * render puts the elements of an output into node, and starts its figures and widgets. path is the
 * path of the notebook. render does nothing if taken reports that node now shows another output.
 * Data are unpacked one after another, and only if they follow their element.
 * @param {HTMLElement} node @param {string} html @param {string} path @param {() => boolean} taken
 */
async function render(node, html, path, taken) {
  const found = parts(html);
  const restored = restorer();
  /** @type {(() => void)[]} */
  const begin = [];
  /** @type {unknown[]} */
  const faults = [];
  /** @type {HTMLElement | null} */
  let place = null;
  const made = document.createElement("div");
  for (const e of new DOMParser().parseFromString(found.rest, "text/html").body.children) {
    const last = /** @type {HTMLElement | null} */ (made.lastElementChild);
    if (/^(DIV|P)$/.test(e.tagName)) {
      const copied = made.appendChild(copy(/** @type {HTMLElement} */ (e), found.pictures));
      if (e.tagName === "DIV") place = copied;
    }
    if (e.tagName !== "HR") continue;
    const text = found.data.shift() || "";
    const mine = place;
    place = null; // one for each
    if (!mine || mine !== last) continue;
    try {
      begin.push(prepared(made, mine, await restored(text), path));
    } catch (fault) {
      faults.push(fault);
    }
  }
  if (taken()) return;
  node.replaceChildren(...made.childNodes);
  for (const f of begin) f();
  if (faults.length) throw faults[0];
}

/**
 * prepared checks the data in text, and adds them to node after their element place. It returns a
 * function that starts the figure or widget.
 * @param {HTMLElement} node @param {HTMLElement} place @param {string} text @param {string} path
 */
function prepared(node, place, text, path) {
  const isWidget = place.className === "ssdrnb-widget";
  const payload = check(isWidget ? "widgets" : "figures", text);
  if (payload.kind !== place.dataset.kind) throw new Error("its data belong to another kind of output");
  const script = document.createElement("script");
  script.type = "application/json";
  script.className = isWidget ? "" : "ssdrnb-data";
  script.dataset.path = path.endsWith(".ipynb") ? path : ""; // selections are stored there, regardless of the data
  script.textContent = text;
  node.appendChild(script);
  return () => (isWidget ? runWidget(script) : figure(script, payload.kind));
}

/**
 * @typedef {{resolver?: {path?: string}, mimeType: string}} Options of JupyterLab
 * @typedef {new () => {node: HTMLElement, addClass(name: string): void, dispose(): void}} WidgetClass that of Lumino
 * @typedef {{[version: string]: {get(): Promise<() => {Widget: WidgetClass}>}}} Versions
 */

/** @param {WidgetClass} Widget */
function extension(Widget) {
  class Renderer extends Widget {
    /** @param {Options} options */
    constructor(options) {
      super();
      this.resolver = options.resolver;
      this.node.dataset.mimeType = options.mimeType; // as JupyterLab's own renderers do
      this.addClass("jp-RenderedHTMLCommon");
      this.addClass("jp-RenderedHTML");
    }
    /** dispose ends the widgets of a deleted output. Figures end by themselves. */
    dispose() {
      this.turn = {}; // an output that is still being rendered never starts
      for (const e of this.node.querySelectorAll(".ssdrnb-widget"))
        e.dispatchEvent(new Event("ssdrnb-deleted"));
      super.dispose();
    }
    /** @param {{data: Record<string, unknown>}} model */
    async renderModel(model) {
      const turn = {};
      this.turn = turn;
      try {
        const path = (this.resolver?.path || "").replace(/^[^/:]*:/, ""); // without the name of a drive
        await render(this.node, String(model.data["text/html"] || ""), path, () => this.turn !== turn);
      } catch (e) {
        // existing pictures stay
        const line = /** @type {HTMLElement} */ (
          this.node.querySelector(".ssdrnb-static") || this.node.appendChild(document.createElement("p"))
        );
        const words = model.data["text/plain"];
        const shown = this.node.querySelector("img[src]");
        const why = e instanceof Error ? e.message : String(e);
        line.textContent = `${shown ? "" : `${typeof words === "string" ? words.slice(0, 10000) : ""}\n`}This output could not be drawn: ${why}.`;
        line.style.whiteSpace = "pre-wrap";
      }
    }
  }
  return {
    id: "ssdrnb-assets:renderer",
    description: "Draws the figures and runs the widgets of ssdrnb.",
    rendererFactory: {
      safe: true,
      mimeTypes: [FIGURE, WIDGET],
      /** @param {Options} options */
      createRenderer: (options) => new Renderer(options),
    },
    rank: 10, // before text/html
    dataType: "json",
  };
}

window.__ssdrnbWidget = runWidget; // for widgets that a cell serves, whose own scripts run

/** @type {Record<string, Versions>} */
let shared; // the modules of JupyterLab

const page = /** @type {{_JUPYTERLAB?: Record<string, unknown>}} */ (window);
page._JUPYTERLAB = page._JUPYTERLAB || {};
page._JUPYTERLAB["ssdrnb-assets"] = {
  /** @param {Record<string, Versions>} scope */
  init(scope) {
    shared = scope;
  },
  /** @param {string} name */
  async get(name) {
    if (name !== "./mimeExtension") throw new Error(`ssdrnb-assets has no module ${name}`);
    const versions = shared["@lumino/widgets"];
    const lumino = await versions[Object.keys(versions)[0]].get();
    const made = { default: extension(lumino().Widget), __esModule: true };
    return () => made;
  },
};
