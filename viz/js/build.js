// Bundles the scripts of figures, widgets and the notebook extension into ./bundle. The bundles are
// committed, so that users need neither Node nor npm. With --check it writes nothing and fails if a
// bundle is out of date.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import zopfli from "@gfx/zopfli";
import { build } from "esbuild";
import { charactersOf } from "./packed.js";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "..", "..");
const out = join(here, "bundle");

/**
 * The bundles by name, with their entry points relative to the root of the repository. Bundles that
 * end in .packed are for notebook outputs. They are deflated and written as text, see packed.js.
 */
const bundles = {
  "extension.js": "viz/js/extension.js",
  "check.js": "viz/viztest/check.js", // for tests
  "inline.js": "viz/js/inline.js",
  "waiting.js": "viz/js/waiting.js",
  "figures.js": "viz/js/outputs/figures.js",
  "figures.packed": "viz/js/outputs/figures.js",
  "plain.packed": "viz/js/outputs/plain.js",
  "samples.packed": "viz/js/outputs/samples.js",
  "many.packed": "viz/js/outputs/many.js",
  "deep.packed": "viz/js/outputs/deep.js",
  "multiples.packed": "viz/js/outputs/multiples.js",
  "tree.packed": "viz/js/outputs/tree.js",
  "widgets.js": "widgets/js/page.js",
  "widget.js": "widgets/js/loader.js",
};

async function bundle(entry) {
  const made = await build({
    entryPoints: [join(root, entry)],
    absWorkingDir: root,
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
    metafile: true,
    write: false,
  });
  const sources = Object.keys(made.metafile.inputs);
  return { text: made.outputFiles[0].text.trim(), sources };
}

/** pack deflates a text with zopfli. The result, a text, is the same on every machine. */
async function pack(text) {
  return charactersOf(await zopfli.deflateAsync(Buffer.from(text), { numiterations: 50 }));
}

/** sums lists the sources of the bundles with their checksums, for the tests in Go. */
function sums(sources) {
  const line = (name) =>
    `${createHash("sha256")
      .update(readFileSync(join(root, name)))
      .digest("hex")}  ${name}\n`;
  return [...sources].sort().map(line).join("");
}

const made = new Map();
const sources = new Set();
for (const [name, entry] of Object.entries(bundles)) {
  const b = await bundle(entry);
  made.set(name, name.endsWith(".packed") ? await pack(b.text) : `${b.text}\n`);
  for (const s of b.sources) sources.add(s);
}
made.set("sources.sha256", sums(sources));

if (process.argv.includes("--check")) {
  const same = ([name, text]) =>
    existsSync(join(out, name)) && readFileSync(join(out, name), "utf8") === text;
  const old = [...made].filter((b) => !same(b)).map(([name]) => name);
  const wrong = [...old, ...readdirSync(out).filter((name) => !made.has(name))];
  if (wrong.length) {
    console.error(`${relative(root, out)} does not match its sources: ${wrong.join(", ")}`);
    console.error(`run npm run build in ${relative(root, here)}`);
    process.exit(1);
  }
} else {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out);
  for (const [name, text] of made) {
    writeFileSync(join(out, name), text);
    console.log(`${String(Buffer.byteLength(text)).padStart(7)}  ${name}`);
  }
}
