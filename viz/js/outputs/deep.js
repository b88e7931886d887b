// Charts in three dimensions.
import { camerasOf } from "../cameras.js";
import { drawer } from "../chart.js";
import { starter } from "../start.js";

starter(drawer({ camerasOf }));
