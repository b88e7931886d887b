"use strict";(()=>{window.__ssdrnbScripts??={};window.__ssdrnbScripts["@name"]??={ids:[]};window.__ssdrnbScripts["@name"].ids.push("@id");window.__ssdrnbScripts["@name"].run?.();})();
