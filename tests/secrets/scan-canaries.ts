/** Searches the traffic and stores that a run of the browser tests saved: see e2e/record-traffic.ts. Hits set exit code 1. */
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { findCanaries, type Canary } from "./find-canaries";

export interface Scan {
  canaries: number;
  files: number;
  bytes: number;
  hits: string[];
}

export async function scanFolder(folder: string): Promise<Scan> {
  const canaries = await readCanaries(folder);
  const scan: Scan = { canaries: canaries.length, files: 0, bytes: 0, hits: [] };
  /** By issued secret: the responses that showed it. */
  const shown = new Map<string, string[]>();
  for (const file of await filesOf(folder)) {
    const bytes = await readFile(path.join(folder, file));
    scan.files += 1;
    scan.bytes += bytes.length;
    const answer = file.startsWith("answers") ? firstLineOf(bytes) : undefined;
    for (const name of findCanaries(bytes, canaries)) {
      const isIssued = canaries.some((canary) => canary.name === name && canary.kind === "issued");
      if (answer === undefined) scan.hits.push(`${name} in ${file}`);
      else if (isIssued) shown.set(name, [...(shown.get(name) ?? []), answer]);
      else scan.hits.push(`${name} in ${file} (${answer})`);
    }
  }
  for (const [name, answers] of shown)
    if (answers.length > 1)
      scan.hits.push(`${name} in ${answers.length} answers: ${answers.sort().join(", ")}`);
  return scan;
}

async function readCanaries(folder: string): Promise<Canary[]> {
  const file = path.join(folder, "canaries.jsonl");
  if (!existsSync(file)) return [];
  const lines = (await readFile(file, "utf8")).split("\n").filter((line) => line !== "");
  return lines.map((line): Canary => JSON.parse(line));
}

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name !== "canaries.jsonl")
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
}

function firstLineOf(bytes: Buffer): string {
  const end = bytes.indexOf("\n");
  return bytes.toString("utf8", 0, end === -1 ? bytes.length : end);
}

async function main(folder: string): Promise<void> {
  const started = Date.now();
  const { canaries, files, bytes, hits } = await scanFolder(folder);
  for (const hit of hits) console.log(`leak: ${hit}`);
  console.log(`figure canaries ${canaries} secrets`);
  console.log(`figure canary_files_searched ${files} files`);
  console.log(`figure canary_bytes_searched ${bytes} bytes`);
  console.log(`figure canary_hits ${hits.length} hits`);
  console.log(`figure canary_scan_seconds ${((Date.now() - started) / 1000).toFixed(1)} s`);
  // A search for no secrets or in no files proves nothing.
  process.exitCode = hits.length > 0 || canaries === 0 || files === 0 ? 1 : 0;
}

const [, entry, folder] = process.argv;
if (entry !== undefined && folder !== undefined && import.meta.url === pathToFileURL(entry).href)
  await main(folder);
