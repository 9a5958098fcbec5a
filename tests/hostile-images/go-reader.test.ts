/** The platform's tar reader against Go's, which engines use. Without Go, `tar-scanner.test.ts` has the rules one by one. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { requireConfig } from "@/lib/server/images/archive/image-config";
import { type TarEntry, TarScanner } from "@/lib/server/images/archive/tar-scanner";
import { readEntries } from "@/tests/received-bundles";
import { currentTurn } from "@/tests/turns.mjs";
import { craftArchive, craftHeaders } from "./crafted-archives";
import { listConfigs } from "./crafted-configs";
import { GO_DECODER, GO_READER } from "./go-programs";

const run = promisify(execFile);
const hasGo = await run("go", ["version"]).then(
  () => true,
  () => false,
);

const isShort = currentTurn !== undefined;
/** `ENGINE_ARCHIVES=…` for more. */
const ARCHIVES = Math.max(Number(process.env.ENGINE_ARCHIVES ?? 0), isShort ? 300 : 2_000);
const HEADERS = isShort ? 2_000 : 30_000;

const goResult = z.object({
  error: z.string().optional(),
  entries: z.array(z.tuple([z.string(), z.string(), z.number(), z.string()])),
});

/** The lines that the program prints about the content of a file. */
async function runGo(program: string, content: Buffer): Promise<string[]> {
  const folder = await mkdtemp(path.join(tmpdir(), "go-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [source, file] = [path.join(folder, "main.go"), path.join(folder, "input")];
  await writeFile(source, program);
  await writeFile(file, content);
  const { stdout } = await run("go", ["run", source, file], { maxBuffer: 256 * 1024 * 1024 });
  return stdout.trim().split("\n");
}

async function readWithGo(tars: readonly Buffer[]): Promise<z.infer<typeof goResult>[]> {
  const parts = tars.flatMap((bytes) => [Buffer.from(`${bytes.length}\n`), bytes]);
  return (await runGo(GO_READER, Buffer.concat(parts))).map((line) => goResult.parse(JSON.parse(line)));
}

function scan(bytes: Buffer): TarEntry[] | undefined {
  const entries: TarEntry[] = [];
  const scanner = new TarScanner((entry) => void entries.push(entry));
  try {
    scanner.push(bytes);
    scanner.end();
    return entries;
  } catch {
    return undefined;
  }
}

const TYPES = { file: "0", link: "1", symlink: "2", directory: "5", global: "g" } as const;

/** What is read differently of the tars that the platform's reader accepts. */
async function compare(tars: readonly Buffer[]) {
  const results = await readWithGo(tars);
  expect(results.length).toBe(tars.length);
  const hex = (name: string) => Buffer.from(name, "latin1").toString("hex");
  let accepted = 0;
  const different = tars.flatMap((bytes, at) => {
    const ours = scan(bytes);
    const theirs = results[at];
    if (ours === undefined || theirs === undefined) return [];
    accepted += 1;
    const expected = ours.map(({ name, type, size, linkName }, index) => [
      hex(name),
      type === "other" ? theirs.entries[index]?.[1] : TYPES[type],
      size,
      hex(linkName),
    ]);
    const isSame = theirs.error === undefined && JSON.stringify(theirs.entries) === JSON.stringify(expected);
    return isSame ? [] : [{ at, ours: expected, theirs }];
  });
  return { accepted, different };
}

// Guarantee: of a layer that is accepted, engines see the same entries.
test.runIf(hasGo)(
  "whatever is accepted, Go's tar reader reads alike",
  async () => {
    const layers: Buffer[] = [];
    for (let seed = 0; seed < ARCHIVES; seed += 1)
      for (const { name, content } of await readEntries(await craftArchive(seed)))
        if (name.endsWith(".tar")) layers.push(content);
    const { accepted, different } = await compare(layers);
    console.log(`figure go_layers ${layers.length} layers\nfigure go_layers_accepted ${accepted} layers`);
    console.log(`figure go_layers_different ${different.length} layers`);
    expect(different).toEqual([]);
    expect(accepted).toBeGreaterThan(layers.length / 10);
  },
  240_000,
);

test.runIf(hasGo)(
  "whatever numbers, format and prefix a header has, Go's tar reader reads it alike, or it is refused",
  async () => {
    const headers = Array.from({ length: HEADERS }, (_, seed) => craftHeaders(seed));
    const { accepted, different } = await compare(headers);
    console.log(
      `figure go_headers ${headers.length} headers\nfigure go_headers_accepted ${accepted} headers`,
    );
    console.log(`figure go_headers_different ${different.length} headers`);
    expect(different).toEqual([]);
    expect(accepted).toBeGreaterThan(headers.length / 10);
  },
  240_000,
);

// Guarantee: engines can decode every configuration that is accepted.
test.runIf(hasGo)(
  "whatever types the members of a configuration have, Go decodes them, or it is refused",
  async () => {
    const configs = listConfigs();
    const decoded = await runGo(GO_DECODER, Buffer.from(configs.join("\n")));
    expect(decoded.length).toBe(configs.length);
    const accepted = configs.map((text) => {
      try {
        requireConfig(Buffer.from(text), "config.json");
        return true;
      } catch {
        return false;
      }
    });
    const failing = configs.filter((_, at) => accepted[at] === true && decoded[at] === "false");
    const count = accepted.filter(Boolean).length;
    console.log(
      `figure go_configs ${configs.length} documents\nfigure go_configs_accepted ${count} documents`,
    );
    console.log(`figure go_configs_undecodable ${failing.length} documents`);
    expect(failing).toEqual([]);
    expect(count).toBeGreaterThan(configs.length / 20);
  },
  120_000,
);
