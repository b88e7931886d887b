// A widget in a notebook or page: its connection, the frame around its controls, and its states
// from the static picture to the end.

import { unpack } from "../../viz/js/packed.js";
import { plain } from "../../viz/js/start.js";
import { download, shelfOf } from "../../viz/js/store.js";
import { calm, follow } from "../../viz/js/theme.js";
import { beat, quiz } from "./beat.js";
import { Conversation } from "./conversation.js";
import { editor } from "./editor.js";
import { bar, button, el } from "./elements.js";
import { explorer } from "./explorer.js";
import { labeler } from "./labeler.js";
import { Line } from "./line.js";
import { paint } from "./paint.js";
import { playground } from "./playground.js";
import { progress } from "./progress.js";
import { Saved } from "./saved.js";
import { scribble } from "./scribble.js";
import { stage } from "./stage.js";
import { styled } from "./style.js";
import { sweep } from "./sweep.js";
import { KernelTransport } from "./transport-kernel.js";
import { WorkerTransport } from "./transport-worker.js";

/**
 * @typedef {import("./types.js").Ear} Ear
 * @typedef {import("./types.js").Exported} Exported
 * @typedef {import("./types.js").Frame} Frame
 * @typedef {import("./types.js").Message} Message
 * @typedef {import("./types.js").Payload} Payload
 * @typedef {import("./types.js").Post} Post
 * @typedef {import("./types.js").Transport} Transport
 * @typedef {import("./types.js").View} View
 * @typedef {import("./plot.js").Plot} Plot
 */

/** @type {Record<string, (frame: Frame, setup: any) => View>} */
const KINDS = { explorer, playground, paint, editor, labeler, sweep, scribble, progress, stage, beat, quiz };

const TICK = 250; // ms
const LOST = 1000; // ticks out of the page after which a widget ends
const EDGE = 20; // pixels within which the bar with Stop counts as out of sight

/**
 * @implements {Frame}
 * @implements {Ear}
 */
class Widget {
  body = el("div", { class: "ssdrnb-body" });
  failure = el("div", { class: "ssdrnb-error" });
  saved = el("div", { class: "ssdrnb-status" });
  #note = el("div", { class: "ssdrnb-note" });
  #line = new Line();
  #root;
  #payload;
  /** @type {HTMLImageElement | null} */
  #picture;
  /** @type {HTMLElement | null} */
  #words;
  #talk;
  /** @type {Transport} */
  #transport;
  #store;
  /** @type {View | null} */
  #view = null;
  #title = "A widget";
  #ended = false;
  #waits = "";
  /** The notebook panel of JupyterLab that contains the widget. @type {HTMLElement | null} */
  #home = null;
  #detached = 0; // ticks: JupyterLab takes outputs out of the page and puts them back
  /** Revision of the last intermediate layout. It is negative, unlike revisions of states. */
  #passing = 0;
  #fitting = false;
  /** @type {HTMLElement | null} */
  #corner = null;
  #still = false; // nothing is computed
  #mine = false; // clicked, or reached by keys, last
  #timer;
  #themes;

