// The names of classes and clusters on a map.

/**
 * inside moves names that would extend beyond the left or right edge of the figure.
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
 * label also hides the names of hidden classes, and names that cover earlier ones after moving.
 * Names are in descending order of class size.
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
    // The rectangle has only the height of lower-case letters.
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

/** names is for notebook outputs, whose scripts should be short, and labels is for pages. */
export const names = /** @type {Kinds} */ ({ label: inside });
export const labels = /** @type {Kinds} */ ({ label });
