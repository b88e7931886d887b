import draw from "legacy:viz/multiples.js?none";
import { starter } from "../start.js";

starter(draw);
