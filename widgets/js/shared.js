// What figures and widgets share.

export { download, jupyter, revision, shelfOf } from "../../viz/js/store.js";
export { encloses } from "../../viz/js/geometry.js";
