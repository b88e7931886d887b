// The stored drawing or choices of a reader, in the browser and beside the notebook, see
// viz/js/store.js.

import { revision } from "../../viz/js/store.js";

/** @typedef {ReturnType<typeof import("../../viz/js/store.js").shelfOf>} Shelf */

export class Saved {
  /** The newest content, null for none. @type {string | null} */
  content = null;
  #where = "";
  #writing = false;

  /**
   * @param {Shelf} shelf
   * @param {string} name of the stored content; "" stores nothing
   * @param {(where: string) => void} told receives where the content is stored; "" for nowhere
   */
  constructor(shelf, name, told) {
    this.shelf = shelf;
    this.name = name;
    this.told = told;
  }

  /**
   * recall returns the newer content: the stored one, or the one found by the cell.
   * @param {string | null} found
   * @returns {Promise<string | null>}
   */
  async recall(found) {
    if (!this.name) {
      return null;
    }
    const text = await this.shelf.read(this.name, found);
    if (text !== null && revision(text) > revision(this.content)) {
      this.content = text;
    }
    return this.content;
  }

  /**
   * keep stores content in the browser at once, and then in a file beside the notebook if possible.
   * @param {string} text
   */
  keep(text) {
    this.content = text;
    this.#where = this.shelf.keep(this.name, text) ? "in this browser" : "";
    this.#publish();
  }

  async #publish() {
    if (this.#writing) {
      return;
    }
    this.#writing = true;
    for (let sent = null; this.content !== null && sent !== this.content; ) {
      sent = this.content;
      const at = await this.shelf.publish(this.name, sent);
      if (at && sent === this.content) {
        this.#where = `in ${at}`;
      }
    }
    this.#writing = false;
    this.told(this.#where);
  }
}
