import { expect, test } from "vitest";
import { listings, manifestDrafts, reviews, versions } from "@/drizzle/schema/catalog";
import {
  givenInstallation,
  givenListing,
  givenMember,
  givenTenant,
  one,
  SAMPLE_TEXT,
  testPlatform,
} from "@/tests/test-platform";
import { verifyAudit } from "../platform/verify-audit";
import { deleteDraft, readDeletable } from "./delete-draft";
import { createListing } from "./own-listings";

const platform = await testPlatform();

const input = {
  ...{ appName: "vin-lookup", title: "Again" },
  about: SAMPLE_TEXT.about,
  requirements: SAMPLE_TEXT.requirements,
};

test("a draft is deleted with its versions and drafts, recorded, and its name is free again", async () => {
  const publisher = await givenMember(platform, "acme", "publisher");
  const { listing, version } = await givenListing(platform, publisher);
  const kept = await givenListing(platform, publisher, { appName: "kept" });
  await platform.db
    .insert(manifestDrafts)
    .values({ listingId: listing.id, text: "{}", updatedBy: "user:x", baseVersionId: version.id });
  expect(await readDeletable(platform, listing)).toEqual({ versions: ["1.4.0"], hasManifestDraft: true });
  await deleteDraft(platform, publisher, listing.id);
  expect((await platform.db.select({ id: listings.id }).from(listings)).map(({ id }) => id)).toEqual([
    kept.listing.id,
  ]);
  expect((await platform.db.select({ id: versions.id }).from(versions)).map(({ id }) => id)).toEqual([
    kept.version.id,
  ]);
  const { rows } = await platform.pool.query("select action, subject, details from audit");
  expect(rows).toEqual([
    {
      action: "listing.delete",
      subject: `listing:${listing.id}`,
      details: { name: "acme/vin-lookup", title: SAMPLE_TEXT.title, versions: ["1.4.0"] },
    },
  ]);
  expect(await verifyAudit(platform, publisher.organization.id)).toMatchObject({ intact: true });
  await expect(deleteDraft(platform, publisher, listing.id)).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await createListing(platform, publisher, input)).toMatchObject({ appName: "vin-lookup" });
});

// Guarantee: what others may have seen, and what something refers to, is never deleted.
test("a listing that was public, submitted or launched is not deleted, nor another organization's", async () => {
  const publisher = await givenMember(platform, "acme");
  const { listing, version } = await givenListing(platform, publisher);
  const remove = () => deleteDraft(platform, publisher, listing.id);
  await expect(deleteDraft(platform, await givenMember(platform, "other"), listing.id)).rejects.toMatchObject(
    { code: "NOT_FOUND" },
  );
  const refused = { code: "WRONG_STATE", detail: expect.stringContaining("Retire") };

  for (const state of ["PUBLIC", "SUSPENDED", "RETIRED"]) {
    await platform.pool.query("update listings set state = $1", [state]);
    await expect(remove(), state).rejects.toMatchObject(refused);
  }
  await platform.pool.query("update listings set state = 'DRAFT', public_since = now()");
  await expect(remove()).rejects.toMatchObject(refused);
  await platform.pool.query("update listings set public_since = null");

  const review = { listingId: listing.id, versionId: version.id, text: SAMPLE_TEXT };
  await platform.db.insert(reviews).values({ ...review, submittedBy: publisher.userId, state: "WITHDRAWN" });
  await expect(remove()).rejects.toMatchObject(refused);
  await platform.db.delete(reviews);

  const { tenant } = await givenTenant(platform, publisher);
  await givenInstallation(platform, publisher, version, tenant.id);
  await platform.pool.query("update installations set test = true, state = 'UNINSTALLED'");
  await expect(remove()).rejects.toMatchObject(refused);
  expect(await readDeletable(platform, listing)).toBeUndefined();
  expect(one(await platform.db.select().from(listings)).id).toBe(listing.id);
});
