// The queue in which the page draws charts. Each step of a chart is a task of its own, so that the
// page stays responsive. Charts near the visible area come first. Other charts follow when the page
// is idle and its first widget has started. Before printing, the remaining charts without WebGL are
// drawn at once. If a step returns a promise, the chart waits for it.
import { loader } from "./loader.js";

export const queue = (loader.queue ??= made());

function made() {
  /** @type {Job[]} */
  const jobs = [];
  let soon = false;
  let later = false;
  const idle = window.requestIdleCallback || ((f) => setTimeout(f, 200));
  const free = (/** @type {Job} */ j) => !j.held && j.width > 0;
  const next = (/** @type {boolean} */ all) =>
    jobs.find((j) => free(j) && j.near) || (all ? jobs.find(free) : undefined);
  function drop(/** @type {Job} */ j) {
    if (jobs.includes(j)) jobs.splice(jobs.indexOf(j), 1);
  }
  function took(/** @type {Job} */ j, /** @type {IteratorResult<Promise<unknown> | undefined>} */ step) {
    if (step.done) {
      drop(j);
      j.steps = null;
      return;
    }
    if (!step.value) return;
    j.held = true;
    step.value.then(
      () => {
        j.held = false;
        wake();
      },
      (e) => {
        j.held = false;
        if (j.steps) took(j, j.steps.throw(e));
        wake();
      },
    );
  }
  function advance(/** @type {Job} */ j) {
    j.steps ??= j.begin();
    took(j, j.steps.next());
  }
  function run(/** @type {boolean} */ all) {
    const j = next(all);
    if (j) advance(j);
    wake();
  }
  // beginning reports whether a widget is starting. Charts wait, because the widget needs the
  // processor and the main thread.
  function beginning() {
    const w =
      performance.now() < 10000 &&
      /** @type {HTMLElement | null} */ (document.querySelector(".ssdrnb-widget[data-page]"));
    return w && w.dataset.state === "connecting";
  }
  function rest() {
    later = false;
    run(!beginning());
  }
  function wake() {
    if (next(false)) {
      if (soon) return;
      soon = true;
      setTimeout(() => {
        soon = false;
        run(false);
      }, 0);
    } else if (!later && next(true)) {
      later = true;
      if (beginning()) setTimeout(rest, 100);
      else idle(rest);
    }
  }
  window.addEventListener("beforeprint", () => {
    loader.samples?.scheme?.(true); // charts of a dark page are drawn anew
    // WebGL cannot render before printing, so those figures are printed as static pictures.
    for (;;) {
      const j = jobs.find((one) => free(one) && !one.gl);
      if (!j) break;
      advance(j);
    }
  });
  function put(/** @type {Job} */ j) {
    if (!jobs.includes(j)) jobs.push(j);
    wake();
  }
  return { jobs, wake, drop, put };
}
