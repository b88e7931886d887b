// All kinds of figures, with all interactions.
import { camerasOf } from "./cameras.js";
import { drawer } from "./chart.js";
import { curves } from "./curves.js";
import { differentOf } from "./different.js";
import { distancesOf } from "./distances.js";
import { embeddings } from "./embeddings.js";
import { gradesOf } from "./grades.js";
import { keyboardOf } from "./keyboard.js";
import { knownOf } from "./known.js";
import { labels } from "./labels.js";
import { crowdOf } from "./many.js";
import { following } from "./move.js";
import { namesOf } from "./names.js";
import { link } from "./pictures.js";
import { samplesOf } from "./samples.js";
import { surfaces } from "./surfaces.js";
import { tableOf } from "./table.js";
import { tree } from "./tree.js";

const draw = drawer({
  kinds: [embeddings, labels, curves, surfaces],
  keyboardOf,
  samplesOf: (view) =>
    samplesOf(view, {
      crowdOf,
      namesOf,
      tableOf: (v, samples) => tableOf(v, samples, differentOf),
      following,
      distancesOf,
      knownOf,
    }),
  gradesOf,
  camerasOf,
});
const pictures = link((view) => samplesOf(view, { tableOf }));

/**
 * figure draws the figure of some data.
 * @param {HTMLScriptElement} data @param {string} kind
 */
export function figure(data, kind) {
  if (kind === "tree") tree(data);
  else (kind === "multiples" ? pictures : draw)(data);
}
