import { and, asc, eq, inArray, isNull, lt, ne, or, sql } from "drizzle-orm";
import { organizationDomains, organizations } from "@/drizzle/schema/accounts";
import type { DomainState } from "@/lib/contract/accounts/domain";
import type { Db } from "../../platform/database/connect";
import { type Lease, type Leased, leaseTo } from "../../platform/lease-queries";

export type DomainRow = typeof organizationDomains.$inferSelect;

/** What a check needs. */
const record = {
  id: organizationDomains.id,
  organizationId: organizationDomains.organizationId,
  domain: organizationDomains.domain,
  token: organizationDomains.token,
  state: organizationDomains.state,
  failingSince: organizationDomains.failingSince,
};

export type DomainRecord = Pick<DomainRow, keyof typeof record>;
export type ClaimedDomain = DomainRecord & Leased;

const isHeld = inArray(organizationDomains.state, ["VERIFIED", "FAILING"]);

/** By name. */
export async function selectDomains(db: Db, organizationId: string): Promise<DomainRow[]> {
  return db
    .select()
    .from(organizationDomains)
    .where(eq(organizationDomains.organizationId, organizationId))
    .orderBy(asc(organizationDomains.domain));
}

/** Locks the organization, so that two requests don't exceed its number of domains. */
export async function lockDomains(tx: Db, organizationId: string): Promise<number> {
  await tx
    .select({ id: organizations.id })
    .from(organizations)
    .where(eq(organizations.id, organizationId))
    .for("no key update");
  return tx.$count(organizationDomains, eq(organizationDomains.organizationId, organizationId));
}

/** Undefined if the organization has it already. */
export async function insertDomain(
  tx: Db,
  row: { organizationId: string; domain: string; token: string },
): Promise<string | undefined> {
  const [added] = await tx
    .insert(organizationDomains)
    .values(row)
    .onConflictDoNothing({ target: [organizationDomains.organizationId, organizationDomains.domain] })
    .returning({ id: organizationDomains.id });
  return added?.id;
}

const own = (organizationId: string, id: string) =>
  and(eq(organizationDomains.id, id), eq(organizationDomains.organizationId, organizationId));

/** The removed row; undefined if there is none. */
export async function deleteDomain(tx: Db, organizationId: string, id: string) {
  const [removed] = await tx
    .delete(organizationDomains)
    .where(own(organizationId, id))
    .returning({ domain: organizationDomains.domain, state: organizationDomains.state });
  return removed;
}

/** Undefined if it was checked within the last seconds. `exists`: it is the organization's. */
export async function claimCheck(
  db: Db,
  organizationId: string,
  id: string,
  seconds: number,
): Promise<{ exists: boolean; claimed: DomainRecord | undefined }> {
  const isFree = or(
    isNull(organizationDomains.checkedAt),
    lt(organizationDomains.checkedAt, sql`now() - make_interval(secs => ${seconds})`),
  );
  const [claimed] = await db
    .update(organizationDomains)
    .set({ checkedAt: sql`now()` })
    .where(and(own(organizationId, id), isFree))
    .returning(record);
  const exists = claimed !== undefined || (await db.$count(organizationDomains, own(organizationId, id))) > 0;
  return { exists, claimed };
}

/** Domains whose check is due, oldest first. */
export async function claimDomains(db: Db, limit: number, lease: Lease): Promise<ClaimedDomain[]> {
  const due = sql`(
    select d.id from organization_domains d
     where d.next_check_at <= now() and (d.leased_until is null or d.leased_until < now())
     order by d.next_check_at, d.id limit ${limit} for update of d skip locked)`;
  const claimed = await db
    .update(organizationDomains)
    .set(leaseTo(lease))
    .where(sql`${organizationDomains.id} in ${due}`)
    .returning(record);
  return claimed.map((domain) => ({ ...domain, claim: lease.claim }));
}

/** The other organization's domain of the same name that counts as verified. */
export async function selectHolder(db: Db, { domain, organizationId }: DomainRecord) {
  const [holder] = await db
    .select(record)
    .from(organizationDomains)
    .where(
      and(
        eq(organizationDomains.domain, domain),
        ne(organizationDomains.organizationId, organizationId),
        isHeld,
      ),
    );
  return holder;
}

type Outcome = Partial<Pick<DomainRow, "state" | "failingSince" | "nextCheckAt" | "provenBy" | "problem">>;

/** False if something else moved it, or removed it, since the state was read. Ends its lease. */
export async function settleDomain(
  tx: Db,
  { id, state }: { id: string; state: DomainState },
  outcome: Outcome,
): Promise<boolean> {
  const settled = await tx
    .update(organizationDomains)
    .set({ ...outcome, checkedAt: sql`now()`, leasedUntil: null })
    .where(and(eq(organizationDomains.id, id), eq(organizationDomains.state, state)))
    .returning({ id: organizationDomains.id });
  return settled.length === 1;
}
