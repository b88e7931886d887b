export { default } from "legacy:widgets/widgets.js";
