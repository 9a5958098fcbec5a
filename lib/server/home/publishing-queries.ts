import { and, desc, eq, gt, inArray, isNull, ne, notExists, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { listingDrafts, listings, manifestDrafts, reviews, versions } from "@/drizzle/schema/listings";
import type { Db } from "../database/connect";
import { textColumns } from "../listings/queries";

const DRAFTS = 20;
/** Larger drafts are not checked here, because a page must not wait for them. */
const DRAFT_CHARACTERS = 200_000;

const isOwn = (organizationId: string) =>
  and(eq(listings.organizationId, organizationId), ne(listings.state, "RETIRED"));

/** Own listings whose newest review asks for changes or rejects a version. */
export async function selectReturned(db: Db, organizationId: string) {
  const newer = alias(reviews, "newer");
  const reviewedAgain = db
    .select({ id: newer.id })
    .from(newer)
    .where(
      and(eq(newer.listingId, reviews.listingId), eq(newer.kind, reviews.kind), gt(newer.id, reviews.id)),
    );
  const rows = await db
    .select({
      appName: listings.appName,
      title: listings.title,
      number: versions.number,
      state: reviews.state,
      note: reviews.note,
      decidedAt: reviews.decidedAt,
    })
    .from(reviews)
    .innerJoin(listings, eq(listings.id, reviews.listingId))
    .innerJoin(versions, eq(versions.id, reviews.versionId))
    .where(
      and(
        isOwn(organizationId),
        inArray(reviews.state, ["CHANGES_REQUESTED", "REJECTED"]),
        notExists(reviewedAgain),
      ),
    )
    .orderBy(desc(reviews.decidedAt));
  return rows.flatMap(({ state, decidedAt, ...row }) =>
    decidedAt !== null && (state === "CHANGES_REQUESTED" || state === "REJECTED")
      ? [{ ...row, state, decidedAt }]
      : [],
  );
}

/** The newest version of each own listing, if it was neither verified nor ever submitted. */
export async function selectUnsubmitted(db: Db, organizationId: string) {
  const newest = db
    .selectDistinctOn([versions.listingId], {
      id: versions.id,
      appName: listings.appName,
      title: listings.title,
      number: versions.number,
      createdAt: versions.createdAt,
      verifiedAt: versions.verifiedAt,
    })
    .from(versions)
    .innerJoin(listings, eq(listings.id, versions.listingId))
    .where(isOwn(organizationId))
    .orderBy(versions.listingId, desc(versions.createdAt))
    .as("newest");
  const submitted = db
    .select({ id: reviews.id })
    .from(reviews)
    .where(and(eq(reviews.versionId, newest.id), ne(reviews.state, "WITHDRAWN")));
  return db
    .select({
      appName: newest.appName,
      title: newest.title,
      number: newest.number,
      createdAt: newest.createdAt,
    })
    .from(newest)
    .where(and(isNull(newest.verifiedAt), notExists(submitted)))
    .orderBy(desc(newest.createdAt))
    .limit(DRAFTS);
}

export async function selectManifestDrafts(db: Db, organizationId: string) {
  return db
    .select({
      listingId: listings.id,
      appName: listings.appName,
      title: listings.title,
      text: manifestDrafts.text,
      updatedAt: manifestDrafts.updatedAt,
    })
    .from(manifestDrafts)
    .innerJoin(listings, eq(listings.id, manifestDrafts.listingId))
    .where(and(isOwn(organizationId), sql`length(${manifestDrafts.text}) < ${DRAFT_CHARACTERS}`))
    .orderBy(desc(manifestDrafts.updatedAt))
    .limit(DRAFTS);
}

/** Drafts of texts of listings that were public, without those in review. */
export async function selectTextDrafts(db: Db, organizationId: string) {
  const inReview = db
    .select({ id: reviews.id })
    .from(reviews)
    .where(and(eq(reviews.listingId, listings.id), eq(reviews.kind, "TEXT"), eq(reviews.state, "PENDING")));
  return db
    .select({
      appName: listings.appName,
      title: listings.title,
      publicText: textColumns,
      text: listingDrafts.text,
      updatedAt: listingDrafts.updatedAt,
    })
    .from(listingDrafts)
    .innerJoin(listings, eq(listings.id, listingDrafts.listingId))
    .where(and(isOwn(organizationId), inArray(listings.state, ["PUBLIC", "SUSPENDED"]), notExists(inReview)))
    .orderBy(desc(listingDrafts.updatedAt))
    .limit(DRAFTS);
}
