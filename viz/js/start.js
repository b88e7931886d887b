// Starts the script of an output for the data element with an id.
import { withRows } from "./columns.js";

/**
 * plain returns the JSON text of a figure or widget, which may be packed.
 * @param {string} text @param {Unpack} unpack @returns {string | Promise<string>}
 */
export function plain(text, unpack) {
  if (!text.startsWith('"')) return text;
  return unpack(text.slice(1, -1)).then((packed) => JSON.stringify(withRows(JSON.parse(packed))));
}

/**
 * starter returns a function that calls run for each data element with an id. There are several if
 * the page shows the same output twice.
 * @param {(data: HTMLScriptElement) => void} run @returns {Start}
 */
export function starter(run) {
  return (id, unpack) => {
    for (const data of document.querySelectorAll(`script[id="${id}"]`)) {
      const script = /** @type {HTMLScriptElement} */ (data);
      const text = plain(script.textContent || "", unpack);
      if (typeof text === "string") run(script);
      else {
        text.then(
          (json) => {
            script.textContent = json;
            run(script);
          },
          (fault) => {
            const line = script.previousElementSibling?.querySelector("p");
            if (line) line.textContent = `Static picture: the data could not be unpacked (${fault.message}).`;
          },
        );
      }
    }
  };
}
