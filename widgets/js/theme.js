// The scheme of the page around a widget: dark or light, the colours that a reader has forced,
// and whether things should keep still.

/** @param {string} query */
const asked = (query) => Boolean(window.matchMedia?.(query).matches);

/** dark reports whether the page is dark, by its theme or else by the reader's system. */
export function dark() {
  const { jpThemeLight, vscodeThemeKind } = document.body.dataset;
  if (jpThemeLight !== undefined) {
    return jpThemeLight === "false";
  }
  if (vscodeThemeKind !== undefined) {
    return /dark|high-contrast$/.test(vscodeThemeKind);
  }
  return asked("(prefers-color-scheme: dark)");
}

/** calm reports whether the reader wants no animations. */
export const calm = () => asked("(prefers-reduced-motion: reduce)");

/** forced reports whether the reader has colours of their own. */
export const forced = () => asked("(forced-colors: active)");

/**
 * ink returns the colour of lines on a canvas.
 * @param {HTMLElement} canvas
 */
export function ink(canvas) {
  if (forced()) {
    return getComputedStyle(canvas).color;
  }
  return dark() ? "#eee" : "#222";
}

/**
 * watch calls a function when the scheme changes, and returns what ends that.
 * @param {() => void} changed
 */
export function watch(changed) {
  const observer = new MutationObserver(changed);
  observer.observe(document.body, {
    attributes: true,
    attributeFilter: ["data-jp-theme-light", "data-vscode-theme-kind"],
  });
  const queries = ["(prefers-color-scheme: dark)", "(forced-colors: active)"].map((q) =>
    window.matchMedia(q),
  );
  for (const q of queries) {
    q.addEventListener("change", changed);
  }
  return () => {
    observer.disconnect();
    for (const q of queries) {
      q.removeEventListener("change", changed);
    }
  };
}
