// Pictures whose samples are linked to those of other such pictures.
import { link } from "../pictures.js";
import { samplesOf } from "../samples.js";
import { starter } from "../start.js";

window.__ssdrnbStart = starter(link((view) => samplesOf(view, {})));
