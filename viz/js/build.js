// Bundles the scripts of figures, widgets and the notebook extension into ./bundle, which is
// committed: users need neither Node nor npm. With --check it writes nothing and fails if a
// bundle is not that of its sources.
//
// A file .js is a bundle as it is loaded. A file .packed holds one for the output of a notebook:
// deflated, and written in 91 characters that neither JSON nor HTML has to escape; see packed.js.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "..", "..");
const out = join(here, "bundle");

/** Each bundle with its entry, below the root of the repository. */
const bundles = {
  "extension.js": "viz/js/extension.js",
  "check.js": "viz/viztest/check.js", // for tests
  "../../../widgets/bundle.js": "widgets/js/main.js", // a variable whose default starts a widget
};

/**
 * Scripts that are not modules yet: closures with the parts that their comments name.
 * @type {import("esbuild").Plugin}
 */
const legacy = {
  name: "legacy",
  setup(build) {
    const read = (name) => readFileSync(join(root, name), "utf8").trim();
    build.onResolve({ filter: /^legacy:/ }, (a) => ({ path: a.path.slice(7), namespace: "legacy" }));
    build.onLoad({ filter: /./, namespace: "legacy" }, (a) => {
      let text = read(a.path);
      for (const part of ["viz/select.js", "viz/many.js", "viz/axes.js", "viz/store/store.js"]) {
        text = text.replace(`// ${part.split("/").pop()}\n`, () => `${read(part)}\n`);
      }
      return { contents: `export default ${text}`, loader: "js" };
    });
  },
};

async function bundle(entry, globalName) {
  const made = await build({
    entryPoints: [join(root, entry)],
    absWorkingDir: root,
    bundle: true,
    minify: true,
    format: "iife",
    globalName,
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
    metafile: true,
    plugins: [legacy],
    write: false,
  });
  return {
    text: made.outputFiles[0].text,
    sources: Object.keys(made.metafile.inputs).map((name) => name.replace("legacy:", "")),
  };
}

/** sums lists the sources of the bundles with their checksums, for the tests in Go. */
function sums(sources) {
  return [...sources]
    .sort()
    .map(
      (name) =>
        `${createHash("sha256")
          .update(readFileSync(join(root, name)))
          .digest("hex")}  ${name}\n`,
    )
    .join("");
}

const made = new Map();
const sources = new Set();
for (const [name, entry] of Object.entries(bundles)) {
  const b = await bundle(entry, name.startsWith("..") ? "ssdrnbWidgets" : undefined);
  made.set(name, b.text);
  for (const s of b.sources) sources.add(s);
}
made.set("sources.sha256", sums(sources));

if (process.argv.includes("--check")) {
  const old = [...made].filter(
    ([name, text]) => !existsSync(join(out, name)) || readFileSync(join(out, name), "utf8") !== text,
  );
  const extra = readdirSync(out).filter((name) => !made.has(name));
  if (old.length || extra.length) {
    console.error(
      `${relative(root, out)} is not that of its sources: ${[...old.map(([n]) => n), ...extra].join(", ")}; run npm run build in ${relative(root, here)}`,
    );
    process.exit(1);
  }
} else {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out);
  for (const [name, text] of made) writeFileSync(join(out, name), text);
  for (const [name, text] of made) console.log(`${name}: ${Buffer.byteLength(text)} bytes`);
}
