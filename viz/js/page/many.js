import draw from "legacy:viz/figure.js?many";
import { starter } from "../start.js";

starter(draw);
