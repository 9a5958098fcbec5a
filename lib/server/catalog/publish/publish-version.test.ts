import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { afterEach, describe, expect, test } from "vitest";
import { versions } from "@/drizzle/schema/catalog";
import { imageBlobs, storedBlobs } from "@/drizzle/schema/images";
import { audit } from "@/drizzle/schema/platform";
import { type Publisher, toPublisher } from "@/lib/domain/platform/actor";
import { SMALL_BLOCKS } from "@/tests/hostile-images/costly-uploads";
import { givenListing, givenMember, one, SAMPLE_MANIFEST, testPlatform } from "@/tests/test-platform";
import { createApiKey, revokeApiKey } from "../../accounts/credentials/manage-api-keys";
import { createTar, dockerArchive } from "../../images/archive/test-archives";
import { readStorageUse } from "../store-version";
import { readDraft, saveDraft } from "./manifest-draft";
import { publishExampleFolder, publishVersion } from "./publish-version";

const platform = await testPlatform();

/** A publisher whose listing has version 1.4.0. */
async function givenPublisher(slug = "acme", verified = false): Promise<Publisher & { listingId: string }> {
  const member = await givenMember(platform, slug, "publisher");
  const { listing } = await givenListing(platform, member, { verified });
  return { ...toPublisher(member), listingId: listing.id };
}

async function archiveOf(manifest: object | string, config?: object): Promise<Readable> {
  const content = typeof manifest === "string" ? manifest : JSON.stringify(manifest, null, 2);
  return Readable.from([
    await dockerArchive({ layers: [await createTar([{ name: "platform-app.json", content }])], config }),
  ]);
}

/** Digests of the stored blobs. */
const stored = async () => {
  const blobs = path.join(platform.environment.dataDir, "bundles", "blobs", "sha256");
  const names = await readdir(blobs).catch(() => []);
  return names.map((name) => `sha256:${name}`).sort();
};
afterEach(() => rm(path.join(platform.environment.dataDir, "bundles"), { recursive: true, force: true }));
const named = () => platform.db.select().from(imageBlobs);

/** Refused means that versions, audit trail and blobs are as before. */
async function refused(publishing: () => Promise<unknown>) {
  const readAll = async () => [
    await platform.db.select().from(versions),
    await platform.db.select().from(audit),
    await stored(),
    await platform.db.select({ digest: storedBlobs.digest }).from(storedBlobs),
  ];
  const before = await readAll();
  const refusal: unknown = await publishing().then(
    () => "it was accepted",
    (error: unknown) => error,
  );
  expect(await readAll()).toEqual(before);
  return refusal;
}

