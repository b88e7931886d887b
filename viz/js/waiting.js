// The program of an output whose script another output of its cell brings, before or after it.
window.__ssdrnbScripts ??= {};
window.__ssdrnbScripts["@name"] ??= { ids: [] };
window.__ssdrnbScripts["@name"].ids.push("@id");
window.__ssdrnbScripts["@name"].run?.();
