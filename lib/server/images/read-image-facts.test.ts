import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Environment, readEnvironment } from "../platform/environment";
import { newMasterKey } from "../platform/keyring";
import { openStore } from "./blob-store";
import { createIncomingFolder, removeIncomingFolder } from "./incoming-folder";
import { readBundle } from "./archive/read-bundle";
import { writeBlobs } from "./keep-blobs";
import { countSharedLayers, readImageFacts } from "./read-image-facts";
import { receiveUpload } from "./receive-upload";
import { createTar, dockerArchive, type ImageParts, ociArchive, toDigest } from "./archive/test-archives";

let environment: Environment;

beforeAll(async () => {
  environment = readEnvironment({
    NODE_ENV: "test",
    DATABASE_URL: "postgres://unused",
    PLATFORM_MASTER_KEYS: newMasterKey("test"),
    PLATFORM_DATA_DIR: await mkdtemp(path.join(tmpdir(), "facts-")),
  });
});

afterAll(() => rm(environment.dataDir, { recursive: true, force: true }));

async function store(archive: Buffer) {
  const folder = await createIncomingFolder(environment);
  try {
    await receiveUpload(Readable.from([archive]), folder, new AbortController().signal);
    const bundle = await readBundle(folder);
    const written = await writeBlobs(bundle, folder);
    for (const { file = "", ...blob } of written.blobs) await openStore(environment).adopt(blob, file);
    return { ...written, imageDigest: bundle.image.digest };
  } finally {
    await removeIncomingFolder(folder);
  }
}

const base = await createTar([{ name: "bin/app", content: "base".repeat(5000) }]);
const withManifest = await createTar([{ name: "platform-app.json", content: "{}" }]);
const other = await createTar([{ name: "platform-app.json", content: '{ "name": "acme/x" }' }]);

const parts: ImageParts = {
  layers: [base, withManifest],
  stored: [gzipSync(base), withManifest],
  config: {
    User: "app",
    ExposedPorts: { "8080/tcp": {}, "9/udp": {} },
    Env: ["PATH=/bin", "API_KEY=canary-value", "EMPTY"],
    Volumes: { "/data": {} },
  },
  // As the classic builder and BuildKit write it.
  history: [
    { created_by: "/bin/sh -c #(nop)  VOLUME [/data]" },
    { created_by: "VOLUME [/a /b]", empty_layer: true },
    { created_by: "RUN echo VOLUME [/no]" },
  ],
};

// Guarantee: a moderator sees the digest that runs, and never the value of a variable.
test.each([
  ["docker save", dockerArchive],
  ["an OCI layout", (image: ImageParts) => ociArchive([image])],
])("the facts of an image from %s", async (_layout, write) => {
  const { archiveDigest, archiveBytes, imageDigest } = await store(await write(parts));
  const facts = await readImageFacts(environment, archiveDigest);
  expect(facts).toEqual({
    digest: imageDigest,
    archiveBytes,
    layers: [
      { diffId: toDigest(base), bytes: gzipSync(base).length },
      { diffId: toDigest(withManifest), bytes: withManifest.length },
    ],
    architecture: "amd64",
    volumes: ["/data", "/a", "/b"],
    user: "app",
    exposedPorts: ["8080/tcp", "9/udp"],
    environmentNames: ["PATH", "API_KEY", "EMPTY"],
    unlisted: 0,
  });
  expect(JSON.stringify(facts)).not.toContain("canary-value");
});

// Guarantee: what an engine would obey is not hidden by another spelling of its key.
test("a repeated layer is listed as often as it is stacked", async () => {
  const { archiveDigest } = await store(
    await dockerArchive({
      layers: [base, withManifest, base],
      config: { User: "0:0", ExposedPorts: { "1/tcp": {} }, Env: ["A=1", "B=2"] },
    }),
  );
  expect(await readImageFacts(environment, archiveDigest)).toMatchObject({
    layers: [{ diffId: toDigest(base) }, { diffId: toDigest(withManifest) }, { diffId: toDigest(base) }],
    user: "0:0",
    exposedPorts: ["1/tcp"],
    environmentNames: ["A", "B"],
  });
});

// Guarantee: a moderator knows that there are names that they don't see.
test("names that are not listed are counted", async () => {
  const Env = Array.from({ length: 203 }, (_, at) => `V${at}=1`);
  const { archiveDigest } = await store(
    await dockerArchive({ layers: [base, withManifest], config: { Env } }),
  );
  const facts = await readImageFacts(environment, archiveDigest);
  expect([facts?.environmentNames.length, facts?.unlisted]).toEqual([200, 3]);
});

test("layers shared with another version are counted", async () => {
  const [one, two] = await Promise.all(
    [withManifest, other].map(async (top) => {
      const { archiveDigest } = await store(await dockerArchive({ layers: [base, top] }));
      return readImageFacts(environment, archiveDigest);
    }),
  );
  if (one === undefined || two === undefined) throw new Error("the archives were not stored");
  expect([countSharedLayers(two, one), countSharedLayers(one, one)]).toEqual([1, 2]);
});

test("an archive that is not in the store has no facts", async () => {
  expect(await readImageFacts(environment, `sha256:${"0".repeat(64)}`)).toBeUndefined();
});
