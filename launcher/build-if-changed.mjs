// Skips a build whose sources have not changed since the last one.
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";

/**
 * Builds, unless the outputs are there and were built from exactly these sources. All paths are relative to `root`, and a folder counts
 * with everything in it.
 */
export async function buildIfChanged({ root, sources, outputs = [], stamp }, build) {
  const file = path.join(root, stamp);
  // Read before the build: what is changed during it is built the next time.
  const before = hashFiles(root, sources);
  const describe = () => `${before} ${hashFiles(root, outputs)}`;
  if (existsSync(file) && readFileSync(file, "utf8") === describe()) return;
  await build();
  replaceFile({ path: file, contents: Buffer.from(describe()) });
}

/** SHA-256 of paths and contents. Dates are useless after a clone, and every supported version of Node builds the same. */
export function hashFiles(root, names) {
  const hash = createHash("sha256");
  for (const name of names.flatMap((each) => listFiles(root, each)).filter(isNoTest)) {
    hash
      .update(`${name}\0`)
      .update(readFileSync(path.join(root, name)))
      .update("\0");
  }
  return hash.digest("hex");
}

/** The files of a folder at any depth, in a fixed order; or the file itself; or nothing. */
export function listFiles(root, name) {
  const file = path.join(root, name);
  if (!existsSync(file)) return [];
  if (!statSync(file).isDirectory()) return [name];
  return readdirSync(file)
    .sort()
    .flatMap((entry) => listFiles(root, `${name}/${entry}`));
}

function isNoTest(file) {
  return !/\.test\.tsx?$/.test(file);
}

/** Writes the file atomically, because another launch may be reading it. Returns false if it has not changed. */
export function replaceFile({ path: file, contents }, mode = 0o644) {
  if (existsSync(file) && readFileSync(file).equals(contents)) return false;
  mkdirSync(path.dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, contents, { mode });
  renameSync(draft, file);
  return true;
}
