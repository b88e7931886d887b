// The conversation of a widget with its engine or cell: numbered messages, one at a time, over any
// transport.

/**
 * @typedef {import("./types.js").Message} Message
 * @typedef {import("./types.js").Post} Post
 */

/** @typedef {Post & { kind: string, body: unknown, seq: number, tries: number, timer?: ReturnType<typeof setTimeout> }} Letter */

const AGAIN = 700; // ms after which an unanswered message is sent again
const TRIES = 20;

/** random returns 16 hexadecimal digits. */
export function random() {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return Array.from(bytes, (v) => v.toString(16).padStart(2, "0")).join("");
}

export class Conversation {
  /** The name of this end. */
  client = random();
  /** The time of the reader's last request, by performance.now(). */
  wished = 0;
  #seq = 0;
  /** @type {Letter[]} */
  #queue = [];
  /** @type {Letter | null} */
  #inflight = null;
  #live = false;
  #lossy;
  #send;

  /**
   * @param {(text: string) => void} send
   * @param {boolean} lossy whether messages may be lost, so that they are sent again
   */
  constructor(send, lossy) {
    this.#send = send;
    this.#lossy = lossy;
  }

  /**
   * @param {string} kind
   * @param {number} seq
   * @param {unknown} [body]
   */
  #transmit(kind, seq, body = null) {
    this.#send(JSON.stringify({ client: this.client, seq, kind, body }));
  }

  #next() {
    if (this.#inflight || !this.#live) {
      return;
    }
    const letter = this.#queue.shift();
    if (letter) {
      this.#inflight = letter;
      letter.seq = ++this.#seq;
      this.#attempt(letter);
    }
  }

  /** @param {Letter} letter */
  #attempt(letter) {
    if (this.#inflight !== letter) {
      return;
    }
    if (letter.tries++ > TRIES) {
      this.#inflight = null;
      letter.taken?.();
      this.#next();
      return;
    }
    this.#transmit(letter.kind, letter.seq, letter.body);
    if (this.#lossy) {
      letter.timer = setTimeout(() => this.#attempt(letter), AGAIN);
    }
  }

  /**
   * post sends a message when those before have arrived.
   * @param {string} kind
   * @param {unknown} body
   * @param {Post} [how]
   */
  post(kind, body, how = {}) {
    this.wished = performance.now();
    if (how.key) {
      this.#queue = this.#queue.filter((letter) => letter.key !== how.key);
    }
    this.#queue[how.urgent ? "unshift" : "push"]({ ...how, kind, body, seq: 0, tries: 0 });
    this.#next();
  }

  /**
   * waiting reports whether a message with this key has not arrived yet.
   * @param {string} key
   */
  waiting(key) {
    return this.#inflight?.key === key || this.#queue.some((letter) => letter.key === key);
  }

  /** greet asks for setup and state. */
  greet() {
    this.#transmit("hello", this.#inflight ? this.#inflight.seq - 1 : this.#seq);
  }

  /** repeat sends the message on its way again, to an engine that has begun. */
  repeat() {
    if (this.#inflight) {
      this.#transmit(this.#inflight.kind, this.#inflight.seq, this.#inflight.body);
    }
  }

  /** pong answers a ping. */
  pong() {
    this.#transmit("pong", 0);
  }

  /** live sends the waiting messages, and dead holds them back. */
  live() {
    this.#live = true;
    this.#next();
  }

  dead() {
    this.#live = false;
  }

  /** forget gives up the message on its way, with the engine that it went to. */
  forget() {
    clearTimeout(this.#inflight?.timer);
    this.#inflight = null;
  }

  /**
   * acknowledged handles the answer to the pending message; refuse is called with an error.
   * @param {Message} m
   * @param {(why: string) => void} refuse
   */
  acknowledged(m, refuse) {
    const letter = this.#inflight;
    if (m.ack === undefined || !letter || letter.seq !== m.ack) {
      return;
    }
    clearTimeout(letter.timer);
    this.#inflight = null;
    if (m.error) {
      refuse(m.error);
    } else if (m.reply) {
      letter.reply?.(m.reply);
    }
    letter.taken?.();
    this.#next();
  }
}
