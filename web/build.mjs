// The page's script and style → ../src/treewright/present/page/assets. The same sources give the same bytes.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync, mkdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const target = process.argv[2] ?? join(here, "../src/treewright/present/page/assets");

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesBelow(join(folder, entry.name)) : [join(folder, entry.name)],
  );
}

// The same hash is computed by tests/test_page_build.py: names and contents of all that the build reads.
function hashOfSources() {
  const interpreter = join(here, "../src/treewright/present/export/assets/interpreter.js");
  const files = [...filesBelow(join(here, "src")), interpreter, join(here, "build.mjs"), join(here, "package-lock.json")];
  const names = files.map((file) => relative(here, file).replaceAll("\\", "/")).sort();
  const hash = createHash("sha256");
  for (const name of names) hash.update(`${name}\0`).update(readFileSync(join(here, name))).update("\0");
  return hash.digest("hex");
}

const common = { bundle: true, minify: true, write: false, legalComments: "none", charset: "ascii", target: "es2022" };
const script = await build({ ...common, entryPoints: [join(here, "src/main.tsx")], format: "iife", jsx: "automatic", jsxImportSource: "preact" });
const style = await build({ ...common, entryPoints: [join(here, "src/styles/page.css")], target: "chrome111" });
const line = `/* treewright page: built by make web from sources ${hashOfSources()} */\n`;
mkdirSync(target, { recursive: true });
// What the licence of the one package inside asks for.
const licence = `/* Contains preact.\n${readFileSync(join(here, "node_modules/preact/LICENSE"), "ascii").trim()}\n*/\n`;
writeFileSync(join(target, "page.js"), line + licence.replaceAll("\r", "") + script.outputFiles[0].text);
writeFileSync(join(target, "page.css"), line + style.outputFiles[0].text);
writeFileSync(join(target, "page.html"), readFileSync(join(here, "src/page.html")));
console.log(`page.js ${script.outputFiles[0].text.length} bytes, page.css ${style.outputFiles[0].text.length} bytes`);
