// Small multiples, with links between their samples.
import { link } from "../pictures.js";
import { samplesOf } from "../samples.js";
import { starter } from "../start.js";

window.__ssdrnbStart = starter(link((view) => samplesOf(view, {})));
