/**
 * What becomes of a blob that a publisher sends, and the statements that move it. A blob is a layer or a configuration of images.
 *
 * | from    | to      | when                                                      | statement                               |
 * | ------- | ------- | --------------------------------------------------------- | --------------------------------------- |
 * | (none)  | sending | an upload begins; each request keeps it for another day   | `openBlobUpload`, `touchBlobUploads`    |
 * | sending | (none)  | nobody continued it for a day, or it was published        | `deleteOldUploads`, `deleteBlobUploads` |
 * | (none)  | stored  | an image with it passed the checks                        | `touchBlobs`                            |
 * | stored  | named   | the image became a version; it stays as long              | `nameBlobs`                             |
 * | named   | stored  | no version has the image anymore                          | `deleteLostImages`                      |
 * | stored  | (none)  | its publication failed, or nobody touched it for a day    | `deleteUnpublished`, `deleteUnused`     |
 *
 * Rows come before bytes and go with them, so that nothing is on the disk that the clean-up doesn't know (`keep-blobs.ts`).
 */
import { and, count, eq, inArray, lt, sql } from "drizzle-orm";
import { blobUploads, imageBlobs, organizationBlobs, storedBlobs } from "@/drizzle/schema/images";
import { type Db, tryLock } from "../platform/database/connect";
import type { BlobName, SizedBlob } from "./blob-store";

/** Who copies the blobs that a snapshot of the database names shares this lock; who removes blobs needs it alone. */
const REMOVAL = "blob-removal";

/** Keeps all blobs that versions name until the connection of `db` ends, even if the versions go. Waits for a batch that is being removed. */
export async function delayBlobRemoval(db: Db): Promise<void> {
  await db.execute(sql`select pg_advisory_lock_shared(hashtextextended(${REMOVAL}, 0))`);
}

/** Until the transaction ends. False while somebody copies blobs: remove them later. */
export function lockBlobRemoval(tx: Db): Promise<boolean> {
  return tryLock(tx, REMOVAL);
}

export interface NamedImage extends SizedBlob {
  /** Stored as one file, before images were stored as blobs. */
  isArchive: boolean;
}

/** All that versions need of the store: the blobs of their images, and old archives. */
export async function selectNamedBlobs(db: Db): Promise<NamedImage[]> {
  const { rows } = await db.execute<{
    kind: BlobName["kind"];
    digest: string;
    bytes: string;
    old: boolean;
  }>(sql`
    select kind, digest, bytes, false as old from stored_blobs b
     where exists (select 1 from image_blobs i where i.digest = b.digest)
    union all
    select 'blob', archive_digest, max(archive_bytes), true from versions v
     where bundle_kind = 'image' and not exists (select 1 from image_blobs i where i.archive_digest = v.archive_digest)
     group by archive_digest
    order by digest`);
  return rows.map(({ kind, digest, bytes, old }) => ({
    kind,
    digest,
    bytes: Number(bytes),
    isArchive: old,
  }));
}

/**
 * Protects the blobs from removal for a day, and remembers that the organization has them. Returns the digests that had no
 * row. Sorted, so that two publications lock the rows in the same order.
 */
export async function touchBlobs(
  tx: Db,
  organizationId: string,
  publicationId: string,
  blobs: readonly SizedBlob[],
): Promise<string[]> {
  const sorted = [...blobs].sort((one, other) => (one.digest < other.digest ? -1 : 1));
  const rows = sorted.map(({ kind, digest, bytes }) => ({ kind, digest, bytes, touchedBy: publicationId }));
  const touched = await tx
    .insert(storedBlobs)
    .values(rows)
    .onConflictDoUpdate({
      target: storedBlobs.digest,
      set: { touchedAt: sql`now()`, touchedBy: publicationId },
    })
    .returning({ digest: storedBlobs.digest, isNew: sql<boolean>`xmax = 0` });
  await tx
    .insert(organizationBlobs)
    .values(sorted.map(({ digest }) => ({ organizationId, digest })))
    .onConflictDoUpdate({
      target: [organizationBlobs.organizationId, organizationBlobs.digest],
      set: { touchedAt: sql`now()` },
    });
  return touched.filter(({ isNew }) => isNew).map(({ digest }) => digest);
}

