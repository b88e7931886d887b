// Charts of samples.
import { drawer } from "../chart.js";
import { samplesOf } from "../samples.js";
import { starter } from "../start.js";

starter(drawer({ samplesOf }));
