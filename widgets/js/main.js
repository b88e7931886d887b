// The widgets, for the notebook extension.
export { runWidget as default } from "./widget.js";
