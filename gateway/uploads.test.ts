import { mkdir, readdir, rm, symlink } from "node:fs/promises";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createApiKey, revokeApiKey } from "@/lib/server/accounts/credentials/manage-api-keys";
import { readStorageUse } from "@/lib/server/catalog/store-version";
import { removeOldUploads } from "@/lib/server/images/keep-blobs";
import { createConfig, createTar, dockerArchive, toDigest } from "@/lib/server/images/archive/test-archives";
import { createRandom } from "@/tests/hostile-images/case";
import { basic } from "@/tests/matrix/world";
import { testBundles } from "@/tests/received-bundles";
import {
  ask,
  begin,
  proceed,
  publishManifest,
  send,
  sendMissing,
  toLayered,
  UPLOADS,
} from "@/tests/hostile-images/send-blobs";
import { givenListing, givenMember, testPlatform } from "@/tests/test-platform";
import { createGateway } from "./serve";

const platform = await testPlatform({ PLATFORM_STORAGE_QUOTA_MB: "3" });
const bundles = await testBundles();
const server: Server = createGateway(platform);
let base = "";
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

let organizations = 0;

/** An organization with the listing `vin-lookup`, and the key of its command line. */
async function givenSender() {
  organizations += 1;
  const slug = `org-${organizations}`;
  const member = await givenMember(platform, slug);
  await givenListing(platform, member);
  const key = await createApiKey(platform, member, "CI");
  const sender = { base, authorization: basic(key) };
  return { sender, member, key, app: `${slug}/vin-lookup`, organizationId: member.organization.id };
}

const random = createRandom(60);
const noise = (bytes: number) => Buffer.from(Array.from({ length: bytes }, () => Math.floor(random() * 256)));
const BASE = await createTar([{ name: "base", content: noise(400_000) }]);

/** The same for the same app and version. */
async function imageOf(app: string, version: string) {
  const manifest = JSON.stringify({ name: app, version, app: { fields: [] } });
  const layers = [BASE, await createTar([{ name: "platform-app.json", content: manifest }])];
  const stored = layers.map((layer) => gzipSync(layer));
  const archive = await dockerArchive({ layers, stored });
  return { archive, ...toLayered(createConfig({ layers }), stored) };
}

const sum = (blobs: readonly Buffer[]) => blobs.reduce((bytes, { length }) => bytes + length, 0);
const folderOf = (organizationId: string) =>
  path.join(platform.environment.dataDir, "bundles", "uploads", organizationId);
const staged = (organizationId: string) => readdir(folderOf(organizationId)).catch(() => []);

async function readPublished(app: string, version: string) {
  const { rows } = await platform.pool.query<{ imageDigest: string; archiveDigest: string }>(
    `select image_digest as "imageDigest", archive_digest as "archiveDigest" from versions v
       join listings l on l.id = v.listing_id join organizations o on o.id = l.organization_id
      where o.slug = $1 and v.number = $2`,
    [app.split("/")[0], version],
  );
  return rows[0];
}

// Guarantee: which way an image is sent makes no difference to what is published, and what is shared is sent once.
test("an image sent blob by blob is the one that its archive would be, and the next version sends only what is new", async () => {
  const { sender, app, organizationId } = await givenSender();
  const first = await imageOf(app, "2.0.0");
  expect(await sendMissing(sender, first.blobs)).toBe(sum(first.blobs));
  const published = await publishManifest(sender, app, first.manifest);
  expect(published.status, published.text).toBe(201);
  const { imageDigest, archiveDigest } = await bundles.receive(first.archive);
  expect(await readPublished(app, "2.0.0")).toEqual({ imageDigest, archiveDigest });
  expect(await staged(organizationId)).toEqual([]);

  const second = await imageOf(app, "2.1.0");
  const [config, , top] = second.blobs;
  expect(await sendMissing(sender, second.blobs)).toBe((config?.length ?? 0) + (top?.length ?? 0));
  expect((await publishManifest(sender, app, second.manifest)).status).toBe(201);
  expect(await readPublished(app, "2.1.0")).toMatchObject(
    await bundles.receive(second.archive).then(({ archiveDigest: digest }) => ({ archiveDigest: digest })),
  );
});

// Guarantee: who lost the answer sends the same again, after the blobs have moved from the uploads to the store.
test("a manifest with release notes is published once, however often it is sent", async () => {
  const { sender, app } = await givenSender();
  const { blobs, manifest } = await imageOf(app, "2.0.0");
  await sendMissing(sender, blobs);
  const publish = (notes: string) =>
    send(sender, {
      method: "POST",
      path: `/publish/v1/apps/${app}/versions?version=2.0.0`,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ manifest, notes }),
    });
  const first = await publish("Faster.");
  expect(first.status, first.text).toBe(201);
  const again = await publish("Faster.");
  expect([again.status, again.text]).toEqual([201, first.text]);
  expect((await publishManifest(sender, app, manifest, "2.0.0")).text).toBe(first.text);
  expect((await publish("Slower.")).text).toContain("VERSION_EXISTS");
  const { rows } = await platform.pool.query(
    "select release_notes from versions v join listings l on l.id = v.listing_id join organizations o on o.id = l.organization_id where o.slug = $1 and v.number = '2.0.0'",
    [app.split("/")[0]],
  );
  expect(rows).toEqual([{ release_notes: "Faster." }]);
});

