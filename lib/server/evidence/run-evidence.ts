import { Problem } from "@/lib/contract/problem";
import { judgeImage } from "@/lib/domain/evidence/judge-image";
import { countSharedLayers, readImageFacts, type ImageFacts } from "../bundles/read-image-facts";
import { createOrder, READY_WITHIN_MS } from "../instances/ensure-instance";
import { hasRunIsolated, selectVersion } from "../instances/queries";
import type { Platform } from "../platform/platform";
import type { Runtimes } from "../runtimes/choose-runtime";
import type { Runtime } from "../runtimes/runtime";
import { checkRunning, type EvidenceLimits } from "./check-running";
import { closeCustomers, openCustomers } from "./customers";
import * as queries from "./queries";
import { createReport, type Report } from "./report";

const LIMITS: EvidenceLimits = { readyWithinMs: READY_WITHIN_MS, callsMs: 180_000 };

/**
 * Runs all checks of a claimed review, and saves each result when it is known. Everything that it starts is used only
 * by it, and ends with it; what a dead worker left behind is removed by the next one. Throws what prevents it from
 * checking, and the reason of `lost` once it is aborted.
 */
export async function runEvidence(
  platform: Platform,
  runtimes: Runtimes,
  claimed: queries.ClaimedEvidence,
  lost: AbortSignal,
  limits = LIMITS,
): Promise<void> {
  const checked = await queries.selectChecked(platform.db, claimed.reviewId);
  const report = createReport(platform, claimed);
  const startedMs = performance.now();
  const image = await readFacts(platform, checked, report);
  await report.add(performance.now() - startedMs, judgeImage(image));
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
