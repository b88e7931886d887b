// The connection to the cell that serves a widget, through the kernel's WebSocket on the Jupyter
// server. All widgets of a page share one connection to each kernel.

import { jupyter } from "../../viz/js/server.js";
import { random } from "./conversation.js";

/**
 * @typedef {import("./types.js").Ear} Ear
 * @typedef {import("./types.js").Message} Message
 * @typedef {import("./types.js").Transport} Transport
 */

/** @typedef {{ address: string, hear: (m: Message) => void }} Listener */

/**
 * A connection to a kernel: a socket with its listeners. The scripts of all outputs share it.
 * @typedef {object} Hub
 * @property {WebSocket} socket
 * @property {string | null} comm identifier of the open comm
 * @property {number} opened time at which a comm was last requested or opened
 * @property {Map<string, Listener>} listeners by the names of the clients
 * @property {() => void} open requests a comm
 * @property {(address: string, value: unknown) => void} send
 */

/** @typedef {{ subscribe(address: string, f: () => void): void }} GoNB */

/** @typedef {Window & { __ssdrnbHubs?: Record<string, Hub>, __ssdrnbMended?: boolean, gonb_comm?: GoNB }} Page */

const SILENT = 2400; // ms without a message from the cell, after which the controls count as dead
const OPENING = 1200; // ms between two openings of a comm: GoNB's own script opens one too
const HOPE = 70000; // ms in which a dead cell may come back

const page = () => /** @type {Page} */ (window);

/**
 * mend redirects GoNB's own script to the right address. It connects to ws:// at the root path,
 * which fails with https or another base path.
 * @param {string} right
 */
function mend(right) {
  const wrong = `ws://${location.host}/api/kernels/`;
  if (page().__ssdrnbMended || right === wrong) {
    return;
  }
  page().__ssdrnbMended = true;
  window.WebSocket = new Proxy(window.WebSocket, {
    construct(target, given) {
      const [address, ...rest] = given;
      const url = String(address);
      return Reflect.construct(target, [
        url.startsWith(wrong) ? right + url.slice(wrong.length) : address,
        ...rest,
      ]);
    },
  });
}

/**
 * hubOf returns the page's connection to a kernel, null if there is no server.
 * @param {string} kernel
 * @returns {Hub | null}
 */
export function hubOf(kernel) {
  page().__ssdrnbHubs = page().__ssdrnbHubs || {};
  const hubs = /** @type {Record<string, Hub>} */ (page().__ssdrnbHubs);
  const known = Object.hasOwn(hubs, kernel) ? hubs[kernel] : null;
  if (known && known.socket.readyState <= 1) {
    return known;
  }
  const server = jupyter();
  if (!server || !kernel) {
    return null;
  }
  const session = random();
  const url = new URL(`${(server.baseUrl || "/").replace(/\/?$/, "/")}api/kernels/`, location.origin);
  url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  mend(url.href);
  const token = server.token ? `&token=${encodeURIComponent(server.token)}` : "";
  const socket = new WebSocket(`${url.href}${kernel}/channels?session_id=${session}${token}`);
  /**
   * @param {string} type
   * @param {unknown} content
   */
  function raw(type, content) {
    if (socket.readyState !== 1) {
      return;
    }
    const name = random();
    const header = {
      msg_id: name,
      msg_type: type,
      session,
      username: "",
      version: "5.3",
      date: new Date().toISOString(),
    };
    socket.send(
      JSON.stringify({
        channel: "shell",
        parent_header: {},
        metadata: {},
        buffers: [],
        content,
        header,
        msg_id: name,
        msg_type: type,
      }),
    );
  }
  /** @type {Hub} */
  const hub = {
    socket,
    comm: null,
    opened: 0,
    listeners: known ? known.listeners : new Map(),
    open() {
      raw("comm_open", { comm_id: random(), target_name: "gonb_comm", kernel_id: kernel, data: {} });
    },
    send(address, value) {
      if (hub.comm) {
        raw("comm_msg", { comm_id: hub.comm, data: { address, value } });
      }
    },
  };
  socket.onmessage = (event) => receive(hub, event.data);
  hubs[kernel] = hub;
  return hub;
}

