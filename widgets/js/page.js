// The widgets of a page: outputs find them by a function of the window.
import { runWidget } from "./widget.js";

window.__ssdrnbWidget = runWidget;
