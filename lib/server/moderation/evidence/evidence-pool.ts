import { Problem } from "@/lib/contract/platform/problem";
import { currentClaim, PUBLISHING_ROLES } from "@/lib/domain/moderation/review";
import { judgeImage, listSome } from "@/lib/domain/moderation/verdict";
import { countSharedLayers, type ImageFacts, readImageFacts } from "../../images/read-image-facts";
import { type Db, sqlStateOf } from "../../platform/database/connect";
import { LEASE_SECONDS, type Pool, repeat } from "../../platform/lease-loop";
import { notify } from "../../platform/notifications/notify";
import { selectChecks } from "../../platform/notifications/notify-queries";
import type { Platform } from "../../platform/platform";
import type { Runtimes } from "../../runtime/engines/choose-runtime";
import type { Runtime } from "../../runtime/engines/runtime";
import { createOrder, READY_WITHIN_MS } from "../../runtime/ensure-instance";
import { hasRunIsolated, selectVersion } from "../../runtime/instance-queries";
import { checkRunning, createReport, type EvidenceLimits, LostClaim, type Report } from "./check-running";
import { closeCustomers, openCustomers } from "./customers";
import * as queries from "./queries";
import type { ClaimedEvidence, EvidenceEnd } from "./queries";

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
  const watch = repeat(platform, {
    name: "watch the claim of evidence",
    everyMs: WATCH_MS,
    run: async () => {
      if (!(await queries.hasClaim(platform.db, claimed))) lost.abort(new LostClaim());
    },
  });
  try {
    await runEvidence(platform, runtimes, claimed, lost.signal, limits);
    await endOnce(platform, claimed, { state: "DONE" });
  } catch (error) {
    // Its calls to an app that was stopped in the meantime fail too.
    if (error instanceof LostClaim || lost.signal.aborted) return;
    if (error instanceof Problem) return end(error.detail);
    // The database will be available again: the checks run again when the lease expires.
    if (sqlStateOf(error) !== undefined) throw error;
    platform.log.error({ err: error, evidenceId: claimed.id }, "a version could not be checked");
    await end("The platform could not run the checks. Its log has the cause. Run them again.");
  } finally {
    watch.stop();
  }
}

/** Ends the checks, and notifies the people they concern. */
async function endOnce(platform: Platform, claimed: ClaimedEvidence, end: EvidenceEnd): Promise<void> {
  await platform.db.transaction(async (tx) => {
    if (await queries.endEvidence(tx, claimed, end)) await tellOfEvidence(tx, claimed.reviewId);
  });
}

const LIMITS: EvidenceLimits = { readyWithinMs: READY_WITHIN_MS, callsMs: 180_000 };

/**
 * Runs all checks of a claimed review, and saves each result when it is known. Everything that it starts is used only
 * by it, and ends with it; what a dead worker left behind is removed by the next one. Throws what prevents it from
 * checking, and the reason of `lost` once it is aborted.
 */
async function runEvidence(
  platform: Platform,
  runtimes: Runtimes,
  claimed: queries.ClaimedEvidence,
  lost: AbortSignal,
  limits = LIMITS,
): Promise<void> {
  const checked = await queries.selectChecked(platform.db, claimed.reviewId);
  const report = createReport(platform, claimed);
  await report.measure(async () => judgeImage(await readFacts(platform, checked, report)));
  const runtime = await chooseRuntime(platform, runtimes, checked).catch((error: unknown) => {
    if (error instanceof Problem && error.code === "UNAVAILABLE") return error;
    throw error;
  });
  if (runtime instanceof Problem) return report.end(runtime.detail);
  const customers = await openCustomers(platform, { ...checked, evidenceId: claimed.id });
  try {
    const version = await selectVersion(platform.db, checked.versionId);
    if (version === undefined) throw new Error(`version ${checked.versionId} does not exist`);
    const order = { ...createOrder(platform, runtime, version), versionId: claimed.id };
    await checkRunning({ platform, runtime, order, checked, customers, report, lost, limits });
  } finally {
    await closeCustomers(platform, customers);
  }
}

/** Null for an example that is not an image, undefined if its archive is missing. */
async function readFacts(
  platform: Platform,
  checked: queries.Checked,
  report: Report,
): Promise<ImageFacts | null | undefined> {
  const { environment } = platform;
  if (checked.bundleKind !== "image") return null;
  const facts = await readImageFacts(environment, checked.archiveDigest);
  if (facts === undefined) return undefined;
  const { approvedDigest } = checked;
  const approved = approvedDigest && (await readImageFacts(environment, approvedDigest));
  report.facts.image = {
    digest: facts.digest,
    bytes: facts.archiveBytes,
    layers: facts.layers.length,
    sharedLayers: approved ? countSharedLayers(facts, approved) : null,
    user: facts.user,
    exposedPorts: facts.exposedPorts,
    environmentNames: facts.environmentNames,
    volumes: facts.volumes,
    unlisted: facts.unlisted,
  };
  return facts;
}

async function chooseRuntime(
  { db }: Platform,
  runtimes: Runtimes,
  { bundleKind, versionId }: queries.Checked,
): Promise<Runtime> {
  return runtimes.forBundle(bundleKind, await hasRunIsolated(db, versionId));
}

/**
 * The automatic checks of a version ended. Notifies the moderator who claimed its review, and its publisher if some
 * failed.
 */
async function tellOfEvidence(tx: Db, reviewId: string): Promise<void> {
  const found = await selectChecks(tx, reviewId);
  if (found === undefined) return;
  const { organizationId, appName, title, number, checks, reason } = found;
  const app = `${number} of ${title}`;
  const failed = checks.filter(({ result }) => result === "FAIL").map((check) => check.title);
  const result = `Failed: ${listSome(failed)}.`;
  const subject = `evidence:${reviewId}`;
  const moderator = currentClaim(found, new Date());
  if (moderator !== undefined)
    await notify(tx, {
      kind: "review-submitted",
      to: { userId: moderator },
      title: `The checks of version ${app} ${reason === null ? "are ready" : "could not be completed"}`,
      body: reason ?? (failed.length === 0 ? "No check failed." : result),
      href: `/moderation/${reviewId}#evidence`,
      subject,
    });
  if (failed.length > 0)
    await notify(tx, {
      kind: "version",
      to: { organizationId, roles: PUBLISHING_ROLES },
      title: `Version ${app} failed its automatic checks`,
      body: result,
      href: `/publish/${appName}/reviews/${reviewId}#evidence`,
      subject,
    });
}
