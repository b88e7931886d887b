// The worker around the engine of pages. install.sh writes this before Go's wasm_exec.js
// into one file, engine.js, from which pages start their workers. The first message has
// the compiled module, the task and what is stored of it; all later ones are text for the
// program, see main.go.
(function () {
  "use strict";
  // What the engine lacks before its program begins: every way out.
  ["fetch", "XMLHttpRequest", "WebSocket", "WebSocketStream", "WebTransport", "EventSource", "importScripts", "indexedDB", "caches", "BroadcastChannel", "Worker", "SharedWorker"].forEach(function (name) {
    Object.defineProperty(self, name, { value: undefined, writable: false, configurable: false });
  });

  // The loops with SIMD are a module of their own on the program's memory: see package
  // kernel of the matrix engine.
  var loops = null, memory = null, calls = {
    gemm4x12: function (a, b, c, d, e, f) { return loops.gemm4x12(a, b, c, d, e, f); },
    symv4: function (a, b, c, d, e, f, g) { return loops.symv4(a, b, c, d, e, f, g); },
    dot4: function (a, b, c, d, e) { return loops.dot4(a, b, c, d, e); },
    axpy4: function (a, b, c, d, e) { return loops.axpy4(a, b, c, d, e); },
    dot: function (a, b, c) { return loops.dot(a, b, c); },
    axpy: function (a, b, c, d) { return loops.axpy(a, b, c, d); },
    cross4: function (a, b, c, d, e, f) { return loops.cross4(a, b, c, d, e, f); },
    expand4: function (a, b, c, d, e, f) { return loops.expand4(a, b, c, d, e, f); }
  };
  self.ssdrnbKernel = function (raw) {
    try {
      loops = new WebAssembly.Instance(new WebAssembly.Module(raw), { env: { memory: memory } }).exports;
      return true;
    } catch (e) {
      return false; // a browser without SIMD
    }
  };

  self.onmessage = function (first) {
    var early = [], go = new self.Go();
    self.ssdrnbTask = first.data.task;
    self.ssdrnbStored = first.data.stored;
    self.onmessage = function (m) {
      if (self.ssdrnbReceive) { self.ssdrnbReceive(m.data); } else { early.push(m.data); }
    };
    go.importObject.ssdrnb = calls;
    WebAssembly.instantiate(first.data.module, go.importObject).then(function (instance) {
      memory = instance.exports.mem;
      var done = go.run(instance);
      early.forEach(function (text) { self.ssdrnbReceive(text); });
      return done;
    }).then(function () { self.postMessage(JSON.stringify({ exit: true })); },
      function (why) { self.postMessage(JSON.stringify({ fatal: "The engine does not run: " + why })); });
  };
})();
