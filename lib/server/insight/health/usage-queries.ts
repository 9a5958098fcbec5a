import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { organizations } from "@/drizzle/schema/accounts";
import type { Db } from "../../platform/database/connect";
import { containsFolded } from "../../platform/database/expressions";
import type { Position } from "../../platform/database/paging";

export const LARGEST = ["apps", "storage"] as const;
export type Largest = (typeof LARGEST)[number];

export interface UsageCursor {
  /** What the organization had. */
  value: number;
  id: string;
}

interface UsageFilter {
  by: Largest;
  search: string | undefined;
  position: Position<UsageCursor> | undefined;
  limit: number;
}

export interface UsageRow extends Record<string, unknown> {
  id: string;
  name: string;
  slug: string;
  /** Instances that are starting, running, or finishing their calls. */
  apps: number;
  /** Bytes of images: blobs, and archives from before images were stored as blobs. */
  storage: number;
  /** How many organizations match the search. */
  total: number;
}

/** What organizations use, largest first. Organizations that use nothing come last. */
export async function selectUsage(db: Db, { by, search, position, limit }: UsageFilter): Promise<UsageRow[]> {
  const owner = alias(organizations, "o");
  const matchesSearch = containsFolded(search, owner.name, owner.slug) ?? sql`true`;
  const largest = by === "apps" ? sql`apps` : sql`storage`;
  const isBackward = position?.isBackward === true;
  const [smaller, later] = isBackward ? [sql`>`, sql`<`] : [sql`<`, sql`>`];
  const order = isBackward ? sql`${largest}, id desc` : sql`${largest} desc, id`;
  const beyond =
    position === undefined
      ? sql`true`
      : sql`(${largest} ${smaller} ${position.cursor.value}
             or (${largest} = ${position.cursor.value} and id ${later} ${position.cursor.id}::uuid))`;
  const { rows } = await db.execute<UsageRow>(sql`
    with running as (
      select l.organization_id, count(*) as apps
        from instances n join versions v on v.id = n.version_id join listings l on l.id = v.listing_id
       where n.state in ('STARTING', 'READY', 'DRAINING') group by 1),
    blobs as (
      select o.organization_id, sum(b.bytes) as bytes
        from organization_blobs o join stored_blobs b on b.digest = o.digest group by 1),
    archives as (
      select organization_id, sum(archive_bytes) as bytes
        from (select distinct l.organization_id, v.archive_digest, v.archive_bytes
                from versions v join listings l on l.id = v.listing_id
               where v.bundle_kind = 'image'
                 and not exists (select 1 from image_blobs i where i.archive_digest = v.archive_digest)) a
       group by 1),
    usage as (
      select o.id, o.name, o.slug, coalesce(r.apps, 0)::int as apps,
             (coalesce(b.bytes, 0) + coalesce(a.bytes, 0))::float8 as storage
        from organizations o
        left join running r on r.organization_id = o.id
        left join blobs b on b.organization_id = o.id
        left join archives a on a.organization_id = o.id
       where ${matchesSearch}
         -- Made-up customers of automatic checks use nothing of their own.
         and o.slug not like '~%')
    select *, (select count(*) from usage)::int as total from usage where ${beyond} order by ${order} limit ${limit}`);
  return rows;
}
