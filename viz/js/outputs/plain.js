// Charts without samples.
import { drawer } from "../chart.js";
import { curves } from "../curves.js";
import { embeddings } from "../embeddings.js";
import { keyboardOf } from "../keyboard.js";
import { starter } from "../start.js";

window.__ssdrnbStart = starter(drawer({ kinds: [embeddings, curves], keyboardOf }));
