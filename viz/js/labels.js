// The names of classes and clusters on a map.

/**
 * inside keeps names within the figure.
 * @type {NonNullable<Kinds["label"]>}
 */
function inside(s, across) {
  s.label.formatter = (/** @type {any} */ p) => p.name;
  s.labelLayout = (/** @type {any} */ { labelRect: r }) => ({
    hideOverlap: true,
    dx: Math.max(2 - r.x, 0) - Math.max(r.x + r.width + 2 - across(), 0),
  });
}

/**
 * label hides the names of hidden classes, and names that overlap because they stay within the
 * figure: of two names the first remains, which is the name of the larger class.
 * @type {NonNullable<Kinds["label"]>}
 */
function label(s, across, view) {
  inside(s, across);
  const place = s.labelLayout;
  const shown = (/** @type {string} */ name) =>
    view?.chart?.getModel().getComponent("legend")?.isSelected?.(name) ?? true;
  s.label.formatter = (/** @type {any} */ p) =>
    p.data.legend === undefined || shown(p.data.legend) ? p.name : "";
  /** @type {{left: number, right: number, top: number, bottom: number}[]} */
  let taken = [];
  let last = 0;
  s.labelLayout = (/** @type {any} */ at) => {
    if (at.dataIndex <= last) taken = [];
    last = at.dataIndex;
    const to = place(at);
    const r = at.labelRect;
    // The height of the rectangle is that of lower-case letters.
    const [left, middle, half] = [r.x + to.dx, r.y + r.height / 2, 0.55 * s.label.fontSize];
    const box = { left, right: left + r.width, top: middle - half, bottom: middle + half };
    const free = taken.every(
      (b) => box.right <= b.left || b.right <= box.left || box.bottom <= b.top || b.bottom <= box.top,
    );
    if (!free) return { x: -9999 };
    taken.push(box);
    return to;
  };
}

/** Labels for outputs, whose script is short, and for pages. */
export const names = /** @type {Kinds} */ ({ label: inside });
export const labels = /** @type {Kinds} */ ({ label });
