// The widgets, for the extension and for the script of an output.
export { runWidget as default } from "./widget.js";
