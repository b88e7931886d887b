// Makes the checks of the extension available to the page in which outputs are attacked.
import { check, fits } from "../js/check.js";

Object.assign(window, { check: Object.assign(check, { fits }) });
