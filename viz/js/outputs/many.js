// Charts of many samples, without links to other figures.
import { crowdAlone } from "../alone.js";
import { drawer } from "../chart.js";
import { names } from "../labels.js";
import { starter } from "../start.js";

window.__ssdrnbStart = starter(drawer({ kinds: [names], samplesOf: crowdAlone }));
