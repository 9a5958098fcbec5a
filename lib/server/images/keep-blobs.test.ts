import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { versions } from "@/drizzle/schema/catalog";
import { imageBlobs, organizationBlobs, storedBlobs } from "@/drizzle/schema/images";
import { toPublisher } from "@/lib/domain/platform/actor";
import { givenListing, givenMember, one, SAMPLE_MANIFEST, testPlatform } from "@/tests/test-platform";
import { publishVersion } from "../catalog/publish/publish-version";
import { readStorageUse } from "../catalog/store-version";
import { openStore, type SizedBlob } from "./blob-store";
import { collectBlobs, keepBlobs } from "./keep-blobs";
import { createTar, dockerArchive, toDigest } from "./archive/test-archives";

const platform = await testPlatform();
const store = openStore(platform.environment);
const DAY_MS = 24 * 60 * 60_000;
const collect = (ageMs = 0) => collectBlobs(platform, new Date(Date.now() + 1000 - ageMs), { pauseMs: 0 });
const count = async () => (await platform.db.select().from(storedBlobs)).length;

async function givenPublisher(slug: string) {
  const member = await givenMember(platform, slug, "publisher");
  await givenListing(platform, member);
  return toPublisher(member);
}

/** A version with a layer that only it has, and `shared`. */
async function publish(slug: string, shared: Buffer, own = randomBytes(2000)) {
  const publisher = await givenPublisher(slug);
  const manifest = { ...SAMPLE_MANIFEST, name: `${slug}/vin-lookup`, version: "1.5.0" };
  const layers = await Promise.all([
    createTar([{ name: "platform-app.json", content: JSON.stringify(manifest) }]),
    createTar([{ name: "own", content: own }]),
  ]);
  const archive = Readable.from([await dockerArchive({ layers: [shared, ...layers] })]);
  const { versionId } = await publishVersion(platform, publisher, { appName: "vin-lookup", archive });
  return { publisher, versionId, shared: toDigest(shared) };
}

// Guarantee: what a version names is never removed, however old it is; what nothing names is, from the store too.
test("only blobs that no version names are removed", async () => {
  const base = await createTar([{ name: "base", content: randomBytes(5000) }]);
  const first = await publish("acme", base);
  const second = await publish("harbor", base);
  expect(await collect()).toBe(0);
  expect(await count()).toBe(9);

  await platform.db.delete(versions).where(eq(versions.id, first.versionId));
  expect(await collect()).toBe(4);
  expect(await store.has({ kind: "blob", digest: second.shared })).toBe(true);
  const { usedBytes } = await readStorageUse(platform, first.publisher.organizationId);
  // The one of the listing's first version, which was never a blob.
  expect(usedBytes).toBe(1);

  const rest = await platform.db.select().from(storedBlobs);
  await platform.db.delete(versions).where(eq(versions.id, second.versionId));
  expect(await collect()).toBe(5);
  for (const blob of rest) expect(await store.has(blob)).toBe(false);
  expect(await platform.db.select().from(imageBlobs)).toEqual([]);
  expect(await platform.db.select().from(organizationBlobs)).toEqual([]);
});

// Guarantee: a publication that is under way keeps what it has stored, also if another one of the same blobs fails.
test("blobs of a publication in progress stay, and a failed one removes only its own", async () => {
  const [first, second] = [await givenPublisher("acme"), await givenPublisher("harbor")];
  const content = randomBytes(1000);
  const blob: SizedBlob = { kind: "blob", digest: toDigest(content), bytes: content.length };
  await store.write(blob, Readable.from([content]));
  const going = await keepBlobs(platform, first.organizationId, [blob], async () => {});
  const failing = await keepBlobs(platform, second.organizationId, [blob], async () => {});
  await failing.release();
  expect(await store.has(blob)).toBe(true);
  expect(await collect(DAY_MS)).toBe(0);
  await going.release();
  // The other one touched it last, so it stays until the clean-up.
  expect(await collect(DAY_MS)).toBe(0);
  expect(await collect()).toBe(1);
  expect(await store.has(blob)).toBe(false);
});

test("a blob is not removed while a publication that needs it takes its row", async () => {
  const publisher = await givenPublisher("acme");
  const content = randomBytes(1000);
  const blob: SizedBlob = { kind: "blob", digest: toDigest(content), bytes: content.length };
  await store.write(blob, Readable.from([content]));
  await keepBlobs(platform, publisher.organizationId, [blob], async () => {});
  await platform.db.delete(organizationBlobs);
  let collected: Promise<number> | undefined;
  await keepBlobs(platform, publisher.organizationId, [blob], async () => {
    // The row is locked by now.
    collected = collect();
    await collected;
  });
  expect(await collected).toBe(0);
  expect(one(await platform.db.select().from(storedBlobs))).toMatchObject({ digest: blob.digest });
  expect(await store.has(blob)).toBe(true);
});
