// The names of classes and clusters on a map.

/**
 * label hides the names of hidden classes, and names that overlap because they stay within the
 * figure: of two names the first remains, which is the name of the larger class.
 * @param {Series} s @param {View} [view]
 */
function label(s, view) {
  const shown = (/** @type {string} */ name) =>
    view?.chart?.getModel().getComponent("legend")?.isSelected?.(name) ?? true;
  s.label.formatter = (/** @type {any} */ p) =>
    p.data.legend === undefined || shown(p.data.legend) ? p.name : "";
  const inside = s.labelLayout;
  /** @type {{left: number, right: number, top: number, bottom: number}[]} */
  let taken = [];
  let last = 0;
  s.labelLayout = (/** @type {any} */ at) => {
    if (at.dataIndex <= last) taken = [];
    last = at.dataIndex;
    const to = inside(at);
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

/** @type {Kinds} */
export const labels = { painters: {}, cards: {}, finish: {}, label };
