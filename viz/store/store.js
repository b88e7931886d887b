  // shelfOf keeps contents by name for a notebook: in the browser's storage at once, and in a
  // folder beside the notebook where there is a Jupyter server. A content is JSON with the number
  // of its changes; the newest counts. The notebook is that of a kernel, by what its own script
  // says. Where the extension draws, it is that at path on the server, "" if that is not known,
  // whatever the data say: the store of another notebook is out of reach.
  function jupyter() {
    var tag = document.getElementById("jupyter-config-data");
    if (tag) { try { return JSON.parse(tag.textContent); } catch (e) { return null; } }
    return document.body.dataset.baseUrl ? { baseUrl: document.body.dataset.baseUrl } : null;
  }
  function revision(text) {
    try { var r = JSON.parse(text).revision; return typeof r === "number" ? r : -1; } catch (e) { return -1; }
  }
  function download(name, bytes) {
    var link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([bytes]));
    link.download = name;
    link.click();
    setTimeout(function () { URL.revokeObjectURL(link.href); }, 1000);
  }
  function shelfOf(kernel, notebook, path) {
    var folder = null, known = ""; // known is the folder, once it is located
    if (path !== undefined) { kernel = ""; notebook = path; }
    function place(of, name) { return jupyter() && !of ? null : "ssdrnb:" + (jupyter() ? of : location.pathname) + ":" + name; }
    function ask(method, path, content) {
      var c = jupyter(), headers = { "Content-Type": "application/json" }, cookie = /(?:^|; *)_xsrf=([^;]*)/.exec(document.cookie);
      if (c.token) { headers.Authorization = "token " + c.token; }
      if (cookie) { headers["X-XSRFToken"] = decodeURIComponent(cookie[1]); }
      return fetch(new URL((c.baseUrl || "/").replace(/\/?$/, "/") + "api/" + path, location.origin), { method: method, headers: headers, credentials: "same-origin", cache: "no-store", body: content && JSON.stringify(content) })
        .then(function (r) { if (!r.ok) { throw new Error(r.status + " " + r.statusText); } return r.json(); });
    }
    function escaped(path) { return path.split("/").map(encodeURIComponent).join("/"); }
    // locate finds the path of the notebook's folder on the server, "" where there is none.
    function locate() {
      if (!jupyter() || !kernel && !path) { return Promise.resolve(""); }
      var memo = "ssdrnb-notebook:" + kernel; // a kernel that was shut down has no session
      folder = folder || (path ? Promise.resolve(path) : ask("GET", "sessions").then(function (list) {
        var mine = list.find(function (s) { return s.kernel && s.kernel.id === kernel; });
        if (mine) { try { localStorage.setItem(memo, mine.path); } catch (e) { /* full */ } }
        return mine ? mine.path : localStorage.getItem(memo) || "";
      })).then(function (at) {
        var cut = at.lastIndexOf("/") + 1;
        known = at && at.slice(0, cut) + "ssdrnb-constraints/" + at.slice(cut).replace(/\.ipynb$/, "");
        return known;
      }).catch(function () { folder = null; return ""; });
      return folder;
    }
    return {
      locate: locate,
      // read gives the newest of what is stored and of what the cell has found, or null.
      read: function (name, found) {
        return locate().then(function (f) {
          return f && ask("GET", "contents/" + escaped(f + "/" + name + ".json") + "?content=1&type=file&format=text").then(function (m) { return m.content; }, function () { return null; });
        }).then(function (there) {
          var here = [], newest = null;
          try { here = [notebook, known].map(function (of) { return place(of, name); }).filter(Boolean).map(function (key) { return localStorage.getItem(key); }); } catch (e) { /* not allowed here */ }
          [found, there].concat(here).forEach(function (text) { if (typeof text === "string" && revision(text) > revision(newest)) { newest = text; } });
          return newest;
        });
      },
      // keep puts a content into the browser's storage and returns whether it is there.
      keep: function (name, text) {
        var key = place(known || notebook, name);
        try { if (key) { localStorage.setItem(key, text); } return !!key; } catch (e) { return false; }
      },
      // publish puts a content beside the notebook and gives the path of its file, "" where
      // it cannot.
      publish: function (name, text) {
        return locate().then(function (f) {
          if (!f) { return ""; }
          var root = f.slice(0, f.lastIndexOf("/")), file = f + "/" + name + ".json";
          return ask("PUT", "contents/" + escaped(root), { type: "directory" })
            .then(function () { return ask("PUT", "contents/" + escaped(f), { type: "directory" }); })
            .then(function () { return ask("PUT", "contents/" + escaped(file), { type: "file", format: "text", content: text }); })
            .then(function () { return file; });
        }).catch(function () { return ""; });
      }
    };
  }
  // styled gives an element styles, one property at a time. Colours of data are not among them,
  // and what would fetch something is left out.
  function styled(e, text) {
    text.split(";").forEach(function (one) {
      var at = one.indexOf(":"), value = one.slice(at + 1).trim();
      if (at > 0 && !/url|image|\\/i.test(value)) { e.style.setProperty(one.slice(0, at).trim(), value); }
    });
  }
  // encloses says whether a point lies inside a line that the reader has drawn.
  function encloses(path, x, y) {
    for (var odd = false, a = 0, b = path.length - 1; a < path.length; b = a++) {
      if ((path[a][1] > y) !== (path[b][1] > y) && x < (path[b][0] - path[a][0]) * (y - path[a][1]) / (path[b][1] - path[a][1]) + path[a][0]) { odd = !odd; }
    }
    return odd;
  }
