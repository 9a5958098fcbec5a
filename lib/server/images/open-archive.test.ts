import { appendFile, readFile, rm, writeFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { readEntries, testBundles } from "@/tests/received-bundles";
import { openStore } from "./blob-store";
import { openArchive } from "./open-archive";
import { createConfig, createTar, dockerArchive, toDigest, toZstdFrame } from "./archive/test-archives";

const { environment, receive } = await testBundles();

const layers = [
  await createTar([{ name: "bin/app", content: "x".repeat(900_000) }]),
  await createTar([{ name: "platform-app.json", content: "{}" }]),
];
const stored = [gzipSync(layers[0] ?? ""), toZstdFrame(layers[1] ?? Buffer.alloc(0))];
const config = createConfig({ layers });

async function givenStored() {
  const { archiveDigest } = await receive(await dockerArchive({ layers, stored }), true);
  const place = (kind: "blob" | "manifest", digest: string) =>
    openStore(environment).place({ kind, digest }, environment.dataDir);
  return {
    archiveDigest,
    files: {
      manifest: await place("manifest", archiveDigest),
      config: await place("blob", toDigest(config)),
      "a layer": await place("blob", toDigest(stored[0] ?? config)),
      "a zstd layer": await place("blob", toDigest(stored[1] ?? config)),
    },
  };
}

const load = async (archiveDigest: string) => buffer(await openArchive(environment, archiveDigest));

test("an archive names the image last, keeps gzip layers, and unpacks zstd ones", async () => {
  const { archiveDigest } = await givenStored();
  const entries = await readEntries(await load(archiveDigest));
  expect(entries.map(({ name }) => name)).toEqual([
    `${toDigest(config).slice(7)}.json`,
    "layer-000.tar",
    "layer-001.tar",
    "manifest.json",
  ]);
  expect(entries[1]?.content.equals(stored[0] ?? config)).toBe(true);
  expect(entries[2]?.content.equals(layers[1] ?? config)).toBe(true);
});

// Guarantee (P7): whatever was changed in the store, an engine doesn't get an archive with an end.
test.each(["manifest", "config", "a layer", "a zstd layer"] as const)(
  "an archive whose stored %s was changed is refused",
  async (which) => {
    const { archiveDigest, files } = await givenStored();
    const file = files[which];
    const content = await readFile(file);
    const refusal = {
      code: "UNAVAILABLE",
      detail: expect.stringContaining("not the one that was published"),
    };
    await appendFile(file, " ");
    await expect(load(archiveDigest)).rejects.toMatchObject(refusal);
    const changed = Buffer.from(content);
    changed[content.length - 1] = (changed[content.length - 1] ?? 0) ^ 1;
    await writeFile(file, changed);
    await expect(load(archiveDigest)).rejects.toMatchObject(refusal);
    await writeFile(file, content);
    await load(archiveDigest);
  },
);

// Guarantee: what customers see says what is missing, and names no path of the server.
test.each(["manifest", "config", "a layer"] as const)("a missing %s is described", async (which) => {
  const { archiveDigest, files } = await givenStored();
  await rm(files[which]);
  const refusal: unknown = await load(archiveDigest).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: "UNAVAILABLE", detail: expect.stringContaining("is missing") });
  expect(String(refusal)).not.toContain(environment.dataDir);
});
