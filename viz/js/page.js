// The shared state of the figures of a page. Figures of the same samples share the selected rows,
// by the samples' key, and the hidden entries of legends, by key and subject.
import { loader } from "./loader.js";
import { SYSTEM } from "./theme.js";

/** @type {Shared} */
export const page = (loader.samples ??= { figures: [], chosen: {}, off: {} });

/** @param {View} view */
export function join(view) {
  page.figures = page.figures.filter((l) => l.figure.isConnected);
  if (!page.figures.includes(view.link)) page.figures.push(view.link);
}

/** tell calls a function of all figures. @type {(call: (l: Link) => void) => void} */
export const tell = (call) => page.figures.forEach(call);

/** linked is the link of a figure without samples. @param {HTMLElement} figure @returns {Link} */
export const linked = (figure) => ({ figure, ring() {}, change() {}, entry() {}, clear: () => false });

// Keys go to the figure that has the focus; Escape also clears the selection of the figure under
// the pointer.
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

// A page without its own theme follows the reader's system, and is light on paper.
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
