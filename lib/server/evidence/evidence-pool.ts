import { Problem } from "@/lib/contract/problem";
import { sqlStateOf } from "../database/connect";
import { LEASE_SECONDS, type Pool } from "../leases/lease-loop";
import { repeat } from "../leases/repeat";
import { tellOfEvidence } from "../notifications/tell-of-evidence";
import type { Platform } from "../platform/platform";
import type { Runtimes } from "../runtimes/choose-runtime";
import type { EvidenceLimits } from "./check-running";
import * as queries from "./queries";
import type { ClaimedEvidence, EvidenceEnd } from "./queries";
import { LostClaim } from "./report";
import { runEvidence } from "./run-evidence";

/** How many versions a worker checks at once. Each runs a container of its own. */
const LIMIT = 2;

/** A worker that dies during checks may have been killed by what it checked. */
const TRIES = 3;

/** How soon a worker learns that a review ended, and stops its container. */
const WATCH_MS = 1_000;

/** The automatic checks of versions under review. */
export function evidencePool(
  platform: Platform,
  runtimes: Runtimes,
  limits?: EvidenceLimits,
): Pool<ClaimedEvidence> {
  return {
    name: "evidence",
    limit: LIMIT,
    leaseSeconds: LEASE_SECONDS,
    claim: (free, lease) => queries.claimEvidence(platform.db, free, lease),
    handle: (claimed) => gatherEvidence(platform, runtimes, claimed, limits),
  };
}

async function gatherEvidence(
  platform: Platform,
  runtimes: Runtimes,
  claimed: ClaimedEvidence,
  limits?: EvidenceLimits,
): Promise<void> {
  const end = (reason: string) => endOnce(platform, claimed, { state: "FAILED", reason });
  if (claimed.tries > TRIES)
    return end(`The checks were interrupted ${TRIES} times before they ended. Run them again.`);
  const lost = new AbortController();
  const stopWatching = repeat(platform, WATCH_MS, async () => {
    if (!(await queries.hasClaim(platform.db, claimed))) lost.abort(new LostClaim());
  });
  try {
    await runEvidence(platform, runtimes, claimed, lost.signal, limits);
    await endOnce(platform, claimed, { state: "DONE" });
  } catch (error) {
    // Its calls to an app that was stopped in the meantime fail too.
    if (error instanceof LostClaim || lost.signal.aborted) return;
    if (error instanceof Problem) return end(error.detail);
    // Databases come back: the checks run again when the lease expires.
    if (sqlStateOf(error) !== undefined) throw error;
    platform.log.error({ err: error, evidenceId: claimed.id }, "a version could not be checked");
    await end("The platform could not run the checks. Its log has the cause. Run them again.");
  } finally {
    stopWatching();
  }
}

/** Ends the checks, and notifies the people they concern. */
async function endOnce(platform: Platform, claimed: ClaimedEvidence, end: EvidenceEnd): Promise<void> {
  await platform.db.transaction(async (tx) => {
    if (await queries.endEvidence(tx, claimed, end)) await tellOfEvidence(tx, claimed.reviewId);
  });
}