  /**
   * @param {HTMLElement} root
   * @param {HTMLElement} data
   * @param {Payload} payload
   */
  constructor(root, data, payload) {
    this.#root = root;
    this.#payload = payload;
    this.#picture = root.querySelector("img");
    this.#words = root.querySelector("p");
    styled();
    if (this.#words) {
      this.#words.textContent = "The controls are starting."; // until they are live, or cannot be
    }
    this.#words?.after(this.#line.node);
    root.append(this.#note, this.body);

    const path = data.dataset.path;
    this.place = [path === undefined ? location.pathname : path, payload.kind];
    const shelf = shelfOf(payload.kernel, payload.page?.notebook, path);
    const drawn = payload.kind !== "explorer" && payload.kind !== "playground";
    this.#store = new Saved(shelf, payload.page?.name || "", root, drawn, (...told) => this.#kept(...told));
    const page = payload.page;
    /** @param {string} text */
    const send = (text) => this.#transport.send(text);
    this.#talk = new Conversation(send, !page, (why) => this.refuse(why));
    this.#transport = page
      ? new WorkerTransport(
          root,
          page.task,
          () => this.#store.recall(page.stored),
          () => this.#talk.forget(),
          this,
        )
      : new KernelTransport(payload.kernel, payload.address || "", this.#talk.client, this);

    window.addEventListener("keydown", this.#keys, true);
    document.addEventListener("pointerdown", this.#clicked, true);
    document.addEventListener("focusin", this.#clicked, true);
    this.#themes = follow(() => {
      this.#view?.draw?.();
      this.#view?.plot?.draw();
    });
    this.#timer = setInterval(() => this.#tick(), TICK);
    root.addEventListener("ssdrnb-deleted", () => this.#close());
    root.dataset.state = "connecting";
    const words = page?.task.beat;
    if (words) {
      this.#hideStill(); // questions are there before the engine is
      this.#view = this.#build(words);
    }
    this.#still = payload.kind === "quiz";
    if (this.#still) {
      this.#live();
    } else {
      this.#transport.begin();
    }
  }

  // --- Frame: methods that the view calls. ---

  get line() {
    return this.#line.node;
  }

  get stores() {
    return this.#store.name !== "";
  }

  /** @param {string} text */
  title(text) {
    const computes = Boolean(this.#payload.page);
    return bar([el("b", { text }), computes ? null : this.#stopButton()]);
  }

  /** @param {Plot} plot */
  view(plot) {
    return el("div", { class: "ssdrnb-view" }, [plot.node, plot.legend(), this.line]);
  }

  since() {
    return performance.now() - this.#talk.wished;
  }

  /**
   * @param {string} kind
   * @param {unknown} body
   * @param {Post} [how]
   */
  post(kind, body, how) {
    this.#talk.post(kind, body, how);
  }

  /** @param {string} key */
  waiting(key) {
    return this.#talk.waiting(key);
  }

  /** @param {string} why */
  refuse(why) {
    if (this.#view) {
      this.failure.textContent = this.#root.dataset.error = why;
    }
  }

  /**
   * @param {number} revision
   * @param {boolean} settled
   */
  drawn(revision, settled) {
    this.#root.dataset.revision = String(revision);
    this.#root.dispatchEvent(new CustomEvent("ssdrnb-drawn", { detail: { revision, settled } }));
  }

  /** @param {Exported} file */
  download(file) {
    this.exported(file.name);
    this.save(
      file.name,
      Uint8Array.from(atob(file.content), (c) => c.charCodeAt(0)),
    );
  }

  /**
   * @param {string} name
   * @param {Uint8Array<ArrayBuffer>} bytes
   */
  save(name, bytes) {
    download(name, bytes);
  }

  /** @param {string} name */
  exported(name) {
    this.#root.dataset.exported = name;
  }

  stored() {
    return this.#store.content;
  }

  name() {
    return this.#store.name;
  }

  // --- Ear: methods that the transport calls. ---

  greet() {
    this.#talk.greet();
  }

  /** @param {Message} m */
  hear(m) {
    if (m.fatal) {
      this.unable(m.fatal);
    } else if (m.store !== undefined) {
      this.#store.keep(m.store);
    } else if (m.passing) {
      if (!calm()) {
        this.#view?.plot?.move(m.passing, --this.#passing);
      }
    } else if (m.progress !== undefined) {
      this.#going(m.progress, m.share ?? -1);
    } else if (m.ready) {
      this.#root.dataset.engine = m.engine;
      this.#talk.greet();
      this.#talk.repeat();
    } else if (!this.#ended && (!m.to || m.to === this.#talk.client)) {
      this.#answer(m);
    }
  }

  /** @param {Message} m */
  #answer(m) {
    if (m.closed) {
      this.#ended = true;
      this.die(m.closed);
      return;
    }
    if (m.ping) {
      this.#talk.pong();
      return;
    }
    if (m.who) {
      this.#talk.greet();
      return;
    }
    if (m.setup) {
      this.#waits = m.waits || "";
      this.#view = this.#view || this.#build(m.setup);
      this.#view.setup?.(m.setup);
      this.#live();
    }
    this.#talk.acknowledged(m);
    if (m.refused) {
      this.refuse(m.refused);
    }
    if (m.state && this.#view) {
      this.#root.dataset.error = this.failure.textContent = m.state.error || "";
      this.#line.status(m.state.status || "");
      this.#view.state(m.state);
    }
    if (m.busy !== undefined) {
      this.#work(m.busy, Boolean(m.halted));
    }
  }

  /** @param {any} setup */
  #build(setup) {
    const kind = this.#payload.kind;
    if (!Object.hasOwn(KINDS, kind)) {
      throw new Error(`there is no widget ${kind}`);
    }
    this.#title = setup.title || "A beat";
    const view = KINDS[kind](this, setup);
    // Tests and the browser's console can access the view.
    Object.assign(this.#root, {
      ssdrnb: {
        ...view,
        post: (/** @type {string} */ k, /** @type {unknown} */ body, /** @type {Post} */ how) =>
          this.post(k, body, how),
      },
    });
    return view;
  }

  /**
   * starting shows the progress of the start.
   * @param {string} text
   * @param {number} share
   */
  starting(text, share) {
    if (this.#root.dataset.state === "connecting") {
      this.#line.busy(text, share, "Stop", () => this.#haltStart());
    }
  }

  #haltStart() {
    this.#transport.halt();
    this.#root.dataset.state = "stopped";
    if (this.#words) {
      this.#words.textContent = this.#picture
        ? "Static picture: the start was stopped."
        : "The start was stopped.";
    }
    this.#line.halted("", "Start", () => {
      this.#root.dataset.state = "connecting";
      if (this.#words) {
        this.#words.textContent = "The controls are starting.";
      }
      this.#line.rest();
      this.#transport.begin();
    });
  }

  /**
   * #going shows the progress of a fit.
   * @param {string} text
   * @param {number} share
   */
  #going(text, share) {
    if (this.#root.dataset.state === "connecting") {
      this.starting(text, share);
    } else if (this.#fitting) {
      this.#line.busy(text, share, "Stop the fit", () => this.post("halt", null, { urgent: true }));
    }
  }

