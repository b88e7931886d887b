// Parts of embeddings that ECharts cannot draw by itself.
import { thumbnail } from "./thumbnails.js";

/** @type {Kinds["painters"]} */
const painters = {
  // An image, stretched between two corners given in data coordinates.
  picture: (s) => (_, api) => {
    const a = api.coord([api.value(0), api.value(1)]);
    const b = api.coord([api.value(2), api.value(3)]);
    const [x, y] = [0, 1].map((k) => Math.min(a[k], b[k]));
    return {
      type: "image",
      style: { image: s.image, x, y, width: Math.abs(a[0] - b[0]), height: Math.abs(a[1] - b[1]) },
    };
  },
  // Samples as images, with frames in the colours of their groups. Images that would cover earlier
  // ones are omitted, and so are the samples of hidden groups.
  thumbnails(s, option, extra) {
    const panels = /** @type {Panel[]} */ (extra.panels);
    const t = extra.sheets[panels[s.panel].sheet];
    const longer = Math.max(t.w, t.h);
    const [width, height] = [(s.side * t.w) / longer, (s.side * t.h) / longer];
    /** @type {Record<number, HTMLCanvasElement | null>} */
    const pictures = {};
    /** @type {Map<string, number[]>} */
    let taken;
    /** @type {Set<string>} */
    let shown;
    return (params, api) => {
      if (params.dataIndexInside === 0) {
        taken = new Map();
        shown = new Set(api.currentSeriesIndices().map((/** @type {number} */ k) => option.series[k].name));
      }
      const group = api.value(2);
      const i = api.value(3);
      const at = api.coord([api.value(0), api.value(1)]);
      const x = Math.floor(at[0] / width);
      const y = Math.floor(at[1] / height);
      const box = params.coordSys;
      if (
        !shown.has(s.names[group]) ||
        at[0] < box.x ||
        at[0] > box.x + box.width ||
        at[1] < box.y ||
        at[1] > box.y + box.height
      )
        return null;
      for (let k = 0; k < 9; k++) {
        const other = taken.get(`${x + (k % 3) - 1},${y + Math.floor(k / 3) - 1}`);
        if (other && Math.abs(other[0] - at[0]) < width && Math.abs(other[1] - at[1]) < height) return null;
      }
      taken.set(`${x},${y}`, at);
      if (pictures[i] === undefined) pictures[i] = thumbnail(t, i);
      const shape = { x: at[0] - width / 2, y: at[1] - height / 2, width, height };
      return {
        type: "group",
        children: [
          { type: "image", style: { image: pictures[i], ...shape } },
          { type: "rect", shape, style: { fill: null, stroke: s.tones[group], lineWidth: 1.5 } },
        ],
      };
    };
  },
};

/** @type {Kinds} */
export const embeddings = { painters, cards: {}, finish: {} };
