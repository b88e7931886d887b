// Charts without samples.
import { drawer } from "../chart.js";
import { starter } from "../start.js";

starter(drawer({}));