describe("a published version", () => {
  test("has a row, blobs named by their digests, and an audit row", async () => {
    const publisher = await givenPublisher();
    const archive = await archiveOf({ ...SAMPLE_MANIFEST, version: "1.5.0", "x-own": 1 });
    const published = await publishVersion(platform, publisher, { appName: "acme/vin-lookup", archive });
    expect(published).toMatchObject({ number: "1.5.0", listingId: publisher.listingId });
    const row = one(
      (await platform.db.select().from(versions)).filter(({ id }) => id === published.versionId),
    );
    expect(row).toMatchObject({
      number: "1.5.0",
      imageDigest: published.imageDigest,
      verifiedAt: null,
      manifest: { "x-own": 1 },
    });
    const blobs = await named();
    expect(await stored()).toEqual(blobs.map(({ digest }) => digest).sort());
    expect(blobs.map(({ digest }) => digest)).toEqual(
      expect.arrayContaining([row.archiveDigest, row.imageDigest]),
    );
    expect(await platform.db.select().from(audit)).toMatchObject([
      { action: "version.publish", subject: `version:${row.id}` },
    ]);
  });

  // Guarantee: whatever way an image came, its publisher learns from the answer that nothing can start it.
  test.each([
    [{ Cmd: ["/server"] }, undefined],
    [{ Entrypoint: [], Cmd: null }, [expect.stringContaining("neither CMD nor ENTRYPOINT")]],
  ])("of an image with %j has the warnings %j", async (config, warnings) => {
    const archive = await archiveOf({ ...SAMPLE_MANIFEST, version: "1.5.0" }, config);
    const published = await publishVersion(platform, await givenPublisher(), {
      appName: "acme/vin-lookup",
      archive,
    });
    expect(published.warnings).toEqual(warnings);
  });

  // Guarantee: moderators read what the image really contains, even if the number was raised after the build.
  test("keeps the manifest of the image as it is there", async () => {
    const publisher = await givenPublisher();
    const text = JSON.stringify({ ...SAMPLE_MANIFEST, version: "1.4.0" });
    const published = await publishVersion(platform, publisher, {
      appName: "acme/vin-lookup",
      declaredVersion: "1.5.0",
      archive: await archiveOf(text),
    });
    const row = one(
      (await platform.db.select().from(versions)).filter(({ id }) => id === published.versionId),
    );
    expect(row).toMatchObject({ imageManifestText: text, manifestText: text.replace("1.4.0", "1.5.0") });
  });

  test("has the declared number if the image was built before the bump", async () => {
    const publisher = await givenPublisher();
    const input = {
      appName: "vin-lookup",
      declaredVersion: "1.5.0",
      archive: await archiveOf({ ...SAMPLE_MANIFEST, version: "1.4.0" }),
    };
    const { versionId } = await publishVersion(platform, publisher, input);
    const row = one((await platform.db.select().from(versions)).filter(({ id }) => id === versionId));
    expect([row.number, row.manifest.version]).toEqual(["1.5.0", "1.5.0"]);
    expect(row.manifestText).toContain('"version": "1.5.0"');
  });

  test("may be declared any number above the image's, because an editor's release can be in between", async () => {
    const publisher = await givenPublisher();
    const input = {
      appName: "vin-lookup",
      declaredVersion: "1.7.0",
      archive: await archiveOf({ ...SAMPLE_MANIFEST, version: "1.4.0" }),
    };
    expect(await publishVersion(platform, publisher, input)).toMatchObject({ number: "1.7.0" });
  });

  test("can be an example's folder, whose digest changes with its files", async () => {
    const publisher = await givenPublisher();
    const folder = path.join(await mkdtemp(path.join(tmpdir(), "example-")), "vin-lookup");
    await mkdir(folder);
    const publish = async (version: string, code: string) => {
      await writeFile(
        path.join(folder, "platform-app.json"),
        JSON.stringify({ ...SAMPLE_MANIFEST, version }),
      );
      await writeFile(path.join(folder, "server.mjs"), code);
      return (await publishExampleFolder(platform, publisher, folder)).imageDigest;
    };
    expect(await publish("2.0.0", "1")).not.toBe(await publish("2.1.0", "2"));
    await rm(path.dirname(folder), { recursive: true });
  });
});

// Guarantee: a sender that lost the answer sends the request again, and finds its own version.
describe("a repeated request", () => {
  const ask = async (publisher: Publisher, releaseNotes?: string, content: object = SAMPLE_MANIFEST) =>
    publishVersion(platform, publisher, {
      appName: "vin-lookup",
      declaredVersion: "1.5.0",
      releaseNotes,
      archive: await archiveOf(content),
    });

  test("gets the result of the first, with its notes and the draft's revision", async () => {
    const publisher = await givenPublisher();
    const base = one(await platform.db.select().from(versions));
    const text = JSON.stringify(SAMPLE_MANIFEST);
    await saveDraft(platform, publisher, publisher.listingId, { text, revision: 0, baseVersionId: base.id });
    const first = await ask(publisher, "Faster.");
    expect(first.draftRevision).toBe(2);
    const trail = await platform.db.select().from(audit);
    expect(await ask(publisher, "Faster.")).toEqual(first);
    expect(await ask(publisher)).toEqual(first);
    expect(await Promise.all([ask(publisher), ask(publisher)])).toEqual([first, first]);
    const rows = (await platform.db.select().from(versions)).filter(({ number }) => number === "1.5.0");
    expect(rows).toMatchObject([{ id: first.versionId, releaseNotes: "Faster." }]);
    expect(await platform.db.select().from(audit)).toEqual(trail);
  });

  test("at the same time as the first gets its result", async () => {
    const publisher = await givenPublisher();
    const [one, other] = await Promise.all([ask(publisher), ask(publisher)]);
    expect(other.versionId).toBe(one.versionId);
  });

  test("with other notes or another image is refused", async () => {
    const publisher = await givenPublisher();
    await ask(publisher, "Faster.");
    expect(await refused(() => ask(publisher, "Slower."))).toMatchObject({
      code: "VERSION_EXISTS",
      detail: expect.stringContaining("with this image and other release notes. To change its notes, open"),
    });
    const other = { ...SAMPLE_MANIFEST, "x-own": "other" };
    expect(await refused(() => ask(publisher, "Faster.", other))).toMatchObject({ code: "VERSION_EXISTS" });
  });

  // Guarantee: publishing again repairs a version whose image the store has lost.
  test("stores what the store has lost", async () => {
    const publisher = await givenPublisher();
    const first = await ask(publisher);
    const before = await stored();
    await rm(path.join(platform.environment.dataDir, "bundles"), { recursive: true });
    expect(await ask(publisher)).toEqual(first);
    expect(await stored()).toEqual(before);
  });
});