/** From now on, the blobs stay as long as a version of this image. */
export async function nameBlobs(tx: Db, archiveDigest: string, blobs: readonly BlobName[]): Promise<void> {
  const rows = blobs.map(({ digest }) => ({ archiveDigest, digest }));
  await tx.insert(imageBlobs).values(rows).onConflictDoNothing();
}

/** Bytes of the blobs that the organization has sent or is sending. One that several of its images share counts once. */
export async function selectBlobBytes(db: Db, organizationId: string): Promise<number> {
  const { rows } = await db.execute<{ used: string }>(sql`
    select coalesce(sum(bytes), 0) as used from (
      select b.bytes from organization_blobs o join stored_blobs b on b.digest = o.digest
       where o.organization_id = ${organizationId}
      union all
      select u.bytes from blob_uploads u
       where u.organization_id = ${organizationId}
         and not exists (select 1 from organization_blobs o
                          where o.organization_id = u.organization_id and o.digest = u.digest)) each`);
  return Number(rows[0]?.used ?? 0);
}

/** Those of the blobs that the organization has sent before. A row alone doesn't prove that the store has the blob. */
export async function selectOwnBlobs(
  db: Db,
  organizationId: string,
  digests: readonly string[],
): Promise<SizedBlob[]> {
  return db
    .select({ kind: storedBlobs.kind, digest: storedBlobs.digest, bytes: storedBlobs.bytes })
    .from(organizationBlobs)
    .innerJoin(storedBlobs, eq(storedBlobs.digest, organizationBlobs.digest))
    .where(
      and(
        eq(organizationBlobs.organizationId, organizationId),
        inArray(organizationBlobs.digest, [...digests]),
      ),
    );
}

/** A blob that is being sent. */
export interface BlobUpload {
  organizationId: string;
  digest: string;
  /** Of this attempt to send it. */
  id: string;
  /** As declared. */
  bytes: number;
  /** How much of it is in pieces. */
  received: number;
}

const OPEN_UPLOAD = {
  organizationId: blobUploads.organizationId,
  digest: blobUploads.digest,
  id: blobUploads.id,
  bytes: blobUploads.bytes,
  received: blobUploads.received,
};

/** Begins an upload, or continues it. With another size than before, it starts over: `isKept` is false. */
export async function openBlobUpload(
  tx: Db,
  organizationId: string,
  { digest, bytes }: { digest: string; bytes: number },
): Promise<BlobUpload & { isKept: boolean }> {
  const known = await tx
    .select({ bytes: blobUploads.bytes })
    .from(blobUploads)
    .where(and(eq(blobUploads.organizationId, organizationId), eq(blobUploads.digest, digest)))
    .for("update");
  const isSame = sql`${blobUploads.bytes} = excluded.bytes`;
  const [upload] = await tx
    .insert(blobUploads)
    .values({ organizationId, digest, bytes })
    .onConflictDoUpdate({
      target: [blobUploads.organizationId, blobUploads.digest],
      set: {
        bytes,
        id: sql`case when ${isSame} then ${blobUploads.id} else excluded.id end`,
        received: sql`case when ${isSame} then ${blobUploads.received} else 0 end`,
        touchedAt: sql`now()`,
      },
    })
    .returning(OPEN_UPLOAD);
  if (upload === undefined) throw new Error("an upload was not inserted");
  return { ...upload, isKept: known[0]?.bytes === bytes };
}

export async function countBlobUploads(db: Db, organizationId: string): Promise<number> {
  const [row] = await db
    .select({ count: count() })
    .from(blobUploads)
    .where(eq(blobUploads.organizationId, organizationId));
  return row?.count ?? 0;
}

/** Keeps the uploads for another day. Returns those that exist. */
export async function touchBlobUploads(
  db: Db,
  organizationId: string,
  digests: readonly string[],
): Promise<BlobUpload[]> {
  return db
    .update(blobUploads)
    .set({ touchedAt: sql`now()` })
    .where(and(eq(blobUploads.organizationId, organizationId), inArray(blobUploads.digest, [...digests])))
    .returning(OPEN_UPLOAD);
}

