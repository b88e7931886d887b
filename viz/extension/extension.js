// The extension of JupyterLab 4 and Notebook 7: a renderer for the outputs of viz and widgets.
// It takes the data and the pictures from the HTML of an output, and draws them by the scripts
// that install.sh has put here. It also renders notebooks that are not trusted: no script of a
// notebook runs, nothing of it becomes HTML or a style, and data that viz cannot have written
// are refused, see check.js. What is refused stays the static picture with a line of text.
//
// It is a container of webpack's module federation, which JupyterLab asks for its modules.
(function (drawFigure, linkPictures, runWidget, check) {
  "use strict";
  var FIGURE = "application/vnd.ssdrnb.figure.v1+json", WIDGET = "application/vnd.ssdrnb.widget.v1+json";
  var shared; // the modules of JupyterLab

  // An element with an id is a property of the window too. Where the scripts keep something
  // no text of a notebook can be.
  ["echarts", "gonb_comm", "__ssdrnbEngine", "__ssdrnbEngineText", "__ssdrnbHubs", "__ssdrnbInlineGL", "__ssdrnbLoader", "__ssdrnbMended", "__ssdrnbTurn"].forEach(function (name) {
    if (!Object.prototype.hasOwnProperty.call(window, name)) { window[name] = undefined; }
  });

  // --- The parts of an output. ---

  var MARKUP = 1 << 19, TAGS = 1000, TALLEST = 20000, WIDEST = 10000; // what viz itself writes is less
  // sized tells whether a picture in base64 is a PNG of a size that viz makes: a browser unpacks
  // any other too.
  function sized(code) {
    var head = atob(code.slice(0, 32));
    function four(at) { return ((head.charCodeAt(at) * 256 + head.charCodeAt(at + 1)) * 256 + head.charCodeAt(at + 2)) * 256 + head.charCodeAt(at + 3); }
    return head.slice(1, 4) === "PNG" && four(16) <= WIDEST && four(20) <= TALLEST;
  }
  // parts takes the HTML apart without parsing what is long: the data of a figure or widget and
  // the pictures, of which the rest has the numbers. Its scripts are left out.
  function parts(html) {
    var data = [], pictures = [], rest = "", at = 0;
    while (at < html.length) {
      var script = html.indexOf("<script", at), picture = html.indexOf("data:image/png;base64,", at);
      if (picture >= 0 && (script < 0 || picture < script)) {
        var end = html.indexOf('"', picture), code = html.slice(picture + 22, end < 0 ? html.length : end);
        rest += html.slice(at, picture) + "data:," + pictures.length;
        pictures.push(/[^A-Za-z0-9+\/=]/.test(code) || !sized(code) ? "" : "data:image/png;base64," + code);
        at = end < 0 ? html.length : end;
        continue;
      }
      if (script < 0) { rest += html.slice(at); break; }
      var open = html.indexOf(">", script), close = html.indexOf("</" + "script>", open);
      rest += html.slice(at, script);
      if (open < 0 || close < 0) { break; }
      if (/^<script type="application\/json"/.test(html.slice(script, script + 40))) {
        rest += "<hr>"; // the place of the data
        data.push(html.slice(open + 1, close));
      }
      at = close + 9;
    }
    if (rest.length > MARKUP || rest.split("<").length > TAGS || /<[^<>]{8000}/.test(rest)) { throw new Error("it has more markup than ssdrnb writes"); }
    return { data: data, pictures: pictures, rest: rest };
  }
  function between(text, least, most, otherwise) {
    var v = /^[0-9]{1,4}(px)?$/.test(text) ? parseInt(text, 10) : otherwise;
    return Math.min(Math.max(v, least), most);
  }
  // copy returns an element of an output: what holds a figure or widget, a picture, or a line of
  // text. Its styles are those of viz, by its class.
  function copy(from, pictures) {
    var to = document.createElement(from.tagName), width;
    if (from.tagName === "DIV") {
      to.className = from.classList.contains("ssdrnb-widget") ? "ssdrnb-widget" : "ssdrnb-figure";
      if (/^[a-z]{1,20}$/.test(from.dataset.kind)) { to.dataset.kind = from.dataset.kind; }
      if (to.className === "ssdrnb-widget") {
        to.dataset.state = "static";
        if (from.dataset.page === "yes") { to.dataset.page = "yes"; }
      } else {
        width = /px$/.test(from.style.width);
        to.style.width = width ? between(from.style.width, 200, 2000, 700) + "px" : "100%";
        to.style.maxWidth = width ? "100%" : between(from.style.maxWidth, 200, 4000, 1600) + "px";
      }
      to.style.position = "relative";
    } else if (from.tagName === "P") {
      ["ssdrnb-note", "ssdrnb-static"].forEach(function (c) {
        if (from.classList.contains(c)) { to.className = c; Object.assign(to.style, { fontSize: "12px", opacity: 0.75, margin: "2px 0" }); }
      });
      to.textContent = from.textContent;
    } else {
      ["ssdrnb-wide", "ssdrnb-narrow"].forEach(function (c) { if (from.classList.contains(c)) { to.className = c; } });
      to.alt = from.alt;
      if (from.hasAttribute("width")) {
        to.width = between(from.getAttribute("width"), 1, 4000, 700);
        to.style.height = "auto";
        to.style[from.style.width === "100%" ? "width" : "maxWidth"] = "100%";
        if (to.className === "ssdrnb-narrow") { to.style.display = "none"; }
      }
      width = /^data:,([0-9]+)$/.exec(from.getAttribute("src"));
      if (width && pictures[width[1]]) { to.src = pictures[width[1]]; }
    }
    if (from.tagName === "DIV") { Array.from(from.children).forEach(function (c) { if (/^(IMG|P)$/.test(c.tagName)) { to.appendChild(copy(c, pictures)); } }); }
    return to;
  }
  // Small embeddings have the styles of their HTML: the theme's brightness, and the narrow picture.
  var small = '.ssdrnb-figure[data-kind="multiples"]';
  document.head.appendChild(document.createElement("style")).textContent = 'body[data-jp-theme-light="false"] ' + small + ">img{filter:invert(.93) hue-rotate(180deg)}" +
    small + "{container-type:inline-size}@container (max-width:720px){.ssdrnb-figure>.ssdrnb-wide{display:none!important}.ssdrnb-figure>.ssdrnb-narrow{display:inline!important}}";
  // render fills a node with an output of the notebook at path, and starts it.
  function render(node, html, path) {
    var found = parts(html), begin = [], faults = [], place = null;
    node.replaceChildren();
    Array.from(new DOMParser().parseFromString(found.rest, "text/html").body.children).forEach(function (e) {
      if (/^(DIV|P)$/.test(e.tagName)) { node.appendChild(copy(e, found.pictures)); }
      if (e.tagName === "DIV") { place = node.lastChild; }
      if (e.tagName !== "HR") { return; }
      var text = found.data.shift(), mine = place, script = document.createElement("script"), isWidget = mine && mine.className === "ssdrnb-widget";
      place = null; // one for each
      if (!mine || mine !== node.lastChild) { return; }
      try {
        var payload = check(isWidget ? "widgets" : "figures", text);
        if (payload.kind !== mine.dataset.kind) { throw new Error("its data are of another kind"); }
      } catch (fault) { faults.push(fault); return; }
      script.type = "application/json";
      script.className = isWidget ? "" : "ssdrnb-data";
      script.dataset.path = /\.ipynb$/.test(path) ? path : ""; // where selections are stored, whatever the data say
      script.textContent = text;
      node.appendChild(script);
      begin.push(function () { (isWidget ? runWidget : payload.kind === "multiples" ? linkPictures : drawFigure)(script); });
    });
    begin.forEach(function (f) { f(); });
    if (faults.length) { throw faults[0]; }
  }

  function extension(Widget) {
    class Renderer extends Widget {
      constructor(options) {
        super();
        this.resolver = options.resolver;
        this.node.dataset.mimeType = options.mimeType; // as JupyterLab's own renderers do
        this.addClass("jp-RenderedHTMLCommon");
        this.addClass("jp-RenderedHTML");
      }
      renderModel(model) {
        try {
          var path = this.resolver && this.resolver.path || "";
          render(this.node, String(model.data["text/html"] || ""), path.replace(/^[^\/:]*:/, "")); // without the name of a drive
        } catch (e) { // the pictures that are there stay
          var line = this.node.querySelector(".ssdrnb-static") || this.node.appendChild(document.createElement("p")), words = model.data["text/plain"];
          line.textContent = (this.node.querySelector("img[src]") ? "" : (typeof words === "string" ? words.slice(0, 10000) : "") + "\n") + "This output could not be drawn: " + e.message + ".";
          line.style.whiteSpace = "pre-wrap";
        }
        return Promise.resolve();
      }
    }
    return {
      id: "ssdrnb-assets:renderer",
      description: "Draws the figures and runs the widgets of ssdrnb.",
      rendererFactory: { safe: true, mimeTypes: [FIGURE, WIDGET], createRenderer: function (options) { return new Renderer(options); } },
      rank: 10, // before text/html
      dataType: "json"
    };
  }
  var containers = window._JUPYTERLAB = window._JUPYTERLAB || {};
  containers["ssdrnb-assets"] = {
    init: function (scope) { shared = scope; },
    get: function (name) {
      if (name !== "./mimeExtension") { return Promise.reject(new Error("ssdrnb-assets has no module " + name)); }
      var versions = shared["@lumino/widgets"];
      return Promise.resolve(versions[Object.keys(versions)[0]].get()).then(function (module) {
        var made = { default: extension(module().Widget), __esModule: true };
        return function () { return made; };
      });
    }
  };
})
