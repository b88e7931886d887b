// The shared state of the figures in a page. Figures of the same samples have the same key and
// share their selection. Figures that also have the same legend subject share the hidden legend
// entries.
import { loader } from "./loader.js";
import { SYSTEM } from "./theme.js";

/** @type {Shared} */
export const page = (loader.samples ??= { figures: [], chosen: {}, off: {} });

/**
 * join adds a figure to those of the page, after it has been drawn or put into the page again. It
 * drops the figures that are out of the page, because JupyterLab may have deleted them.
 * @param {{link: Link}} view
 */
export function join(view) {
  page.figures = page.figures.filter((l) => l.figure.isConnected);
  if (!page.figures.includes(view.link)) page.figures.push(view.link);
}

/** tell calls a function with the link of each figure. @type {(call: (l: Link) => void) => void} */
export const tell = (call) => page.figures.forEach(call);

/** linked returns a link that does nothing. @param {HTMLElement} figure @returns {Link} */
export const linked = (figure) => ({ figure, ring() {}, change() {}, entry() {}, clear: () => false });

// A figure handles a key if it has the focus. Escape also clears the selection if the pointer is
// over the figure.
if (!page.keys) {
  page.keys = page.escape = true;
  window.addEventListener(
    "keydown",
    (e) => {
      for (const l of page.figures) {
        const here = l.figure.matches(":hover") || l.figure.contains(document.activeElement);
        if (!l.key?.(e) && e.key === "Escape" && here && l.clear()) e.stopPropagation();
      }
    },
    true,
  );
}

// A page without its own theme follows the system's theme, and is light when printed.
if (!page.scheme) {
  const scheme = (/** @type {boolean | undefined} */ paper) => {
    loader.paper = paper;
    for (const l of page.figures) l.renew?.();
  };
  page.scheme = scheme;
  for (const q of SYSTEM) window.matchMedia?.(q).addEventListener("change", () => scheme(loader.paper));
  window.addEventListener("beforeprint", () => scheme(true));
  window.addEventListener("afterprint", () => scheme(false));
}
