// Charts of many samples, which are not linked to those of other figures.
import { crowdAlone } from "../alone.js";
import { drawer } from "../chart.js";
import { starter } from "../start.js";

window.__ssdrnbStart = starter(drawer({ kinds: [], samplesOf: crowdAlone }));
