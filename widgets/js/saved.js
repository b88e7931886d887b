// The stored drawing or choices of a reader, in the browser and beside the notebook, see
// viz/js/store.js.

import { revision } from "../../viz/js/store.js";

/**
 * @typedef {ReturnType<typeof import("../../viz/js/store.js").shelfOf>} Shelf
 * @typedef {Window & { __ssdrnbSaved?: Map<string, Saved> }} Page has the open contents of all widgets
 */

export class Saved {
  /** The newest content, null for none. @type {string | null} */
  content = null;
  #key = "";
  #where = "";
  #writing = false;
  /** Revision of the content that this widget read or wrote last beside the notebook. */
  #published = -1;
  /** The content sent to the server last. Its answer may have been lost. @type {string | null} */
  #sent = null;
  #overtaken = false; // another widget has stored a newer content

  /**
   * @param {Shelf} shelf
   * @param {string} name of the stored content; "" stores nothing
   * @param {Node} root of the widget
   * @param {boolean} drawn by the reader; other contents are not stored if another widget has the name
   * @param {(where: string, overtaken: boolean) => void} told receives where the content is stored,
   * "" for nowhere, and whether another widget has stored a newer content
   */
  constructor(shelf, name, root, drawn, told) {
    this.shelf = shelf;
    this.name = name;
    this.root = root;
    this.drawn = drawn;
    this.told = told;
  }

  /**
   * recall returns the newer content: the stored one, or the one found by the cell. It fails if
   * another widget of the page has the name open. If another widget has stored a newer content, this
   * widget keeps its own, for Export.
   * @param {string | null} found
   * @returns {Promise<string | null>}
   */
  async recall(found) {
    if (!this.name || this.#overtaken) {
      return this.content;
    }
    const text = await this.shelf.read(this.name, found);
    if (!this.#claim()) {
      if (this.drawn) {
        throw new Error(
          `another widget of this page has "${this.name}" open; choose another name, or close the other view`,
        );
      }
      this.name = "";
      return null;
    }
    if (text !== null && revision(text) > revision(this.content)) {
      this.content = text;
    }
    this.#published = revision(this.content);
    return this.content;
  }

  /** The widgets of the page by the key of their content. */
  static get #open() {
    const page = /** @type {Page} */ (window);
    page.__ssdrnbSaved ??= new Map();
    return page.__ssdrnbSaved;
  }

  /** #claim reports whether no other widget in the page has the name, and reserves it. */
  #claim() {
    this.#key = this.shelf.key(this.name);
    const other = Saved.#open.get(this.#key);
    if (other && other !== this && other.root.isConnected) {
      return false;
    }
    Saved.#open.set(this.#key, this);
    return true;
  }

  /** close lets another widget have the name. */
  close() {
    if (Saved.#open.get(this.#key) === this) {
      Saved.#open.delete(this.#key);
    }
  }

  /**
   * keep stores content in the browser at once, and then in a file beside the notebook if possible.
   * It does not replace a newer content of another widget.
   * @param {string} text
   */
  keep(text) {
    if (!this.name) {
      return;
    }
    const newer = revision(this.shelf.held(this.name)) > revision(this.content);
    this.#overtaken ||= newer || Saved.#open.get(this.#key) !== this;
    this.content = text;
    this.#where = !this.#overtaken && this.shelf.keep(this.name, text) ? "in this browser" : "";
    this.#publish();
  }

  async #publish() {
    if (this.#writing) {
      return;
    }
    this.#writing = true;
    for (let sent = null; this.content !== null && sent !== this.content && !this.#overtaken; ) {
      sent = this.content;
      const there = await this.shelf.beside(this.name);
      if (revision(there) > this.#published && there !== this.#sent) {
        this.#overtaken = true;
        break;
      }
      this.#sent = sent;
      const at = await this.shelf.publish(this.name, sent);
      if (at) {
        this.#published = revision(sent);
      }
      if (at && sent === this.content) {
        this.#where = `in ${at}`;
      }
    }
    this.#writing = false;
    this.told(this.#overtaken ? "" : this.#where, this.#overtaken);
  }
}
