// The checks of the extension, for the page of the attacks.
import { check, fits } from "../js/check.js";

Object.assign(window, { check: Object.assign(check, { fits }) });
