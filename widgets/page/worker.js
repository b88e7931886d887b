// The worker around the engine of pages. install.sh writes this before Go's wasm_exec.js into one
// file, engine.js, from which pages start their workers. The first message has the compiled
// module, the task and what is stored of it; all later ones are text for the program, see main.go.
(() => {
  /**
   * What the program and Go's wasm_exec.js find and leave in the worker.
   * @typedef {object} Engine
   * @property {new () => { importObject: Record<string, WebAssembly.ModuleImports>, run(i: WebAssembly.Instance): Promise<void> }} Go
   * @property {string} ssdrnbTask
   * @property {string | null} ssdrnbStored
   * @property {(raw: Uint8Array<ArrayBuffer>) => boolean} ssdrnbKernel
   * @property {(text: string) => void} [ssdrnbReceive]
   */
  const worker = /** @type {Window & Engine} */ (/** @type {unknown} */ (self));

  // What the engine lacks before its program begins: every way out.
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

  // The loops with SIMD are a module of their own on the program's memory: see package kernel of
  // the matrix engine. Calls with literal numbers of arguments cost least.
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

  /** @param {MessageEvent} first */
  async function begin(first) {
    /** @type {string[]} */
    const early = [];
    const go = new worker.Go();
    worker.ssdrnbTask = first.data.task;
    worker.ssdrnbStored = first.data.stored;
    worker.onmessage = (m) => {
      if (worker.ssdrnbReceive) {
        worker.ssdrnbReceive(m.data);
      } else {
        early.push(m.data);
      }
    };
    go.importObject.ssdrnb = calls;
    try {
      const module = /** @type {WebAssembly.Module} */ (first.data.module);
      const instance = await WebAssembly.instantiate(module, go.importObject);
      memory = instance.exports.mem;
      const done = go.run(instance);
      for (const text of early) {
        worker.ssdrnbReceive?.(text);
      }
      await done;
      worker.postMessage(JSON.stringify({ exit: true }));
    } catch (why) {
      worker.postMessage(JSON.stringify({ fatal: `The engine does not run: ${why}` }));
    }
  }
  worker.onmessage = begin;
})();
