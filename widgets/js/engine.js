// The engine of a page: the library as WebAssembly, once per page. It comes with an exported page,
// or from the Jupyter server.

import { jupyter } from "../../viz/js/server.js";

/** @typedef {{ module: WebAssembly.Module, exec: string }} Compiled the compiled module and the script of its worker */
/** @typedef {{ packed: (string | BufferSource)[], exec: string }} Found the compressed module in parts; string parts are base64 */

/** @typedef {(text: string, share: number) => void} Told receives progress; share −1: unknown */

/**
 * The loading engine of the page. The scripts of all outputs share it.
 * @typedef {object} Loading
 * @property {Promise<Compiled>} promise
 * @property {Set<Told>} listeners of the widgets that wait for the engine
 * @property {() => void} abort
 */

/**
 * A message to the worker: it opens a widget (task), passes a text to it, or closes it.
 * @typedef {{ id: number, task?: string, stored?: string | null, text?: string }} Order
 */

/**
 * The functions of a widget that receive messages, and the error if the engine fails.
 * @typedef {{ hear: (text: string) => void, failed: (why: string) => void }} Listener
 */

/** @typedef {Window & { __ssdrnbEngine?: Loading, __ssdrnbEngineText?: Found, __ssdrnbWorker?: Running }} Page */

const MEGABYTE = 1e6;

const page = () => /** @type {Page} */ (window);

/**
 * spawn starts a worker that runs the text of a script.
 * @param {string} script
 */
export function spawn(script) {
  const url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  const worker = new Worker(url);
  setTimeout(() => URL.revokeObjectURL(url), 60000);
  return worker;
}

/**
 * load returns the compiled engine and reports the progress. A caller that does not want to wait
 * any longer calls leave. The download ends when all callers have left.
 * @param {Told} told
 * @returns {{ promise: Promise<Compiled>, leave: () => void }}
 */
export function load(told) {
  let loading = page().__ssdrnbEngine;
  if (!loading) {
    const listeners = new Set([told]);
    const cancel = new AbortController();
    /** @type {Told} */
    const tell = (text, share) => {
      for (const f of listeners) {
        f(text, share);
      }
    };
    const promise = find(tell, cancel.signal).then((found) => {
      tell("Compiling the engine", -1);
      return compile(found, cancel.signal);
    });
    loading = { promise, listeners, abort: () => cancel.abort() };
    page().__ssdrnbEngine = loading;
    promise.catch(() => {
      if (page().__ssdrnbEngine?.promise === promise) {
        page().__ssdrnbEngine = undefined; // the next to ask begins again
      }
    });
  }
  const mine = loading;
  mine.listeners.add(told);
  let done = false;
  const settled = () => {
    done = true;
    mine.listeners.delete(told);
  };
  mine.promise.then(settled, settled);
  return {
    promise: mine.promise,
    leave() {
      if (!done && mine.listeners.delete(told) && mine.listeners.size === 0) {
        page().__ssdrnbEngine = undefined;
        mine.abort();
      }
    },
  };
}

/** The running engine: one worker for all widgets of the page, until the last one closes. */
class Running {
  #worker;
  #next = 0;
  /** @type {Map<number, Listener>} */
  #open = new Map();

  /** @param {Compiled} compiled */
  constructor(compiled) {
    this.#worker = spawn(compiled.exec);
    this.#worker.onmessage = (e) => {
      if (e.data.failed) {
        this.#fail(e.data.failed);
      } else {
        this.#open.get(e.data.id)?.hear(e.data.text);
      }
    };
    this.#worker.onerror = (e) => this.#fail(`the engine failed, ${e.message}`);
    this.#worker.postMessage({ module: compiled.module });
  }

  /** @param {Order} order */
  #tell(order) {
    this.#worker.postMessage(order);
  }

  /** @param {string} why */
  #fail(why) {
    const all = [...this.#open.values()];
    this.#open.clear();
    this.#end();
    for (const one of all) {
      one.failed(why);
    }
  }

  #end() {
    this.#worker.terminate();
    if (page().__ssdrnbWorker === this) {
      page().__ssdrnbWorker = undefined;
    }
  }

  /**
   * @param {string} task
   * @param {string | null} stored
   * @param {Listener} listener
   */
  open(task, stored, listener) {
    const id = ++this.#next;
    this.#open.set(id, listener);
    this.#tell({ id, task, stored });
    return {
      send: (/** @type {string} */ text) => this.#open.has(id) && this.#tell({ id, text }),
      close: () => {
        if (this.#open.delete(id)) {
          this.#tell({ id });
          if (this.#open.size === 0) {
            this.#end();
          }
        }
      },
    };
  }
}

