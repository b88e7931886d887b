// Stores named contents, such as selections, for a notebook: at once in the browser's storage and,
// if there is a Jupyter server, in a folder beside the notebook. A content is JSON with a revision,
// the number of its changes. The content with the highest revision is used.
import { jupyter } from "./server.js";

/** @param {unknown} text */
export function revision(text) {
  try {
    const r = JSON.parse(String(text)).revision;
    return typeof r === "number" ? r : -1;
  } catch {
    return -1;
  }
}

/** @param {string} name @param {BlobPart} bytes */
export function download(name, bytes) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([bytes]));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/**
 * ask sends a request to the Jupyter server and returns the decoded answer.
 * @param {string} method @param {string} path @param {unknown} [content] @returns {Promise<any>}
 */
async function ask(method, path, content) {
  const { token, baseUrl } = jupyter() || {};
  /** @type {Record<string, string>} */
  const headers = { "Content-Type": "application/json" };
  const cookie = /(?:^|; *)_xsrf=([^;]*)/.exec(document.cookie);
  if (token) headers.Authorization = `token ${token}`;
  if (cookie) headers["X-XSRFToken"] = decodeURIComponent(cookie[1]);
  const url = new URL(`${(baseUrl || "/").replace(/\/?$/, "/")}api/${path}`, location.origin);
  const r = await fetch(url, {
    method,
    headers,
    credentials: "same-origin",
    cache: "no-store",
    body: content ? JSON.stringify(content) : undefined,
  });
  if (!r.ok) throw new Error(`${r.status} ${r.statusText}`);
  return r.json();
}

const escaped = (/** @type {string} */ path) => path.split("/").map(encodeURIComponent).join("/");

/**
 * shelfOf returns the store of a notebook. The scripts of trusted outputs identify the notebook by
 * its kernel. The extension passes the path of the notebook instead, or "" if it is unknown. It
 * ignores the identifiers in the data, so that an untrusted output cannot access the store of
 * another notebook.
 * @param {string | undefined} kernel @param {string | undefined} notebook @param {string} [path]
 */
export function shelfOf(kernel, notebook, path) {
  /** @type {Promise<string> | null} */
  let folder = null;
  let known = ""; // the folder, once it is located
  if (path !== undefined) {
    kernel = "";
    notebook = path;
  }
  /** @param {string | undefined} of @param {string} name */
  function place(of, name) {
    return jupyter() && !of ? null : `ssdrnb:${jupyter() ? of : location.pathname}:${name}`;
  }
  async function ofSession() {
    const memo = `ssdrnb-notebook:${kernel}`; // a kernel that was shut down has no session
    const mine = (await ask("GET", "sessions")).find(
      (/** @type {any} */ s) => s.kernel && s.kernel.id === kernel,
    );
    if (!mine) return localStorage.getItem(memo) || "";
    try {
      localStorage.setItem(memo, mine.path);
    } catch {
      /* full */
    }
    return /** @type {string} */ (mine.path);
  }
  /** locate returns the path of the notebook's folder on the server, or "" if there is none. */
  function locate() {
    if (!jupyter() || !(kernel || path)) return Promise.resolve("");
    folder ??= (path ? Promise.resolve(path) : ofSession())
      .then((at) => {
        const cut = at.lastIndexOf("/") + 1;
        known = at && `${at.slice(0, cut)}ssdrnb-constraints/${at.slice(cut).replace(/\.ipynb$/, "")}`;
        return known;
      })
      .catch(() => {
        folder = null;
        return "";
      });
    return folder;
  }
  return {
    locate,
    /**
     * key identifies a content within the page. locate must have returned.
     * @param {string} name
     */
    key: (name) => place(known || notebook, name) || name,
    /**
     * held returns what the browser's storage holds, or null.
     * @param {string} name
     */
    held(name) {
      const key = place(known || notebook, name);
      try {
        return key && localStorage.getItem(key);
      } catch {
        return null;
      }
    },
    /**
     * read returns the stored content with the highest revision, or null. found is a content that
     * the cell has found.
     * @param {string} name @param {string | null} found @returns {Promise<string | null>}
     */
    async read(name, found) {
      /** @type {unknown[]} */
      const all = [found, await this.beside(name)];
      try {
        for (const of of [notebook, known]) {
          const key = place(of, name);
          if (key) all.push(localStorage.getItem(key));
        }
      } catch {
        /* not allowed here */
      }
      /** @type {string | null} */
      let newest = null;
      for (const text of all)
        if (typeof text === "string" && revision(text) > revision(newest)) newest = text;
      return newest;
    },
    /**
     * beside returns the content beside the notebook, or null.
     * @param {string} name @returns {Promise<string | null>}
     */
    async beside(name) {
      const f = await locate();
      if (!f) return null;
      return ask("GET", `contents/${escaped(`${f}/${name}.json`)}?content=1&type=file&format=text`).then(
        (m) => m.content,
        () => null,
      );
    },
    /**
     * keep writes a content into the browser's storage. It returns false if that is impossible.
     * @param {string} name @param {string} text
     */
    keep(name, text) {
      const key = place(known || notebook, name);
      try {
        if (key) localStorage.setItem(key, text);
        return !!key;
      } catch {
        return false;
      }
    },
    /**
     * publish writes a content beside the notebook. It returns the path of the file, or "" on
     * failure.
     * @param {string} name @param {string} text
     */
    async publish(name, text) {
      try {
        const f = await locate();
        if (!f) return "";
        const file = `${f}/${name}.json`;
        for (const at of [f.slice(0, f.lastIndexOf("/")), f])
          await ask("PUT", `contents/${escaped(at)}`, { type: "directory" });
        await ask("PUT", `contents/${escaped(file)}`, { type: "file", format: "text", content: text });
        return file;
      } catch {
        return "";
      }
    },
  };
}