  /**
   * #work is called when a fit begins or ends.
   * @param {boolean} busy
   * @param {boolean} halted by the reader
   */
  #work(busy, halted) {
    this.#fitting = busy;
    if (busy) {
      this.#going("Fitting", -1);
    } else if (halted) {
      this.#line.halted("The fit was stopped; the picture is unchanged.", "Fit", () =>
        this.post("fit", null),
      );
    } else {
      this.#line.rest();
    }
  }

  #live() {
    this.#root.dataset.state = "live";
    this.body.classList.remove("ssdrnb-dead");
    this.#note.textContent = this.#waits;
    this.#home = this.#root.closest(".jp-NotebookPanel") || this.#home;
    this.#hideStill();
    this.#line.rest();
    this.#talk.live();
  }

  #hideStill() {
    for (const e of [this.#picture, this.#words]) {
      if (e) {
        e.style.display = "none";
      }
    }
  }

  /** Returns the beginning of a message below the static picture. Stages have no picture. */
  #pictured() {
    return this.#picture ? "Static picture. " : "";
  }

  /**
   * die explains in one sentence why the controls are dead. The last state stays visible.
   * @param {string} reason
   */
  die(reason) {
    this.#root.dataset.state = "dead";
    this.#talk.dead();
    this.#line.rest();
    this.body.classList.add("ssdrnb-dead");
    const sentence = `The controls are not live: ${reason}. ${this.#transport.remedy}`;
    if (!this.#view && this.#words) {
      this.#words.textContent = `${this.#pictured()}${sentence}`;
    } else {
      this.#note.textContent = sentence;
    }
  }

  /**
   * unable explains why the controls cannot start. The static picture stays visible.
   * @param {string} why
   */
  unable(why) {
    this.#root.dataset.state = "dead";
    this.#root.dataset.error = why;
    this.#talk.dead();
    this.#line.rest();
    if (this.#view) {
      this.failure.textContent = why;
    } else if (this.#words) {
      this.#words.textContent = `${this.#pictured()}${why}`;
    }
  }

  /**
   * #kept shows where the content is stored.
   * @param {string} where
   * @param {boolean} overtaken another widget has stored a newer content
   */
  #kept(where, overtaken) {
    const other = this.#store.drawn
      ? "another widget has saved under this name. Export what is here, and reload the page to see the rest."
      : "another widget has saved its options. Reload the page to see them.";
    const why = overtaken ? other : "this browser keeps nothing for this page. Use Export.";
    this.#root.dataset.saved = where;
    // Unlike the text of refuse, this text stays when the next state arrives.
    this.saved.className = where ? "ssdrnb-status" : "ssdrnb-error";
    this.saved.textContent = where ? `Saved ${where}.` : `Not saved: ${why}`;
  }

  // --- The Stop button, the timer and the keys. ---

  #stopButton() {
    return button("Stop", "End this cell; the picture stays", () => this.post("stop", null));
  }

  /** #shown reports whether the bar with the title and the Stop button is in view. */
  #shown() {
    const b = this.#root.isConnected ? this.body.firstElementChild?.getBoundingClientRect() : null;
    return Boolean(b && b.width > 0 && b.top > EDGE && b.bottom < window.innerHeight - EDGE);
  }

  // #keepStop shows a Stop button in a corner while later cells wait and the widget is out of view.
  #keepStop() {
    const home = this.#home;
    const there = home ? home.isConnected && home.offsetParent !== null : this.#root.isConnected;
    if (!(this.#root.dataset.state === "live" && this.#waits && there && !this.#shown())) {
      this.#corner?.remove();
      this.#corner = null;
    } else if (!this.#corner) {
      const show = () => this.#root.scrollIntoView({ block: "start" });
      this.#corner = el("div", { class: "ssdrnb-widget ssdrnb-corner", role: "status" }, [
        el("span", { text: `${this.#title}: the cells below wait.` }),
        button("Show", "Scroll to the widget", show),
        this.#stopButton(),
      ]);
      document.body.appendChild(this.#corner);
    }
  }

  #tick() {
    this.#keepStop();
    const computes = Boolean(this.#payload.page);
    // JupyterLab takes a cell out of the page with its outputs, outputs that are hidden out of their
    // cell, and an output that was run again out of the outputs.
    const open = Boolean(this.#home?.isConnected && this.#root.closest(".jp-OutputArea"));
    const lives = !computes && open && this.#root.dataset.state === "live";
    this.#detached = this.#root.isConnected || lives ? 0 : this.#detached + 1;
    if (this.#ended || (this.#detached > LOST && !(computes && open))) {
      this.#close();
    } else if (!this.#still) {
      this.#transport.tick(this.#detached);
    }
  }

  #close() {
    clearInterval(this.#timer);
    this.#corner?.remove();
    this.#transport.close();
    this.#store.close();
    this.#themes();
    this.#view?.close?.();
    this.#view?.plot?.close();
    window.removeEventListener("keydown", this.#keys, true);
    document.removeEventListener("pointerdown", this.#clicked, true);
    document.removeEventListener("focusin", this.#clicked, true);
  }

  #clicked = (/** @type {Event} */ e) => {
    this.#mine = e.target instanceof Node && this.#root.contains(e.target);
  };

  // Keys belong to the widget that was clicked or focused last: Ctrl+Z then undoes in it, and not
  // in the notebook.
  #keys = (/** @type {KeyboardEvent} */ e) => {
    const view = this.#view;
    if (!this.#mine || !view || this.#root.dataset.state !== "live") {
      return;
    }
    const text = "input:not([type=range],[type=checkbox]),textarea,select,.cm-editor,[contenteditable=true]";
    if (e.target instanceof Element && e.target.closest(text)) {
      return;
    }
    const undo = (e.ctrlKey || e.metaKey) && !e.altKey && e.key.toLowerCase() === "z" && view.undo;
    if (undo || view.key?.(e)) {
      e.preventDefault();
      e.stopImmediatePropagation(); // JupyterLab would change its cells
    }
    if (undo) {
      undo(e.shiftKey);
    }
  };
}

/**
 * runWidget starts the widget of an output.
 * @param {string | HTMLElement} place the element that contains the widget's data, or its id
 */
export async function runWidget(place) {
  const data = typeof place === "string" ? document.getElementById(place) : place;
  const root = data?.previousElementSibling;
  if (!data || !(root instanceof HTMLElement) || root.dataset.started) {
    return;
  }
  root.dataset.started = "yes";
  try {
    const payload = plain(data.textContent || "null", unpack);
    new Widget(root, data, JSON.parse(typeof payload === "string" ? payload : await payload));
  } catch (fault) {
    root.dataset.state = "dead";
    const line = root.querySelector("p");
    if (line) {
      line.textContent = `Static picture: its data cannot be read (${fault instanceof Error ? fault.message : fault}).`;
    }
  }
}
