// What figures and widgets share: the Jupyter server of the page, the store of what readers draw,
// and files.

import { jupyter } from "../../viz/js/server.js";

/**
 * revision returns the number of changes that led to a content, −1 for none.
 * @param {string | null} text
 */
export function revision(text) {
  try {
    const r = JSON.parse(text || "").revision;
    return typeof r === "number" ? r : -1;
  } catch {
    return -1;
  }
}

/**
 * download saves bytes as a file.
 * @param {string} name
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
export function download(name, bytes) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([bytes]));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** @param {string} path */
const escaped = (path) => path.split("/").map(encodeURIComponent).join("/");

/**
 * ask asks the server's interface.
 * @param {string} method
 * @param {string} path
 * @param {unknown} [content]
 */
async function ask(method, path, content) {
  const server = jupyter() || {};
  /** @type {Record<string, string>} */
  const headers = { "Content-Type": "application/json" };
  const cookie = /(?:^|; *)_xsrf=([^;]*)/.exec(document.cookie);
  if (server.token) {
    headers.Authorization = `token ${server.token}`;
  }
  if (cookie) {
    headers["X-XSRFToken"] = decodeURIComponent(cookie[1]);
  }
  const url = new URL(`${(server.baseUrl || "/").replace(/\/?$/, "/")}api/${path}`, location.origin);
  const body = content === undefined ? undefined : JSON.stringify(content);
  const r = await fetch(url, { method, headers, credentials: "same-origin", cache: "no-store", body });
  if (!r.ok) {
    throw new Error(`${r.status} ${r.statusText}`);
  }
  return r.json();
}

/**
 * shelfOf keeps contents by name for a notebook: in the browser's storage at once, and in a
 * folder beside the notebook where there is a Jupyter server. A content is JSON with the number of
 * its changes; the newest counts. The notebook is that of a kernel, by what its own script says.
 * Where the extension draws, it is that at path on the server, "" if that is not known, whatever
 * the data say: the store of another notebook is out of reach.
 * @param {string} kernel
 * @param {string | undefined} notebook
 * @param {string | undefined} path
 */
export function shelfOf(kernel, notebook, path) {
  const mine = path === undefined ? kernel : "";
  const named = path === undefined ? notebook : path;
  let known = ""; // the folder, once it is located
  /** @type {Promise<string> | null} */
  let folder = null;

  /**
   * @param {string | undefined} of
   * @param {string} name
   */
  const place = (of, name) =>
    jupyter() && !of ? null : `ssdrnb:${jupyter() ? of : location.pathname}:${name}`;

  async function ofKernel() {
    const memo = `ssdrnb-notebook:${mine}`; // a kernel that was shut down has no session
    const list = await ask("GET", "sessions");
    const session = list.find((/** @type {any} */ s) => s.kernel && s.kernel.id === mine);
    if (session) {
      try {
        localStorage.setItem(memo, session.path);
      } catch {
        // full
      }
      return session.path;
    }
    return localStorage.getItem(memo) || "";
  }
  /** locate finds the path of the notebook's folder on the server, "" where there is none. */
  async function locate() {
    if (!jupyter() || (!mine && !path)) {
      return "";
    }
    folder = folder || (path ? Promise.resolve(path) : ofKernel());
    try {
      const at = await folder;
      const cut = at.lastIndexOf("/") + 1;
      known = at && `${at.slice(0, cut)}ssdrnb-constraints/${at.slice(cut).replace(/\.ipynb$/, "")}`;
      return known;
    } catch {
      folder = null;
      return "";
    }
  }
  return {
    /**
     * read gives the newest of what is stored and of what the cell has found, or null.
     * @param {string} name
     * @param {string | null} found
     * @returns {Promise<string | null>}
     */
    async read(name, found) {
      const f = await locate();
      const contents = [found];
      if (f) {
        const url = `contents/${escaped(`${f}/${name}.json`)}?content=1&type=file&format=text`;
        contents.push(
          await ask("GET", url).then(
            (m) => m.content,
            () => null,
          ),
        );
      }
      try {
        for (const of of [named, known]) {
          const key = place(of, name);
          contents.push(key ? localStorage.getItem(key) : null);
        }
      } catch {
        // not allowed here
      }
      /** @type {string | null} */
      let newest = null;
      for (const text of contents) {
        if (typeof text === "string" && revision(text) > revision(newest)) {
          newest = text;
        }
      }
      return newest;
    },
    /**
     * keep puts a content into the browser's storage and returns whether it is there.
     * @param {string} name
     * @param {string} text
     */
    keep(name, text) {
      try {
        const key = place(known || named, name);
        if (key) {
          localStorage.setItem(key, text);
        }
        return Boolean(key);
      } catch {
        return false;
      }
    },
    /**
     * publish puts a content beside the notebook and gives the path of its file, "" where it
     * cannot.
     * @param {string} name
     * @param {string} text
     */
    async publish(name, text) {
      const f = await locate();
      if (!f) {
        return "";
      }
      const file = `${f}/${name}.json`;
      try {
        await ask("PUT", `contents/${escaped(f.slice(0, f.lastIndexOf("/")))}`, { type: "directory" });
        await ask("PUT", `contents/${escaped(f)}`, { type: "directory" });
        await ask("PUT", `contents/${escaped(file)}`, { type: "file", format: "text", content: text });
        return file;
      } catch {
        return "";
      }
    },
  };
}

/**
 * encloses says whether a point lies inside a line that the reader has drawn.
 * @param {[number, number][]} path
 * @param {number} x
 * @param {number} y
 */
export function encloses(path, x, y) {
  let odd = false;
  for (let a = 0, b = path.length - 1; a < path.length; b = a++) {
    const [ax, ay] = path[a];
    const [bx, by] = path[b];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) {
      odd = !odd;
    }
  }
  return odd;
}
