import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { listings, manifestDrafts, versions } from "@/drizzle/schema/catalog";
import { audit } from "@/drizzle/schema/platform";
import type { Manifest } from "@/lib/contract/catalog/manifest";
import { listSettings } from "@/lib/contract/platform/manifest-terms";
import { toPublisher } from "@/lib/domain/platform/actor";
import {
  givenListing,
  givenMember,
  givenVersion,
  one,
  SAMPLE_MANIFEST,
  testPlatform,
} from "@/tests/test-platform";
import { readDraft, readEditor, saveDraft } from "./manifest-draft";
import { releaseManifest } from "./release-manifest";

const platform = await testPlatform();

const retitled = (title: string, changes: Partial<Manifest> = {}): Manifest => {
  const [first, ...others] = listSettings(SAMPLE_MANIFEST);
  if (first === undefined) throw new Error("the sample changed");
  return { ...SAMPLE_MANIFEST, app: { fields: [{ ...first, title }, ...others] }, ...changes };
};

async function given(options: Parameters<typeof givenListing>[2] = {}) {
  const member = await givenMember(platform, "acme", "publisher");
  const { listing, version } = await givenListing(platform, member, { verified: true, ...options });
  const publisher = toPublisher(member);
  const save = async (
    manifest: Manifest | string,
    revision = 0,
    baseVersionId: string | null = version.id,
  ) => {
    const text = typeof manifest === "string" ? manifest : JSON.stringify(manifest, null, 4);
    return (await saveDraft(platform, publisher, listing.id, { text, revision, baseVersionId })).revision;
  };
  const release = (revision: number) =>
    releaseManifest(platform, publisher, listing.id, { revision, notes: "" });
  return { member, publisher, listing, version, save, release };
}

/** Refused means that versions, drafts and audit trail are as before. */
async function refused(release: () => Promise<unknown>) {
  const readAll = async () => [
    await platform.db.select().from(versions),
    await platform.db.select().from(manifestDrafts),
    await platform.db.select().from(audit),
  ];
  const before = await readAll();
  const refusal: unknown = await release().then(
    () => "it was released",
    (error: unknown) => error,
  );
  expect(await readAll()).toEqual(before);
  return refusal;
}