// Guarantee (Must show 5): what has arrived stays, and nothing is sent twice.
test("an upload whose connection is destroyed at ten seeded points resumes, and ends with the same digest", async () => {
  const { sender, app } = await givenSender();
  const { blobs, manifest, archive } = await imageOf(app, "2.0.0");
  const [config = Buffer.alloc(0), large = Buffer.alloc(0), top = Buffer.alloc(0)] = blobs;
  await sendMissing(sender, [config, top]);
  const points = Array.from({ length: 10 }, () => 1 + Math.floor(random() * (large.length - 2))).sort(
    (one, other) => one - other,
  );
  const digest = toDigest(large);
  await begin(sender, large);
  let offset = 0;
  for (const point of points) {
    const breakAfter = Math.max(1, point - offset);
    await proceed(sender, digest, offset, large.subarray(offset), { breakAfter }).catch(() => undefined);
    const asked = await ask(sender, digest);
    const next = Number(asked.headers["upload-offset"]);
    expect([asked.status, next >= offset, next <= offset + breakAfter]).toEqual([200, true, true]);
    offset = next;
  }
  // What a broken connection had sent may still be on its way into the file: then, the offset is asked for again.
  await expect
    .poll(async () => {
      offset = Number((await ask(sender, digest)).headers["upload-offset"]);
      return (await proceed(sender, digest, offset, large.subarray(offset))).status;
    })
    .toBe(204);
  expect((await publishManifest(sender, app, manifest)).status).toBe(201);
  expect(await readPublished(app, "2.0.0")).toMatchObject({
    archiveDigest: (await bundles.receive(archive)).archiveDigest,
  });
});

// Guarantee: nothing that an organization can ask tells whether others have stored or begun a blob.
test("blobs of another organization don't exist, whether they are stored or on their way", async () => {
  const { sender, app } = await givenSender();
  const { blobs, manifest } = await imageOf(app, "2.0.0");
  const other = await givenSender();
  await sendMissing(sender, blobs);
  for (const step of ["on their way", "stored"]) {
    for (const blob of blobs) {
      const answer = await ask(other.sender, toDigest(blob));
      const absent = await ask(other.sender, `sha256:${"0".repeat(64)}`);
      expect([step, answer.status, answer.headers["upload-offset"]]).toEqual([step, 404, undefined]);
      expect(absent.status).toBe(404);
    }
    const refused = await publishManifest(other.sender, other.app, manifest);
    expect(refused.text.match(/"code":"BLOB_MISSING"/g)).toHaveLength(blobs.length);
    if (step === "on their way") expect((await publishManifest(sender, app, manifest)).status).toBe(201);
  }
  const own = await imageOf(other.app, "2.0.0");
  expect(await sendMissing(other.sender, own.blobs)).toBe(sum(own.blobs));
});

test("uploads count in the organization's storage, and are removed with their bytes when nobody continues them", async () => {
  const { sender, organizationId } = await givenSender();
  const readUse = async () => (await readStorageUse(platform, organizationId)).usedBytes;
  const before = await readUse();
  const blob = noise(50_000);
  await begin(sender, blob);
  await proceed(sender, toDigest(blob), 0, blob.subarray(0, 20_000));
  expect(await readUse()).toBe(before + 50_000);
  const large = await begin(sender, noise(10), 2_960_000);
  expect([large.status, JSON.parse(large.text).code]).toEqual([403, "QUOTA_EXCEEDED"]);
  expect(await staged(organizationId)).toHaveLength(1);

  await removeOldUploads(platform, new Date(Date.now() - 60_000), { pauseMs: 0 });
  expect(await staged(organizationId)).toHaveLength(1);
  await removeOldUploads(platform, new Date(Date.now() + 60_000), { pauseMs: 0 });
  expect(await staged(organizationId)).toEqual([]);
  expect(await readUse()).toBe(before);
  expect((await ask(sender, toDigest(blob))).status).toBe(404);
});

test("bytes that are not the blob's are refused when they are published, and are not kept for the next attempt", async () => {
  const { sender, app, organizationId } = await givenSender();
  const { blobs, manifest } = await imageOf(app, "2.0.0");
  const [config = Buffer.alloc(0), large = Buffer.alloc(0), top = Buffer.alloc(0)] = blobs;
  await sendMissing(sender, [config, top]);
  await begin(sender, large);
  const wrong = Buffer.from(large);
  wrong[wrong.length - 20] = (wrong[wrong.length - 20] ?? 0) ^ 1;
  await proceed(sender, toDigest(large), 0, wrong);
  const refused = await publishManifest(sender, app, manifest);
  expect([refused.status, JSON.parse(refused.text).code]).toEqual([400, "BAD_BUNDLE"]);
  expect(await staged(organizationId)).toEqual([]);
  await sendMissing(sender, blobs);
  expect((await publishManifest(sender, app, manifest)).status).toBe(201);
});