/**
 * parse returns the object in a JSON text, or null if there is none.
 * @param {unknown} text
 * @returns {any}
 */
function parse(text) {
  try {
    const v = typeof text === "string" ? JSON.parse(text) : null;
    return typeof v === "object" ? v : null;
  } catch {
    return null;
  }
}

/**
 * receive handles a message from the kernel.
 * @param {Hub} hub
 * @param {unknown} text
 */
function receive(hub, text) {
  const m = parse(text);
  const content = m?.content || {};
  if (m?.msg_type === "status" && /^(restarting|dead)$/.test(content.execution_state)) {
    hub.comm = null;
    for (const l of [...hub.listeners.values()]) {
      l.hear({ lost: "the kernel restarted" });
    }
  }
  if (m?.msg_type !== "comm_msg" || !content.data) {
    return;
  }
  // Every page of this kernel receives every answer. The kernel uses only the newest comm (message
  // channel of Jupyter) that any page has opened.
  const { address, value } = content.data;
  if (address === "#comm_open_ack") {
    hub.comm = content.comm_id;
    hub.opened = Date.now();
  } else if (address === "#heartbeat/ping") {
    hub.send("#heartbeat/pong", true);
  } else {
    const heard = parse(value);
    for (const l of heard ? [...hub.listeners.values()] : []) {
      if (l.address === address) {
        l.hear(heard);
      }
    }
  }
}

/** @implements {Transport} */
export class KernelTransport {
  lossy = true;
  remedy = "Run the cell again for new ones.";
  #silence = 0;
  #ticked = Date.now();
  #since = Date.now();
  /** @type {GoNB | undefined} */
  #told;
  /** @type {"connecting" | "live" | "dead"} */
  #state = "connecting";

  /**
   * @param {string} kernel
   * @param {string} address of the widget in its cell
   * @param {string} client
   * @param {Ear} ear
   */
  constructor(kernel, address, client, ear) {
    this.kernel = kernel;
    this.address = address;
    this.client = client;
    this.ear = ear;
  }

  begin() {
    const hub = hubOf(this.kernel);
    if (!hub) {
      this.#die("this page cannot reach the kernel");
      return;
    }
    hub.listeners.set(this.client, { address: this.address, hear: (m) => this.#hear(m) });
    const gonb = page().gonb_comm;
    if (gonb && gonb !== this.#told) {
      this.#told = gonb;
      gonb.subscribe(this.address, () => {}); // its script logs an error for an address without a subscriber
    }
    if (hub.socket.readyState !== 1) {
      return;
    }
    const now = Date.now();
    if (now - hub.opened > OPENING) {
      hub.opened = now;
      hub.open();
    }
    this.ear.greet();
  }

  /** @param {string} text */
  send(text) {
    hubOf(this.kernel)?.send(this.address, text);
  }

  /** @param {Message} m */
  #hear(m) {
    if (m.lost) {
      this.#die(m.lost);
      return;
    }
    this.#silence = 0;
    if (m.setup && (!m.to || m.to === this.client)) {
      this.#state = "live";
    }
    this.ear.hear(m);
    if (m.ping && (this.#state !== "live" || page().gonb_comm !== this.#told)) {
      this.begin();
    }
  }

  /** @param {string} reason */
  #die(reason) {
    this.#state = "dead";
    this.#since = Date.now();
    this.ear.die(reason);
  }

  tick() {
    // A page that was busy or asleep has received nothing. Each tick counts at most 500 ms.
    const now = Date.now();
    this.#silence += Math.min(now - this.#ticked, 500);
    this.#ticked = now;
    if (this.#state === "live") {
      if (this.#silence > SILENT) {
        this.#die("the cell does not answer");
      }
      return;
    }
    if (this.#state !== "dead" && this.#silence > SILENT) {
      this.#die("no cell answers");
    }
    if (this.#state !== "dead" || now - this.#since < HOPE) {
      this.begin();
    }
  }

  halt() {}

  close() {
    const hubs = page().__ssdrnbHubs;
    if (hubs && Object.hasOwn(hubs, this.kernel)) {
      hubs[this.kernel].listeners.delete(this.client);
    }
  }
}
