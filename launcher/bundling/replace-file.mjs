import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";

/** Writes the file atomically, because another launch may be reading it. Returns false if it has not changed. */
export function replaceFile({ path: file, contents }, mode = 0o644) {
  if (existsSync(file) && readFileSync(file).equals(contents)) return false;
  mkdirSync(path.dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, contents, { mode });
  renameSync(draft, file);
  return true;
}
