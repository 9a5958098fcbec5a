/** The platform's reader against the engine of this machine, which runs what it accepts. */
import { execFile, spawn } from "node:child_process";
import { buffer, text as readAll } from "node:stream/consumers";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { openArchive } from "@/lib/server/images/open-archive";
import { readEntries, testBundles } from "@/tests/received-bundles";
import { craftArchive } from "./crafted-archives";

const run = promisify(execFile);
const has = (command: string, ...args: string[]) =>
  run(command, args).then(
    () => true,
    () => false,
  );
const hasEngine = await has("docker", "info");

/** `ENGINE_ARCHIVES=…` for more. */
const COUNT = Number(process.env.ENGINE_ARCHIVES ?? 400);
const { environment, receive } = await testBundles();

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
  1_200_000,
);
