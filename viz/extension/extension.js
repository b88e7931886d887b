// The extension of JupyterLab 4 and Notebook 7: a renderer for the outputs of viz and widgets.
// It takes the data and the pictures from the HTML of an output, and draws them by the scripts
// that install.sh has put here. No script of a notebook runs, and nothing in its data becomes
// HTML, so it also renders notebooks that are not trusted.
//
// It is a container of webpack's module federation, which JupyterLab asks for its modules.
(function (drawFigure, linkPictures, runWidget) {
  "use strict";
  var FIGURE = "application/vnd.ssdrnb.figure.v1+json", WIDGET = "application/vnd.ssdrnb.widget.v1+json";
  var shared; // the modules of JupyterLab

  // An element with an id is a property of the window too. Where the scripts keep something
  // no text of a notebook can be.
  ["echarts", "gonb_comm", "__ssdrnbEngine", "__ssdrnbEngineText", "__ssdrnbHubs", "__ssdrnbInlineGL", "__ssdrnbLoader", "__ssdrnbMended", "__ssdrnbTurn"].forEach(function (name) {
    if (!Object.prototype.hasOwnProperty.call(window, name)) { window[name] = undefined; }
  });

  // The keys that viz writes. What ECharts knows besides includes links and HTML.
  var KEYS = new Set(("above align alpha animation at autoRotate axisLabel axisLine axisPointer axisTick barCategoryGap barGap below beside beta borderColor borderWidth bounds " +
    "boxDepth boxHeight boxWidth calculable center clip code color colors coords coordinateSystem count customValues data dataShape dataZoom dimension distance draw encode extra facts filterMode " +
    "fontSize fontWeight foot formatter from gap gl grades grid3D grid3DIndex gridIndex h head height hideOverlap high hoverLink icon image inRange interval inverse itemGap itemStyle itemWidth kept " +
    "keys kind label labelLayout labelled layout least left legend length lineHeight lineStyle look looks many margin max middles min minInterval most n name nameGap nameLocation names nameTextStyle narrow of onZero opacity " +
    "option order orient outer overflow panel panels points position precision print progressive range ratio right rotate rows samples scale selectedMode series seriesIndex shading sheet sheets short show showMaxLabel showMinLabel " +
    "side silent span spans splitLine splitNumber spread stops symbol symbols symbolSize text textBorderColor textBorderWidth textGap textStyle tight tiles title to tones tooltip top trigger triggerTooltip " +
    "type value values viewControl visualMap w wide width wireframe x xAxis xAxis3D xAxisIndex y yAxis yAxis3D yAxisIndex z zAxis3D").split(" "));
  // data returns the data of a figure without what viz does not write: v is the value of key.
  function data(v, key) {
    if (typeof v === "string") { return fits(key, v) ? v : null; }
    if (Array.isArray(v)) { return v.map(function (one) { return data(one, key); }); }
    if (v === null || typeof v !== "object") { return v; }
    var out = {};
    Object.keys(v).forEach(function (k) {
      if (!KEYS.has(k) || /^(formatter|image)$/.test(k) && typeof v[k] !== "string" || typeof v[k] === "string" && !fits(k, v[k])) { return; }
      out[k] = data(v[k], k);
    });
    return out;
  }
  // fits tells whether a text may be the value of a key. ECharts fetches symbols that name an
  // address, and copies colours and fonts into the CSS of its hover card.
  function fits(key, text) {
    if (key === "formatter") { return text === "{b}"; }
    if (key === "image") { return picture(text); }
    if (/^(symbols?|icon)$/.test(key)) { return /^(none|circle|rect|roundRect|triangle|diamond|pin|arrow|path:\/\/[\w .,-]*)$/.test(text); }
    return !/color|^(align|border|font|line)/i.test(key) || /^[\w@#(),.% -]*$/.test(text);
  }
  function picture(address) { return /^data:image\/(png|jpeg);base64,[A-Za-z0-9+\/=]*$/.test(address); }
  // task returns the payload of a widget that the page computes. It writes files by its name.
  function task(v) {
    var name = v.page.name;
    if (typeof name !== "string" || name.length > 100 || /[\/\\:\x00-\x1f]|^\./.test(name)) { throw new Error("a widget cannot be called " + JSON.stringify(name)); }
    return v;
  }

  // copy returns an element of an output: a picture, a line of text, or what holds them.
  function copy(from) {
    var to = document.createElement(from.tagName);
    from.classList.forEach(function (c) { if (/^ssdrnb-[a-z]+$/.test(c)) { to.classList.add(c); } });
    ["kind", "page", "state"].forEach(function (k) { if (from.dataset[k]) { to.dataset[k] = from.dataset[k]; } });
    ["width", "maxWidth", "height", "display", "margin", "fontSize", "opacity"].forEach(function (k) { to.style[k] = from.style[k]; });
    if (to.tagName === "DIV") { to.style.position = "relative"; }
    if (to.tagName === "IMG") {
      to.alt = from.alt;
      if (from.hasAttribute("width")) { to.width = from.width; }
      if (picture(from.getAttribute("src"))) { to.src = from.getAttribute("src"); }
    }
    from.childNodes.forEach(function (c) {
      if (c.nodeType === Node.TEXT_NODE) { to.appendChild(document.createTextNode(c.data)); } else if (/^(IMG|P)$/.test(c.tagName)) { to.appendChild(copy(c)); }
    });
    return to;
  }
  // Small embeddings have the styles of their HTML: the theme's brightness, and the narrow picture.
  var small = '.ssdrnb-figure[data-kind="multiples"]';
  document.head.appendChild(document.createElement("style")).textContent = 'body[data-jp-theme-light="false"] ' + small + ">img{filter:invert(.93) hue-rotate(180deg)}" +
    small + "{container-type:inline-size}@container (max-width:720px){.ssdrnb-figure>.ssdrnb-wide{display:none!important}.ssdrnb-figure>.ssdrnb-narrow{display:inline!important}}";
  // render fills a node with an output of the notebook at path, and starts it.
  function render(node, html, path) {
    var begin = [];
    node.replaceChildren();
    Array.from(new DOMParser().parseFromString(html, "text/html").body.children).forEach(function (e) {
      if (/^(DIV|P)$/.test(e.tagName)) { node.appendChild(copy(e)); }
      if (e.tagName !== "SCRIPT" || e.type !== "application/json") { return; }
      var place = node.lastElementChild, isWidget = place.classList.contains("ssdrnb-widget"), payload = JSON.parse(e.textContent), script = document.createElement("script");
      script.type = e.type;
      script.className = e.className && "ssdrnb-data";
      ["kernel", "notebook"].forEach(function (k) { if (e.dataset[k]) { script.dataset[k] = e.dataset[k]; } }); // where selections are stored
      if (/\.ipynb$/.test(path)) { script.dataset.path = path; }
      script.textContent = JSON.stringify(isWidget ? task(payload) : data(payload));
      node.appendChild(script);
      begin.push(function () { (isWidget ? runWidget : place.dataset.kind === "multiples" ? linkPictures : drawFigure)(script); });
    });
    begin.forEach(function (f) { f(); });
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
          var line = this.node.appendChild(document.createElement("p"));
          line.textContent = (this.node.querySelector("img[src]") ? "" : (model.data["text/plain"] || "") + "\n") + "This output could not be drawn: " + e.message;
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
