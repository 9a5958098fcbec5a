/** Checks of domains, by a person or by a worker. The states and moves are in `lib/domain/accounts/domain.ts`. */
import { type DomainState, GRACE_DAYS } from "@/lib/contract/accounts/domain";
import { Problem } from "@/lib/contract/platform/problem";
import { isId } from "@/lib/contract/platform/text";
import { isHeld, moveDomain, recordName, writeProof } from "@/lib/domain/accounts/domain";
import type { Member } from "@/lib/domain/platform/actor";
import { countTry } from "../count-tries";
import { type Db, sqlStateOf, UNIQUE_VIOLATION } from "../../platform/database/connect";
import { LEASE_SECONDS, type Pool } from "../../platform/lease-loop";
import { notify, notifyEnd } from "../../platform/notifications/notify";
import type { Platform } from "../../platform/platform";
import { recordAudit } from "../../platform/record-audit";
import {
  claimCheck,
  type ClaimedDomain,
  claimDomains,
  type DomainRecord,
  selectHolder,
  settleDomain,
} from "./domain-queries";
import { findProof, type FoundProof } from "./find-proof";

/** Between two checks of a domain that people ask for. */
const PAUSE_SECONDS = 10;

/** How many domains a worker checks at once. Each check waits for servers of strangers. */
const LIMIT = 4;

type Find = (asked: { domain: string; proof: string }) => Promise<FoundProof>;

export interface CheckedDomain {
  state: DomainState;
  /** Why it is not verified; empty if it is. */
  problem: string;
}

/** Throws NOT_FOUND, and TOO_MANY_REQUESTS if it was just checked, or if the organization checks too often. */
export async function checkDomainNow(
  platform: Platform,
  member: Member,
  domainId: string,
  find: Find = findBy(platform),
): Promise<CheckedDomain> {
  if (!isId(domainId)) throw new Problem("NOT_FOUND");
  const { exists, claimed } = await claimCheck(platform.db, member.organization.id, domainId, PAUSE_SECONDS);
  if (!exists) throw new Problem("NOT_FOUND");
  if (claimed === undefined)
    throw new Problem(
      "TOO_MANY_REQUESTS",
      `This domain was just checked. Wait ${PAUSE_SECONDS} seconds, then check again.`,
      [],
      PAUSE_SECONDS,
    );
  // A domain that is removed and added again is a new one.
  await countTry(platform, [["domain-check-organization", member.organization.id], ["domain-check-all"]]);
  return checkDomain(platform, claimed, `user:${member.userId}`, find);
}

/** Verified domains once a week, failing ones once a day. */
export function domainPool(platform: Platform, find: Find = findBy(platform)): Pool<ClaimedDomain> {
  return {
    name: "organizationDomains",
    limit: LIMIT,
    leaseSeconds: LEASE_SECONDS,
    claim: (free, lease) => claimDomains(platform.db, free, lease),
    handle: async (domain) => void (await checkDomain(platform, domain, "worker", find)),
  };
}

function findBy({ environment }: Platform): Find {
  return (asked) => findProof(environment, asked);
}

const ask = (find: Find, { domain, token }: DomainRecord) => find({ domain, proof: writeProof(token) });

async function checkDomain(
  platform: Platform,
  row: DomainRecord,
  actor: string,
  find: Find,
): Promise<CheckedDomain> {
  const found = await ask(find, row);
  const proven = found.provenBy !== undefined;
  if (!proven || isHeld(row.state)) return settle(platform, row, found, actor);
  const holder = await selectHolder(platform.db, row);
  if (holder === undefined) return settle(platform, row, found, actor);
  // The later proof wins only if the earlier one is surely gone.
  const theirs = await ask(find, holder);
  if (theirs.provenBy === undefined && theirs.isCertain) return settle(platform, row, found, actor, holder);
  return settle(platform, row, { provenBy: undefined, isCertain: true, problem: TAKEN }, actor);
}

const TAKEN =
  "The proof is there, but another organization has verified this domain, and its proof is still there too. Remove the other TXT record or file, then check again.";

/** Writes what a check found, and says so to those whom it concerns. @param loser the other organization's domain, whose proof is gone */
async function settle(
  platform: Platform,
  row: DomainRecord,
  found: FoundProof,
  actor: string,
  loser?: DomainRecord,
): Promise<CheckedDomain> {
  const next = moveDomain(row, found.provenBy !== undefined, new Date());
  const problem = found.provenBy === undefined ? found.problem : "";
  const outcome = { ...next, problem, ...(found.provenBy === undefined ? {} : { provenBy: found.provenBy }) };
  try {
    await platform.db.transaction(async (tx) => {
      if (loser !== undefined) await lose(platform, tx, loser);
      if (!(await settleDomain(tx, row, outcome))) return;
      await tell(tx, row, next.state);
      await record(platform, tx, row, next.state, actor, problem);
    });
  } catch (error) {
    // Another organization proved it at the same moment. The next check compares the proofs.
    if (sqlStateOf(error) !== UNIQUE_VIOLATION) throw error;
    return { state: row.state, problem: TAKEN };
  }
  return { state: next.state, problem };
}

async function lose(platform: Platform, tx: Db, loser: DomainRecord): Promise<void> {
  const problem = "Another organization has proven that it owns this domain, and the proof of yours is gone.";
  const outcome = { state: "LOST" as const, failingSince: null, nextCheckAt: null, problem };
  if (!(await settleDomain(tx, loser, outcome))) return;
  await tell(tx, loser, "LOST");
  await record(platform, tx, loser, "LOST", "worker", problem);
}

/** Owners learn that a proof is gone, that it is back, and that the domain is lost. */
async function tell(tx: Db, { id, organizationId, domain, state }: DomainRecord, next: DomainState) {
  if (state === next) return;
  const subject = `domain:${id}`;
  const about = { kind: "domain" as const, subject };
  const to = { organizationId, roles: ["owner"] as const };
  const href = "/organization/settings#domains";
  if (next === "FAILING")
    await notify(tx, {
      ...{ ...about, to, href, lasts: true },
      title: `The proof of ${domain} is gone`,
      body: `Restore the TXT record of ${recordName(domain)} or the file within ${GRACE_DAYS} days. Until then, your listings show the domain as verified.`,
    });
  if (next === "LOST")
    await notify(tx, {
      ...{ ...about, to, href },
      title: `${domain} is no longer verified`,
      body: "Your listings no longer show it. Restore the proof, then check it again.",
    });
  if (next === "VERIFIED" && state === "FAILING")
    await notifyEnd(tx, { ...about, title: `The proof of ${domain} is back`, body: "It stays verified." });
}

async function record(
  platform: Platform,
  tx: Db,
  { id, organizationId, domain, state }: DomainRecord,
  next: DomainState,
  actor: string,
  problem: string,
): Promise<void> {
  if (state === next || next === "WAITING") return;
  const actions = { VERIFIED: "domain.verify", FAILING: "domain.fail", LOST: "domain.lose" } as const;
  await recordAudit(tx, platform.keyring, {
    chain: organizationId,
    actor,
    action: actions[next],
    subject: `domain:${id}`,
    details: { domain, ...(problem === "" ? {} : { problem }) },
  });
}
