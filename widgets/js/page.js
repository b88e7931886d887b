// The widget script of a page. It defines the function by which the scripts of outputs start
// widgets.
import { runWidget } from "./widget.js";

window.__ssdrnbWidget = runWidget;
