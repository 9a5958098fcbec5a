import { appendFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import Docker from "dockerode";
import { afterAll, afterEach, expect, test } from "vitest";
import { archiveOpener, writeImage } from "@/tests/test-image";
import { StoreUnreachable } from "../../images/registry-client";
import { ensureImage, readArchivedLayers } from "./docker-image";

const folder = await mkdtemp(path.join(tmpdir(), "platform-images-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

const MANIFEST_ID = `sha256:${"e".repeat(64)}`;
const marked: string[][] = [];
const own = { mark: async (...image: string[]) => void marked.push(image) };
let server: Server | undefined;
afterEach(() => void server?.close());

/** An engine that identifies images by manifest and has none until it loads an archive. */
async function engineWith(
  layers: string[],
  answerLoad = (response: ServerResponse) =>
    response.end(JSON.stringify({ stream: `Loaded image ID: ${MANIFEST_ID}\n` })),
): Promise<{ docker: Docker; loads: () => number }> {
  let loads = 0;
  server = createServer((request, response) => {
    const url = request.url ?? "";
    if (request.method === "POST" && url.includes("/images/load")) {
      request.resume().once("end", () => {
        loads += 1;
        answerLoad(response);
      });
    } else if (loads > 0 && url.includes(MANIFEST_ID)) {
      response.end(JSON.stringify({ Id: MANIFEST_ID, RootFS: { Layers: layers }, Config: {} }));
    } else response.writeHead(404).end("{}");
  });
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  return { docker: new Docker({ protocol: "http", host: "127.0.0.1", port }), loads: () => loads };
}

async function givenOrder() {
  const busybox = path.join(folder, "busybox");
  await writeFile(busybox, "not a real one");
  const archivePath = path.join(folder, "image.tar");
  const imageDigest = await writeImage(archivePath, busybox, "exit 0");
  return {
    bundleKind: "image" as const,
    versionId: "v",
    replica: 0,
    organizationId: "",
    appName: "app",
    imageDigest,
    archivePath,
    openArchive: await archiveOpener(archivePath),
    imageReference: null,
    environment: { PLATFORM_STATE_API: "http://x" },
  };
}

// Guarantee: what runs is what was moderated, even if the engine's ids are digests of manifests.
test("an engine that identifies images by manifest runs the image from our archive", async () => {
  const order = await givenOrder();
  const { docker, loads } = await engineWith(
    (await readArchivedLayers(await order.openArchive(), order.imageDigest)) ?? [],
  );
  const loaded = new Map<string, string>();
  expect(await ensureImage(docker, order, loaded, own)).toMatchObject({ id: MANIFEST_ID });
  expect(await ensureImage(docker, order, loaded, own)).toMatchObject({ id: MANIFEST_ID });
  expect(loads()).toBe(1);
  // It is this platform's, so it is removed once nothing uses it.
  expect(marked).toEqual([[MANIFEST_ID, order.imageDigest]]);
});

// Guarantee: whose turn it is, is said: only another image helps against what the engine refuses, and no image against a full disk.
test.each([
  ["Error processing tar file(exit status 1): unexpected EOF", "IMAGE_REFUSED", /refused .* higher version/],
  ['invalid diffID for layer 0: expected "sha256:a"', "IMAGE_REFUSED", /refused .* higher version/],
  [
    "Error processing tar file(exit status 1): write /a: no space left on device",
    "ENGINE_FAILED",
    /disk space/,
  ],
  ["something else", "ENGINE_FAILED", /disk space, .* higher version/],
])("an engine that can't load the image for %j", async (error, reasonCode, detail) => {
  const body = JSON.stringify({ errorDetail: { message: error }, error });
  for (const answer of [
    (response: ServerResponse) => response.end(body),
    (response: ServerResponse) => response.writeHead(500).end(JSON.stringify({ message: error })),
  ]) {
    const { docker } = await engineWith([], answer);
    await expect(ensureImage(docker, await givenOrder(), new Map(), own)).rejects.toMatchObject({
      reasonCode,
      detail: expect.stringMatching(detail),
    });
    server?.close();
  }
});

test("an image with other layers is refused", async () => {
  const { docker } = await engineWith([`sha256:${"0".repeat(64)}`]);
  await expect(ensureImage(docker, await givenOrder(), new Map(), own)).rejects.toMatchObject({
    code: "UNAVAILABLE",
  });
});

// Guarantee (P7): layers say nothing about what an image executes, so an archive that is not the published one is refused.
test("another archive with the same layers is refused, and never loaded as a whole", async () => {
  const order = await givenOrder();
  const layers = await readArchivedLayers(await order.openArchive(), order.imageDigest);
  await appendFile(order.archivePath, Buffer.alloc(512));
  const { docker, loads } = await engineWith(layers ?? []);
  await expect(ensureImage(docker, order, new Map(), own)).rejects.toMatchObject({
    code: "UNAVAILABLE",
    detail: expect.stringContaining("is not the one that was published"),
  });
  expect(loads()).toBe(0);
});

test("an archive with another configuration has no layers", async () => {
  const { openArchive } = await givenOrder();
  expect(await readArchivedLayers(await openArchive(), `sha256:${"0".repeat(64)}`)).toBeUndefined();
});

// Guarantee: what customers see says what is missing, and names no path of the server.
test("a missing archive is described without its path", async () => {
  const { docker } = await engineWith([]);
  const order = await givenOrder();
  await rm(order.archivePath);
  const refusal: unknown = await ensureImage(docker, order, new Map(), own).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: "UNAVAILABLE", detail: expect.stringContaining("is missing") });
  expect(String(refusal)).not.toMatch(/ENOENT|gone\.tar/);
});

test("a store that can't be read is not a missing image", async () => {
  const { docker } = await engineWith([]);
  const openArchive = () => Promise.reject(new StoreUnreachable("The registry failed."));
  const start = ensureImage(docker, { ...(await givenOrder()), openArchive }, new Map(), own);
  await expect(start).rejects.toMatchObject({
    reasonCode: "STORE_UNREACHABLE",
    detail: "The registry failed.",
  });
});
