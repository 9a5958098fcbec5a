import { v7 } from "uuid";
import { describe, expect, test } from "vitest";
import { audit } from "@/drizzle/schema/platform";
import { newManifestText } from "@/lib/domain/catalog/manifest/entry";
import { toPublisher } from "@/lib/domain/platform/actor";
import { HOSTILE_MANIFESTS } from "@/tests/manifests/hostile-manifests";
import { givenListing, givenMember, testPlatform } from "@/tests/test-platform";
import { createApiKey } from "../../accounts/credentials/manage-api-keys";
import { verifyAudit } from "../../platform/verify-audit";
import { createListing } from "../own-listings";
import { readDraft, readVersionManifest, saveDraft } from "./manifest-draft";
import { pullDraft, pushDraft } from "./sync-draft";

const platform = await testPlatform();

async function given(options: Parameters<typeof givenListing>[2] = {}) {
  const member = await givenMember(platform, "acme", "publisher");
  const { listing, version } = await givenListing(platform, member, options);
  const publisher = toPublisher(member);
  const save = (text: string, revision: number, baseVersionId: string | null = version.id) =>
    saveDraft(platform, publisher, listing.id, { text, revision, baseVersionId });
  const read = () => readDraft(platform, publisher, listing.id);
  return { member, publisher, listing, version, save, read };
}

describe("the first draft", () => {
  test("is the newest version's text, or a starter with the app's name", async () => {
    const { read, version, member, publisher } = await given();
    const nothingSaved = { revision: 0, updatedAt: null, updatedBy: null };
    expect(await read()).toEqual({ text: version.manifestText, baseVersionId: version.id, ...nothingSaved });
    const prose = { product: "P", company: "", offering: "" };
    const requirements = { technicalDetails: "", launchInstructions: "", complianceDetails: "" };
    const input = { appName: "fresh", title: "Fresh", about: prose, requirements };
    const { listingId } = await createListing(platform, member, input);
    expect(await readDraft(platform, publisher, listingId)).toEqual({
      text: newManifestText("acme/fresh"),
      baseVersionId: null,
      ...nothingSaved,
    });
    expect(await pullDraft(platform, publisher, "acme/fresh")).toMatchObject({ revision: 0, source: "new" });
    expect(await pullDraft(platform, publisher, "acme/vin-lookup")).toMatchObject({ source: "version" });
  });
});

// Guarantee: any text is stored character by character, including what PostgreSQL's text type can't store.
test.each([
  ["broken JSON", '{ "name": '],
  ["nothing", ""],
  ["a NUL", '{"a":"\0"}'],
  ["lone surrogates", "\uD800 \uDC00x\uDFFF"],
  ["a byte order mark and unusual line breaks", "\uFEFF{\r\n\t}\u2028"],
  ["text that looks like an escape", '"\\u0000 \\\\ \\"'],
  ["a MiB of control characters", "\u0001".repeat(1024 * 1024)],
  ["10,000 levels", "[".repeat(10_000) + "]".repeat(10_000)],
  ["150,000 objects in each other", '{"a":'.repeat(150_000) + "1" + "}".repeat(150_000)],
  ["a million unclosed brackets", "[".repeat(1_000_000)],
])("%s is saved as it is", async (_what, text) => {
  const { publisher, save, read } = await given();
  expect(await save(text, 0)).toMatchObject({ revision: 1, updatedBy: "publisher of acme" });
  expect(await read()).toMatchObject({ text, revision: 1 });
  const pushed = await pushDraft(platform, publisher, "vin-lookup", { text, revision: 1 });
  expect(pushed.issues[0]?.severity).toBe("error");
});

test("a permission that the operator added needs no warning on this platform", async () => {
  const { publisher } = await given();
  const permissions = [{ name: "ledger:read", purpose: "Reads the ledger" }];
  const text = JSON.stringify({
    name: "acme/vin-lookup",
    version: "1.0.0",
    app: { fields: [] },
    core: { hosts: [], permissions },
  });
  const push = (known: string[]) =>
    pushDraft(
      { ...platform, environment: { ...platform.environment, PLATFORM_PERMISSIONS: known } },
      publisher,
      "vin-lookup",
      { text, revision: null },
    );
  expect((await push([])).issues).toMatchObject([{ code: "UNKNOWN_PERMISSION" }]);
  expect((await push(["ledger:read"])).issues).toEqual([]);
});

test.each(HOSTILE_MANIFESTS)("$what is kept to the last character", async ({ text }) => {
  const { publisher, save, read } = await given({ appName: "hostile-app" });
  expect(await save(text, 0)).toMatchObject({ revision: 1 });
  expect(await read()).toMatchObject({ text, revision: 1 });
  expect(await pullDraft(platform, publisher, "hostile-app")).toMatchObject({ text, source: "draft" });
});

