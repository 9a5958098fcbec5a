/** The platform's reader against those that run what it accepts: Go's tar reader, which engines use, and the engine of this machine. */
import { execFile, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { buffer, text as readAll } from "node:stream/consumers";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { openArchive } from "@/lib/server/images/open-archive";
import { type TarEntry, TarScanner } from "@/lib/server/images/archive/tar-scanner";
import { readEntries, testBundles } from "@/tests/received-bundles";
import { craftArchive } from "./crafted-archives";

const run = promisify(execFile);
const has = (command: string, ...args: string[]) =>
  run(command, args).then(
    () => true,
    () => false,
  );
const hasGo = await has("go", "version");
const hasEngine = await has("docker", "info");

/** `ENGINE_ARCHIVES=…` for more. */
const COUNT = Number(process.env.ENGINE_ARCHIVES ?? 60);
const GO_COUNT = Math.max(COUNT, 600);
const { environment, receive } = await testBundles();

const GO_READER = `package main

import ("archive/tar"; "encoding/hex"; "encoding/json"; "fmt"; "os")

func main() {
	for _, file := range os.Args[1:] {
		input, _ := os.Open(file)
		reader := tar.NewReader(input)
		entries := [][]any{}
		result := map[string]any{}
		for {
			header, err := reader.Next()
			if err != nil {
				if err.Error() != "EOF" { result["error"] = err.Error() }
				break
			}
			if header.Typeflag == 'g' { continue }
			entries = append(entries, []any{hex.EncodeToString([]byte(header.Name)), string(header.Typeflag), header.Size, hex.EncodeToString([]byte(header.Linkname))})
		}
		result["entries"] = entries
		text, _ := json.Marshal(result)
		fmt.Println(string(text))
		input.Close()
	}
}
`;

const goResult = z.object({
  error: z.string().optional(),
  entries: z.array(z.tuple([z.string(), z.string(), z.number(), z.string()])),
});

function scan(layer: Buffer): TarEntry[] | undefined {
  const entries: TarEntry[] = [];
  const scanner = new TarScanner((entry) => void entries.push(entry));
  try {
    scanner.push(layer);
    scanner.end();
    return entries;
  } catch {
    return undefined;
  }
}

const TYPES = { file: "0", link: "1", symlink: "2", directory: "5" } as const;

// Guarantee: of a layer that is accepted, engines see the same entries.
test.runIf(hasGo)(
  "whatever is accepted, Go's tar reader reads alike",
  async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "layers-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const layers: Buffer[] = [];
    for (let seed = 0; seed < GO_COUNT; seed += 1)
      for (const { name, content } of await readEntries(await craftArchive(seed)))
        if (name.endsWith(".tar")) layers.push(content);
    const program = path.join(folder, "read.go");
    await writeFile(program, GO_READER);
    const files = layers.map((_, at) => path.join(folder, `${at}.tar`));
    for (const [at, layer] of layers.entries()) await writeFile(files[at] ?? "", layer);
    const { stdout } = await run("go", ["run", program, ...files], { maxBuffer: 64 * 1024 * 1024 });
    const results = stdout
      .trim()
      .split("\n")
      .map((line) => goResult.parse(JSON.parse(line)));
    const hex = (name: string) => Buffer.from(name, "latin1").toString("hex");
    const different = layers.flatMap((layer, at) => {
      const ours = scan(layer);
      if (ours === undefined) return [];
      const theirs = results[at];
      const expected = ours.map(({ name, type, size, linkName }, index) => [
        hex(name),
        type === "other" ? theirs?.entries[index]?.[1] : TYPES[type],
        size,
        hex(linkName),
      ]);
      const isSame =
        theirs?.error === undefined && JSON.stringify(theirs?.entries) === JSON.stringify(expected);
      return isSame ? [] : [{ at, ours: expected, theirs }];
    });
    const accepted = layers.filter((layer) => scan(layer) !== undefined).length;
    console.log(`figure go_layers ${layers.length} layers\nfigure go_layers_accepted ${accepted} layers`);
    console.log(`figure go_layers_different ${different.length} layers`);
    expect(different).toEqual([]);
    expect(accepted).toBeGreaterThan(layers.length / 10);
  },
  120_000,
);

async function docker(...args: string[]): Promise<string> {
  return (await run("docker", args)).stdout.trim();
}

/** Loads an archive. Returns the id of the image, or why the engine refuses it. */
async function load(archive: Buffer): Promise<{ id?: string; output: string }> {
  const child = spawn("docker", ["load"], { stdio: ["pipe", "pipe", "pipe"] });
  child.stdin.on("error", () => undefined);
  child.stdin.end(archive);
  const output = (await Promise.all([readAll(child.stdout), readAll(child.stderr)])).join("\n");
  return { id: /sha256:[0-9a-f]{64}/.exec(output)?.[0], output };
}

/** The manifest at the root of a container of the image. */
async function readFromEngine(id: string): Promise<string> {
  const container = await docker("create", id, "/none");
  try {
    const { stdout } = await run("docker", ["cp", `${container}:/platform-app.json`, "-"], {
      encoding: "buffer",
    });
    return (await readEntries(stdout))[0]?.content.toString("utf8") ?? "";
  } finally {
    await docker("rm", "-f", container);
  }
}

// Guarantee: what is moderated is what runs. An archive that is accepted can be loaded, and has the same manifest there.
test.runIf(hasEngine)(
  "whatever is accepted, the engine loads, with the same manifest",
  async () => {
    let accepted = 0;
    const different: object[] = [];
    for (let seed = 0; seed < COUNT; seed += 1) {
      const received = await receive(await craftArchive(seed), true).catch(() => undefined);
      if (received === undefined) continue;
      accepted += 1;
      const { id, output } = await load(await buffer(await openArchive(environment, received.archiveDigest)));
      if (id === undefined) {
        different.push({ seed, output });
        continue;
      }
      const manifest = await readFromEngine(id).catch((error: unknown) => String(error));
      if (manifest !== received.manifestText) different.push({ seed, manifest, ours: received.manifestText });
      await docker("rmi", "-f", id).catch(() => undefined);
    }
    console.log(`figure archive_cases ${COUNT} archives\nfigure archive_accepted ${accepted} archives`);
    console.log(`figure archive_accepted_with_difference ${different.length} archives`);
    expect(different).toEqual([]);
    expect(accepted).toBeGreaterThan(0);
  },
  600_000,
);
