/**
 * Measures the manifest library at its limit: the largest valid manifest (100 settings of 200 values, just under 1 MiB).
 * It runs in turns with a bare `JSON.parse`, so that ratios stay valid when the machine's speed drifts, and with
 * `jsonc-parser`'s tree and zod, which the library avoids.
 */
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { MANIFEST_LIMITS } from "@/lib/contract/platform/manifest-terms";
import type * as Library from "./manifest-library";

const ROUNDS = 40;
const WARM_UP = 10;
const OUT = ".build/bench";

// Bundled as it ships: tsx would turn each import into a call.
await mkdir(OUT, { recursive: true });
const outfile = path.resolve(OUT, "manifest-library.mjs");
await build({
  entryPoints: ["bench/manifest-library.ts"],
  outfile,
  bundle: true,
  platform: "node",
  format: "esm",
  packages: "external",
  logLevel: "error",
});
const library: typeof Library = await import(pathToFileURL(outfile).href);

const text = createLargestManifest();
console.log(`A manifest of ${Buffer.byteLength(text)} bytes`);
const { issues } = library.checkManifest(text);
if (issues.length > 0) throw new Error(`The manifest is not valid: ${issues[0]?.message}`);

let outline = library.outlineManifest(text);
let history = library.NO_HISTORY;
let keystrokes = 0;

const contenders = {
  json_parse: () => JSON.parse(text) as unknown,
  check: () => library.checkManifest(text),
  outline: () => library.outlineManifest(text),
  keystroke,
  tree_and_zod: () => [library.parseTree(text), library.manifestShape.safeParse(JSON.parse(text))],
};
type Name = keyof typeof contenders;
const names = Object.keys(contenders) as Name[];
const times = new Map<Name, number[]>(names.map((name) => [name, []]));

for (let round = -WARM_UP; round < ROUNDS; round += 1) {
  for (const name of names) {
    const started = performance.now();
    contenders[name]();
    const took = performance.now() - started;
    if (round >= 0) readTimes(name).push(took);
  }
}

for (const name of names) console.log(`figure manifest_${name}_ms ${median(readTimes(name)).toFixed(2)} ms`);
console.log(`figure manifest_check_over_json_parse ${ratio("check", "json_parse")} ratio`);
console.log(`figure manifest_tree_and_zod_over_check ${ratio("tree_and_zod", "check")} ratio`);

function readTimes(name: Name): number[] {
  return times.get(name) ?? [];
}

/** Compares round by round, because neighboring runs see the same machine speed. */
function ratio(name: Name, other: Name): string {
  return median(readTimes(name).map((time, round) => time / (readTimes(other)[round] ?? 1))).toFixed(2);
}

/** Everything that one key in a field of the inspector does to the text and its history. */
function keystroke(): void {
  const value = "t".repeat(1 + (keystrokes % 40));
  const edited = library.editManifest(outline, { type: "set", path: ["app", "fields", 50, "title"], value });
  const note = { what: "Change title", merge: "title", time: keystrokes * 100 };
  history = library.recordChange(history, outline.text, edited.text, note);
  outline = edited;
  keystrokes += 1;
}

/** Lengthens the texts until the manifest is just under the limit. */
function createLargestManifest(): string {
  const { settings, values, bytes } = MANIFEST_LIMITS;
  const withTexts = (length: number) => {
    const fields = Array.from({ length: settings }, (_, setting) => ({
      name: `setting${setting}`,
      title: `Setting ${setting}`,
      type: "Select",
      hint: "Which of them",
      required: true,
      values: Array.from({ length: values }, (_, value) => ({
        text: `Value ${value} `.padEnd(length, "of many "),
        value: `v${setting}-${value}`,
      })),
    }));
    return JSON.stringify({ name: "acme/vin-lookup", version: "1.4.0", app: { fields } });
  };
  let length = 1;
  while (withTexts(length + 1).length < bytes) length += 1;
  return withTexts(length);
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
