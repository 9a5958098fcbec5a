import { and, asc, desc, eq, gt, inArray, isNull, ne, or, sql, type SQL } from "drizzle-orm";
import { configurations, installations } from "@/drizzle/schema/installations";
import { listings, manifestDrafts, versions } from "@/drizzle/schema/listings";
import { apiKeys, users } from "@/drizzle/schema/organizations";
import type { Db } from "../database/connect";
import { LIVE_STATES } from "../listings/queries";

const ownListing = (organizationId: string, listingId: string) =>
  and(eq(listings.id, listingId), eq(listings.organizationId, organizationId));

export async function selectDraftListing(db: Db, organizationId: string, listingId: string) {
  const [listing] = await db
    .select({ appName: listings.appName, state: listings.state })
    .from(listings)
    .where(ownListing(organizationId, listingId));
  return listing;
}

/** As above, and nobody moves the listing until the transaction ends; with `alone`, nobody saves or publishes either. */
export async function lockDraftListing(tx: Db, organizationId: string, listingId: string, alone = false) {
  const [listing] = await tx
    .select({ appName: listings.appName, state: listings.state })
    .from(listings)
    .where(ownListing(organizationId, listingId))
    .for(alone ? "update" : "share");
  return listing;
}

export async function selectDraft(db: Db, listingId: string) {
  const [draft] = await db.select().from(manifestDrafts).where(eq(manifestDrafts.listingId, listingId));
  return draft;
}

/** By number, part by part: numbers only go up. */
export async function selectNewestVersion(db: Db, listingId: string) {
  const [version] = await db
    .select()
    .from(versions)
    .where(eq(versions.listingId, listingId))
    .orderBy(desc(sql`string_to_array(${versions.number}, '.')::numeric[]`))
    .limit(1);
  return version;
}

export type NewestVersion = NonNullable<Awaited<ReturnType<typeof selectNewestVersion>>>;

export async function isVersionOf(db: Db, listingId: string, versionId: string): Promise<boolean> {
  const own = and(eq(versions.id, versionId), eq(versions.listingId, listingId));
  return (await db.select({ id: versions.id }).from(versions).where(own)).length === 1;
}

export async function selectVersionManifest(
  db: Db,
  organizationId: string,
  listingId: string,
  versionId: string,
) {
  const [version] = await db
    .select({ versionId: versions.id, number: versions.number, text: versions.manifestText })
    .from(versions)
    .innerJoin(listings, eq(listings.id, versions.listingId))
    .where(and(eq(versions.id, versionId), ownListing(organizationId, listingId)));
  return version;
}

export interface DraftToWrite {
  listingId: string;
  text: string;
  baseVersionId: string | null;
  updatedBy: string;
}

/**
 * Writes over revision `expected` (0: where nothing is saved; null: whatever is there). Undefined when another
 * revision is there, or when it holds just that already: which of the two, only a look can say.
 */
export async function writeDraft(tx: Db, draft: DraftToWrite, expected: number | null) {
  const { listingId, ...values } = draft;
  const next = { ...values, revision: sql`${manifestDrafts.revision} + 1`, updatedAt: sql`now()` };
  const outcome = { revision: manifestDrafts.revision, updatedAt: manifestDrafts.updatedAt };
  const insert = tx.insert(manifestDrafts).values(draft);
  if (expected === 0) return one(await insert.onConflictDoNothing().returning(outcome));
  if (expected === null) {
    const target = manifestDrafts.listingId;
    return one(
      await insert.onConflictDoUpdate({ target, set: next, setWhere: differs(draft) }).returning(outcome),
    );
  }
  const there = and(eq(manifestDrafts.listingId, listingId), eq(manifestDrafts.revision, expected));
  return one(
    await tx
      .update(manifestDrafts)
      .set(next)
      .where(and(there, differs(draft)))
      .returning(outcome),
  );
}

function differs({ text, baseVersionId }: DraftToWrite): SQL | undefined {
  const base = manifestDrafts.baseVersionId;
  const otherBase =
    baseVersionId === null ? sql`${base} is not null` : or(isNull(base), ne(base, baseVersionId));
  return or(ne(manifestDrafts.text, text), otherBase);
}

/** Of an actor as the audit names it; undefined for what is no person and no API key. */
export async function selectActorName(db: Db, actor: string): Promise<string | undefined> {
  const [kind, id = ""] = actor.split(":");
  if (kind === "user")
    return one(await db.select({ name: users.name }).from(users).where(eq(users.id, id)))?.name;
  if (kind !== "api-key") return undefined;
  const key = one(await db.select({ name: apiKeys.name }).from(apiKeys).where(eq(apiKeys.id, id)));
  return key && `API key ${key.name}`;
}

/** What the live installations of a listing have stored now, by id, some at a time. For the server alone. */
export async function selectLiveConfigurations(
  db: Db,
  listingId: string,
  after: string | undefined,
  limit: number,
) {
  return db
    .select({
      installationId: installations.id,
      versionId: configurations.versionId,
      settings: configurations.settings,
      mappings: configurations.mappings,
    })
    .from(installations)
    .innerJoin(
      configurations,
      and(
        eq(configurations.installationId, installations.id),
        eq(configurations.revision, installations.revision),
      ),
    )
    .where(
      and(
        eq(installations.listingId, listingId),
        inArray(installations.state, [...LIVE_STATES]),
        after === undefined ? undefined : gt(installations.id, after),
      ),
    )
    .orderBy(asc(installations.id))
    .limit(limit);
}

function one<Row>(rows: Row[]): Row | undefined {
  return rows[0];
}
