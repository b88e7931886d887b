import { shelfOf } from "../../viz/js/store.js";
import { Saved } from "./saved.js";

/** Lets promises go on. */
const settle = () => new Promise((go) => setTimeout(go, 5));

/** @param {number} revision @param {string} by */
const content = (revision, by) => JSON.stringify({ revision, by });

describe("widgets of one name", () => {
  /** @type {Map<string, string>} */
  let browser;
  /** @type {Map<string, string>} */
  let server;
  beforeEach(() => {
    browser = new Map();
    server = new Map();
    vi.stubGlobal("localStorage", {
      getItem: (/** @type {string} */ key) => browser.get(key) ?? null,
      setItem: (/** @type {string} */ key, /** @type {string} */ text) => browser.set(key, text),
    });
    vi.stubGlobal("location", { pathname: "/book.html", origin: "http://x" });
    vi.stubGlobal("document", {
      cookie: "",
      querySelector: () => null,
      getElementById: () => null,
      body: { dataset: {} },
    });
    vi.stubGlobal("window", {});
  });
  afterEach(() => vi.unstubAllGlobals());

  /** @param {boolean} [online] a server keeps the content instead of the browser */
  function shelf(online = false) {
    const own = shelfOf("", "book");
    if (!online) return own;
    return {
      ...own,
      held: () => null,
      keep: () => false,
      read: async (/** @type {string} */ name) => server.get(name) ?? null,
      beside: async (/** @type {string} */ name) => server.get(name) ?? null,
      publish: async (/** @type {string} */ name, /** @type {string} */ text) => {
        server.set(name, text);
        return "there";
      },
    };
  }

  /** @param {{ online?: boolean, drawn?: boolean, root?: any }} [how] */
  function widget({ online = false, drawn = true, root = { isConnected: true } } = {}) {
    const told = vi.fn();
    return { root, told, saved: new Saved(shelf(online), "x", root, drawn, told) };
  }

  it("are refused in one page until the first is closed or leaves the page", async () => {
    const [a, b, c] = [widget(), widget(), widget()];
    await a.saved.recall(null);
    await expect(b.saved.recall(null)).rejects.toThrow('"x" open; choose another name');
    a.saved.close();
    await b.saved.recall(null);
    b.root.isConnected = false;
    await c.saved.recall(null);
    b.root.isConnected = true;
    b.saved.keep(content(1, "b"));
    await settle();
    expect(b.told).toHaveBeenLastCalledWith("", true);
    expect(browser.size).toBe(0);
  });

  it("store no options if the name is taken", async () => {
    const [a, b] = [widget(), widget({ drawn: false })];
    await a.saved.recall(null);
    expect(await b.saved.recall(content(3, "cell"))).toBeNull();
    b.saved.keep(content(9, "b"));
    expect([b.saved.name, browser.size]).toEqual(["", 0]);
  });

  it.each([false, true])("in two pages never replace a newer content, with a server: %s", async (online) => {
    const a = widget({ online });
    await a.saved.recall(content(4, "cell"));
    vi.stubGlobal("window", {}); // another page
    const b = widget({ online });
    await b.saved.recall(content(4, "cell"));
    b.saved.keep(content(5, "b"));
    await settle();
    b.saved.keep(content(6, "b"));
    await settle();
    expect(b.told).toHaveBeenLastCalledWith(online ? "in there" : "in this browser", false);
    for (const r of [5, 6, 7]) {
      a.saved.keep(content(r, "a"));
      await settle();
      expect(a.told).toHaveBeenLastCalledWith("", true);
      expect(a.saved.content).toBe(content(r, "a")); // for Export
    }
    expect(await a.saved.recall(null)).toBe(content(7, "a")); // the engine has started again
    a.saved.keep(content(8, "a"));
    await settle();
    expect([...browser.values(), ...server.values()]).toEqual([content(6, "b")]);
    vi.stubGlobal("window", {}); // reloaded
    const again = widget({ online });
    expect(await again.saved.recall(null)).toBe(content(6, "b"));
    again.saved.keep(content(7, "again"));
    await settle();
    expect([...browser.values(), ...server.values()]).toEqual([content(7, "again")]);
  });

  it("go on if the answer of the server is lost", async () => {
    const { saved, told } = widget({ online: true });
    await saved.recall(null);
    const { publish } = saved.shelf;
    for (const r of [1, 2, 3]) {
      saved.shelf.publish = async (name, text) => {
        const at = await publish(name, text);
        return r === 2 ? "" : at;
      };
      saved.keep(content(r, "a"));
      await settle();
      expect(told).toHaveBeenLastCalledWith(r === 2 ? "" : "in there", false);
      expect([...server.values()]).toEqual([content(r, "a")]);
    }
  });
});
