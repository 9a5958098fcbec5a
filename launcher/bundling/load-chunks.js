// Part of `platform-app.js`, behind ENTRY, PARAMETERS, LATER and FIRST: see join-chunks.mjs.
import { createRequire } from "node:module";

const requireBuiltin = createRequire(import.meta.url);
const loaded = new Map();
let ownFile;

function load(name) {
  const known = loaded.get(name);
  if (known !== undefined) return known.exports;
  const run = FIRST[name] ?? (name in LATER ? compile(name) : undefined);
  if (run === undefined) return requireBuiltin(name);
  const chunk = { exports: {} };
  loaded.set(name, chunk);
  run(load, chunk, chunk.exports, import.meta.dirname, import.meta.url);
  return chunk.exports;
}

function compile(name) {
  const { filename } = import.meta;
  ownFile ??= requireBuiltin("node:fs").readFileSync(filename);
  const [start, end, lineOffset] = LATER[name];
  const comment = ownFile.toString("utf8", ownFile.length + start, ownFile.length + end);
  const code = comment.replaceAll(/^\/\//gm, "");
  return requireBuiltin("node:vm").compileFunction(code, PARAMETERS, { filename, lineOffset });
}

load(ENTRY);
