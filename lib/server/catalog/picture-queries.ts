import { and, eq, inArray, sql } from "drizzle-orm";
import { images, listingDrafts, listings, reviews } from "@/drizzle/schema/catalog";
import type { Db } from "../platform/database/connect";
import { DAY_MS, inBatches } from "../platform/retention-queries";

/** A picture that is uploaded again counts as new, so that retention doesn't remove it before it is used. */
export async function insertImage(tx: Db, image: typeof images.$inferInsert): Promise<void> {
  await tx
    .insert(images)
    .values(image)
    .onConflictDoUpdate({ target: [images.organizationId, images.digest], set: { createdAt: sql`now()` } });
}

export async function selectImageBytes(db: Db, digest: string): Promise<Buffer | undefined> {
  const [image] = await db
    .select({ bytes: images.bytes })
    .from(images)
    .where(eq(images.digest, digest))
    .limit(1);
  return image?.bytes;
}

/** How many bytes an organization's pictures take. */
export async function selectImagesUsed(db: Db, organizationId: string): Promise<number> {
  const [row] = await db
    .select({ used: sql<string>`coalesce(sum(octet_length(${images.bytes})), 0)` })
    .from(images)
    .where(eq(images.organizationId, organizationId));
  return Number(row?.used ?? 0);
}

/** Which of these the organization has. They count as new: until the transaction ends, retention can't remove them. */
export async function renewImages(tx: Db, organizationId: string, digests: string[]): Promise<string[]> {
  if (digests.length === 0) return [];
  const rows = await tx
    .update(images)
    .set({ createdAt: sql`now()` })
    .where(and(eq(images.organizationId, organizationId), inArray(images.digest, digests)))
    .returning({ digest: images.digest });
  return rows.map(({ digest }) => digest);
}

const shows = (text: string) =>
  sql.raw(
    `(${text} ->> 'icon' = i.digest or ${text} -> 'screenshots' @> jsonb_build_array(jsonb_build_object('image', i.digest)))`,
  );

/** Removes pictures that are older than `before` and that no listing, draft or review shows. Returns how many. */
async function deleteUnusedImages(tx: Db, before: Date, limit: number): Promise<number> {
  const { rowCount } = await tx.execute(sql`
    delete from ${images} i using (
      select i.organization_id, i.digest from ${images} i
       where i.created_at < ${before.toISOString()}
         and not exists (
               select 1 from ${listings} l
                 left join ${listingDrafts} d on d.listing_id = l.id
                where l.organization_id = i.organization_id
                  and (l.icon = i.digest
                       or l.screenshots @> jsonb_build_array(jsonb_build_object('image', i.digest))
                       or ${shows("d.text")}
                       or exists (select 1 from ${reviews} r where r.listing_id = l.id and ${shows("r.text")})))
       order by i.created_at limit ${limit} for update of i skip locked) unused
     where i.organization_id = unused.organization_id and i.digest = unused.digest
       and i.created_at < ${before.toISOString()}`);
  return rowCount ?? 0;
}

/** A day, because whoever uploads a picture is about to use it. */
export const PICTURE_RETENTION = inBatches("images", DAY_MS, deleteUnusedImages);
