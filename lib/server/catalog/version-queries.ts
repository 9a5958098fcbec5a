import { and, desc, eq, inArray, notExists, sql, sum } from "drizzle-orm";
import { organizations } from "@/drizzle/schema/accounts";
import { listings, versions } from "@/drizzle/schema/catalog";
import { imageBlobs } from "@/drizzle/schema/images";
import type { Db } from "../platform/database/connect";
import { textColumns } from "./listing-queries";

/** What a new version of the same listing is compared with. */
export interface EarlierVersion {
  number: string;
  imageDigest: string;
}

/** The organization's own listing of this app. */
export async function selectPublishTarget(db: Db, organizationId: string, appName: string) {
  const [listing] = await db
    .select({ id: listings.id, state: listings.state })
    .from(listings)
    .where(and(eq(listings.organizationId, organizationId), eq(listings.appName, appName)));
  return listing;
}

/** Locks the listing until the transaction ends, so that two publishers can't pass the version check at once. */
export async function lockListing(tx: Db, listingId: string) {
  const [listing] = await tx
    .select({ state: listings.state })
    .from(listings)
    .where(eq(listings.id, listingId))
    .for("update");
  return listing;
}

/** Until the transaction ends, no other one gets past this line for the same organization. */
export async function lockOrganization(tx: Db, organizationId: string): Promise<void> {
  await tx
    .select({ id: organizations.id })
    .from(organizations)
    .where(eq(organizations.id, organizationId))
    .for("no key update");
}

/** Bytes of the organization's archives from before images were stored as blobs. Versions of the same archive share one file. */
export async function selectOldArchiveBytes(db: Db, organizationId: string): Promise<number> {
  const blobs = db.select().from(imageBlobs).where(eq(imageBlobs.archiveDigest, versions.archiveDigest));
  const isOldArchive = notExists(blobs);
  const archives = db
    .selectDistinct({ digest: versions.archiveDigest, bytes: versions.archiveBytes })
    .from(versions)
    .innerJoin(listings, eq(listings.id, versions.listingId))
    .where(and(eq(listings.organizationId, organizationId), eq(versions.bundleKind, "image"), isOldArchive))
    .as("archives");
  const [row] = await db.select({ used: sum(archives.bytes).mapWith(Number) }).from(archives);
  return row?.used ?? 0;
}

/** The numbers and images of a listing's versions, the first one first. */
export async function selectEarlier(db: Db, listingId: string): Promise<EarlierVersion[]> {
  return db
    .select({ number: versions.number, imageDigest: versions.imageDigest })
    .from(versions)
    .where(eq(versions.listingId, listingId))
    .orderBy(versions.createdAt);
}

/** The version of an earlier request that asked for this one, whatever notes it had. */
export async function selectRepeated(
  db: Db,
  version: Pick<typeof versions.$inferInsert, "listingId" | "imageDigest" | "manifestText"> & {
    manifest: { version: string };
  },
): Promise<{ id: string; releaseNotes: string } | undefined> {
  const { listingId, imageDigest, manifestText, manifest } = version;
  const [same] = await db
    .select({ id: versions.id, releaseNotes: versions.releaseNotes })
    .from(versions)
    .where(
      and(
        eq(versions.listingId, listingId),
        eq(versions.number, manifest.version),
        eq(versions.imageDigest, imageDigest),
        eq(versions.manifestText, manifestText),
      ),
    );
  return same;
}

/** The highest version number, compared part by part. */
export async function selectNewestVersion(db: Db, listingId: string) {
  const [version] = await db
    .select()
    .from(versions)
    .where(eq(versions.listingId, listingId))
    .orderBy(desc(sql`string_to_array(${versions.number}, '.')::numeric[]`))
    .limit(1);
  return version;
}

/** That of each of the listings which has one. */
export async function selectNewestVersions(db: Db, listingIds: readonly string[]) {
  if (listingIds.length === 0) return new Map<string, NewestVersion>();
  const newest = db
    .select({ id: versions.id })
    .from(versions)
    .where(eq(versions.listingId, listings.id))
    .orderBy(desc(sql`string_to_array(${versions.number}, '.')::numeric[]`))
    .limit(1);
  const rows = await db
    .select({ version: versions })
    .from(listings)
    .innerJoin(versions, eq(versions.id, sql`(${newest})`))
    .where(inArray(listings.id, [...listingIds]));
  return new Map(rows.map(({ version }) => [version.listingId, version]));
}

export type NewestVersion = NonNullable<Awaited<ReturnType<typeof selectNewestVersion>>>;

/** Source texts of the manifests of the latest versions. */
export async function selectManifestTexts(db: Db, listingId: string, limit: number): Promise<string[]> {
  const rows = await db
    .select({ text: versions.manifestText })
    .from(versions)
    .where(eq(versions.listingId, listingId))
    .orderBy(desc(versions.createdAt))
    .limit(limit);
  return rows.map(({ text }) => text);
}

export async function hasVersion(db: Db, listingId: string, versionId: string): Promise<boolean> {
  const own = and(eq(versions.id, versionId), eq(versions.listingId, listingId));
  return (await db.select({ id: versions.id }).from(versions).where(own)).length === 1;
}

export async function selectVersionId(
  db: Db,
  listingId: string,
  number: string,
): Promise<string | undefined> {
  const named = and(eq(versions.listingId, listingId), eq(versions.number, number));
  return (await db.select({ id: versions.id }).from(versions).where(named))[0]?.id;
}

/** A version of one of the organization's own listings. */
export async function selectOwnVersion(db: Db, organizationId: string, listingId: string, versionId: string) {
  const [version] = await db
    .select({
      id: versions.id,
      number: versions.number,
      imageDigest: versions.imageDigest,
      manifestText: versions.manifestText,
      verifiedAt: versions.verifiedAt,
      appName: listings.appName,
      listingState: listings.state,
      /** The listing's public text. */
      text: textColumns,
    })
    .from(versions)
    .innerJoin(listings, eq(listings.id, versions.listingId))
    .where(
      and(
        eq(versions.id, versionId),
        eq(listings.id, listingId),
        eq(listings.organizationId, organizationId),
      ),
    );
  return version;
}

export type OwnVersion = NonNullable<Awaited<ReturnType<typeof selectOwnVersion>>>;

/** The caller has locked the listing and checked that the number is new. */
export async function insertVersion(tx: Db, values: typeof versions.$inferInsert): Promise<string> {
  const [row] = await tx.insert(versions).values(values).returning({ id: versions.id });
  if (row === undefined) throw new Error("the version was not stored");
  return row.id;
}

export async function selectVersionsByIds(db: Db, versionIds: string[]) {
  return db
    .select({ id: versions.id, number: versions.number, manifest: versions.manifest })
    .from(versions)
    .where(inArray(versions.id, versionIds));
}

export type VersionRow = Awaited<ReturnType<typeof selectVersionsByIds>>[number];