describe("concurrent saves", () => {
  // Guarantee: no text is silently overwritten.
  test("of two saves from one revision one wins, and the other learns who saved and when", async () => {
    const { save, read } = await given();
    for (const revision of [0, 1]) {
      const outcomes = await Promise.allSettled([
        save(`mine ${revision}`, revision),
        save("theirs", revision),
      ]);
      expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      expect(outcomes.find(({ status }) => status === "rejected")).toMatchObject({
        reason: {
          code: "STALE_REVISION",
          detail: expect.stringMatching(
            /^publisher of acme saved this manifest just now, after you loaded it/,
          ),
        },
      });
      expect((await read()).revision).toBe(revision + 1);
      await save("between", revision + 1);
      await expect(save("late", revision)).rejects.toMatchObject({ code: "STALE_REVISION" });
      expect((await read()).text).toBe("between");
      await platform.pool.query("update manifest_drafts set revision = 1");
    }
  });

  test("a revision that doesn't exist yet can't be overwritten", async () => {
    const { save } = await given();
    await expect(save("x", 3)).rejects.toMatchObject({ code: "STALE_REVISION" });
    await save("x", 0);
    await expect(save("y", 3)).rejects.toMatchObject({ code: "STALE_REVISION" });
  });

  // Guarantee: a save whose response was lost doesn't look like someone else's.
  test("repeating a save returns the same result and writes one audit row", async () => {
    const { save, version } = await given();
    const first = await save("mine", 0);
    expect(await save("mine", 0)).toEqual(first);
    expect(await save("mine", 1)).toEqual(first);
    await expect(save("mine", 0, null)).rejects.toMatchObject({ code: "STALE_REVISION" });
    expect(await save("mine", 1, null)).toMatchObject({ revision: 2, baseVersionId: null });
    expect(await save("mine", 2, version.id)).toMatchObject({ revision: 3, baseVersionId: version.id });
    expect(await platform.db.select().from(audit)).toHaveLength(3);
  });
});

// Guarantee (P13): a draft and its audit row are written together, and the row doesn't contain the text.
test("a save is audited, and a refused one is not", async () => {
  const { save, member, listing } = await given();
  await save("canary-text", 0);
  await expect(save("late", 0)).rejects.toMatchObject({ code: "STALE_REVISION" });
  const rows = await platform.db.select().from(audit);
  expect(rows).toMatchObject([
    {
      action: "manifest-draft.save",
      actor: `user:${member.userId}`,
      subject: `listing:${listing.id}`,
      details: { revision: 1, over: 0, characters: 11 },
    },
  ]);
  expect(JSON.stringify(rows)).not.toContain("canary-text");
  expect(await verifyAudit(platform, member.organization.id)).toMatchObject({ intact: true });
});

describe("access", () => {
  // Guarantee (P5): a foreign listing is the same 404 as one that does not exist.
  test("another organization finds no listing, draft or version", async () => {
    const { listing, version, save } = await given();
    const stranger = toPublisher(await givenMember(platform, "harbor"));
    const input = { text: "x", revision: 0, baseVersionId: null };
    for (const id of [listing.id, v7()]) {
      const answers = [
        readDraft(platform, stranger, id),
        saveDraft(platform, stranger, id, input),
        readVersionManifest(platform, stranger, id, version.id),
      ];
      for (const answer of await Promise.allSettled(answers))
        expect(answer).toMatchObject({ status: "rejected", reason: { code: "NOT_FOUND" } });
    }
    expect(await save("mine", 0)).toMatchObject({ revision: 1 });
  });

  test("a version of another listing is refused as base and not readable through this one", async () => {
    const { save, member, publisher, listing, version } = await given();
    const other = await givenListing(platform, member, { appName: "other" });
    for (const base of [other.version.id, v7()])
      await expect(save("x", 0, base)).rejects.toMatchObject({ issues: [{ pointer: "/baseVersionId" }] });
    await expect(
      readVersionManifest(platform, publisher, listing.id, other.version.id),
    ).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await readVersionManifest(platform, publisher, listing.id, version.id)).toEqual({
      versionId: version.id,
      number: "1.4.0",
      text: version.manifestText,
    });
  });

  test("a retired listing can be read but not saved", async () => {
    const { save, read, publisher } = await given({ state: "RETIRED" });
    expect(await read()).toMatchObject({ revision: 0 });
    await expect(save("x", 0)).rejects.toMatchObject({ code: "WRONG_STATE" });
    await expect(
      pushDraft(platform, publisher, "vin-lookup", { text: "x", revision: null }),
    ).rejects.toMatchObject({ code: "WRONG_STATE" });
  });
});

describe("the command line's push", () => {
  test("saves under the key's name, refuses a stale revision, and overwrites it on request", async () => {
    const { member, publisher, save, read, version } = await given();
    const { apiKeyId } = await createApiKey(platform, member, "CI");
    const key = { ...publisher, actor: `api-key:${apiKeyId}`, apiKeyId };
    const push = (text: string, revision: number | null) =>
      pushDraft(platform, key, "acme/vin-lookup", { text, revision });
    expect(await push("{", 0)).toMatchObject({ revision: 1, issues: [{ code: "BROKEN_JSON" }] });
    expect(await read()).toMatchObject({ text: "{", updatedBy: "API key CI", baseVersionId: version.id });
    expect(await push("{", 0)).toMatchObject({ revision: 1 });
    await save("typed in the page", 1);
    await expect(push("{}", 1)).rejects.toMatchObject({ code: "STALE_REVISION" });
    expect(await push("{}", null)).toMatchObject({ revision: 3 });
    expect(await push("{}", null)).toMatchObject({ revision: 3 });
    expect(await read()).toMatchObject({ text: "{}", revision: 3 });
  });

  test("refuses another organization's app as publishing does", async () => {
    const { publisher } = await given();
    await expect(pullDraft(platform, publisher, "evil/vin-lookup")).rejects.toMatchObject({
      code: "BAD_MANIFEST",
      issues: [{ code: "WRONG_NAME" }],
    });
    await expect(pullDraft(platform, publisher, "acme/absent")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});
