// The state that all figures of a page share, including figures of other versions of this script:
// the source of ECharts is chosen once, and charts are made one after another.
import { jupyter } from "./server.js";

window.__ssdrnbLoader ??= { ready: {} };
export const loader = window.__ssdrnbLoader;
loader.ready ??= {}; // ECharts by false, and echarts-gl by true

/** base is the path of the Jupyter server, or null without one. */
export function base() {
  const config = jupyter();
  return config ? config.baseUrl || "/" : null;
}

/**
 * fetchScript loads a script from the first URL that has it. The last URL is on another server, and
 * the script from there must have the checksum sum.
 * @param {string[]} urls @param {string} sum @returns {Promise<void>}
 */
function fetchScript(urls, sum) {
  return new Promise((resolve, reject) => {
    const next = (/** @type {number} */ k) => {
      if (k === urls.length) {
        reject(new Error(`chart library not found at ${urls.join(", ")}`));
        return;
      }
      const tag = document.createElement("script");
      const define = window.define;
      // If window.define exists, ECharts registers with RequireJS instead of the window.
      window.define = undefined;
      if (k === urls.length - 1) {
        tag.integrity = sum;
        tag.crossOrigin = "anonymous";
      }
      tag.src = urls[k];
      tag.onload = () => {
        window.define = define;
        resolve();
      };
      tag.onerror = () => {
        window.define = define;
        tag.remove();
        next(k + 1);
      };
      document.head.appendChild(tag);
    };
    next(0);
  });
}

/** @param {string} remote @param {string} sum */
function fetched(remote, sum) {
  const b = base();
  const here =
    b === null
      ? []
      : [`${b.replace(/\/?$/, "/")}lab/extensions/ssdrnb-assets/static/${remote.split("/").pop()}`];
  return fetchScript([...here, remote], sum); // the last resort, if the server has no copy
}

/** charts loads ECharts. @returns {Promise<unknown>} */
export function charts() {
  loader.charts ??= window.echarts
    ? Promise.resolve()
    : fetched(
        "https://cdn.jsdelivr.net/npm/echarts@5.6.0/dist/echarts.min.js",
        "sha384-pPi0zxBAoDu6+JXW/C68UZLvBUUtU+7zonhif43rqj7pxsGyqyqzcian2Rj37Rss",
      );
  return loader.charts;
}

/** deepCharts loads ECharts and echarts-gl. @returns {Promise<unknown>} */
export function deepCharts() {
  loader.gl ??= charts().then(() =>
    window.__ssdrnbInlineGL
      ? undefined
      : fetched(
          "https://cdn.jsdelivr.net/npm/echarts-gl@2.1.0/dist/echarts-gl.min.js",
          "sha384-RSPZ3vSNVFJnUBsUVMnD0qizvywfxO1bcpIeS9dg5sseJ+Daf08BIyMCZMX+rmLl",
        ),
  );
  return loader.gl;
}
