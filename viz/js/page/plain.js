import draw from "legacy:viz/figure.js?none";
import { starter } from "../start.js";

starter(draw);
