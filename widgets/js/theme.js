// The theme of the page around a widget, and whether things should keep still.

import { media, watch as themes, tone } from "../../viz/js/theme.js";

/** calm reports whether the reader wants no animations. */
export const calm = () => media("(prefers-reduced-motion: reduce)");

/** ink is the colour of lines on a canvas. */
export const ink = () => String(tone("@ink"));

/**
 * watch calls a function when the page's theme, the system's scheme or forced colours change, and
 * returns what ends that.
 * @param {() => void} changed
 */
export function watch(changed) {
  const follow = themes(changed);
  follow(1);
  const queries = ["(prefers-color-scheme: dark)", "(forced-colors: active)"].map((q) =>
    window.matchMedia(q),
  );
  for (const q of queries) {
    q.addEventListener("change", changed);
  }
  return () => {
    follow(0);
    for (const q of queries) {
      q.removeEventListener("change", changed);
    }
  };
}
