// Cameras of figures in three dimensions: they zoom and turn, and those of a mesh turn together.
import { clear } from "./axes.js";
import { deepCharts } from "./loader.js";

/**
 * @typedef {ReturnType<typeof camerasOf>} Cameras
 * @param {View} view @param {() => any} state the state of the chart @param {() => number[]} near camera distances
 */
export function camerasOf(view, state, near) {
  /** @type {any[]} */
  let home = []; // the cameras at the beginning
  let hands = 0; // counts what the reader does

  /** back resets the cameras again as long as an earlier turn of the wheel still moves them. */
  function back(/** @type {number} */ since, /** @type {number} */ times) {
    if (!view.chart || !times || hands !== since) return;
    const away = state().grid3D.some(
      (/** @type {any} */ g, /** @type {number} */ k) =>
        g.viewControl.distance !== home[k].viewControl.distance,
    );
    if (away) view.chart.setOption({ grid3D: home });
    setTimeout(back, 100, since, times - 1);
  }
  return {
    clear,
    charts: deepCharts,
    touched() {
      hands++;
    },
    /** begin stores the initial cameras of a new chart. */
    begin(/** @type {any} */ option) {
      home = option.grid3D.map((/** @type {any} */ g) => ({ viewControl: { ...g.viewControl } }));
    },
    /** fit scales the distances of the cameras if the width of the panels changes. */
    fit(/** @type {any} */ change, /** @type {number[]} */ next) {
      const old = near();
      state().grid3D.forEach((/** @type {any} */ g, /** @type {number} */ k) => {
        change.grid3D[k].viewControl = { distance: (g.viewControl.distance * next[k]) / old[k] };
      });
      home.forEach((g, k) => {
        g.viewControl.distance *= next[k] / old[k];
      });
    },
    zoom(/** @type {number} */ factor) {
      const now = state().grid3D;
      for (const g of now)
        g.viewControl.distance = factor ? g.viewControl.distance / factor : home[0].viewControl.distance;
      view.chart.setOption({ grid3D: factor ? now : home });
      if (!factor) back(hands, 15);
    },
    /** turn rotates the cameras in steps of 10 degrees: way[0] horizontally, way[1] vertically. */
    turn(/** @type {number[]} */ way) {
      const now = state().grid3D;
      hands++;
      for (const g of now) {
        g.viewControl.beta -= 10 * way[0];
        g.viewControl.alpha = Math.min(Math.max(g.viewControl.alpha - 10 * way[1], -90), 90);
      }
      view.chart.setOption({ grid3D: now });
    },
    /** drag sets whether dragging pans the view instead of rotating it. */
    drag(/** @type {boolean} */ pan) {
      const buttons = { rotateMouseButton: pan ? "right" : "left", panMouseButton: pan ? "left" : "right" };
      view.chart.setOption({ grid3D: view.payload.option.grid3D.map(() => ({ viewControl: buttons })) });
    },
    /** together makes the cameras of all surfaces of a mesh follow the camera that moves. */
    together() {
      const { chart, payload } = view;
      if (payload.kind !== "mesh" || payload.option.grid3D.length < 2) return;
      /** @type {any} */
      let turned = null;
      const follow = () => {
        const e = turned;
        turned = null;
        if (view.chart !== chart) return;
        /** @type {any[]} */
        const views = state().grid3D.map((/** @type {any} */ g) => g.viewControl);
        const own = views.findIndex(
          (v) => v.alpha === e.alpha && v.beta === e.beta && v.distance === e.distance,
        );
        let apart = false;
        const now = views.map((v, k) => {
          if (k === own) return {};
          const to = {
            alpha: e.alpha,
            beta: e.beta,
            distance: (e.distance * near()[k]) / near()[own],
            center: e.center,
          };
          const off =
            Math.abs(v.alpha - to.alpha) + Math.abs(v.beta - to.beta) + Math.abs(v.distance - to.distance);
          apart ||= off > 1e-3 || String(v.center) !== String(to.center);
          return { viewControl: to };
        });
        if (own >= 0 && apart) chart.setOption({ grid3D: now });
      };
      chart.on("grid3dcamerachanged", (/** @type {any} */ e) => {
        if (!turned) requestAnimationFrame(follow);
        turned = e;
      });
    },
  };
}
