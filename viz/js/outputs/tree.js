// Trees of clusters, whose samples are linked to those of other figures.
import { starter } from "../start.js";
import { tree } from "../tree.js";

window.__ssdrnbStart = starter(tree);
