"use strict";(()=>{var i=window.__ssdrnbScripts??={},s=i["@name"]??={ids:[]};s.ids.push("@id");s.run?.();})();