/**
 * enter opens a widget in the engine of the page. It starts the engine if it is not running.
 * @param {Compiled} compiled
 * @param {string} task
 * @param {string | null} stored
 * @param {Listener} listener
 */
export function enter(compiled, task, stored, listener) {
  page().__ssdrnbWorker ??= new Running(compiled);
  return /** @type {Running} */ (page().__ssdrnbWorker).open(task, stored, listener);
}

function parsed() {
  return new Promise((go) => {
    if (document.readyState === "loading") {
      document.addEventListener("DOMContentLoaded", go);
    } else {
      go(undefined);
    }
  });
}

/**
 * find returns the engine in the page or, without one, from the server.
 * @param {Told} tell
 * @param {AbortSignal} signal
 * @returns {Promise<Found>}
 */
async function find(tell, signal) {
  await parsed();
  const given = page().__ssdrnbEngineText;
  if (given) {
    return given;
  }
  const parts = document.querySelectorAll("script.ssdrnb-engine");
  const exec = document.querySelector("script#ssdrnb-engine-exec");
  if (parts.length && exec) {
    return { packed: Array.from(parts, (e) => e.textContent || ""), exec: exec.textContent || "" };
  }
  const server = jupyter();
  if (!server) {
    throw new Error("this page holds no engine");
  }
  const from = new URL(
    `${(server.baseUrl || "/").replace(/\/?$/, "/")}lab/extensions/ssdrnb-assets/static/`,
    location.origin,
  ).href;
  const ask = async (/** @type {string} */ name) => {
    const response = await fetch(from + name, {
      credentials: "same-origin",
      cache: "no-cache",
      signal,
    }).catch((why) => {
      throw new Error(`the engine cannot be fetched (${why.message}); reload the page when the server runs`);
    });
    if (!response.ok) {
      throw new Error("the engine is not in the folder of assets; run install.sh again");
    }
    return response;
  };
  const [packed, script] = await Promise.all([
    ask("engine.bin").then((r) => read(r, tell)),
    ask("engine.js").then((r) => r.text()),
  ]);
  return { packed, exec: script };
}

/**
 * read returns the parts of a response, and reports the progress.
 * @param {Response} response
 * @param {Told} tell
 */
export async function read(response, tell) {
  const total = Number(response.headers.get("Content-Length")) || 0;
  const reader = response.body?.getReader();
  const parts = [];
  for (let size = 0; reader; ) {
    const { done, value } = await reader.read();
    if (done) {
      break;
    }
    parts.push(value);
    size += value.byteLength;
    const known = total >= size; // a server that compresses again counts other bytes
    tell(
      `Loading the engine, ${(size / MEGABYTE).toFixed(1)}${known ? ` of ${(total / MEGABYTE).toFixed(1)}` : ""} MB`,
      known ? size / total : -1,
    );
  }
  return parts;
}

/**
 * compile decompresses and compiles the engine in a worker, so that the page stays responsive.
 * @param {Found} found
 * @param {AbortSignal} signal
 * @returns {Promise<Compiled>}
 */
function compile(found, signal) {
  return new Promise((ready, failed) => {
    const worker = spawn(`(${compiler})()`);
    const end = (/** @type {Error} */ why) => {
      worker.terminate();
      failed(why);
    };
    signal.addEventListener("abort", () => end(new Error("the start was stopped")));
    worker.onmessage = (e) => {
      worker.terminate();
      if (e.data.module) {
        ready({ module: e.data.module, exec: found.exec });
      } else {
        failed(new Error(e.data.failed));
      }
    };
    worker.onerror = (e) => end(new Error(e.message || "a worker cannot be started"));
    worker.postMessage(found.packed);
  });
}

/** compiler is the program of this worker. It must not refer to anything outside of itself. */
function compiler() {
  self.onmessage = (e) => {
    const parts = e.data.map((/** @type {string | BufferSource} */ p) =>
      typeof p === "string" ? Uint8Array.from(atob(p), (c) => c.charCodeAt(0)) : p,
    );
    const unpacked = new Blob(parts).stream().pipeThrough(new DecompressionStream("gzip"));
    const response = new Response(unpacked, { headers: { "Content-Type": "application/wasm" } });
    WebAssembly.compileStreaming(response).then(
      (module) => self.postMessage({ module }),
      (why) => self.postMessage({ failed: String(why) }),
    );
  };
}