describe("a text-only release", () => {
  // Guarantee (P7): it has the newest version's image, and moderation verifies it like any other version.
  test("has the newest version's image, the draft's texts, a higher number, and no verification", async () => {
    const { save, release, version, member, publisher, listing } = await given();
    const { versionId, number, draft } = await release(await save(retitled("Market")));
    expect(number).toBe("1.5.0");
    const row = one(await platform.db.select().from(versions).where(eq(versions.id, versionId)));
    const { bundleKind, imageManifestText, imageDigest, archiveDigest, archiveBytes } = version;
    expect(row).toMatchObject({ bundleKind, imageManifestText, imageDigest, archiveDigest, archiveBytes });
    expect(row).toMatchObject({
      number: "1.5.0",
      verifiedAt: null,
      publishedBy: `user:${member.userId}`,
      manifest: retitled("Market", { version: "1.5.0" }),
      manifestText: JSON.stringify(retitled("Market", { version: "1.5.0" }), null, 4),
    });
    expect(draft).toMatchObject({ text: row.manifestText, revision: 2, baseVersionId: versionId });
    expect(await readDraft(platform, publisher, listing.id)).toEqual(draft);
    expect((await platform.db.select().from(audit)).map(({ action }) => action)).toEqual([
      "manifest-draft.save",
      "version.publish",
      "manifest-draft.save",
    ]);
    expect((await readEditor(platform, member, "vin-lookup")).published).toMatchObject({
      names: { setting: ["region", "apiKey", "note"], mapping: ["vin"] },
      versionId,
      differs: false,
    });
  });

  test("has the draft's number if that is higher than the newest", async () => {
    const { save, release } = await given();
    const first = await release(await save(retitled("A", { version: "2.0.3" })));
    expect(first.number).toBe("2.0.3");
    const revision = await save(retitled("B", { version: "1.9.9" }), 2, first.versionId);
    expect(await release(revision)).toMatchObject({ number: "2.1.0" });
  });

  test("one of two concurrent releases succeeds", async () => {
    const { save, release } = await given();
    const revision = await save(retitled("Market"));
    const outcomes = await Promise.allSettled([release(revision), release(revision)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await platform.db.select().from(versions)).toHaveLength(2);
  });
});

describe("a release is refused, and nothing changes,", () => {
  test("if the image's code may depend on a change, with an issue located at each such change", async () => {
    const { save, release } = await given();
    const [region, ...others] = listSettings(SAMPLE_MANIFEST);
    const [vin] = SAMPLE_MANIFEST.core?.fields ?? [];
    if (region === undefined || vin === undefined) throw new Error("the sample changed");
    const fields = [
      { ...region, title: "Market" },
      ...others.filter(({ name }) => name !== "note"),
      { name: "extra", title: "Extra", type: "Text" as const },
    ];
    const core = { ...SAMPLE_MANIFEST.core, fields: [{ ...vin, required: false }] };
    const revision = await save({ ...SAMPLE_MANIFEST, app: { fields }, core });
    expect(await refused(() => release(revision))).toMatchObject({
      code: "BAD_MANIFEST",
      issues: [
        { code: "NEEDS_IMAGE", pointer: "/app/fields", message: expect.stringContaining("was removed") },
        {
          code: "NEEDS_IMAGE",
          pointer: "/app/fields/2",
          message: 'The setting "Extra" (extra) was added.',
          hint: expect.stringContaining("platform-app publish acme/vin-lookup"),
          line: expect.any(Number),
        },
        { code: "NEEDS_IMAGE", pointer: "/core/fields/0", message: expect.stringContaining(": required") },
      ],
    });
  });

  test("if the draft is invalid, names another app, or changes nothing", async () => {
    const { save, release } = await given();
    await save("{");
    expect(await refused(() => release(1))).toMatchObject({ issues: [{ code: "BROKEN_JSON" }] });
    await save({ ...retitled("Market"), name: "acme/other" }, 1);
    expect(await refused(() => release(2))).toMatchObject({ issues: [{ code: "WRONG_NAME" }] });
    await save({ ...SAMPLE_MANIFEST, version: "3.0.0" }, 2);
    expect(await refused(() => release(3))).toMatchObject({ code: "WRONG_STATE" });
  });

  test("if another revision is saved, or none", async () => {
    const { save, release } = await given();
    expect(await refused(() => release(1))).toMatchObject({ code: "STALE_REVISION" });
    await save(retitled("A"));
    await save(retitled("B"), 1);
    expect(await refused(() => release(1))).toMatchObject({
      code: "STALE_REVISION",
      detail: expect.stringContaining("publisher of acme"),
    });
  });

  // Guarantee: a release never silently undoes the manifest of a newly published image.
  test("if a version with another manifest was published since; one with the same manifest doesn't matter", async () => {
    const { save, release, version, listing, member } = await given();
    const publish = (number: string, manifest: Manifest) =>
      givenVersion(platform, version, number, { manifest });
    const revision = await save(retitled("Market"));
    await publish("1.6.0", retitled("Place", { version: "1.6.0" }));
    expect(await refused(() => release(revision))).toMatchObject({
      code: "WRONG_STATE",
      detail: expect.stringContaining("1.6.0"),
    });
    expect(await readEditor(platform, member, "vin-lookup")).toMatchObject({
      published: { number: "1.6.0", differs: true },
      draft: { baseVersionId: version.id },
    });
    await publish("1.7.0", retitled("Market", { version: "1.7.0" }));
    const editor = await readEditor(platform, member, "vin-lookup");
    expect(editor.published?.differs).toBe(false);
    expect(editor.draft.baseVersionId).toBe(editor.published?.versionId);
    await save(retitled("Market place"), revision, editor.draft.baseVersionId);
    expect(await release(revision + 1)).toMatchObject({ number: "1.8.0" });
    expect(listing.id).toBe(version.listingId);
  });

  test("before the first image, for a retired listing, and for other organizations", async () => {
    const { save, release, listing, version } = await given();
    const revision = await save(retitled("Market"), 0, null);
    const stranger = toPublisher(await givenMember(platform, "harbor"));
    expect(
      await refused(() => releaseManifest(platform, stranger, listing.id, { revision, notes: "" })),
    ).toMatchObject({
      code: "NOT_FOUND",
    });
    await platform.db.update(listings).set({ state: "RETIRED" });
    expect(await refused(() => release(revision))).toMatchObject({ code: "WRONG_STATE" });
    await platform.db.update(listings).set({ state: "DRAFT" });
    await platform.db.delete(versions).where(eq(versions.id, version.id));
    expect(await refused(() => release(revision))).toMatchObject({
      code: "WRONG_STATE",
      detail: expect.stringContaining("platform-app publish"),
    });
  });
});
