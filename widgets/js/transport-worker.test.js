import { read } from "./engine.js";
import { WorkerTransport } from "./transport-worker.js";

class FakeWorker {
  /** @type {FakeWorker[]} */
  static all = [];
  /** @type {any[]} */
  posted = [];
  ended = false;
  /** @type {((e: { data: unknown }) => void) | null} */
  onmessage = null;
  /** @type {((e: { message: string }) => void) | null} */
  onerror = null;
  constructor() {
    FakeWorker.all.push(this);
  }
  /** @param {unknown} m */
  postMessage(m) {
    this.posted.push(m);
  }
  terminate() {
    this.ended = true;
  }
  /** @param {number} id @param {unknown} m */
  say(id, m) {
    this.onmessage?.({ data: { id, text: JSON.stringify(m) } });
  }
  /** The numbers of the widgets that are open in it. */
  get open() {
    const closed = this.posted.filter((o) => o.id && o.task === undefined && o.text === undefined);
    const opened = this.posted.filter((o) => o.task !== undefined).map((o) => o.id);
    return opened.filter((id) => !closed.some((o) => o.id === id));
  }
}

/** Lets promises go on. */
const settle = () => new Promise((go) => setTimeout(go, 5));

describe("the way to the engine of a page", () => {
  /** @type {any} */
  let page;
  beforeEach(() => {
    FakeWorker.all = [];
    page = {
      __ssdrnbEngine: {
        promise: Promise.resolve({ module: "module", exec: "script" }),
        listeners: new Set([() => {}]), // another widget waits too

        abort() {},
      },
    };
    vi.stubGlobal("window", page);
    vi.stubGlobal("Worker", FakeWorker);
    vi.stubGlobal("document", { querySelector: () => null });
  });
  afterEach(() => vi.unstubAllGlobals());

  function open(recall = async () => /** @type {string | null} */ ("stored")) {
    const ear = { hear: vi.fn(), greet: vi.fn(), die: vi.fn(), unable: vi.fn(), starting: vi.fn() };
    const forget = vi.fn();
    const t = new WorkerTransport(/** @type {any} */ ({}), { kind: "explorer" }, recall, forget, ear);
    return { t, ear, forget };
  }

  it("gives the worker the module, and each widget's task and what is stored", async () => {
    const { t, ear } = open();
    t.begin();
    t.begin();
    await settle();
    expect(FakeWorker.all).toHaveLength(1);
    const [w] = FakeWorker.all;
    expect(w.posted).toEqual([
      { module: "module" },
      { id: 1, task: '{"kind":"explorer"}', stored: "stored" },
    ]);
    t.send("text");
    expect(w.posted[2]).toEqual({ id: 1, text: "text" });
    w.say(1, { ready: true, engine: "SIMD" });
    expect(ear.hear).toHaveBeenCalledWith({ ready: true, engine: "SIMD" });
  });

  it("lets the first widget be ready before the second begins, in the same worker", async () => {
    const [a, b] = [open(), open()];
    a.t.begin();
    b.t.begin();
    await settle();
    expect(FakeWorker.all[0].open).toEqual([1]);
    FakeWorker.all[0].say(1, { ready: true });
    await settle();
    expect(FakeWorker.all).toHaveLength(1);
    expect(FakeWorker.all[0].open).toEqual([1, 2]);
    FakeWorker.all[0].say(2, { busy: true });
    expect(b.ear.hear).toHaveBeenCalledWith({ busy: true });
    expect(a.ear.hear).not.toHaveBeenCalledWith({ busy: true });
  });

  it("ends with the last widget", async () => {
    const [a, b] = [open(), open()];
    a.t.begin();
    await settle();
    FakeWorker.all[0].say(1, { ready: true });
    b.t.begin();
    await settle();
    a.t.close();
    expect([FakeWorker.all[0].ended, FakeWorker.all[0].open]).toEqual([false, [2]]);
    FakeWorker.all[0].say(2, { fatal: "no data" });
    expect(FakeWorker.all[0].ended).toBe(true);
    expect(b.ear.hear).toHaveBeenCalledWith({ fatal: "no data" });
  });

  it("lets the next begin where one was stopped before its turn or the worker fails", async () => {
    const [a, b, c] = [open(), open(), open()];
    a.t.begin();
    b.t.begin();
    c.t.begin();
    await settle();
    b.t.halt();
    FakeWorker.all[0].onerror?.({ message: "out of memory" });
    expect(a.ear.die).toHaveBeenCalledWith("the engine failed, out of memory");
    await settle();
    expect(FakeWorker.all).toHaveLength(2); // of a and c
    FakeWorker.all[1].onmessage?.({ data: { failed: "the engine has ended" } });
    expect(c.ear.die).toHaveBeenCalledWith("the engine has ended");
    expect(a.ear.die).toHaveBeenCalledTimes(1);
  });

  it("gives the engine up where its output is out of the page, and goes on when it is back", async () => {
    const { t, forget } = open();
    t.begin();
    await settle();
    t.tick(240);
    expect(FakeWorker.all[0].ended).toBe(false);
    t.tick(241);
    expect([FakeWorker.all[0].ended, forget.mock.calls.length]).toEqual([true, 1]);
    t.tick(300);
    t.tick(0);
    await settle();
    expect(FakeWorker.all).toHaveLength(2);
    expect(FakeWorker.all[1].ended).toBe(false);
  });

  it("keeps two outputs at most open that are out of the page", async () => {
    const five = [open(), open(), open(), open(), open()];
    for (const [k, { t }] of five.entries()) {
      t.begin();
      await settle();
      FakeWorker.all[0].say(k + 1, { ready: true });
      await settle();
    }
    for (const { t } of five.slice(0, 4)) {
      t.tick(2);
    }
    expect(FakeWorker.all[0].open).toEqual([3, 4, 5]);
    five[0].t.tick(3); // has none any more
    five[2].t.tick(0); // is back, and was open
    five[4].t.tick(2);
    expect(FakeWorker.all[0].open).toEqual([3, 4, 5]);
    five[0].t.tick(0);
    await settle();
    expect(FakeWorker.all[0].open).toEqual([3, 4, 5, 6]);
    for (const { t } of five) {
      t.close();
    }
    expect(FakeWorker.all.map((w) => w.ended)).toEqual([true]);
  });

  it("begins the first widget once it is in the page, where it was not yet", async () => {
    const observe = vi.fn();
    class Observer {
      observe = observe;
    }
    page.IntersectionObserver = Observer;
    vi.stubGlobal("IntersectionObserver", Observer);
    const { t } = open();
    t.begin();
    await settle();
    t.tick(1);
    expect(observe).toHaveBeenCalledTimes(1);
    expect(FakeWorker.all).toHaveLength(0);
    vi.stubGlobal("document", { querySelector: () => t.root });
    t.tick(0);
    await settle();
    expect(FakeWorker.all).toHaveLength(1);
  });

  it("begins again after a stop", async () => {
    const { t } = open();
    t.begin();
    t.halt();
    await settle();
    expect(FakeWorker.all).toHaveLength(0);
    t.begin();
    await settle();
    expect(FakeWorker.all).toHaveLength(1);
  });

  it("says why there is no engine", async () => {
    page.__ssdrnbEngine.promise = Promise.reject(new Error("this page holds no engine"));
    const { t, ear } = open();
    t.begin();
    await settle();
    expect(ear.unable).toHaveBeenCalledWith("The controls are not live: this page holds no engine.");
  });
});

describe("the download of the engine", () => {
  /** @param {Record<string, string>} headers */
  async function told(headers) {
    const body = new ReadableStream({
      start(c) {
        c.enqueue(new Uint8Array(1500000));
        c.enqueue(new Uint8Array(500000));
        c.close();
      },
    });
    /** @type {[string, number][]} */
    const said = [];
    const parts = await read(new Response(body, { headers }), (text, share) => said.push([text, share]));
    expect(parts.map((p) => p.byteLength)).toEqual([1500000, 500000]);
    return said;
  }
  it("tells how much is there", async () => {
    expect(await told({ "Content-Length": "2000000" })).toEqual([
      ["Loading the engine, 1.5 of 2.0 MB", 0.75],
      ["Loading the engine, 2.0 of 2.0 MB", 1],
    ]);
  });
  it("where the server does not say how much there is, too", async () => {
    expect(await told({})).toEqual([
      ["Loading the engine, 1.5 MB", -1],
      ["Loading the engine, 2.0 MB", -1],
    ]);
  });
});
