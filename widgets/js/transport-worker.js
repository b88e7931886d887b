// The connection of a widget to the engine, which all widgets of the page share.

import { enter, load } from "./engine.js";

/**
 * @typedef {import("./types.js").Ear} Ear
 * @typedef {import("./types.js").Transport} Transport
 */

/** @typedef {Window & { __ssdrnbTurn?: Promise<unknown> }} Page */

const PARK = 240; // ticks out of the page after which the engine is given up
const AWAY = 2; // outputs at most that are out of the page and still open in the engine
const TURN = 10000; // ms that a widget may take to begin before the next does
const NEAR = 800; // px from the window within which a widget begins

/** Open widgets outside of the page, longest absent first. @type {Set<WorkerTransport>} */
const away = new Set();

/** @implements {Transport} */
export class WorkerTransport {
  lossy = false;
  remedy = "Reload the page for new ones.";
  /** @type {ReturnType<typeof enter> | null} */
  #engine = null;
  /** Number of the newest start. Earlier starts have been given up. */
  #start = 0;
  #begun = false;
  #parked = false;
  #halted = false;
  /** @type {() => void} */
  #ready = () => {};
  /** @type {() => void} */
  #leave = () => {};

  /**
   * @param {HTMLElement} root of the widget
   * @param {unknown} task
   * @param {() => Promise<string | null>} recall returns the stored content
   * @param {() => void} forget drops the unacknowledged message
   * @param {Ear} ear
   */
  constructor(root, task, recall, forget, ear) {
    this.root = root;
    this.task = task;
    this.recall = recall;
    this.forget = forget;
    this.ear = ear;
  }

  begin() {
    this.#halted = false;
    if (this.#begun) {
      return;
    }
    // The first widget of the page begins at once. Other widgets begin when they come near the
    // window.
    if (this.#first()) {
      this.#run();
    } else {
      this.#watch();
    }
  }

  #first() {
    return !window.IntersectionObserver || document.querySelector(".ssdrnb-widget[data-page]") === this.root;
  }

  /** #watch begins when the widget comes near the window. */
  #watch() {
    const seen = new IntersectionObserver(
      (entries) => {
        if (entries.some((e) => e.isIntersecting)) {
          seen.disconnect();
          this.#run();
        }
      },
      { rootMargin: `${NEAR}px` },
    );
    seen.observe(this.root);
  }

  async #run() {
    if (this.#begun || this.#halted) {
      return;
    }
    this.#begun = true;
    const mine = ++this.#start;
    const given = () => mine !== this.#start; // up
    const engine = load((text, share) => this.ear.starting(text, share));
    this.#leave = engine.leave;
    try {
      const [compiled, stored] = await Promise.all([engine.promise, this.recall()]);
      if (given()) {
        return;
      }
      this.ear.starting("Waiting for the widget above", -1);
      await this.#turn();
      if (given()) {
        this.#ready();
        return;
      }
      if (this.#far()) {
        // Widgets above have grown, and have moved this widget away from the window.
        this.#ready();
        this.#begun = false;
        this.#watch();
        return;
      }
      this.ear.starting("Starting the engine", -1);
      this.#engine = enter(compiled, JSON.stringify(this.task), stored, {
        hear: (text) => this.#hear(JSON.parse(text)),
        failed: (why) => {
          this.#ready();
          this.ear.die(why);
        },
      });
    } catch (why) {
      if (!given()) {
        this.ear.unable(`The controls are not live: ${why instanceof Error ? why.message : why}.`);
      }
    }
  }

  #far() {
    if (this.#first() || !this.root.isConnected) {
      return false;
    }
    const { top, bottom } = this.root.getBoundingClientRect();
    return top > window.innerHeight + NEAR || bottom < -NEAR;
  }

  /**
   * #turn waits for the previous widget of the page, so that the first visible widget has the
   * processor for itself.
   */
  #turn() {
    const page = /** @type {Page} */ (window);
    const before = page.__ssdrnbTurn || Promise.resolve();
    page.__ssdrnbTurn = before.then(
      () =>
        new Promise((done) => {
          const timer = setTimeout(done, TURN);
          this.#ready = () => {
            clearTimeout(timer);
            done(undefined);
          };
        }),
    );
    return before;
  }

  /** @param {import("./types.js").Message} m */
  #hear(m) {
    if (m.fatal || m.ready) {
      this.#ready();
    }
    if (m.fatal) {
      this.#engine?.close();
    }
    this.ear.hear(m);
  }

  /** @param {string} text */
  send(text) {
    this.#engine?.send(text);
  }

  #give() {
    this.#start++;
    this.#leave();
    this.#ready();
    this.#engine?.close();
    this.#engine = null;
    this.#begun = false;
    away.delete(this);
    this.forget();
  }

  halt() {
    this.#halted = true;
    this.#give();
  }

  /** @param {number} detached see Transport */
  tick(detached) {
    // JupyterLab takes outputs out of the page and puts them back. Outside of the page, an output
    // needs no engine, and it continues with the stored content when it is back. An output that was
    // run again or deleted never comes back.
    if (this.#begun && detached > 1) {
      away.add(this);
      const [longest] = away;
      if (away.size > AWAY) {
        longest.#park();
      }
    }
    if (this.#begun && detached > PARK) {
      this.#park();
    }
    if (detached === 0) {
      away.delete(this);
      if (this.#parked) {
        this.#parked = false;
        this.begin();
      } else if (!this.#begun && this.#first()) {
        this.#run(); // it was not in the page yet when it was to begin, or is the first only now
      }
    }
  }

  #park() {
    this.#give();
    this.#parked = true;
  }

  close() {
    this.#give();
  }
}
