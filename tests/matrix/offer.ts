/** An organization's listings in each state, with what only it and moderators may read of them. */
import { eq } from "drizzle-orm";
import { listingDrafts, listings, manifestDrafts, reviews } from "@/drizzle/schema/catalog";
import { evidence, listingReports, reviewComments, suspensions } from "@/drizzle/schema/moderation";
import type { Manifest } from "@/lib/contract/catalog/manifest";
import type { Member } from "@/lib/domain/platform/actor";
import type { Platform } from "@/lib/server/platform/platform";
import { givenListing, givenVersion, one, SAMPLE_MANIFEST, SAMPLE_TEXT } from "../test-platform";

const MANIFEST: Manifest = {
  ...SAMPLE_MANIFEST,
  core: {
    ...SAMPLE_MANIFEST.core,
    endpoints: [{ path: "/open", methods: ["GET"], access: "public", title: "Open" }],
    configurationCheck: true,
    hosts: [{ host: "tiles.maps.example", purpose: "Map tiles", optional: true }],
  },
};

/** In every text that only the organization `slug` and moderators may read. */
export const secretOf = (slug: string) => `zq-${slug}-unpublished`;

/** Listings, and the versions, drafts, reviews and comments of the public one. */
export async function givenOffer(platform: Platform, owner: Member, slug: string) {
  const { db } = platform;
  const secret = secretOf(slug);
  const listed = await givenListing(platform, owner, {
    appName: `${slug}-listed`,
    state: "PUBLIC",
    verified: true,
    manifest: MANIFEST,
  });
  const addVersion = (number: string, verifiedAt: Date | null) =>
    givenVersion(platform, listed.version, number, {
      manifest: { ...listed.version.manifest, version: number },
      ...{ verifiedAt, releaseNotes: verifiedAt ? "" : secret },
    });
  const newer = await addVersion("1.5.0", new Date());
  const waiting = await addVersion("2.0.0", null);
  const draft = await givenListing(platform, owner, { appName: `${slug}-draft`, manifest: MANIFEST });
  const suspended = await givenListing(platform, owner, {
    appName: `${slug}-suspended`,
    state: "SUSPENDED",
    verified: true,
    manifest: MANIFEST,
  });
  for (const { listing } of [draft, suspended])
    await db.update(listings).set({ title: secret, tagline: secret }).where(eq(listings.id, listing.id));
  await db.insert(suspensions).values({
    listingId: suspended.listing.id,
    reason: secret,
    suspendedBy: owner.userId,
    stopsInstallations: false,
  });
  const text = { ...SAMPLE_TEXT, tagline: secret, about: { ...SAMPLE_TEXT.about, product: secret } };
  const updatedBy = `user:${owner.userId}`;
  await db.insert(listingDrafts).values({ listingId: listed.listing.id, text, updatedBy });
  const changed = { ...structuredClone(waiting.manifest), version: "2.0.1" };
  for (const field of changed.app?.fields ?? []) if (field.type === "Text") field.title = secret;
  await db.insert(manifestDrafts).values({
    listingId: listed.listing.id,
    text: JSON.stringify(changed, null, 2),
    baseVersionId: waiting.id,
    updatedBy,
  });
  const review = one(
    await db
      .insert(reviews)
      .values({
        listingId: listed.listing.id,
        versionId: waiting.id,
        text,
        submissionNote: secret,
        submittedBy: owner.userId,
      })
      .returning(),
  );
  const claimed = one(
    await db
      .insert(reviews)
      .values({ listingId: suspended.listing.id, kind: "TEXT", text, submittedBy: owner.userId })
      .returning(),
  );
  await db.insert(evidence).values({
    reviewId: review.id,
    organizationId: owner.organization.id,
    state: "DONE",
    reason: null,
  });
  const comment = one(
    await db
      .insert(reviewComments)
      .values({ reviewId: review.id, authorId: owner.userId, moderator: false, body: secret })
      .returning(),
  );
  const report = one(
    await db
      .insert(listingReports)
      .values({ listingId: suspended.listing.id, reportedBy: owner.userId, text: "It does not work." })
      .returning(),
  );
  return { listed, newer, waiting, draft, suspended, review, claimed, comment, report };
}
