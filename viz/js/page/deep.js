import draw from "legacy:viz/figure.js?axes";
import { starter } from "../start.js";

starter(draw);
