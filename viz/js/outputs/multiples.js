// Pictures whose samples are linked to those of charts.
import { link } from "../pictures.js";
import { starter } from "../start.js";

starter(link);
