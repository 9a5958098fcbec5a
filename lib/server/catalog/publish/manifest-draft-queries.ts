import { and, asc, eq, gt, inArray, isNull, ne, or, sql, type SQL } from "drizzle-orm";
import { apiKeys, users } from "@/drizzle/schema/accounts";
import { listings, manifestDrafts } from "@/drizzle/schema/catalog";
import { installations } from "@/drizzle/schema/installations";
import { configurations } from "@/drizzle/schema/installations-configurations";
import type { Db } from "../../platform/database/connect";
import { isCounted, LIVE_STATES } from "../listing-queries";

const ownListing = (organizationId: string, listingId: string) =>
  and(eq(listings.id, listingId), eq(listings.organizationId, organizationId));

export async function selectDraftListing(db: Db, organizationId: string, listingId: string) {
  const [listing] = await db
    .select({ appName: listings.appName, state: listings.state })
    .from(listings)
    .where(ownListing(organizationId, listingId));
  return listing;
}

/** Locks the listing's state until the transaction ends; with `exclusive`, no one can save or publish either. */
export async function lockDraftListing(
  tx: Db,
  organizationId: string,
  listingId: string,
  exclusive: boolean,
) {
  const [listing] = await tx
    .select({ appName: listings.appName, state: listings.state })
    .from(listings)
    .where(ownListing(organizationId, listingId))
    .for(exclusive ? "update" : "share");
  return listing;
}

export async function selectDraft(db: Db, listingId: string) {
  const [draft] = await db.select().from(manifestDrafts).where(eq(manifestDrafts.listingId, listingId));
  return draft;
}

export interface DraftToWrite {
  listingId: string;
  text: string;
  baseVersionId: string | null;
  updatedBy: string;
}

/**
 * Overwrites revision `expected` (0: nothing saved yet; null: any revision). Undefined if there is another revision, or
 * if the saved draft is already the same; read it to tell which.
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

/** The name of an actor as the audit trail identifies it. Undefined if it is not a user or an API key. */
export async function selectActorName(db: Db, actor: string): Promise<string | undefined> {
  const [kind, id = ""] = actor.split(":");
  if (kind === "user")
    return one(await db.select({ name: users.name }).from(users).where(eq(users.id, id)))?.name;
  if (kind !== "api-key") return undefined;
  const key = one(await db.select({ name: apiKeys.name }).from(apiKeys).where(eq(apiKeys.id, id)));
  return key && `API key ${key.name}`;
}

/** The current configurations of a listing's live installations, ordered by installation. Never leaves the server. */
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
        isCounted,
        after === undefined ? undefined : gt(installations.id, after),
      ),
    )
    .orderBy(asc(installations.id))
    .limit(limit);
}

function one<Row>(rows: Row[]): Row | undefined {
  return rows[0];
}
