// Joins the chunks of a split bundle into one file. Node parses all of a file before it runs the first line, so only the chunks that every
// start needs are code. The others are comments, which cost almost nothing until `load-chunks.js` compiles those that a command needs.
import { readFileSync } from "node:fs";
import path from "node:path";
import { transform } from "esbuild";

const LOADER = readFileSync(path.join(import.meta.dirname, "load-chunks.js"), "utf8");
/** Of a chunk's function; the loader passes them. */
const PARAMETERS = ["require", "module", "exports", "__dirname", "importMetaUrl"];
const TRANSFORM_OPTIONS = {
  format: "cjs",
  target: "node20.19",
  minify: true,
  legalComments: "eof",
  // Otherwise an uncaught error would show a line of a megabyte.
  lineLimit: 160,
  // Only the loader finds chunks.
  supported: { "dynamic-import": false },
  define: { "import.meta.url": "importMetaUrl" },
};

/** @param bundle from esbuild: ES modules, with `splitting` and a metafile */
export async function joinChunks({ outputFiles, metafile }, entryPoint) {
  const chunks = await Promise.all(
    outputFiles.map(async ({ path: file, text }) => ({
      name: nameChunk(file),
      code: (await transform(text, TRANSFORM_OPTIONS)).code.trimEnd(),
    })),
  );
  const first = findFirst(metafile.outputs, entryPoint);
  const later = chunks
    .filter(({ name }) => !first.includes(name))
    .map(({ name, code }) => ({ name, comment: Buffer.from(toComment(name, code)) }));
  const functions = chunks
    .filter(({ name }) => first.includes(name))
    .map(({ name, code }) => `${JSON.stringify(name)}: function (${PARAMETERS.join(", ")}) {${code}\n}`);
  const toStart = (table) => `#!/usr/bin/env node
const ENTRY = ${JSON.stringify(first[0])};
const PARAMETERS = ${JSON.stringify(PARAMETERS)};
const LATER = ${JSON.stringify(table)};
const FIRST = {
${functions.join(",\n")}
};
${LOADER}`;
  const lines = countLines(toStart({}));
  return Buffer.concat([Buffer.from(toStart(locate(later, lines))), ...later.map(({ comment }) => comment)]);
}

/** The chunk of the entry point, and all that it imports statically. */
function findFirst(outputs, entryPoint) {
  const found = new Set(Object.keys(outputs).filter((output) => outputs[output].entryPoint === entryPoint));
  for (const output of found)
    for (const { path: imported, kind } of outputs[output].imports)
      if (kind === "import-statement" && imported in outputs) found.add(imported);
  return [...found].map(nameChunk);
}

/** As chunks import each other. */
function nameChunk(output) {
  return `./${path.basename(output)}`;
}

function toComment(name, code) {
  if (/[\r\u2028\u2029]/.test(code)) throw new Error(`A line of ${name} would not end as a comment does.`);
  return `${code.replaceAll(/^/gm, "//")}\n`;
}

/** Where each comment is: its first and last byte, counted from the end of the file, and the lines before it. */
function locate(later, lines) {
  let [bytes, line] = [later.reduce((sum, { comment }) => sum + comment.length, 0), lines];
  const table = {};
  for (const { name, comment } of later) {
    table[name] = [-bytes, -(bytes -= comment.length) - 1, line];
    line += countLines(comment.toString());
  }
  return table;
}

function countLines(text) {
  return text.split("\n").length - 1;
}