describe("the draft after a publication", () => {
  const OTHER = { ...SAMPLE_MANIFEST, "x-own": "other" };

  async function publishOver(draft: object, published: object) {
    const publisher = await givenPublisher();
    const { listingId } = publisher;
    const base = one(await platform.db.select().from(versions));
    const text = JSON.stringify(draft, null, 4);
    const input = { text, revision: 0, baseVersionId: base.id };
    await saveDraft(platform, publisher, listingId, input);
    const archive = await archiveOf(published);
    const { versionId, draftRevision } = await publishVersion(platform, publisher, {
      appName: "vin-lookup",
      declaredVersion: "1.5.0",
      archive,
    });
    return { before: text, versionId, draftRevision, after: await readDraft(platform, publisher, listingId) };
  }

  test("that says the same has the published number and its own layout", async () => {
    const { before, after, versionId, draftRevision } = await publishOver(OTHER, OTHER);
    expect(after.text).toBe(before.replace('"1.4.0"', '"1.5.0"'));
    expect(after).toMatchObject({ revision: 2, baseVersionId: versionId });
    expect(draftRevision).toBe(2);
  });

  test("without edits becomes what was published", async () => {
    const { after, versionId, draftRevision } = await publishOver(SAMPLE_MANIFEST, OTHER);
    expect(JSON.parse(after.text)).toEqual({ ...OTHER, version: "1.5.0" });
    expect(after).toMatchObject({ revision: 2, baseVersionId: versionId });
    expect(draftRevision).toBe(2);
  });

  test("with edits is as it was, down to its number", async () => {
    const edited = { ...SAMPLE_MANIFEST, "x-own": "edited" };
    const { before, after, versionId, draftRevision } = await publishOver(edited, OTHER);
    expect(after).toMatchObject({ text: before, revision: 1 });
    expect(after.baseVersionId).not.toBe(versionId);
    expect(draftRevision).toBeUndefined();
  });

  test("keeps a number above the published one", async () => {
    const { before, after } = await publishOver({ ...OTHER, version: "2.0.0" }, OTHER);
    expect(after.text).toBe(before);
  });
});

