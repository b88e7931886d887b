// The script in a widget's output. It starts the widget with the widget script of the page, or of
// the Jupyter server. Package js replaces @id by the id of the widget's data.
import { jupyter } from "../../viz/js/server.js";

const id = "@id";

/** @returns {boolean} whether the page contains the widget script */
function start() {
  const run = window.__ssdrnbWidget;
  if (typeof run !== "function") {
    return false;
  }
  run(id);
  return true;
}

/** @param {string} why the widget cannot start */
function lack(why) {
  const root = document.getElementById(id)?.previousElementSibling;
  if (root instanceof HTMLElement && !root.dataset.started) {
    root.dataset.state = "dead";
    const line = root.querySelector("p");
    if (line) {
      const picture = root.querySelector("img") ? "Static picture. " : "";
      line.textContent = `${picture}The controls are not live: ${why}.`;
    }
  }
}

/** load fetches the script from the server, once for all outputs and past the browser's cache. */
function load() {
  const server = jupyter();
  if (!server) {
    throw new Error("this page holds no engine, and reaches no kernel");
  }
  window.__ssdrnbWidgets ??= new Promise((done, failed) => {
    const tag = document.createElement("script");
    const base = (server.baseUrl || "/").replace(/\/?$/, "/");
    const from = new URL(
      `${base}lab/extensions/ssdrnb-assets/static/widgets.js?${Date.now()}`,
      location.origin,
    );
    tag.src = from.href;
    tag.onload = done;
    tag.onerror = () =>
      failed(new Error("their script is not in the folder of assets; run install.sh again"));
    document.head.append(tag);
  });
  return window.__ssdrnbWidgets;
}

async function find() {
  if (document.readyState === "loading") {
    await new Promise((go) => document.addEventListener("DOMContentLoaded", go));
  }
  if (!start()) {
    await load();
    start();
  }
}

if (!start()) {
  find().catch((why) => lack(why.message));
}
