// The loader in an output whose script is contained in another output of the same cell.
const scripts = (window.__ssdrnbScripts ??= {});
const script = (scripts["@name"] ??= { ids: [] });
script.ids.push("@id");
script.run?.();

export {}; // a module, whose names are its own
