// Charts of samples, without links to other figures.
import { drawer } from "../chart.js";
import { embeddings } from "../embeddings.js";
import { gradesOf } from "../grades.js";
import { keyboardOf } from "../keyboard.js";
import { labels } from "../labels.js";
import { starter } from "../start.js";

window.__ssdrnbStart = starter(drawer({ kinds: [embeddings, labels], keyboardOf, gradesOf }));