describe("a refused publication leaves neither row nor blob", () => {
  test("a number that exists, and one below the newest, with the newest in the message", async () => {
    const publisher = await givenPublisher();
    const publish = async (version: string, declaredVersion?: string) =>
      publishVersion(platform, publisher, {
        appName: "vin-lookup",
        declaredVersion,
        archive: await archiveOf({ ...SAMPLE_MANIFEST, version }),
      });
    expect(await refused(() => publish("1.4.0"))).toMatchObject({ code: "VERSION_EXISTS" });
    expect(await refused(() => publish("1.3.9"))).toMatchObject({
      code: "BAD_MANIFEST",
      detail: expect.stringContaining("1.4.0"),
    });
    expect(await refused(() => publish("1.3.0", "1.4.0"))).toMatchObject({ code: "VERSION_EXISTS" });
    expect(await refused(() => publish("3.0.0", "2.0.0"))).toMatchObject({
      code: "BAD_MANIFEST",
      issues: [{ code: "VERSION_DIFFERS" }],
    });
  });

  test("an image that was already published, under whatever number", async () => {
    const publisher = await givenPublisher();
    const manifest = { ...SAMPLE_MANIFEST, version: "1.4.0" };
    const publish = async (declaredVersion: string, content: object) =>
      publishVersion(platform, publisher, {
        appName: "vin-lookup",
        declaredVersion,
        archive: await archiveOf(content),
      });
    await publish("1.5.0", manifest);
    await publish("1.6.0", { ...manifest, "x-own": "another image" });
    expect(await refused(() => publish("1.7.0", manifest))).toMatchObject({
      code: "VERSION_EXISTS",
      version: "1.5.0",
      detail: expect.stringContaining("already published as version 1.5.0"),
    });
  });

  test("a foreign organization's name, in the URL or in the image, with both names in the message", async () => {
    const publisher = await givenPublisher();
    const publish = async (appName: string, name: string) =>
      publishVersion(platform, publisher, {
        appName,
        archive: await archiveOf({ ...SAMPLE_MANIFEST, name, version: "1.5.0" }),
      });
    for (const [address, name] of [
      ["evil/vin-lookup", "evil/vin-lookup"],
      ["acme/vin-lookup", "evil/vin-lookup"],
    ] as const) {
      const detail = expect.stringMatching(/evil\/vin-lookup.*acme/);
      expect(await refused(() => publish(address, name))).toMatchObject({
        code: "BAD_MANIFEST",
        detail,
        issues: [{ code: "WRONG_NAME" }],
      });
    }
    expect(await refused(() => publish("acme/vin-lookup", "acme/other"))).toMatchObject({
      issues: [{ code: "WRONG_NAME" }],
    });
  });

  test("a broken manifest, with all its issues", async () => {
    const publisher = await givenPublisher();
    const archive = await archiveOf('{\n "name": "acme/vin-lookup",\n "version": "2.0"\n}');
    const refusal = await refused(() =>
      publishVersion(platform, publisher, { appName: "vin-lookup", archive }),
    );
    expect(refusal).toMatchObject({
      code: "BAD_MANIFEST",
      issues: [{ code: "NO_SETTINGS" }, { code: "BAD_VERSION", line: 3, column: 13 }],
    });
  });

  test("no listing, a foreign listing, and an image without a manifest", async () => {
    const publisher = await givenPublisher();
    const other = await givenPublisher("other");
    const without = Readable.from([await dockerArchive({ layers: [await createTar([])] })]);
    expect(
      await refused(async () =>
        publishVersion(platform, publisher, { appName: "absent", archive: await archiveOf({}) }),
      ),
    ).toMatchObject({
      code: "NOT_FOUND",
    });
    expect(
      await refused(() => publishVersion(platform, other, { appName: "acme/vin-lookup", archive: without })),
    ).toMatchObject({
      code: "BAD_MANIFEST",
    });
    expect(
      await refused(() => publishVersion(platform, publisher, { appName: "vin-lookup", archive: without })),
    ).toMatchObject({
      code: "BAD_BUNDLE",
      issues: [{ code: "MANIFEST_MISSING" }],
    });
  });

  test("an API key that is revoked during the upload", async () => {
    const publisher = await givenPublisher();
    const member = await givenMember(platform);
    const { apiKeyId } = await createApiKey(platform, member, "CI");
    const archive = await archiveOf({ ...SAMPLE_MANIFEST, version: "1.5.0" });
    await revokeApiKey(platform, member, apiKeyId);
    const publishing = () =>
      publishVersion(platform, { ...publisher, apiKeyId }, { appName: "vin-lookup", archive });
    expect(await refused(publishing)).toMatchObject({ code: "WRONG_CREDENTIALS" });
  });

  // Guarantee: ten uploads of 10 KB can't store gigabytes forever.
  test("a version that takes more storage than the organization has left", async () => {
    const publisher = await givenPublisher();
    const other = await givenPublisher("other");
    const small = {
      ...platform,
      environment: { ...platform.environment, PLATFORM_STORAGE_QUOTA_MB: 1 },
    };
    const publish = async (by: Publisher, version: string, layers: Buffer[], target = small) => {
      const name = `${by.organizationSlug}/vin-lookup`;
      const content = JSON.stringify({ ...SAMPLE_MANIFEST, name, version });
      const layer = await createTar([{ name: "platform-app.json", content }]);
      const archive = Readable.from([await dockerArchive({ layers: [layer, ...layers] })]);
      return publishVersion(target, by, { appName: "vin-lookup", archive });
    };
    const createHalf = () => createTar([{ name: "half", content: randomBytes(512 * 1024) }]);
    const half = await createHalf();
    const first = await publish(publisher, "1.5.0", [half]);
    const { usedBytes, quotaBytes } = await readStorageUse(small, publisher.organizationId);
    expect(usedBytes).toBeGreaterThan(512 * 1024);
    expect(quotaBytes).toBe(1_000_000);
    const another = await createHalf();
    expect(await refused(() => publish(publisher, "1.6.0", [another]))).toMatchObject({
      code: "QUOTA_EXCEEDED",
      detail: expect.stringContaining("2 MB, which is more than its limit of 1 MB"),
    });
    expect(await readStorageUse(small, publisher.organizationId)).toEqual({ usedBytes, quotaBytes });
    expect(await publish(other, "1.5.0", [half])).toMatchObject({ number: "1.5.0" });
    expect(await readStorageUse(small, other.organizationId)).toMatchObject({ quotaBytes });
    expect(first).toMatchObject({ number: "1.5.0" });
    // A layer that an earlier version has takes no more room.
    expect(await publish(publisher, "1.6.0", [half])).toMatchObject({ number: "1.6.0" });
  });

  // Guarantee: no text causes a 500, however deeply it is nested.
  test.each([
    ["a manifest of 10,000 levels", `{"version":${"[".repeat(10_000)}${"]".repeat(10_000)}}`],
    ["150,000 objects in each other", `${'{"a":'.repeat(150_000)}1${"}".repeat(150_000)}`],
    ["a million unclosed brackets", "[".repeat(1_000_000)],
  ])("%s", async (_what, content) => {
    const publisher = await givenPublisher();
    for (const declaredVersion of [undefined, "1.5.0"]) {
      const archive = await archiveOf(content);
      const input = { appName: "vin-lookup", declaredVersion, archive };
      expect(await refused(() => publishVersion(platform, publisher, input))).toMatchObject({
        code: "BAD_MANIFEST",
        issues: [{ code: "TOO_DEEP" }],
      });
    }
  });

  test("an upload whose sender is gone", async () => {
    const publisher = await givenPublisher();
    const archive = await archiveOf({ ...SAMPLE_MANIFEST, version: "1.5.0" });
    const input = { appName: "vin-lookup", archive, signal: AbortSignal.abort() };
    expect(await refused(() => publishVersion(platform, publisher, input))).toMatchObject({
      code: "BAD_BUNDLE",
      issues: [{ code: "ARCHIVE_BROKEN" }],
    });
  });

  test("of concurrent uploads with the same number, one is accepted", async () => {
    const publisher = await givenPublisher();
    const publish = async (extra: string) =>
      publishVersion(platform, publisher, {
        appName: "vin-lookup",
        archive: await archiveOf({ ...SAMPLE_MANIFEST, version: "1.5.0", "x-own": extra }),
      });
    const outcomes = await Promise.allSettled([publish("a"), publish("b"), publish("c")]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected", "rejected"]);
    expect(await stored()).toEqual((await named()).map(({ digest }) => digest).sort());
  });
});

// Guarantee (issue 27, I): whoever has a verified version doesn't wait for any number of new organizations.
test("a publisher with a verified version passes four new ones with archives that take all their time", async () => {
  const bytes = await SMALL_BLOCKS.archive();
  const leaving = new AbortController();
  let refused = 0;
  const waiting = ["new-1", "new-2", "new-3", "new-4"].map(async (slug) => {
    const publisher = await givenPublisher(slug);
    const archive = Readable.from([bytes]);
    const input = { appName: `${slug}/vin-lookup`, archive, signal: leaving.signal };
    await publishVersion(platform, publisher, input).catch(() => (refused += 1));
  });
  const known = await givenPublisher("known", true);
  const manifest = { ...SAMPLE_MANIFEST, name: "known/vin-lookup", version: "1.5.0" };
  // All of them are there before.
  await expect.poll(async () => (await listIncoming()).length).toBeGreaterThanOrEqual(4 - refused);
  const archive = await archiveOf(manifest);
  expect(await publishVersion(platform, known, { appName: "known/vin-lookup", archive })).toMatchObject({
    number: "1.5.0",
  });
  // If it had waited with them, two would have been refused first; one place is theirs anyway.
  expect(refused).toBeLessThan(2);
  leaving.abort();
  await Promise.all(waiting);
});

async function listIncoming(): Promise<string[]> {
  const names = await readdir(path.join(platform.environment.dataDir, "bundles")).catch(() => []);
  return names.filter((name) => name.startsWith("incoming-"));
}
