// The Web Worker that runs the engine of a page. install.sh joins this file and Go's wasm_exec.js
// to the script engine.js. The first message contains the compiled module. Later messages open a
// widget, pass a text to it, or close it, see main.go.
(() => {
  /**
   * The global variables that this script, the Go program and Go's wasm_exec.js share.
   * @typedef {object} Engine
   * @property {new () => { importObject: Record<string, WebAssembly.ModuleImports>, run(i: WebAssembly.Instance): Promise<void> }} Go
   * @property {(raw: Uint8Array<ArrayBuffer>) => boolean} ssdrnbKernel
   * @property {(id: number, text: string) => void} ssdrnbSay
   * @property {(id: number, task: string, stored: string | null) => void} [ssdrnbOpen]
   * @property {(id: number, text: string) => void} [ssdrnbReceive]
   * @property {(id: number) => void} [ssdrnbClose]
   */
  const worker = /** @type {Window & Engine} */ (/** @type {unknown} */ (self));

  // These objects are removed, so that the program cannot access the network, storage or workers.
  const ways = [
    "fetch",
    "XMLHttpRequest",
    "WebSocket",
    "WebSocketStream",
    "WebTransport",
    "EventSource",
    "importScripts",
    "indexedDB",
    "caches",
    "BroadcastChannel",
    "Worker",
    "SharedWorker",
  ];
  for (const name of ways) {
    Object.defineProperty(worker, name, { value: undefined, writable: false, configurable: false });
  }

  // The loops with SIMD instructions are a separate module that shares the program's memory, see
  // package kernel of the matrix engine. Calls with fixed numbers of arguments are fastest.
  /** @type {Record<string, (...v: number[]) => number>} */
  let loops = {};
  /** @type {WebAssembly.ExportValue} */
  let memory;
  /** @type {Record<string, (...v: number[]) => number>} */
  const calls = {
    gemm4x12: (a, b, c, d, e, f) => loops.gemm4x12(a, b, c, d, e, f),
    symv4: (a, b, c, d, e, f, g) => loops.symv4(a, b, c, d, e, f, g),
    dot4: (a, b, c, d, e) => loops.dot4(a, b, c, d, e),
    axpy4: (a, b, c, d, e) => loops.axpy4(a, b, c, d, e),
    dot: (a, b, c) => loops.dot(a, b, c),
    axpy: (a, b, c, d) => loops.axpy(a, b, c, d),
    cross4: (a, b, c, d, e, f) => loops.cross4(a, b, c, d, e, f),
    expand4: (a, b, c, d, e, f) => loops.expand4(a, b, c, d, e, f),
  };
  worker.ssdrnbKernel = (raw) => {
    try {
      const { exports } = new WebAssembly.Instance(new WebAssembly.Module(raw), { env: { memory } });
      loops = /** @type {typeof loops} */ (exports);
      return true;
    } catch {
      return false; // a browser without SIMD
    }
  };

  worker.ssdrnbSay = (id, text) => worker.postMessage({ id, text });

  /** @param {import("../js/engine.js").Order} order */
  function pass(order) {
    if (order.task !== undefined) {
      worker.ssdrnbOpen?.(order.id, order.task, order.stored ?? null);
    } else if (order.text !== undefined) {
      worker.ssdrnbReceive?.(order.id, order.text);
    } else {
      worker.ssdrnbClose?.(order.id);
    }
  }

  /** @param {MessageEvent} first */
  async function begin(first) {
    /** @type {import("../js/engine.js").Order[]} */
    const early = [];
    const go = new worker.Go();
    worker.onmessage = (m) => (worker.ssdrnbReceive ? pass(m.data) : early.push(m.data));
    go.importObject.ssdrnb = calls;
    try {
      const module = /** @type {WebAssembly.Module} */ (first.data.module);
      const instance = await WebAssembly.instantiate(module, go.importObject);
      memory = instance.exports.mem;
      const done = go.run(instance);
      for (const order of early) {
        pass(order);
      }
      await done;
      worker.postMessage({ failed: "the engine has ended" });
    } catch (why) {
      worker.postMessage({ failed: `the engine does not run, ${why}` });
    }
  }
  worker.onmessage = begin;
})();