test("false sizes: a blob that is shorter than its manifest says is missing, a longer one is cut off, and too large ones are not begun", async () => {
  const { sender, app } = await givenSender();
  const { blobs, manifest } = await imageOf(app, "2.0.0");
  const [config = Buffer.alloc(0), large = Buffer.alloc(0), top = Buffer.alloc(0)] = blobs;
  await sendMissing(sender, [config, top]);
  await begin(sender, large);
  await proceed(sender, toDigest(large), 0, large.subarray(1));
  expect((await publishManifest(sender, app, manifest)).text).toContain('"code":"BLOB_MISSING"');
  // A new size starts over.
  await begin(sender, large, 1000);
  expect((await proceed(sender, toDigest(large), 0, large)).status).toBe(413);
  expect((await begin(sender, large, 2 ** 31 + 1)).status).toBe(413);
  await begin(sender, large);
  expect((await proceed(sender, toDigest(large), 5, large.subarray(5))).status).toBe(409);
  expect((await proceed(sender, toDigest(large), 0, large)).status).toBe(204);
  expect((await publishManifest(sender, app, manifest)).status).toBe(201);
});

test("a key that is revoked in the middle is refused at the next request", async () => {
  const { sender, member, key } = await givenSender();
  const blob = noise(1000);
  await begin(sender, blob);
  expect((await proceed(sender, toDigest(blob), 0, blob.subarray(0, 500))).status).toBe(204);
  await revokeApiKey(platform, member, key.apiKeyId);
  expect((await proceed(sender, toDigest(blob), 500, blob.subarray(500))).status).toBe(401);
  expect((await ask(sender, toDigest(blob))).status).toBe(401);
});

// Guarantee: a connection that nobody uses anymore doesn't keep the sender from continuing on another one.
test("a request takes over the upload from one that hangs, with all bytes that had arrived", async () => {
  const { sender } = await givenSender();
  const blob = noise(5000);
  const digest = toDigest(blob);
  await begin(sender, blob);
  const headers = {
    "content-length": "5000",
    "content-type": "application/offset+octet-stream",
    "upload-offset": "0",
  };
  const controller = new AbortController();
  const body = new ReadableStream({ start: (stream) => stream.enqueue(blob.subarray(0, 3000)) });
  const init = {
    method: "PATCH",
    headers: { ...headers, "tus-resumable": "1.0.0", authorization: sender.authorization },
    body,
    duplex: "half",
  };
  const hanging = fetch(`${base}${UPLOADS}/${digest}`, { ...init, signal: controller.signal }).catch(
    () => undefined,
  );
  let offset = 0;
  while (offset < 3000) offset = Number((await ask(sender, digest)).headers["upload-offset"]);
  expect((await proceed(sender, digest, 3000, blob.subarray(3000))).status).toBe(204);
  controller.abort();
  await hanging;
});

test("a full disk is answered with 507, and every other refusal has a code too", async () => {
  const { sender, organizationId } = await givenSender();
  const blob = noise(1000);
  await begin(sender, blob);
  const file = path.join(folderOf(organizationId), toDigest(blob).slice("sha256:".length));
  await mkdir(folderOf(organizationId), { recursive: true });
  await rm(file);
  await symlink("/dev/full", file);
  const full = await proceed(sender, toDigest(blob), 0, blob);
  expect([full.status, JSON.parse(full.text).code]).toEqual([507, "STORAGE_FULL"]);
  await rm(file);
  for (const [sending, status, code] of [
    [{ method: "POST", path: UPLOADS, headers: { "tus-resumable": "" } }, 400, "BAD_INPUT"],
    [{ method: "POST", path: UPLOADS, headers: { "upload-length": "-1" } }, 400, "BAD_INPUT"],
    [{ method: "POST", path: UPLOADS, headers: { "upload-length": "5" } }, 400, "BAD_INPUT"],
    [{ method: "PATCH", path: `${UPLOADS}/sha256:${"0".repeat(64)}` }, 400, "BAD_INPUT"],
    [{ method: "PATCH", path: `${UPLOADS}/nonsense` }, 404, "NOT_FOUND"],
    [{ method: "PATCH", path: `${UPLOADS}/..%2f..%2fetc` }, 404, "NOT_FOUND"],
  ] as const) {
    const answer = await send(sender, sending);
    expect([answer.status, JSON.parse(answer.text).code, answer.headers["content-type"]]).toEqual([
      status,
      code,
      "application/problem+json",
    ]);
  }
});