/** The caller removes the staged bytes (`staged-blobs.ts`). */
export async function deleteBlobUploads(
  tx: Db,
  organizationId: string,
  digests: readonly string[],
): Promise<BlobUpload[]> {
  return tx
    .delete(blobUploads)
    .where(and(eq(blobUploads.organizationId, organizationId), inArray(blobUploads.digest, [...digests])))
    .returning(OPEN_UPLOAD);
}

/** Deletes uploads that nobody has touched since `before`. The caller removes the staged bytes. */
export async function deleteOldUploads(tx: Db, before: Date, limit: number): Promise<BlobUpload[]> {
  const old = tx
    .select({ id: blobUploads.id })
    .from(blobUploads)
    .where(lt(blobUploads.touchedAt, before))
    .limit(limit)
    .for("update", { skipLocked: true });
  return tx
    .delete(blobUploads)
    .where(and(inArray(blobUploads.id, old), lt(blobUploads.touchedAt, before)))
    .returning(OPEN_UPLOAD);
}

/** What a failed publication alone has needed. The caller removes these blobs before the transaction ends. */
export async function deleteUnpublished(
  tx: Db,
  organizationId: string,
  publicationId: string,
  digests: readonly string[],
): Promise<BlobName[]> {
  const list = sql`${sql.param(digests)}::text[]`;
  const isAlone = sql`b.digest = any(${list}) and b.touched_by = ${publicationId}
    and not exists (select 1 from image_blobs i where i.digest = b.digest)
    and not exists (select 1 from organization_blobs o
                     where o.digest = b.digest and o.organization_id <> ${organizationId})`;
  await tx.execute(sql`select 1 from stored_blobs b where ${isAlone} order by b.digest for update`);
  await tx.execute(
    sql`delete from organization_blobs using stored_blobs b
         where organization_blobs.digest = b.digest and organization_id = ${organizationId} and ${isAlone}`,
  );
  return deleteRows(tx, isAlone);
}

/** Forgets what no version of the organization needs, and nobody has touched since `before`. */
export async function deleteOldClaims(tx: Db, before: Date, limit: number): Promise<number> {
  const { rowCount } = await tx.execute(sql`
    delete from organization_blobs where (organization_id, digest) in (
      select o.organization_id, o.digest from organization_blobs o
       where o.touched_at < ${before.toISOString()}
         and not exists (
               select 1 from image_blobs i
                 join versions v on v.archive_digest = i.archive_digest
                 join listings l on l.id = v.listing_id
                where i.digest = o.digest and l.organization_id = o.organization_id)
       limit ${limit} for update of o skip locked)
      and touched_at < ${before.toISOString()}`);
  return rowCount ?? 0;
}

/** Forgets the blobs of images without a version. */
export async function deleteLostImages(tx: Db): Promise<void> {
  await tx.execute(
    sql`delete from image_blobs i where not exists (select 1 from versions v where v.archive_digest = i.archive_digest)`,
  );
}

/** Deletes rows that no image and no organization needs. The caller removes these blobs before the transaction ends. */
export async function deleteUnused(tx: Db, before: Date, limit: number): Promise<BlobName[]> {
  const page = sql`b.digest in (
    select s.digest from stored_blobs s
     where s.touched_at < ${before.toISOString()}
       and not exists (select 1 from image_blobs i where i.digest = s.digest)
       and not exists (select 1 from organization_blobs o where o.digest = s.digest)
     limit ${limit} for update of s skip locked)
    and b.touched_at < ${before.toISOString()}`;
  return deleteRows(tx, page);
}

async function deleteRows(tx: Db, condition: ReturnType<typeof sql>): Promise<BlobName[]> {
  const { rows } = await tx.execute<{ digest: string; kind: BlobName["kind"] }>(
    sql`delete from stored_blobs b where ${condition} returning b.digest, b.kind`,
  );
  return rows.map(({ digest, kind }) => ({ digest, kind }));
}
