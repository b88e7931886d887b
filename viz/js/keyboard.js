// Keyboard access to figures: a figure can have the keyboard focus, and then handles keys.
import { el, over, voice } from "./dom.js";
import { loader } from "./loader.js";
import { page } from "./page.js";

/** @type {Record<string, number[]>} */
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
/** @type {Record<string, number>} */
const SCALES = { "+": 1.5, "=": 1.5, "-": 1 / 1.5, _: 1 / 1.5, 0: 0 };

/**
 * Acts contains the actions that keys can run in a figure: zoom and turn, for figures that can be
 * zoomed or turned, and those of the samples (samples.js).
 * @typedef {{zoom?: (factor: number, place?: number[] | null, box?: Box) => void, turn?: (way: number[]) => void, samples?: Chartable}} Acts
 */

/**
 * keyboardOf adds keyboard access to a figure.
 * @param {View} view @param {Acts} acts
 */
export function keyboardOf(view, { zoom, turn, samples }) {
  const { figure, link } = view;
  /** @type {HTMLElement | null} */
  let spoken = null;
  /** @type {(HTMLButtonElement & {settle?: (turn: boolean) => void})[]} */
  let names = []; // the entries of the legend
  const own = samples?.keys;

  if (!loader.focus) {
    loader.focus = document.head.appendChild(document.createElement("style"));
    loader.focus.textContent =
      ".ssdrnb-keyed:focus-visible{outline:3px solid #2a8fd4;outline-offset:-3px}.ssdrnb-figure button:focus-visible{outline:3px solid #2a8fd4}" +
      ".ssdrnb-help{display:none}@media screen{.ssdrnb-figure:not([data-pointed]) .ssdrnb-keyed:focus-visible>.ssdrnb-help{display:block}}";
  }

  /** attach adds keyboard access to a new chart. */
  function attach() {
    const { place, chart } = view;
    const hint = over(
      place,
      "div",
      "top:auto;bottom:3px;left:50%;transform:translateX(-50%);width:max-content;max-width:90%;padding:1px 8px;border-radius:4px;z-index:3;font:12px/1.5 sans-serif;background:#2a8fd4;color:#fff",
    );
    if (!spoken) {
      spoken = voice(figure);
      own?.speak(spoken);
    }
    entries();
    page.helps = (page.helps || 0) + 1;
    hint.className = "ssdrnb-help";
    hint.id = `ssdrnb-help-${page.helps}`;
    hint.textContent = [
      turn && "Arrows: turn",
      own?.hint(),
      zoom && "+ − 0: zoom",
      names.length && "Tab: legend",
      "Escape: leave",
    ]
      .filter(Boolean)
      .join("; ");
    place.classList.add("ssdrnb-keyed");
    place.style.position = "relative";
    place.tabIndex = 0;
    place.role = "application";
    place.ariaLabel = figure.querySelector("img")?.alt ?? "figure";
    place.setAttribute("aria-describedby", hint.id);
    // A click does not focus the figure, so that the notebook still receives keys.
    place.addEventListener(
      "mousedown",
      () => {
        place.removeAttribute("tabindex");
        setTimeout(() => {
          place.tabIndex = 0;
        }, 0);
      },
      true,
    );
    if (!own) return;
    place.addEventListener("focus", own.focus);
    place.addEventListener("blur", own.hide);
    place.addEventListener("pointermove", () => own.moved(true));
    // When ECharts renders again, it shows the card of the uppermost item at this position. Restore
    // the card of the keyboard's sample.
    chart.on("showTip", (/** @type {any} */ e) => {
      if (place === document.activeElement) own.shown(e);
    });
  }
  /** act runs the action of a key for the figure. It returns false if the key has no action. */
  function act(/** @type {KeyboardEvent} */ e) {
    const way = STEPS[e.key];
    if (way && turn) turn(way);
    else if (SCALES[e.key] !== undefined && zoom) {
      const spot = own?.spot();
      zoom(SCALES[e.key], spot?.place, spot?.box);
      own?.again();
    } else return own?.act(e, way) || /^(Enter| )$/.test(e.key);
    return true;
  }
  /** leave clears the current sample or, without one, the selection, or else the focus. */
  function leave() {
    if (own?.leave()) return;
    const outer = /** @type {HTMLElement | null | undefined} */ (figure.parentElement?.closest("[tabindex]"));
    /** @type {HTMLElement} */ (document.activeElement).blur();
    outer?.focus({ preventScroll: true });
  }
  /**
   * key handles a key pressed in the figure, and hides the key from the notebook. If the figure has
   * no action for the key, the browser's default action remains.
   */
  link.key = (e) => {
    const at = /** @type {HTMLElement} */ (e.target);
    const { place } = view;
    const k = names.indexOf(/** @type {HTMLButtonElement} */ (at));
    own?.moved(false);
    if (
      !view.chart ||
      !figure.contains(at) ||
      at.closest("[data-lm-suppress-shortcuts]") ||
      e.ctrlKey ||
      e.metaKey ||
      e.altKey ||
      e.key === "Tab"
    )
      return false;
    e.stopPropagation();
    const way = STEPS[e.key];
    if (at === place) {
      if (e.key === "Escape") leave();
      else if (!act(e)) return true;
      e.preventDefault();
      return true;
    }
    if (k < 0) return false;
    if (way) names[Math.min(Math.max(k + way[0] + way[1], 0), names.length - 1)].focus();
    if (e.key === "Escape") place.focus();
    if (way || e.key === "Escape") e.preventDefault();
    return true;
  };
  /** entries adds a button for each legend entry. The focused button covers its entry. */
  function entries() {
    const { chart, place } = view;
    const model = chart.getModel().getComponent("legend");
    const shown = model?.getData && model.get("show") !== false && model.get("selectedMode") !== false;
    const group = over(place, "div", "z-index:2");
    names = [];
    group.role = "group";
    group.ariaLabel = "legend";
    if (!shown) return;
    const on = (/** @type {string} */ name) => !model.isSelected || model.isSelected(name);
    const settle = (/** @type {boolean} */ scroll) => {
      for (const b of names) {
        b.ariaChecked = String(on(b.name));
        if (b === document.activeElement) b.settle?.(scroll);
      }
    };
    model.getData().forEach((/** @type {any} */ m, /** @type {number} */ k) => {
      const name = m.get("name");
      if (!name || name === "\n") return;
      const b = /** @type {HTMLButtonElement & {settle?: (scroll: boolean) => void}} */ (
        el("button", "position:absolute;padding:0;border:0;background:none;width:1px;height:1px", "", group)
      );
      b.type = "button";
      b.ariaLabel = b.name = name;
      b.role = "switch";
      b.tabIndex = names.length ? -1 : 0;
      b.onclick = () => chart.dispatchAction({ type: "legendToggleSelect", name });
      b.onfocus = () => {
        for (const other of names) other.tabIndex = other === b ? 0 : -1;
        settle(true);
      };
      b.settle = (scroll) => layOver(chart, k, b, scroll);
      names.push(b);
    });
    if (!names.length) return;
    settle(false);
    chart.on("finished", () => {
      if (view.chart === chart) settle(false);
    });
  }
  return { attach };
}

/**
 * layOver moves button b over legend entry k. If scroll is true, it scrolls the legend there.
 * @param {any} chart @param {number} k @param {HTMLElement} b @param {boolean} scroll
 */
function layOver(chart, k, b, scroll) {
  const content = chart.getViewOfComponentModel(chart.getModel().getComponent("legend")).getContentGroup();
  /** @type {any} */
  let item = null;
  content.eachChild((/** @type {any} */ c) => {
    if (c.__legendDataIndex === k) item = c;
  });
  if (!item) return;
  const r = item.getBoundingRect();
  const clip = content.parent.getClipPath?.()?.shape;
  if (scroll && clip) {
    const x = item.x + content.x + r.x + r.width / 2;
    const y = item.y + content.y + r.y + r.height / 2;
    if (y < clip.y || y > clip.y + clip.height || x < clip.x || x > clip.x + clip.width)
      chart.dispatchAction({ type: "legendScroll", scrollDataIndex: k });
  }
  const [left, top] = item.transformCoordToGlobal(r.x, r.y);
  Object.assign(b.style, {
    left: `${left - 2}px`,
    top: `${top - 2}px`,
    width: `${r.width + 4}px`,
    height: `${r.height + 4}px`,
  });
}
