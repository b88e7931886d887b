// The Jupyter server of a page.

/** @typedef {{ baseUrl?: string, token?: string }} Server */

/**
 * jupyter returns the Jupyter server of the page, or null.
 * @returns {Server | null}
 */
export function jupyter() {
  const tag = document.getElementById("jupyter-config-data");
  if (tag) {
    try {
      return JSON.parse(tag.textContent || "");
    } catch {
      return null;
    }
  }
  const { baseUrl } = document.body.dataset;
  return baseUrl ? { baseUrl } : null;
}
