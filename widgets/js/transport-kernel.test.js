import { Conversation } from "./conversation.js";
import { KernelTransport } from "./transport-kernel.js";

/** A kernel behind sockets: it answers the opening of a comm and hands values to the cell. */
const Kernel = {
  /** @type {FakeSocket[]} */
  sockets: [],
  /** What the cell received. @type {any[]} */
  heard: [],
  comm: "",
  /**
   * tell sends a value to all pages, as GoNB does.
   * @param {string} address
   * @param {unknown} value
   */
  tell(address, value) {
    Kernel.raw("comm_msg", { comm_id: Kernel.comm, data: { address, value: JSON.stringify(value) } });
  },
  /** @param {string} type @param {unknown} content */
  raw(type, content) {
    for (const s of Kernel.sockets) {
      s.onmessage?.({ data: JSON.stringify({ msg_type: type, content }) });
    }
  },
};

class FakeSocket {
  readyState = 0;
  /** @type {((e: { data: unknown }) => void) | null} */
  onmessage = null;
  /** @param {string} url */
  constructor(url) {
    this.url = url;
    Kernel.sockets.push(this);
  }
  /** @param {string} text */
  send(text) {
    const { msg_type, content } = JSON.parse(text);
    if (msg_type === "comm_open") {
      Kernel.comm = content.comm_id;
      Kernel.raw("comm_msg", { comm_id: content.comm_id, data: { address: "#comm_open_ack" } });
    } else {
      Kernel.heard.push(content.data);
    }
  }
}

/** @param {string} address */
function open(address) {
  /** @type {KernelTransport} */
  let transport;
  const talk = new Conversation(
    (text) => transport.send(text),
    true,
    () => {},
  );
  const ear = {
    hear: vi.fn(),
    greet: vi.fn(() => talk.greet()),
    die: vi.fn(),
    unable: vi.fn(),
    starting: vi.fn(),
  };
  transport = new KernelTransport("k", address, talk.client, ear);
  return { transport, talk, ear };
}

/** @param {{ transport: KernelTransport }} page @param {number} ms */
function wait(page, ms) {
  for (let t = 0; t < ms; t += 250) {
    vi.advanceTimersByTime(250);
    page.transport.tick();
  }
}

describe("the way to a cell", () => {
  let config = '{"baseUrl": "/user/a b/", "token": "t&t"}';
  beforeEach(() => {
    vi.useFakeTimers();
    Kernel.sockets = [];
    Kernel.heard = [];
    const window = { WebSocket: FakeSocket };
    vi.stubGlobal("window", window);
    vi.stubGlobal("WebSocket", FakeSocket);
    vi.stubGlobal("location", { host: "h:1", origin: "https://h:1", protocol: "https:" });
    vi.stubGlobal("document", {
      getElementById: () => (config ? { textContent: config } : null),
      body: { dataset: {} },
    });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("goes by the page's base URL, protocol and token, once for all widgets", () => {
    const a = open("/a");
    const b = open("/b");
    a.transport.begin();
    b.transport.begin();
    expect(Kernel.sockets).toHaveLength(1);
    expect(Kernel.sockets[0].url).toMatch(
      /^wss:\/\/h:1\/user\/a%20b\/api\/kernels\/k\/channels\?session_id=[0-9a-f]{16}&token=t%26t$/,
    );
  });

  it("opens a comm, greets, and hears what is addressed to its cell", () => {
    const a = open("/a");
    a.transport.begin();
    Kernel.sockets[0].readyState = 1;
    wait(a, 250); // opens the comm
    wait(a, 250);
    expect(Kernel.heard.map((m) => [m.address, JSON.parse(m.value).kind])).toContainEqual(["/a", "hello"]);
    Kernel.tell("/b", { setup: {} });
    expect(a.ear.hear).not.toHaveBeenCalled();
    Kernel.tell("/a", { to: a.talk.client, setup: {} });
    expect(a.ear.hear).toHaveBeenCalledExactlyOnceWith({ to: a.talk.client, setup: {} });
  });

  it("answers the heartbeat of the kernel", () => {
    const a = open("/a");
    a.transport.begin();
    Kernel.sockets[0].readyState = 1;
    wait(a, 250);
    Kernel.raw("comm_msg", { data: { address: "#heartbeat/ping" } });
    expect(Kernel.heard).toContainEqual({ address: "#heartbeat/pong", value: true });
  });

  it("passes over what is no message", () => {
    const a = open("/a");
    a.transport.begin();
    const socket = Kernel.sockets[0];
    for (const data of [
      "",
      "{",
      "null",
      "17",
      '"x"',
      "[]",
      new ArrayBuffer(4),
      '{"msg_type": "comm_msg"}',
      '{"msg_type": "comm_msg", "content": {"data": {"address": "/a", "value": "{"}}}',
      '{"msg_type": "comm_msg", "content": {"data": {"address": "/a", "value": "3"}}}',
      '{"msg_type": "status"}',
    ]) {
      socket.onmessage?.({ data });
    }
    expect(a.ear.hear).not.toHaveBeenCalled();
  });

  it("says that no cell answers, and comes back when one does", () => {
    const a = open("/a");
    a.transport.begin();
    Kernel.sockets[0].readyState = 1;
    wait(a, 3000);
    expect(a.ear.die).toHaveBeenCalledExactlyOnceWith("no cell answers");
    Kernel.heard = [];
    wait(a, 1000);
    expect(Kernel.heard.some((m) => JSON.parse(m.value).kind === "hello")).toBe(true);
    Kernel.tell("/a", { to: a.talk.client, setup: {} });
    wait(a, 1000);
    expect(a.ear.die).toHaveBeenCalledOnce();
    wait(a, 2000);
    expect(a.ear.die).toHaveBeenLastCalledWith("the cell does not answer");
  });

  it("lives on while messages to other pages come", () => {
    const a = open("/a");
    a.transport.begin();
    Kernel.sockets[0].readyState = 1;
    Kernel.tell("/a", { to: a.talk.client, setup: {} });
    for (let k = 0; k < 10; k++) {
      wait(a, 1000);
      Kernel.tell("/a", { to: "another", state: {} });
    }
    expect(a.ear.die).not.toHaveBeenCalled();
  });

  it("does not count the time in which the page was asleep", () => {
    const a = open("/a");
    a.transport.begin();
    Kernel.sockets[0].readyState = 1;
    Kernel.tell("/a", { to: a.talk.client, setup: {} });
    vi.advanceTimersByTime(3600000);
    a.transport.tick();
    expect(a.ear.die).not.toHaveBeenCalled();
  });

  it("tells every widget that the kernel restarted", () => {
    const [a, b] = [open("/a"), open("/b")];
    a.transport.begin();
    b.transport.begin();
    Kernel.raw("status", { execution_state: "restarting" });
    expect(a.ear.die).toHaveBeenCalledWith("the kernel restarted");
    expect(b.ear.die).toHaveBeenCalledWith("the kernel restarted");
  });

  it("hears nothing after it was closed", () => {
    const a = open("/a");
    a.transport.begin();
    a.transport.close();
    Kernel.tell("/a", { setup: {} });
    expect(a.ear.hear).not.toHaveBeenCalled();
  });

  it("says so where there is no server, or no kernel has that name", () => {
    const kept = config;
    config = "";
    const a = open("/a");
    a.transport.begin();
    config = kept;
    expect(a.ear.die).toHaveBeenCalledExactlyOnceWith("this page cannot reach the kernel");
  });
});
