// The program of an output whose script is in another output of its cell, before or after it.
const scripts = (window.__ssdrnbScripts ??= {});
const script = (scripts["@name"] ??= { ids: [] });
script.ids.push("@id");
script.run?.();

export {}; // a module, whose names are its own
