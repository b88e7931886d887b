// Charts of many samples.
import { drawer } from "../chart.js";
import { crowdOf } from "../many.js";
import { samplesOf } from "../samples.js";
import { starter } from "../start.js";

starter(drawer({ samplesOf, crowdOf }));
