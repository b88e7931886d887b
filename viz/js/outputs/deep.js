// Charts in three dimensions.
import { camerasOf } from "../cameras.js";
import { drawer } from "../chart.js";
import { gradesOf } from "../grades.js";
import { keyboardOf } from "../keyboard.js";
import { starter } from "../start.js";
import { surfaces } from "../surfaces.js";

window.__ssdrnbStart = starter(drawer({ kinds: [surfaces], keyboardOf, gradesOf, camerasOf }));
