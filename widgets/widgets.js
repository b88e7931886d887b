(function (id) {
  "use strict";
  // An extension of the notebook gives the element itself.
  var data = typeof id === "string" ? document.getElementById(id) : id, root = data && data.previousElementSibling;
  if (!root || root.dataset.started) { return; }
  root.dataset.started = "yes";
  var payload = JSON.parse(data.textContent);
  var SILENT = 2400; // ms in which a page listens and the cell says nothing, until the controls count as dead

  // --- The connection: one per page and kernel, shared by all widgets. ---

  function random() {
    var b = new Uint8Array(8);
    crypto.getRandomValues(b);
    return Array.from(b, function (v) { return (v + 256).toString(16).slice(1); }).join("");
  }
  // GoNB's own front-end connects to ws:// at the root path. Where the page is
  // elsewhere that address does not exist, so it is replaced.
  function mend(right) {
    var wrong = "ws://" + location.host + "/api/kernels/";
    if (window.__ssdrnbMended || right === wrong) { return; }
    window.__ssdrnbMended = true;
    window.WebSocket = new Proxy(window.WebSocket, { construct: function (target, args) {
      var url = String(args[0]);
      if (url.startsWith(wrong)) { args[0] = right + url.slice(wrong.length); }
      return Reflect.construct(target, args);
    } });
  }
  function connect(kernel) {
    var hubs = window.__ssdrnbHubs = window.__ssdrnbHubs || {}, hub = hubs[kernel];
    if (hub && hub.socket.readyState <= 1) { return hub; }
    var c = jupyter();
    if (!c || !kernel) { return null; }
    var session = random();
    var url = new URL((c.baseUrl || "/").replace(/\/?$/, "/") + "api/kernels/", location.origin);
    url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    mend(url.href);
    var query = "?session_id=" + session + (c.token ? "&token=" + encodeURIComponent(c.token) : "");
    hub = hubs[kernel] = { comm: null, opened: 0, listeners: hub ? hub.listeners : new Map(), socket: new WebSocket(url.href + kernel + "/channels" + query) };
    function raw(type, content) {
      if (hub.socket.readyState !== 1) { return; }
      var name = random();
      hub.socket.send(JSON.stringify({ channel: "shell", parent_header: {}, metadata: {}, buffers: [], content: content,
        header: { msg_id: name, msg_type: type, session: session, username: "", version: "5.3", date: new Date().toISOString() },
        msg_id: name, msg_type: type }));
    }
    hub.open = function () { raw("comm_open", { comm_id: random(), target_name: "gonb_comm", kernel_id: kernel, data: {} }); };
    hub.send = function (address, value) {
      if (hub.comm) { raw("comm_msg", { comm_id: hub.comm, data: { address: address, value: value } }); }
    };
    hub.socket.onmessage = function (event) {
      if (typeof event.data !== "string") { return; }
      var msg = JSON.parse(event.data), content = msg.content || {};
      if (msg.msg_type === "status" && (content.execution_state === "restarting" || content.execution_state === "dead")) {
        hub.comm = null;
        hub.listeners.forEach(function (l) { l.hear({ lost: "the kernel restarted" }); });
      }
      if (msg.msg_type !== "comm_msg" || !content.data) { return; }
      var address = content.data.address;
      // Every page of this kernel receives every answer. The kernel knows one comm:
      // the one that any page opened last.
      if (address === "#comm_open_ack") { hub.comm = content.comm_id; hub.opened = Date.now(); return; }
      if (address === "#heartbeat/ping") { hub.send("#heartbeat/pong", true); return; }
      hub.listeners.forEach(function (l) {
        if (l.address !== address) { return; }
        var value;
        try { value = JSON.parse(content.data.value); } catch (e) { return; }
        l.hear(value);
      });
    };
    return hub;
  }

  // --- One widget's end of it. ---

  var client = random(), seq = 0, queue = [], inflight = null, replies = {};
  var silence = 0, ticked = Date.now(), wished = 0, since = Date.now(), ended = false, view = null, told = null, waits = "", home = null;

  function transmit(kind, number, body) {
    var text = JSON.stringify({ client: client, seq: number, kind: kind, body: body === undefined ? null : body });
    if (page) { if (worker) { worker.postMessage(text); } return; }
    var hub = connect(payload.kernel);
    if (hub) { hub.send(payload.address, text); }
  }
  function pump() {
    if (inflight || !queue.length || root.dataset.state !== "live") { return; }
    inflight = queue.shift();
    inflight.seq = ++seq;
    inflight.tries = 0;
    (function again() {
      var mine = inflight;
      if (mine.tries++ > 20) { inflight = null; if (mine.taken) { mine.taken(); } pump(); return; }
      transmit(mine.kind, mine.seq, mine.body);
      if (page) { return; } // a worker loses nothing
      mine.timer = setTimeout(function () { if (inflight === mine) { again(); } }, 700);
    })();
  }
  // Of waiting messages with the same key only the last is sent.
  function post(kind, body, key, reply, taken) {
    wished = performance.now();
    queue = queue.filter(function (m) { return !key || m.key !== key; });
    queue.push({ kind: kind, body: body, key: key, reply: reply, taken: taken });
    pump();
  }
  function waiting(key) {
    return (inflight && inflight.key === key) || queue.some(function (m) { return m.key === key; });
  }
  function hello() {
    if (page) { whenNear(start); return; }
    var hub = connect(payload.kernel);
    if (!hub) { die("this page cannot reach the kernel"); return; }
    hub.listeners.set(client, { address: payload.address, hear: listen });
    // GoNB's own script logs an error for messages to addresses without a subscriber.
    if (window.gonb_comm && window.gonb_comm !== told) {
      told = window.gonb_comm;
      told.subscribe(payload.address, function () { });
    }
    if (hub.socket.readyState !== 1) { return; }
    // An opened comm has time to be answered, because GoNB's own script opens one too.
    var now = Date.now();
    if (now - hub.opened > 1200) { hub.opened = now; hub.open(); }
    transmit("hello", inflight ? inflight.seq - 1 : seq);
  }
  function listen(m) {
    if ((m.fatal || m.exit || m.ready) && ready) { ready(); }
    if (m.fatal) { unable(m.fatal); return; }
    if (m.exit) { if (root.dataset.state !== "dead") { die("the engine has ended"); } return; }
    if (m.store !== undefined) { keep(m.store); return; }
    if (m.passing) { if (view && view.plot) { view.plot.move(m.passing, --passing); } return; } // a layout on its way
    if (m.progress) { if (performance.now() - wished > 300) { status.textContent = m.progress; } return; }
    if (m.ready) { root.dataset.engine = m.engine; transmit("hello", inflight ? inflight.seq - 1 : seq); if (inflight) { transmit(inflight.kind, inflight.seq, inflight.body); } return; }
    if (m.lost) { die(m.lost); return; }
    if (m.to && m.to !== client) { silence = 0; return; }
    if (ended) { return; }
    silence = 0;
    if (m.closed) { ended = true; die(m.closed); return; }
    if (m.ping) { transmit("pong", 0); if (root.dataset.state !== "live" || window.gonb_comm !== told) { hello(); } return; }
    if (m.who) { hello(); return; }
    if (m.setup) {
      waits = m.waits || "";
      if (!view) { view = build(m.setup); }
      live();
    }
    if (m.ack !== undefined && inflight && inflight.seq === m.ack) {
      clearTimeout(inflight.timer);
      var done = inflight;
      inflight = null;
      if (m.error) { refused(m.error); } else if (done.reply && m.reply) { done.reply(m.reply); }
      if (done.taken) { done.taken(); }
      pump();
    }
    if (m.refused) { refused(m.refused); }
    if (m.state && view) {
      root.dataset.error = failure.textContent = m.state.error || "";
      status.textContent = m.state.status || "";
      view.state(m.state);
    }
  }
  function live() {
    root.dataset.state = "live";
    body.classList.remove("ssdrnb-dead");
    note.textContent = waits;
    home = root.closest(".jp-NotebookPanel") || home;
    if (picture) { picture.style.display = "none"; }
    if (staticNote) { staticNote.style.display = "none"; }
    pump();
  }
  // If the cell has ended, the last picture stays with one sentence.
  function die(reason) {
    root.dataset.state = "dead";
    since = Date.now();
    body.classList.add("ssdrnb-dead");
    var sentence = "The controls are not live: " + reason + (page ? ". Reload the page for new ones." : ". Run the cell again for new ones.");
    note.textContent = sentence;
    if (!view && staticNote) { staticNote.textContent = "Static picture. " + sentence; note.textContent = ""; }
  }
  // If the engine cannot begin, the static picture stays with the reason.
  function unable(why) {
    root.dataset.state = "dead";
    root.dataset.error = why;
    if (staticNote) { staticNote.textContent = "Static picture. " + why; }
  }
  function refused(why) {
    if (view) { failure.textContent = root.dataset.error = why; }
  }
  // While the cells below wait and the widget is out of sight, its Stop stays in a corner.
  var corner = null;
  function shown() {
    var bar = body.firstElementChild, b = bar && root.isConnected && bar.getBoundingClientRect(); // with the title and Stop
    return !!b && b.width > 0 && b.top > 20 && b.bottom < window.innerHeight - 20;
  }
  function keepStop() {
    var there = root.dataset.state === "live" && waits && !shown() && (home ? home.isConnected && home.offsetParent : root.isConnected);
    if (!there) { if (corner) { corner.remove(); corner = null; } return; }
    if (corner) { return; }
    corner = el("div", { class: "ssdrnb-widget ssdrnb-corner", role: "status" }, [el("span", { text: (view && view.title || "A widget") + ": the cells below wait." }),
      button("Show", "Scroll to the widget", function () { root.scrollIntoView({ block: "start" }); }), stopButton()]);
    document.body.appendChild(corner);
  }
  var detached = 0; // JupyterLab takes outputs out of the page and puts them back
  var timer = setInterval(function () {
    keepStop();
    detached = root.isConnected || !page && home && home.isConnected && root.dataset.state === "live" ? 0 : detached + 1;
    if (ended || detached > 1000 && !(page && home && home.isConnected)) {
      clearInterval(timer);
      if (worker) { worker.terminate(); }
      themes.disconnect();
      window.removeEventListener("keydown", keys, true);
      document.removeEventListener("pointerdown", clicked, true);
      document.removeEventListener("focusin", clicked, true);
      var hub = (window.__ssdrnbHubs || {})[payload.kernel];
      if (hub) { hub.listeners.delete(client); }
      return;
    }
    if (page) {
      // An output that was taken out of the page needs no engine; back in the page it
      // goes on with what is stored.
      if (worker && detached > 240) { worker.terminate(); worker = null; inflight = null; parked = true; }
      if (parked && !detached && root.dataset.state !== "dead") { parked = begun = false; hello(); }
      return;
    }
    // A page that was busy or asleep has heard nothing meanwhile, which says nothing of the cell.
    var now = Date.now();
    silence += Math.min(now - ticked, 500);
    ticked = now;
    if (root.dataset.state === "live") {
      if (silence > SILENT) { die("the cell does not answer"); }
      return;
    }
    if (root.dataset.state !== "dead" && silence > SILENT) { die("no cell answers"); }
    if (root.dataset.state !== "dead" || now - since < 70000) { hello(); } // the cell may come back
  }, 250);

  // --- The engine of a page: the widget's code as WebAssembly in a worker. ---

  var page = payload.page || null, passing = 0, worker = null, begun = false, parked = false;

  // The engine is unpacked and compiled in a worker too: it would hold the page up.
  // It comes as one buffer, or as parts of base64.
  var COMPILE = 'self.onmessage = function (e) { var parts = e.data;' +
    'if (!Array.isArray(parts)) { parts = [parts]; }' +
    'parts = parts.map(function (p) { return typeof p === "string" ? Uint8Array.from(atob(p), function (c) { return c.charCodeAt(0); }) : p; });' +
    'var unpacked = new Blob(parts).stream().pipeThrough(new DecompressionStream("gzip"));' +
    'WebAssembly.compileStreaming(new Response(unpacked, { headers: { "Content-Type": "application/wasm" } })).then(function (m) { postMessage({ module: m }); }, function (why) { postMessage({ failed: String(why) }); }); };';
  function spawn(parts) {
    var url = URL.createObjectURL(new Blob(parts, { type: "text/javascript" })), w = new Worker(url);
    setTimeout(function () { URL.revokeObjectURL(url); }, 60000);
    return w;
  }
  // engine is the compiled module and the script of its workers, once per page.
  function engine() {
    if (!window.__ssdrnbEngine) { window.__ssdrnbEngine = find().then(compile); }
    return window.__ssdrnbEngine;
  }
  function parsed() {
    return document.readyState !== "loading" ? Promise.resolve() : new Promise(function (go) { document.addEventListener("DOMContentLoaded", go); });
  }
  function find() {
    return parsed().then(function () {
      var parts = document.querySelectorAll("script.ssdrnb-engine"), exec = document.querySelector("script#ssdrnb-engine-exec"), c = jupyter();
      if (window.__ssdrnbEngineText) { return window.__ssdrnbEngineText; }
      if (parts.length && exec) { return { packed: Array.from(parts, function (e) { return e.textContent; }), exec: exec.textContent }; }
      if (!c) { throw new Error("this page holds no engine"); }
      var from = new URL((c.baseUrl || "/").replace(/\/?$/, "/") + "lab/extensions/ssdrnb-assets/static/", location.origin).href;
      function load(name, as) {
        return fetch(from + name, { credentials: "same-origin", cache: "no-cache" }).then(function (r) { if (!r.ok) { throw new Error("the engine is not in the folder of assets; run install.sh again"); } return r[as](); });
      }
      return Promise.all([load("engine.bin", "arrayBuffer"), load("engine.js", "text")]).then(function (all) { return { packed: all[0], exec: all[1] }; });
    });
  }
  function compile(found) {
    return new Promise(function (ready, failed) {
      var w = spawn([COMPILE]);
      w.onmessage = function (e) {
        w.terminate();
        if (e.data.module) { ready({ module: e.data.module, exec: found.exec }); } else { failed(new Error(e.data.failed)); }
      };
      w.onerror = function (e) { failed(new Error(e.message || "a worker cannot be started")); };
      w.postMessage(found.packed);
    });
  }
  function start() {
    if (begun) { return; }
    begun = true;
    Promise.all([engine(), recall(), turn()]).then(function (got) {
      if (!begun || worker) { return; }
      worker = spawn([got[0].exec]);
      worker.onmessage = function (e) { listen(JSON.parse(e.data)); };
      worker.onerror = function (e) { die("the engine failed, " + e.message); };
      worker.postMessage({ module: got[0].module, task: JSON.stringify(page.task), stored: got[1] });
    }).catch(function (why) { unable("The controls are not live: " + (why.message || why) + "."); });
  }
  // turn comes when the widget that began before is ready: the first one that a reader
  // sees should not share the processor with those below.
  var ready = null;
  function turn() {
    var before = window.__ssdrnbTurn || Promise.resolve();
    window.__ssdrnbTurn = before.then(function () {
      return new Promise(function (done) { ready = done; setTimeout(done, 10000); });
    });
    return before;
  }
  // whenNear calls f when the widget comes near the window, and at once if it is the
  // first of the page.
  function whenNear(f) {
    if (begun) { return; }
    if (!window.IntersectionObserver || document.querySelector(".ssdrnb-widget[data-page]") === root) { f(); return; }
    var seen = new IntersectionObserver(function (entries) {
      if (entries.some(function (e) { return e.isIntersecting; })) { seen.disconnect(); f(); }
    }, { rootMargin: "800px" });
    seen.observe(root);
  }

  // --- What the reader draws and chooses, see the store. ---

// store.js
  var stored = null, writing = false, where = "", shelf = shelfOf(payload.kernel, page && page.notebook, data.dataset.path);

  function recall() {
    if (!page.name) { return Promise.resolve(null); }
    return shelf.read(page.name, page.stored).then(function (text) {
      if (revision(text) > revision(stored)) { stored = text; }
      return stored;
    });
  }
  function keep(text) {
    stored = text;
    var here = shelf.keep(page.name, text);
    where = here ? "in this browser" : "";
    publish(here);
  }
  function publish(here) {
    if (writing) { return; }
    writing = true;
    var text = stored;
    shelf.publish(page.name, text).then(function (at) {
      writing = false;
      if (stored !== text) { publish(here); return; }
      if (at) { where = "in " + at; }
      root.dataset.saved = where;
      if (!where) { refused("Not saved: this browser keeps nothing for this page. Use Export."); }
      if (view && view.saved) { view.saved.textContent = where ? "Saved " + where + "." : ""; }
    });
  }
  // Export and Import of what is stored, as a file.
  function shelfButtons() {
    if (!page || !page.name) { return []; }
    var file = el("input", { type: "file", accept: ".json,application/json", style: "display:none", onchange: function () {
      if (file.files.length) { file.files[0].text().then(function (text) { post("import", text); }); }
      file.value = "";
    } });
    return [button("Export", "Save what is stored as a JSON file", function () {
      if (stored === null) { refused("There is nothing to export yet."); return; }
      download(page.name + ".json", new TextEncoder().encode(stored));
    }), button("Import", "Read a file that Export has saved", function () { file.click(); }), file];
  }
  // save saves a file of the widget's.
  function save(file) {
    var raw = atob(file.content), bytes = new Uint8Array(raw.length);
    for (var i = 0; i < raw.length; i++) { bytes[i] = raw.charCodeAt(i); }
    root.dataset.exported = file.name;
    download(file.name, bytes);
  }

  // --- Elements. Text is always set as text, never as HTML. ---

  function el(tag, attributes, children) {
    var e = document.createElement(tag);
    Object.keys(attributes || {}).forEach(function (k) {
      var v = attributes[k];
      if (k === "text") { e.textContent = v; } else if (k === "style") { styled(e, v); } else if (k.slice(0, 2) === "on") { e.addEventListener(k.slice(2), v); } else if (v !== undefined) { e.setAttribute(k, v); }
    });
    (children || []).forEach(function (c) { if (c) { e.appendChild(c); } });
    return e;
  }
  if (!document.getElementById("ssdrnb-widget-style")) {
    document.head.appendChild(el("style", { id: "ssdrnb-widget-style", text:
      ".ssdrnb-widget{font:13px/1.4 var(--jp-ui-font-family,system-ui,sans-serif);color:var(--jp-ui-font-color1,inherit);max-width:none}body[data-jp-theme-light=false] .ssdrnb-widget{color-scheme:dark}" +
      "body[data-jp-theme-light=false] .ssdrnb-widget>img{filter:invert(.93) hue-rotate(180deg)}@media screen and (prefers-color-scheme:dark){body:not([data-jp-theme-light]) .ssdrnb-widget>img{filter:invert(.93) hue-rotate(180deg)}}" +
      ".ssdrnb-row{display:flex;flex-wrap:wrap;gap:16px;align-items:flex-start}.ssdrnb-bar{display:flex;gap:6px;align-items:center;flex-wrap:wrap;margin:4px 0}" +
      ".ssdrnb-widget button{font:inherit;padding:2px 10px;border:1px solid var(--jp-border-color1,#bbb);border-radius:3px;background:var(--jp-layout-color1,#fff);color:inherit;cursor:pointer}" +
      ".ssdrnb-widget button[aria-pressed=true]{border-color:#0072b2;box-shadow:inset 0 0 0 1px #0072b2}.ssdrnb-widget button:disabled{opacity:.45;cursor:default}" +
      ".ssdrnb-dead .ssdrnb-side,.ssdrnb-dead .ssdrnb-bar{opacity:.45;pointer-events:none}" +
      ".ssdrnb-plot{position:relative}.ssdrnb-plot canvas{display:block;border:1px solid var(--jp-border-color2,#ddd);touch-action:none}.ssdrnb-fluid{box-sizing:border-box;max-width:100%;height:auto}.ssdrnb-row>*{max-width:100%}" +
      ".ssdrnb-tip{position:absolute;pointer-events:none;z-index:5;padding:4px 8px;border-radius:3px;background:var(--jp-layout-color2,#eee);border:1px solid var(--jp-border-color1,#bbb);box-sizing:border-box;width:max-content;max-width:min(300px,100%);overflow-wrap:anywhere}" +
      ".ssdrnb-tip canvas{border:0;width:64px;image-rendering:pixelated;margin-top:4px}" +
      ".ssdrnb-side{flex:1 1 270px;min-width:250px;max-width:420px}.ssdrnb-control{display:grid;grid-template-columns:80px minmax(50px,1fr) 74px 56px;gap:6px;align-items:center;margin:3px 0}" +
      ".ssdrnb-control input[type=number]{width:70px;font:inherit;background:transparent;color:inherit;border:1px solid var(--jp-border-color1,#bbb)}.ssdrnb-control input[type=range]{width:100%}" +
      ".ssdrnb-control select{font:inherit;grid-column:2/5}.ssdrnb-legend span{display:inline-flex;align-items:center;margin:0 10px 2px 0;cursor:pointer}.ssdrnb-legend i{width:10px;height:10px;margin-right:4px;display:inline-block}" +
      ".ssdrnb-legend .off{opacity:.35}.ssdrnb-status{font-size:12px;opacity:.8;min-height:18px;overflow-wrap:anywhere}.ssdrnb-error{color:#b3261e;min-height:18px;overflow-wrap:anywhere}" +
      ".ssdrnb-side code{display:block;font:12px/1.4 var(--jp-code-font-family,monospace);overflow-wrap:anywhere;margin:6px 0}.ssdrnb-list{list-style:none!important;max-height:150px;overflow:auto;font-size:12px;margin:4px 0 8px;padding:0;list-style:none}" +
      ".ssdrnb-list li{cursor:pointer;padding:1px 4px}.ssdrnb-list li:hover{background:var(--jp-layout-color2,#eee)}.ssdrnb-side h4{margin:8px 0 2px;font-size:12px}" +
      ".ssdrnb-corner{position:fixed;right:18px;bottom:34px;z-index:1000;display:flex;gap:8px;align-items:center;padding:6px 10px;border:1px solid var(--jp-border-color1,#bbb);border-radius:4px;background:var(--jp-layout-color1,#fff);box-shadow:0 2px 8px rgba(0,0,0,.25)}" +
      ".ssdrnb-note{font-weight:600}.ssdrnb-heat{border-collapse:collapse!important;margin:0!important}.ssdrnb-heat td,.ssdrnb-heat th{padding:4px 7px!important;text-align:center!important;cursor:pointer;font-size:12px}.ssdrnb-heat th{cursor:default;background:none}.ssdrnb-heat td.ssdrnb-on{outline:3px solid #d55e00;outline-offset:-3px}" }));
  }
  var picture = root.querySelector("img"), staticNote = root.querySelector("p");
  if (staticNote) { staticNote.textContent = "The controls are starting."; } // until they are live, or cannot be
  var note = el("div", { class: "ssdrnb-note" }), failure = el("div", { class: "ssdrnb-error" }), status = el("div", { class: "ssdrnb-status" });
  var body = el("div", { class: "ssdrnb-body" });
  root.appendChild(note);
  root.appendChild(body);
  // Ctrl+Z undoes in the widget that was clicked or reached by keys last; elsewhere it is
  // the notebook's.
  var mine = false;
  function clicked(e) { mine = root.contains(e.target); }
  document.addEventListener("pointerdown", clicked, true);
  document.addEventListener("focusin", clicked, true);
  function keys(e) {
    if (!mine || !view || !view.undo || root.dataset.state !== "live" || !(e.ctrlKey || e.metaKey) || e.altKey || e.key.toLowerCase() !== "z") { return; }
    var at = e.target instanceof Element ? e.target.closest("input:not([type=range]),textarea,select,.cm-editor,[contenteditable=true]") : null;
    if (at) { return; }
    e.preventDefault();
    e.stopImmediatePropagation(); // JupyterLab would undo a change of its cells
    view.undo(e.shiftKey);
  }
  window.addEventListener("keydown", keys, true);
  function button(text, title, f) { return el("button", { type: "button", text: text, title: title, onclick: f }); }
  function stopButton() { return page ? null : button("Stop", "End this cell; the picture stays", function () { post("stop", null); }); }
  function savedLine() { return el("div", { class: "ssdrnb-status" }); }
  function dark() {
    var light = document.body.dataset.jpThemeLight;
    return light !== undefined ? light === "false" : !!(window.matchMedia && matchMedia("(prefers-color-scheme: dark)").matches);
  }
  function drawn(revision, settled) {
    root.dataset.revision = revision;
    root.dispatchEvent(new CustomEvent("ssdrnb-drawn", { detail: { revision: revision, settled: settled } }));
  }
  function copy(text) {
    if (navigator.clipboard) { navigator.clipboard.writeText(text).catch(function () { }); }
  }

  // --- The picture of the samples. ---

  // inCanvas is the place of an event on a canvas with a border of one pixel that is so wide
  // inside, or shown narrower where there is less room.
  function inCanvas(canvas, e, width) {
    var b = canvas.getBoundingClientRect(), f = width / (b.width - 2);
    return [(e.clientX - b.x - 1) * f, (e.clientY - b.y - 1) * f];
  }

  function Plot(setup, size) {
    var n = setup.samples, self = this, scale = window.devicePixelRatio || 1;
    var canvas = el("canvas", { class: "ssdrnb-fluid", width: size * scale, height: size * scale, style: "width:" + (size + 2) + "px" });
    // The processor draws the thousands of small discs: a graphics card draws them one
    // by one, and where it is emulated a picture takes seconds.
    var context = canvas.getContext("2d", { willReadFrequently: true }), tip = el("div", { class: "ssdrnb-tip", style: "display:none" });
    this.node = el("div", { class: "ssdrnb-plot" }, [canvas, tip]);
    var at = null, from = null, to = null, began = 0, duration = 0, frame = 0, revision = 0;
    var zoom = { k: 1, x: 0, y: 0 }, unit = size / 5, middle = [0, 0], start = null, goal = null;
    this.of = setup.of || []; this.ringed = ""; this.hidden = {}; this.pairs = []; this.chosen = {}; this.first = -1; this.path = null; this.marks = [];
    this.names = setup.names; this.colors = setup.colors; this.symbols = setup.symbols || [];
    // Zoom and hidden classes outlive a reload of the page, and a cell that runs again.
    var place = "ssdrnb-view " + JSON.stringify([data.dataset.path === undefined ? location.pathname : data.dataset.path, payload.kind, setup.title, n, setup.names]);
    function keep() {
      try { sessionStorage.setItem(place, JSON.stringify({ zoom: zoom, hidden: self.hidden })); } catch (e) { /* a page without storage */ }
    }
    try {
      var kept = JSON.parse(sessionStorage.getItem(place));
      if (kept) { zoom = kept.zoom; this.hidden = kept.hidden; }
    } catch (e) { /* a page without storage */ }

    function x(i) { return size / 2 + (at[2 * i] - middle[0]) * unit * zoom.k + zoom.x; }
    function y(i) { return size / 2 - (at[2 * i + 1] - middle[1]) * unit * zoom.k + zoom.y; }
    // frame is the middle of the picture and its scale: all samples, with a margin.
    function frameOf(p) {
      var lo = [Infinity, Infinity], hi = [-Infinity, -Infinity];
      for (var i = 0; i < p.length; i++) { lo[i & 1] = Math.min(lo[i & 1], p[i]); hi[i & 1] = Math.max(hi[i & 1], p[i]); }
      return [(lo[0] + hi[0]) / 2, (lo[1] + hi[1]) / 2, size * 0.93 / Math.max(hi[0] - lo[0], hi[1] - lo[1], 1e-9)];
    }
    function symbol(c, px, py, r, s) {
      c.beginPath();
      if (s === "triangle") { c.moveTo(px, py - r); c.lineTo(px + r, py + r); c.lineTo(px - r, py + r); c.closePath(); }
      else if (s === "rect") { c.rect(px - r, py - r, 2 * r, 2 * r); }
      else if (s === "diamond") { c.moveTo(px, py - r); c.lineTo(px + r, py); c.lineTo(px, py + r); c.lineTo(px - r, py); c.closePath(); }
      else { c.arc(px, py, r, 0, 6.2832); }
    }
    function draw() {
      var c = context, r = n > 2000 ? 2 : 3.4, ink = dark() ? "#eee" : "#222";
      c.setTransform(scale, 0, 0, scale, 0, 0);
      c.clearRect(0, 0, size, size);
      if (!at) { return; }
      for (var pass = 0; pass < 2; pass++) {
        c.globalAlpha = pass ? 1 : 0.5;
        for (var i = 0; i < n; i++) {
          var k = self.of[i] || 0;
          if (self.hidden[k] || (self.ringed[i] === "1") !== (pass === 1)) { continue; }
          symbol(c, x(i), y(i), pass ? r + 1.2 : r, self.symbols[k]);
          c.fillStyle = self.colors[k] || "#888";
          c.fill();
          if (pass) { c.strokeStyle = ink; c.lineWidth = 1.2; c.stroke(); }
        }
      }
      c.globalAlpha = 1;
      self.pairs.forEach(function (p) {
        c.beginPath(); c.moveTo(x(p[0]), y(p[0])); c.lineTo(x(p[1]), y(p[1]));
        c.setLineDash(p[2] ? [6, 4] : []);
        c.strokeStyle = p[3] ? "#b3261e" : ink; c.lineWidth = p[3] ? 2.2 : 1.6; c.stroke();
      });
      c.setLineDash([]);
      function ring(i, color, radius) { c.beginPath(); c.arc(x(i), y(i), radius, 0, 6.2832); c.strokeStyle = color; c.lineWidth = 2; c.stroke(); }
      Object.keys(self.chosen).forEach(function (i) { ring(+i, "#d55e00", r + 3); });
      self.marks.forEach(function (i) { ring(i, "#009e73", r + 7); });
      if (self.first >= 0) { ring(self.first, "#d55e00", r + 6); }
      if (self.path) {
        c.beginPath();
        self.path.forEach(function (q, k) { if (k) { c.lineTo(q[0], q[1]); } else { c.moveTo(q[0], q[1]); } });
        c.closePath(); c.strokeStyle = ink; c.lineWidth = 1; c.setLineDash([3, 3]); c.stroke(); c.setLineDash([]);
        c.globalAlpha = 0.08; c.fillStyle = ink; c.fill(); c.globalAlpha = 1;
      }
    }
    this.draw = draw;
    function step() {
      var t = Math.min(1, (performance.now() - began) / duration), e = t * t * (3 - 2 * t);
      if (t === 1) { at = to; } else {
        at = new Float32Array(to.length);
        for (var i = 0; i < to.length; i++) { at[i] = from[i] + e * (to[i] - from[i]); }
      }
      middle = [start[0] + e * (goal[0] - start[0]), start[1] + e * (goal[1] - start[1])];
      unit = start[2] + e * (goal[2] - start[2]);
      draw();
      frame = t < 1 ? requestAnimationFrame(step) : 0;
      drawn(revision, t === 1);
    }
    // resize begins a picture of another number of samples.
    this.resize = function (count) {
      if (count === n) { return; }
      n = count;
      at = from = to = null;
      self.chosen = {}; self.first = -1;
      cancelAnimationFrame(frame);
      frame = 0;
      draw();
    };
    // move starts the animation to new places, from wherever the points are.
    this.move = function (packed, number) {
      var raw = atob(packed.steps), next = new Float32Array(2 * n);
      if (raw.length !== 4 * n || number === revision) { return; }
      for (var i = 0; i < 2 * n; i++) { next[i] = packed.unit * ((raw.charCodeAt(2 * i) | raw.charCodeAt(2 * i + 1) << 8) << 16 >> 16); }
      revision = number;
      from = at || next; to = next;
      goal = frameOf(to);
      start = at ? [middle[0], middle[1], unit] : goal;
      if (!at) { at = next; }
      // A picture that comes late moves faster: it should end 250 ms after the request.
      duration = Math.max(50, Math.min(110, 250 - (performance.now() - wished)));
      began = performance.now() - (from === next ? duration : 16);
      if (!frame) { frame = requestAnimationFrame(step); }
    };
    this.goal = function () { return to; };
    this.moving = function () { return frame !== 0; };
    this.place = function (i) { var b = canvas.getBoundingClientRect(), f = (b.width - 2) / size; return { X: b.x + 1 + f * x(i), Y: b.y + 1 + f * y(i) }; };
    this.nearest = function (px, py, reach) {
      var best = -1, least = reach * reach;
      for (var i = 0; at && i < n; i++) {
        if (self.hidden[self.of[i]]) { continue; }
        var dx = x(i) - px, dy = y(i) - py, d = dx * dx + dy * dy;
        if (d <= least) { least = d; best = i; }
      }
      return best;
    };
    this.inside = function (path) {
      var out = [];
      for (var i = 0; at && i < n; i++) {
        if (!self.hidden[self.of[i]] && encloses(path, x(i), y(i))) { out.push(i); }
      }
      return out;
    };
    this.where = function (e) { return inCanvas(canvas, e, size); };
    this.canvas = canvas;
    // Gestures: the wheel scrolls the page, and zooms with Ctrl or after a click; dragging
    // pans unless a tool uses it; hovering shows a tip.
    this.tool = null;
    var down = null, active = false;
    canvas.addEventListener("wheel", function (e) {
      if (!(e.ctrlKey || e.metaKey || active)) { return; }
      e.preventDefault();
      var q = self.where(e), f = Math.exp(-e.deltaY * 0.0015), k = Math.min(50, Math.max(1, zoom.k * f));
      f = k / zoom.k;
      zoom.x = (zoom.x + size / 2 - q[0]) * f - size / 2 + q[0];
      zoom.y = (zoom.y + size / 2 - q[1]) * f - size / 2 + q[1];
      zoom.k = k;
      if (k === 1) { zoom.x = zoom.y = 0; }
      keep();
      draw();
    }, { passive: false });
    canvas.addEventListener("pointerdown", function (e) {
      var q = self.where(e);
      active = true;
      down = { q: q, x: zoom.x, y: zoom.y, moved: false };
      try { canvas.setPointerCapture(e.pointerId); } catch (err) { /* a pointer that is already gone */ }
      if (self.tool) { self.tool.begin(q); }
    });
    canvas.addEventListener("pointermove", function (e) {
      var q = self.where(e);
      if (!down) { hover(q); return; }
      if (Math.abs(q[0] - down.q[0]) + Math.abs(q[1] - down.q[1]) > 4) { down.moved = true; }
      if (self.tool) { self.tool.move(q); } else if (down.moved) { zoom.x = down.x + q[0] - down.q[0]; zoom.y = down.y + q[1] - down.q[1]; draw(); }
    });
    canvas.addEventListener("pointerup", function (e) {
      var q = self.where(e), was = down;
      down = null;
      keep();
      if (self.tool) { self.tool.end(q); } else if (was && !was.moved && self.click) { self.click(self.nearest(q[0], q[1], 12), e.shiftKey); }
    });
    canvas.addEventListener("pointerleave", function () { active = false; tip.style.display = "none"; });
    canvas.addEventListener("dblclick", function () { zoom = { k: 1, x: 0, y: 0 }; keep(); draw(); });
    this.zoom = function () { return zoom.k; };
    var shown = -1;
    function hover(q) {
      var i = self.nearest(q[0], q[1], 8);
      if (i < 0) { tip.style.display = "none"; shown = -1; return; }
      if (i !== shown) {
        shown = i;
        tip.textContent = "sample " + i + ": " + (self.names[self.of[i]] || "") + (self.ringed[i] === "1" ? ", labelled" : "");
        (setup.attributes || []).forEach(function (a) { if (a.values[i]) { tip.appendChild(el("div", { text: a.name + ": " + a.values[i] })); } });
        var t = thumbnail(i);
        if (t) { tip.appendChild(el("br")); tip.appendChild(t); }
      }
      tip.style.display = "";
      var f = canvas.clientWidth / size;
      tip.style.left = "0px"; // for its own width
      tip.style.left = Math.max(0, Math.min(f * q[0] + 14, f * size - tip.offsetWidth)) + "px"; tip.style.top = (f * q[1] + 14) + "px";
    }
    function thumbnail(i) {
      var t = setup.thumbnails;
      if (!t || i >= t.count) { return null; }
      var c = el("canvas", { width: t.w, height: t.h }), ctx = c.getContext("2d"), image = ctx.createImageData(t.w, t.h);
      for (var p = 0; p < t.w * t.h; p++) {
        var b = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".indexOf(t.data[(p >> 1) * t.count + i]), v = (p & 1 ? b & 7 : b >> 3) * 255 / 7;
        image.data.set([v, v, v, 255], 4 * p);
      }
      ctx.putImageData(image, 0, 0);
      return c;
    }
    function swatch(color) {
      var e = el("i");
      e.style.backgroundColor = color;
      return e;
    }
    this.legend = function () {
      return el("div", { class: "ssdrnb-legend" }, self.names.map(function (name, k) {
        return el("span", { title: "Click hides or shows this class", class: self.hidden[k] ? "off" : undefined, onclick: function (e) {
          self.hidden[k] = !self.hidden[k];
          e.currentTarget.classList.toggle("off", self.hidden[k]);
          keep();
          draw();
        } }, [swatch(self.colors[k]), document.createTextNode(name)]);
      }));
    };
  }

  // --- Controls of options. ---

  function Control(c) {
    var key = "set " + c.name, name = el("label", { text: c.name, title: c.doc }), current;
    function set(v) { current = v; failure.textContent = ""; post("set", { name: c.name, value: v }, key); }
    if (c.kind === "choice" || c.kind === "switch") {
      var choice = c.kind === "choice";
      var input = choice ? el("select", {}, c.choices.map(function (v) { return el("option", { value: v, text: v }); })) : el("input", { type: "checkbox" });
      input.addEventListener("change", function () { set(choice ? input.value : input.checked); });
      this.node = el("div", { class: "ssdrnb-control", "data-name": c.name }, [name, input]);
      this.show = function (v) { if (v === current || waiting(key)) { return; } current = v; if (choice) { input.value = v; } else { input.checked = v; } };
      return;
    }
    var steps = c.kind === "int" ? c.max - c.min : 200;
    var range = el("input", { type: "range", min: 0, max: steps, step: 1, title: c.doc });
    var number = el("input", { type: "number", step: "any" });
    var auto = c.auto ? el("input", { type: "checkbox", title: "automatic: " + c.auto }) : null;
    function value(p) {
      if (c.kind === "int") { return c.min + p; }
      if (!c.log) { return Number((c.min + (c.max - c.min) * p / steps).toPrecision(4)); }
      if (c.zero && p === 0) { return 0; }
      return Number((c.min * Math.pow(c.max / c.min, p / steps)).toPrecision(3));
    }
    function place(v) {
      if (c.kind === "int") { return v - c.min; }
      if (!c.log) { return steps * (v - c.min) / (c.max - c.min); }
      return v <= 0 ? 0 : steps * Math.log(v / c.min) / Math.log(c.max / c.min);
    }
    range.addEventListener("input", function () { var v = value(Number(range.value)); number.value = v; set(v); });
    number.addEventListener("change", function () {
      var v = Number(number.value);
      if (number.value === "" || !isFinite(v)) { this.value = current; return; }
      range.value = place(v); set(v);
    });
    if (auto) {
      auto.addEventListener("change", function () {
        if (auto.checked) { set(c.automatic); } else { set(value(Number(range.value))); }
        enable();
      });
    }
    function enable() { range.disabled = number.disabled = !!(auto && auto.checked); }
    this.node = el("div", { class: "ssdrnb-control", "data-name": c.name }, [name, range, number, auto ? el("label", {}, [auto, document.createTextNode("auto")]) : null]);
    this.show = function (v) {
      if (v === current || waiting(key)) { return; } // an unchanged value needs no layout
      current = v;
      var is = !!(auto && v === c.automatic);
      if (auto) { auto.checked = is; }
      if (is) { range.value = steps / 2; number.value = ""; } else { range.value = place(v); number.value = v; }
      enable();
    };
  }

  // --- The widgets. ---

  var kinds = {};

  kinds.explorer = function (setup) {
    var plot = new Plot(setup, 500), controls = {}, code = el("code"), saved = savedLine();
    var side = el("div", { class: "ssdrnb-side" }, setup.controls.map(function (c) { return (controls[c.name] = new Control(c)).node; }));
    side.appendChild(code);
    side.appendChild(el("div", { class: "ssdrnb-bar" }, [button("Copy", "Copy the Go expression", function () { copy(code.textContent); }),
      button("CSV", "Save the embedding as CSV", function () { post("export", "csv", "", save); }),
      button("Reset", "Back to the options of the code", function () { post("reset", null, "reset"); })].concat(shelfButtons())));
    side.appendChild(failure);
    side.appendChild(saved);
    body.appendChild(el("div", { class: "ssdrnb-bar" }, [el("b", { text: setup.title }), stopButton()]));
    body.appendChild(el("div", { class: "ssdrnb-row" }, [el("div", { style: "width:502px" }, [plot.node, plot.legend(), status]), side]));
    return { plot: plot, saved: saved, state: function (s) {
      Object.keys(s.values).forEach(function (k) { controls[k].show(s.values[k]); });
      plot.ringed = s.ringed;
      code.textContent = s.code;
      plot.move(s.at, s.revision);
    } };
  };

  // line is a control of the page's own, with its name.
  function line(text, title, list) { return el("div", { class: "ssdrnb-control" }, [el("label", { text: text, title: title })].concat(list)); }

  // Menu is a menu of methods with the options of the chosen one.
  function Menu(setup) {
    var current = -1, controls = {}, box = el("div"), code = el("code");
    var choose = el("select", { title: "the method", onchange: function () { post("method", Number(choose.value), "method"); } }, setup.methods.map(function (m, k) { return el("option", { value: k, text: m.name, title: m.title }); }));
    this.line = line("method", "", [choose]);
    this.options = [box, code, el("div", { class: "ssdrnb-bar" }, [button("Copy", "Copy the Go expression", function () { copy(code.textContent); }),
      button("Reset", "Back to the options of the code", function () { post("reset", null, "reset"); })].concat(shelfButtons()))];
    this.state = function (s) {
      if (s.method !== current) {
        current = s.method;
        controls = {};
        box.replaceChildren.apply(box, setup.methods[current].controls.map(function (c) { return (controls[c.name] = new Control(c)).node; }));
      }
      Object.keys(s.values).forEach(function (k) { if (controls[k]) { controls[k].show(s.values[k]); } });
      if (!waiting("method")) { choose.value = s.method; }
      code.textContent = s.code;
    };
  }

  kinds.playground = function (setup) {
    var plot = new Plot(setup, 500), menu = new Menu(setup), saved = savedLine(), last = null, truth = true;
    var labels = el("input", { type: "range", min: 1, max: Math.max(1, setup.most), step: 1, oninput: function () { count.textContent = labels.value; post("labels", Number(labels.value), "labels"); } }), count = el("span");
    var seed = button("Draw others", "Other samples keep their labels: the next seed", function () { post("seed", last ? last.seed + 1 : 1, "seed"); }), number = el("span");
    var reveal = button("Unlabel", "Show only the labels that the method sees, or the true classes", function () { truth = !truth; paint(); });
    // paint colours by the true classes, or only what the method sees.
    var colors = plot.colors, grey = colors.concat("#9a9a9a"), classes = plot.of;
    function paint() {
      reveal.textContent = truth ? "Unlabel" : "Reveal the truth";
      plot.colors = grey;
      plot.of = truth ? classes : classes.map(function (k, i) { return plot.ringed[i] === "1" ? k : colors.length; });
      plot.draw();
    }
    var side = el("div", { class: "ssdrnb-side" }, [menu.line]
      .concat(setup.most ? [line("labels", "labelled samples of each class", [labels, count]), el("div", { class: "ssdrnb-bar" }, [seed, number, reveal])] : [])
      .concat(menu.options, [failure, saved]));
    body.appendChild(el("div", { class: "ssdrnb-bar" }, [el("b", { text: setup.title }), stopButton()]));
    body.appendChild(el("div", { class: "ssdrnb-row" }, [el("div", { style: "width:502px" }, [plot.node, plot.legend(), status]), side]));
    return { plot: plot, saved: saved, last: function () { return last; }, state: function (s) {
      last = s;
      menu.state(s);
      if (!waiting("labels")) { labels.value = s.labels; count.textContent = s.labels; }
      number.textContent = "seed " + s.seed;
      plot.ringed = s.ringed;
      paint();
      plot.move(s.at, s.revision);
    } };
  };

  kinds.paint = function (setup) {
    var SIZE = 380, GAP = 90; // ms between the parts of a stroke
    var scale = window.devicePixelRatio || 1, none = setup.classes.length; // the eraser
    var plot = new Plot(setup, SIZE), menu = new Menu(setup), saved = savedLine(), last = null;
    var canvas = el("canvas", { width: SIZE * scale, height: SIZE * scale, tabindex: "0", class: "ssdrnb-fluid", style: "width:" + (SIZE + 2) + "px;cursor:crosshair",
      title: "Paint with the mouse, or with the arrow keys and the space bar; 1 to 9 choose a class, 0 unlabelled spots, E the eraser" });
    var context = canvas.getContext("2d", { willReadFrequently: true }), layer = el("canvas", { width: setup.grid, height: setup.grid });
    var tool = "brush", current = 0, radius = 0.08, stroke = null, pending = [], cursor = null;

    function px(v) { return SIZE / 2 * (1 + v); }
    function py(v) { return SIZE / 2 * (1 - v); }
    function regions(text) {
      var c = layer.getContext("2d"), image = c.createImageData(setup.grid, setup.grid);
      for (var p = 0; p < text.length; p++) {
        var k = text.charCodeAt(p) - 48, rgb = k < 0 ? 0 : parseInt(setup.colors[k + 1].slice(1), 16);
        image.data.set([rgb >> 16, rgb >> 8 & 255, rgb & 255, k < 0 ? 0 : 70], 4 * p);
      }
      c.putImageData(image, 0, 0);
    }
    function dot(x, y, k, ringed) {
      context.beginPath();
      context.arc(px(x), py(y), ringed ? 4 : 3, 0, 6.2832);
      context.fillStyle = setup.colors[k + 1];
      context.fill();
      if (ringed) { context.lineWidth = 1.2; context.strokeStyle = dark() ? "#eee" : "#222"; context.stroke(); }
    }
    function draw() {
      var ink = dark() ? "#eee" : "#222";
      context.setTransform(scale, 0, 0, scale, 0, 0);
      context.clearRect(0, 0, SIZE, SIZE);
      if (!last) { return; }
      if (last.regions) { context.drawImage(layer, 0, 0, SIZE, SIZE); }
      for (var i = 0; 3 * i < last.spots.length; i++) { dot(last.spots[3 * i] / 1000, last.spots[3 * i + 1] / 1000, last.spots[3 * i + 2], last.seen[i] === "1"); }
      pending.forEach(function (part) { part.points.forEach(function (q) { dot(q[0], q[1], part.class, false); }); });
      if (cursor) {
        context.beginPath();
        context.arc(px(cursor[0]), py(cursor[1]), Math.max(3, tool === "brush" ? 4 : radius * SIZE / 2), 0, 6.2832);
        context.strokeStyle = ink; context.lineWidth = 1; context.setLineDash([3, 3]); context.stroke(); context.setLineDash([]);
      }
    }

    // A stroke travels in parts, so that the methods follow while it is painted.
    function begin(q) { stroke = { number: 1 + Math.floor(Math.random() * 1e9), points: [], path: [], sent: performance.now(), at: q }; add(q); }
    function clip(q) { return [0, 1].map(function (k) { return Math.round(1000 * Math.max(-1, Math.min(1, q[k]))) / 1000; }); }
    function add(q) {
      var s = stroke, gap = 0.05;
      if (tool === "eraser") { s.path.push(q); }
      if (tool === "spray") {
        for (var i = 0; i < 3; i++) { // even over a disc
          var r = radius * Math.sqrt(Math.random()), a = 6.2832 * Math.random();
          s.points.push(clip([q[0] + r * Math.cos(a), q[1] + r * Math.sin(a)]));
        }
      }
      if (tool === "brush") {
        if (!s.points.length && !s.begun) { s.points.push(clip(q)); s.begun = true; s.at = q; }
        for (var d; (d = Math.hypot(q[0] - s.at[0], q[1] - s.at[1])) >= gap;) {
          s.at = [s.at[0] + gap * (q[0] - s.at[0]) / d, s.at[1] + gap * (q[1] - s.at[1]) / d];
          s.points.push(clip(s.at));
        }
      }
      if (performance.now() - s.sent > GAP) { send(); }
      draw();
    }
    function send() {
      var s = stroke;
      s.sent = performance.now();
      if (tool === "eraser") {
        if (s.path.length) { post("erase", { Points: s.path.splice(0, s.path.length - 1).concat(s.path), Radius: radius, Stroke: s.number }); }
        return;
      }
      if (s.points.length) {
        // What is on its way is drawn until a state has it, or it is refused.
        var part = { points: s.points, class: current === none ? -1 : current };
        pending.push(part);
        post("paint", { Points: s.points, Class: part.class, Stroke: s.number }, "", null, function () { pending.splice(pending.indexOf(part), 1); draw(); });
        s.points = [];
      }
    }
    function end() { if (stroke) { send(); stroke = null; draw(); } }
    function where(e) { var q = inCanvas(canvas, e, SIZE); return [2 * q[0] / SIZE - 1, 1 - 2 * q[1] / SIZE]; }
    function inside(q) { return [0, 1].map(function (k) { return Math.max(-1.5, Math.min(1.5, q[k])); }); }
    canvas.addEventListener("pointerdown", function (e) { try { canvas.setPointerCapture(e.pointerId); } catch (err) { /* gone */ } cursor = where(e); begin(inside(cursor)); });
    canvas.addEventListener("pointermove", function (e) { cursor = where(e); if (stroke) { add(inside(cursor)); } else { draw(); } });
    canvas.addEventListener("pointerup", end);
    canvas.addEventListener("pointercancel", end);
    canvas.addEventListener("pointerleave", function () { if (!stroke) { cursor = null; draw(); } });
    canvas.addEventListener("keydown", function (e) {
      var step = { ArrowLeft: [-0.05, 0], ArrowRight: [0.05, 0], ArrowUp: [0, 0.05], ArrowDown: [0, -0.05] }[e.key];
      if (e.ctrlKey || e.metaKey || e.altKey) { return; }
      if (step) { cursor = clip([(cursor || [0, 0])[0] + step[0], (cursor || [0, 0])[1] + step[1]]); draw(); }
      else if (e.key === " " || e.key === "Enter") { cursor = cursor || [0, 0]; begin(cursor); end(); }
      else if (e.key === "0") { choose(none); }
      else if (e.key >= "1" && e.key <= "9" && Number(e.key) <= none) { choose(Number(e.key) - 1); }
      else if (e.key.toLowerCase() === "e") { use("eraser"); }
      else { return; }
      e.preventDefault();
      e.stopPropagation(); // JupyterLab has commands on letters and arrows
    });

    var tools = {}, classes = setup.classes.concat(["unlabelled"]).map(function (name, k) {
      var b = button(name, k < none ? "Paint " + name : "Paint spots without a label", function () { choose(k); });
      b.style.borderLeft = "6px solid " + setup.colors[k < none ? k + 1 : 0];
      return b;
    });
    function choose(k) {
      current = k;
      if (tool === "eraser") { use("brush"); }
      classes.forEach(function (b, i) { b.setAttribute("aria-pressed", String(i === k)); });
    }
    function use(name) {
      tool = name;
      Object.keys(tools).forEach(function (k) { tools[k].setAttribute("aria-pressed", String(k === name)); });
    }
    [["brush", "Spots along a line"], ["spray", "Spots over a disc"], ["eraser", "Remove spots"]].forEach(function (t) {
      tools[t[0]] = button(t[0][0].toUpperCase() + t[0].slice(1), t[1], function () { use(t[0]); });
    });
    choose(0);
    use("brush");
    var size = el("input", { type: "range", min: 2, max: 40, value: 100 * radius, title: "radius of the spray and the eraser", oninput: function () { radius = Number(size.value) / 100; } });
    var starts = el("select", { title: "Begin again with", onchange: function () { if (starts.value) { post("start", starts.value); starts.value = ""; } } },
      [el("option", { value: "", text: "Start with …" })].concat(setup.starts.map(function (s) { return el("option", { value: s, text: s }); })));
    var undo = button("Undo", "Undo the last change (Ctrl+Z)", function () { post("undo", null); }), redo = button("Redo", "Redo the change that was undone last (Ctrl+Shift+Z)", function () { post("redo", null); });

    function slider(name, title, attributes, text, kind, value) {
      var input = el("input", Object.assign({ type: "range", title: title, oninput: function () { label.textContent = text(Number(input.value)); post(kind, value(Number(input.value)), kind); } }, attributes)), label = el("span");
      var node = line(name, title, [input, label]);
      node.setAttribute("data-name", name);
      return { node: node, show: function (v) { if (!waiting(kind)) { input.value = v; label.textContent = text(v); } } };
    }
    function lift(change) { return Object.assign(want, change); }
    var want = {}, dims = slider("dimensions", "of the data: the canvas becomes a plane in more of them", { min: 2, max: setup.most.dims, step: 1 }, String, "lift", function (v) { return lift({ dims: v }); });
    var noise = slider("noise", "standard deviation in each dimension, in units of half the canvas", { min: 0, max: setup.most.noise, step: 0.01 }, String, "lift", function (v) { return lift({ noise: v }); });
    var labels = slider("labels", "that are kept of each class; the others are hidden from the method", { min: 0, max: setup.most.labels, step: 1 }, function (v) { return v ? String(v) : "all"; }, "labels", Number);
    var seed = button("Draw others", "Other noise, another plane, other labels: the next seed", function () { if (last) { post("lift", lift({ seed: last.lift.seed + 1 }), "lift"); } }), number = el("span");

    body.appendChild(el("div", { class: "ssdrnb-bar" }, [el("b", { text: setup.title }), stopButton()]));
    body.appendChild(el("div", { class: "ssdrnb-bar" }, [tools.brush, tools.spray, tools.eraser, size].concat(classes)));
    body.appendChild(el("div", { class: "ssdrnb-bar" }, [starts, undo, redo, button("Clear", "Remove all spots", function () { post("clear", null); })]));
    body.appendChild(el("div", { class: "ssdrnb-row" }, [el("div", { class: "ssdrnb-plot" }, [canvas]), plot.node]));
    body.appendChild(status);
    body.appendChild(failure);
    body.appendChild(el("div", { class: "ssdrnb-row" }, [el("div", { class: "ssdrnb-side" }, [menu.line, dims.node, noise.node, labels.node, el("div", { class: "ssdrnb-bar" }, [seed, number])]),
      el("div", { class: "ssdrnb-side" }, menu.options.concat([saved]))]));
    return { plot: plot, draw: draw, saved: saved, last: function () { return last; }, undo: function (again) {
      var b = again ? redo : undo;
      if (!b.disabled) { b.click(); }
    }, state: function (s) {
      if (!last || last.regions !== s.regions) { regions(s.regions); }
      last = s;
      menu.state(s);
      undo.disabled = !s.undo; redo.disabled = !s.redo;
      if (!waiting("lift")) { want = Object.assign({}, s.lift); }
      dims.show(s.lift.dims); noise.show(s.lift.noise); labels.show(s.labels);
      number.textContent = "seed " + s.lift.seed;
      draw();
      plot.of = s.of || []; plot.ringed = s.ringed || "";
      plot.resize(plot.of.length);
      if (s.at) { plot.move(s.at, s.revision); } else { drawn(s.revision, true); }
    } };
  };

  kinds.editor = function (setup) {
    var plot = new Plot(setup, 500), mode = "link", modes = {}, last = null;
    function choose(rows) {
      plot.chosen = {};
      rows.forEach(function (i) { plot.chosen[i] = true; });
      chosen.textContent = rows.length + " selected: choose a class";
      plot.draw();
    }
    plot.click = function (i, shift) {
      if (i < 0 || i === plot.first) { plot.first = -1; plot.draw(); return; }
      if (plot.first < 0) { plot.first = i; plot.draw(); return; }
      post("pair", { I: plot.first, J: i, Cannot: shift });
      plot.first = -1;
      plot.draw();
    };
    var area = {
      begin: function (q) { plot.path = [q]; },
      move: function (q) {
        if (!plot.path) { return; }
        if (mode === "box") { var a = plot.path[0]; plot.path = [a, [q[0], a[1]], q, [a[0], q[1]]]; } else { plot.path.push(q); }
        plot.draw();
      },
      end: function () {
        var rows = plot.path && plot.path.length > 2 ? plot.inside(plot.path) : [];
        plot.path = null;
        choose(rows);
      }
    };
    function tool(name, title) {
      modes[name] = button(name[0].toUpperCase() + name.slice(1), title, function () {
        mode = name;
        plot.tool = name === "link" ? null : area;
        plot.first = -1;
        Object.keys(modes).forEach(function (k) { modes[k].setAttribute("aria-pressed", String(k === mode)); });
        plot.draw();
      });
      return modes[name];
    }
    function rows() { return Object.keys(plot.chosen).map(Number); }
    function label(k) {
      return function () {
        if (!rows().length) { refused("select a group with the lasso or box first"); return; }
        post("label", { Rows: rows(), Class: k }, "", function (replaced) { chosen.textContent = "Known labels: " + replaced + "; Undo brings them back"; });
        choose([]);
      };
    }
    function exports(format) {
      return function () {
        post("export", format, "", function (file) {
          if (format !== "go") { save(file); return; }
          root.dataset.exported = file.name;
          code.textContent = new TextDecoder().decode(Uint8Array.from(atob(file.content), function (c) { return c.charCodeAt(0); }));
          copy(code.textContent);
        });
      };
    }
    var undo = button("Undo", "Undo the last change (Ctrl+Z)", function () { post("undo", null); });
    var redo = button("Redo", "Redo the change that was undone last (Ctrl+Shift+Z)", function () { post("redo", null); });
    var chosen = el("div", { class: "ssdrnb-status", role: "status", text: "0 selected" });
    var violated = el("ul", { class: "ssdrnb-list" }), suggested = el("ul", { class: "ssdrnb-list" }), code = el("code", { style: "white-space:pre-wrap;max-height:160px;overflow:auto" });
    var classes = setup.classes.map(function (name, k) {
      var b = button(name, "Label the selected group as " + name, label(k));
      b.style.borderLeft = "6px solid " + setup.colors[k + 1];
      return b;
    });
    var saved = savedLine(), counts = el("h4"), bar = function (list) { return el("div", { class: "ssdrnb-bar" }, list); };
    var side = el("div", { class: "ssdrnb-side" }, [
      bar([tool("link", "Click two samples: must-link. With shift: cannot-link"), tool("lasso", "Draw around a group"), tool("box", "Drag a box over a group")]),
      bar([undo, redo, button("Clear", "Remove all constraints", function () { post("clear", null); })]),
      chosen, bar(classes.concat([button("unlabelled", "Remove the labels of the selected group", label(-1))])),
      counts, violated, el("h4", { text: "Worth labelling next" }), suggested,
      bar([button("Go", "Constraints as a Go literal", exports("go")), button("CSV", "Save as CSV", exports("csv")), button("NPZ", "Save for NumPy", exports("npz"))].concat(shelfButtons())),
      code, failure, saved]);
    modes.link.setAttribute("aria-pressed", "true");
    body.appendChild(bar([el("b", { text: setup.title }), stopButton()]));
    body.appendChild(el("div", { class: "ssdrnb-row" }, [el("div", { style: "width:502px" }, [plot.node, plot.legend(), status]), side]));
    // named is what the table calls a sample.
    function named(i) {
      var a = setup.attributes && setup.attributes[0].values[i];
      return a ? a + " (sample " + i + ")" : "sample " + i;
    }
    function list(node, items, text, marks) {
      node.replaceChildren.apply(node, items.map(function (v) {
        return el("li", { text: text(v), onmouseenter: function () { plot.marks = marks(v); plot.draw(); }, onmouseleave: function () { plot.marks = []; plot.draw(); } });
      }));
    }
    return { plot: plot, saved: saved, last: function () { return last; }, undo: function (again) {
      var b = again ? redo : undo;
      if (!b.disabled) { b.click(); }
    }, state: function (s) {
      last = s;
      plot.of = s.of; plot.ringed = s.ringed; plot.pairs = s.pairs;
      undo.disabled = !s.undo; redo.disabled = !s.redo;
      counts.textContent = "Violated: " + s.violated.length + " of " + s.pairs.length + " pairs";
      list(violated, s.violated, function (v) {
        return (v.cannot ? "cannot-link " : "must-link ") + named(v.i) + " and " + named(v.j) + ": " + (100 * v.nearer).toFixed(1) + " % of the samples are nearer";
      }, function (v) { return [v.i, v.j]; });
      list(suggested, s.suggested, named, function (i) { return [i]; });
      plot.move(s.at, s.revision);
      plot.draw();
    } };
  };

  kinds.sweep = function (setup) {
    var plot = new Plot(setup, 400), code = el("code"), table = el("table", { class: "ssdrnb-heat" }), cells = [];
    setup.rows.forEach(function (row, j) {
      table.appendChild(el("tr", {}, [el("th", { text: row })].concat(setup.columns.map(function (column, i) {
        var k = i * setup.rows.length + j, c = setup.cells[k];
        var td = el("td", { text: c.text, title: c.title, tabindex: "0", onclick: function () { post("cell", k, "cell"); }, onkeydown: function (e) { if (e.key === "Enter") { post("cell", k, "cell"); } } });
        td.style.backgroundColor = c.color; td.style.color = c.ink;
        cells[k] = td;
        return td;
      }))));
    });
    table.appendChild(el("tr", {}, [el("th")].concat(setup.columns.map(function (t) { return el("th", { text: t }); }))));
    body.appendChild(el("div", { class: "ssdrnb-bar" }, [el("b", { text: setup.title }), stopButton()]));
    body.appendChild(el("div", { class: "ssdrnb-row" }, [
      el("div", { class: "ssdrnb-side" }, [el("div", { text: setup.yname + " (rows), " + setup.xname + " (columns)" }), el("div", { style: "overflow:auto" }, [table]), code, failure]),
      el("div", { style: "width:402px" }, [plot.node, plot.legend(), status])]));
    return { plot: plot, state: function (s) {
      cells.forEach(function (c, k) { c.classList.toggle("ssdrnb-on", k === s.cell); });
      plot.ringed = s.ringed; code.textContent = s.code;
      plot.move(s.at, s.revision);
    } };
  };

  kinds.scribble = function (setup) {
    var zoom = Math.max(1, Math.min(8, 390 / Math.max(setup.width, setup.height))), w = Math.round(setup.width * zoom), h = Math.round(setup.height * zoom);
    var left = el("canvas", { class: "ssdrnb-fluid", width: w, height: h, style: "cursor:crosshair;touch-action:none" }), right = el("canvas", { class: "ssdrnb-fluid", width: w, height: h });
    var current = 0, radius = 2, stroke = null, last = null, drawing = new Image();
    drawing.onload = function () { paint(); };
    drawing.src = "data:image/png;base64," + setup.image;
    function layer(classes, alpha) {
      var c = el("canvas", { width: setup.width, height: setup.height }), ctx = c.getContext("2d"), image = ctx.createImageData(setup.width, setup.height);
      for (var p = 0; p < classes.length; p++) {
        var k = classes.charCodeAt(p) - 48; // one character per pixel, "/" is none
        if (k < 0) { continue; }
        var rgb = parseInt(setup.colors[k].slice(1), 16);
        image.data.set([rgb >> 16, rgb >> 8 & 255, rgb & 255, alpha], 4 * p);
      }
      ctx.putImageData(image, 0, 0);
      return c;
    }
    function paint() {
      var c = left.getContext("2d");
      c.imageSmoothingEnabled = false;
      c.drawImage(drawing, 0, 0, w, h);
      if (last) { c.drawImage(layer(last.marks, 255), 0, 0, w, h); }
      if (stroke) {
        c.strokeStyle = setup.colors[current]; c.lineWidth = 2 * radius * zoom; c.lineCap = c.lineJoin = "round";
        c.beginPath();
        stroke.forEach(function (q, k) { if (k) { c.lineTo(q[0] * zoom, q[1] * zoom); } else { c.moveTo(q[0] * zoom, q[1] * zoom); c.lineTo(q[0] * zoom, q[1] * zoom); } });
        c.stroke();
      }
      c = right.getContext("2d");
      c.imageSmoothingEnabled = false;
      c.clearRect(0, 0, w, h);
      if (last && last.regions) { c.drawImage(layer(last.regions, 255), 0, 0, w, h); }
    }
    var rewritten = el("div", { class: "ssdrnb-status", role: "status" }); // what a stroke did to known labels
    function where(e) { var b = left.getBoundingClientRect(), f = w / b.width / zoom; return [(e.clientX - b.x) * f, (e.clientY - b.y) * f].map(function (v) { return Math.round(v * 100) / 100; }); }
    left.addEventListener("pointerdown", function (e) { stroke = [where(e)]; try { left.setPointerCapture(e.pointerId); } catch (err) { /* gone */ } paint(); });
    left.addEventListener("pointermove", function (e) { if (stroke && stroke.length < 2000) { stroke.push(where(e)); paint(); } });
    left.addEventListener("pointerup", function () {
      rewritten.textContent = "";
      if (stroke) { post("stroke", { Points: stroke, Radius: radius, Class: current }, "", function (replaced) { rewritten.textContent = "Known labels: " + replaced + "; Undo brings them back"; }); }
      stroke = null;
    });
    var choices = setup.classes.concat(["eraser"]).map(function (name, k) {
      var b = button(name, k < setup.classes.length ? "Draw " + name : "Erase scribbles", function () {
        current = k;
        choices.forEach(function (c, i) { c.setAttribute("aria-pressed", String(i === k)); });
      });
      b.style.borderLeft = "6px solid " + setup.colors[k];
      b.setAttribute("aria-pressed", String(k === 0));
      return b;
    });
    var size = el("input", { type: "range", min: 1, max: 12, value: radius, title: "radius of the brush in pixels", oninput: function () { radius = Number(size.value); } });
    var undo = button("Undo", "Undo the last change (Ctrl+Z)", function () { post("undo", null); }), redo = button("Redo", "Redo the change that was undone last (Ctrl+Shift+Z)", function () { post("redo", null); });
    body.appendChild(el("div", { class: "ssdrnb-bar" }, [el("b", { text: setup.title }), stopButton()]));
    body.appendChild(el("div", { class: "ssdrnb-bar" }, choices.concat([size, undo, redo, button("Clear", "Remove all scribbles", function () { post("clear", null); })], shelfButtons())));
    body.appendChild(el("div", { class: "ssdrnb-row" }, [left, right]));
    var saved = savedLine();
    [rewritten, status, failure, saved].forEach(function (e) { body.appendChild(e); });
    return { saved: saved, last: function () { return last; }, undo: function (again) {
      var b = again ? redo : undo;
      if (!b.disabled) { b.click(); }
    }, state: function (s) {
      last = s;
      undo.disabled = !s.undo; redo.disabled = !s.redo;
      paint();
      drawn(s.revision, true);
    } };
  };

  kinds.progress = function (setup) {
    var bar = el("progress", { max: 1, style: "width:320px" }), text = el("span"), canvas = el("canvas", { class: "ssdrnb-fluid", width: 420, height: 120, style: "display:none" });
    body.appendChild(el("div", { class: "ssdrnb-bar" }, [el("b", { text: setup.title }), bar, text, button("Cancel", "Stop the work", function () { post("cancel", null); })]));
    body.appendChild(canvas);
    body.appendChild(failure);
    return { state: function (s) {
      text.textContent = s.text;
      if (s.share >= 0) { bar.value = s.share; } else { bar.removeAttribute("value"); }
      if (s.curve && s.curve.length > 1) {
        canvas.style.display = "";
        var c = canvas.getContext("2d"), lo = Math.min.apply(null, s.curve), hi = Math.max.apply(null, s.curve), n = s.curve.length;
        c.clearRect(0, 0, 420, 120);
        c.strokeStyle = "#0072b2"; c.lineWidth = 1.5;
        c.beginPath();
        s.curve.forEach(function (v, k) { c.lineTo(4 + 412 * k / (n - 1), 114 - 104 * (hi > lo ? (v - lo) / (hi - lo) : 0.5)); });
        c.stroke();
      }
      drawn(s.revision, true);
    } };
  };

  // JupyterLab changes its theme without reloading the page.
  var themes = new MutationObserver(function () {
    if (view && view.draw) { view.draw(); }
    if (view && view.plot) { view.plot.draw(); }
  });
  themes.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light"] });

  function build(setup) {
    if (!Object.prototype.hasOwnProperty.call(kinds, payload.kind)) { throw new Error("there is no widget " + payload.kind); }
    var v = kinds[payload.kind](setup);
    v.post = post;
    v.title = setup.title;
    root.ssdrnb = v; // for tests, and for a look from the browser's console
    return v;
  }
  root.dataset.state = "connecting";
  hello();
})
