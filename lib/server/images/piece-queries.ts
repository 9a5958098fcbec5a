/**
 * The pieces of blobs that are being sent. A piece is written, then accepted: only the one that continues its upload is, so two requests
 * that send the same bytes through two gateways can't both count.
 */
import { and, asc, count, eq, isNotNull, sql } from "drizzle-orm";
import { blobUploads, uploadPieces } from "@/drizzle/schema/images";
import type { Db } from "../platform/database/connect";

export interface Piece {
  digest: string;
  uploadId: string;
  /** Where it begins in the blob. */
  position: number;
  bytes: number;
}

export async function insertPiece(db: Db, piece: Piece): Promise<void> {
  await db.insert(uploadPieces).values(piece);
}

export async function countPieces(db: Db, uploadId: string): Promise<number> {
  const [row] = await db
    .select({ count: count() })
    .from(uploadPieces)
    .where(eq(uploadPieces.uploadId, uploadId));
  return row?.count ?? 0;
}

/** False if the upload has ended, or has continued without this piece. */
export async function acceptPiece(tx: Db, { digest, uploadId, position, bytes }: Piece): Promise<boolean> {
  const continued = await tx
    .update(blobUploads)
    .set({ received: sql`${blobUploads.received} + ${bytes}`, touchedAt: sql`now()` })
    .where(
      and(
        eq(blobUploads.id, uploadId),
        eq(blobUploads.received, position),
        sql`${blobUploads.received} + ${bytes} <= ${blobUploads.bytes}`,
      ),
    )
    .returning({ id: blobUploads.id });
  if (continued.length === 0) return false;
  await tx
    .update(uploadPieces)
    .set({ acceptedAt: sql`now()` })
    .where(eq(uploadPieces.digest, digest));
  return true;
}

export async function selectPieces(db: Db, uploadId: string): Promise<Piece[]> {
  return db
    .select({
      digest: uploadPieces.digest,
      uploadId: uploadPieces.uploadId,
      position: uploadPieces.position,
      bytes: uploadPieces.bytes,
    })
    .from(uploadPieces)
    .where(and(eq(uploadPieces.uploadId, uploadId), isNotNull(uploadPieces.acceptedAt)))
    .orderBy(asc(uploadPieces.position));
}

export async function deletePiece(db: Db, digest: string): Promise<void> {
  await db.delete(uploadPieces).where(eq(uploadPieces.digest, digest));
}

/** Deletes accepted pieces of uploads that have ended. The caller removes their blobs before the transaction ends. */
export async function deletePiecesOf(tx: Db, uploadIds: readonly string[], limit: number): Promise<string[]> {
  const { rows } = await tx.execute<{ digest: string }>(sql`
    delete from upload_pieces where digest in (
      select p.digest from upload_pieces p
       where p.upload_id = any(${sql.param(uploadIds)}::uuid[]) and p.accepted_at is not null
         and not exists (select 1 from blob_uploads u where u.id = p.upload_id)
       limit ${limit} for update of p skip locked)
    returning digest`);
  return rows.map(({ digest }) => digest);
}

/**
 * Deletes pieces from before this moment that are no part of an upload: it has ended, or they were never accepted. A younger one may
 * still be written. The caller removes their blobs before the transaction ends.
 */
export async function deleteOldPieces(tx: Db, before: Date, limit: number): Promise<string[]> {
  const { rows } = await tx.execute<{ digest: string }>(sql`
    delete from upload_pieces where digest in (
      select p.digest from upload_pieces p
       where p.created_at < ${before.toISOString()}
         and (p.accepted_at is null or not exists (select 1 from blob_uploads u where u.id = p.upload_id))
       limit ${limit} for update of p skip locked)
    returning digest`);
  return rows.map(({ digest }) => digest);
}
