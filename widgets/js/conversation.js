// The numbered messages of a widget to its engine or cell. Each is sent after the previous one has
// been acknowledged.

/**
 * @typedef {import("./types.js").Message} Message
 * @typedef {import("./types.js").Post} Post
 */

/** A message to send. @typedef {Post & { kind: string, body: unknown, seq: number, tries: number, timer?: ReturnType<typeof setTimeout> }} Letter */

const AGAIN = 700; // ms after which an unanswered message is sent again
const TRIES = 20;

/** random returns 16 hexadecimal digits. */
export function random() {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return Array.from(bytes, (v) => v.toString(16).padStart(2, "0")).join("");
}

export class Conversation {
  /** The random name of this widget in messages. */
  client = random();
  /** Time of the last message posted, by performance.now(). */
  wished = 0;
  #seq = 0;
  /** @type {Letter[]} */
  #queue = [];
  /** @type {Letter | null} */
  #inflight = null;
  #live = false;
  #lossy;
  #send;
  #refuse;

  /**
   * @param {(text: string) => void} send
   * @param {boolean} lossy messages may be lost; unacknowledged messages are then sent again
   * @param {(why: string) => void} refuse receives why a message had no effect
   */
  constructor(send, lossy, refuse) {
    this.#send = send;
    this.#lossy = lossy;
    this.#refuse = refuse;
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

  /**
   * #attempt sends the message in flight, up to 21 times if messages may be lost.
   * @param {Letter} letter
   */
  #attempt(letter) {
    if (letter.tries++ > TRIES) {
      this.#inflight = null;
      this.#refuse("The cell did not answer, and the last action had no effect. Repeat it.");
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
   * post queues a message. It is sent after the messages before it have been acknowledged.
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
   * waiting reports whether a message with this key has not been acknowledged yet.
   * @param {string} key
   */
  waiting(key) {
    return this.#inflight?.key === key || this.#queue.some((letter) => letter.key === key);
  }

  /** greet requests the setup and the state of the widget. */
  greet() {
    this.#transmit("hello", this.#inflight ? this.#inflight.seq - 1 : this.#seq);
  }

  /** repeat sends the unacknowledged message again, after an engine has started. */
  repeat() {
    if (this.#inflight) {
      this.#transmit(this.#inflight.kind, this.#inflight.seq, this.#inflight.body);
    }
  }

  /** pong answers a ping. */
  pong() {
    this.#transmit("pong", 0);
  }

  /**
   * live starts sending the queued messages, and dead stops it. A message in flight may have been
   * lost with the connection, so live sends it again.
   */
  live() {
    const letter = this.#live || !this.#lossy ? null : this.#inflight;
    this.#live = true;
    if (letter) {
      letter.tries = 0;
      this.#attempt(letter);
    }
    this.#next();
  }

  dead() {
    this.#live = false;
    clearTimeout(this.#inflight?.timer);
  }

  /** forget drops the unacknowledged message, because the engine that received it has ended. */
  forget() {
    clearTimeout(this.#inflight?.timer);
    this.#inflight = null;
  }

  /**
   * acknowledged handles the acknowledgement of the last message, and sends the next message.
   * @param {Message} m
   */
  acknowledged(m) {
    const letter = this.#inflight;
    if (m.ack === undefined || !letter || letter.seq !== m.ack) {
      return;
    }
    clearTimeout(letter.timer);
    this.#inflight = null;
    if (m.error) {
      this.#refuse(m.error);
    } else if (m.reply) {
      letter.reply?.(m.reply);
    }
    letter.taken?.();
    this.#next();
  }
}
