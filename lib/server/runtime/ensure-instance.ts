import { setTimeout as sleep } from "node:timers/promises";
import { Problem } from "@/lib/contract/platform/problem";
import { isPassing, type ReasonCode } from "@/lib/contract/runtime/instance-reasons";
import { blameNetwork, type FailedCheck, joinSentences } from "@/lib/domain/runtime/health";
import { explainListening, explainSlowStart, LISTEN_RULE } from "@/lib/domain/runtime/instance";
import { findReference } from "../images/blob-store";
import { openArchive } from "../images/open-archive";
import { type Db, isRefusedValue, sqlStateOf } from "../platform/database/connect";
import { repeat } from "../platform/lease-loop";
import { readStateApi } from "../platform/environment";
import type { Platform } from "../platform/platform";
import { findHealthProblem } from "./check-health";
import { refreshEgress } from "./egress";
import type { Runtimes } from "./engines/choose-runtime";
import { InstanceFailure, type Runtime, type Started, type StartOrder } from "./engines/runtime";
import { endOnce, readyOnce } from "./instance-outcome";
import * as queries from "./instance-queries";
import type { InstanceRow } from "./instance-queries";
import { endAbandonedStarts, insertInstance, type InstanceEnd } from "./instance-state-queries";
import { finishLog } from "./logs/follow-log";
import { readLogTail } from "./logs/read-log-tail";
import { reserveInstance } from "./reserve-instance";
import { countStart } from "./start-metrics";

export const READY_WITHIN_MS = 60_000;
const POLL_MS = 250;
const HEARTBEAT_MS = 3_000;
export const GRACE_SECONDS = 10;

/**
 * Returns the version's ready instance, and starts one if there is none. Concurrent callers, also in several workers, get
 * the same one. Throws an InstanceFailure with a reason for the publisher or for the platform's operator.
 */
export async function ensureInstance(
  platform: Platform,
  runtimes: Runtimes,
  versionId: string,
  readyWithinMs?: number,
): Promise<InstanceRow> {
  for (;;) {
    const live = await queries.selectLiveInstance(platform.db, versionId);
    if (live?.state === "READY") {
      // The caller may ask it about a customer that it didn't have before. If the guard is away, its job says so.
      await refreshEgress(runtimes).catch(() => undefined);
      return live;
    }
    if (live === undefined) {
      const started = await addInstance(platform, runtimes, versionId, 1, readyWithinMs);
      if (started !== undefined) return started;
    } else {
      await waitForOther(platform, runtimes, live);
    }
  }
}

/** Starts one more instance of the version. Undefined if `most` run or start already. */
export async function addInstance(
  platform: Platform,
  runtimes: Runtimes,
  versionId: string,
  most: number,
  readyWithinMs?: number,
): Promise<InstanceRow | undefined> {
  const version = await requireVersion(platform, versionId);
  const runtime = await runtimes.forBundle(
    version.bundleKind,
    await queries.hasRunIsolated(platform.db, versionId),
  );
  const row = await reserveInstance(platform, version, (tx) =>
    insertInstance(tx, { versionId, ...describeStart(platform, runtime) }, most),
  );
  return row && startInstance(platform, runtime, version, row, { readyWithinMs });
}

export async function requireVersion(platform: Platform, versionId: string): Promise<Version> {
  const version = await queries.selectVersion(platform.db, versionId);
  if (version === undefined) throw new Error(`version ${versionId} does not exist`);
  return version;
}

/** As long as an engine takes to restart. */
const PASSING_MS = 20_000;
const AGAIN_MS = 1_000;

/** The same for somebody who waits for it: tries again while the engine restarts. */
export async function ensureThroughRestart(
  platform: Platform,
  runtimes: Runtimes,
  versionId: string,
  readyWithinMs?: number,
) {
  const until = Date.now() + PASSING_MS;
  for (;;) {
    try {
      return await ensureInstance(platform, runtimes, versionId, readyWithinMs);
    } catch (error) {
      const isWorthIt = error instanceof InstanceFailure && isPassing(error.reasonCode);
      if (!isWorthIt || Date.now() > until) throw error;
      await sleep(AGAIN_MS);
    }
  }
}

/** What the row of an instance says about how it is started. */
export function describeStart({ environment }: Platform, runtime: Runtime) {
  return { runtime: runtime.name, stateApi: readStateApi(environment, runtime) };
}

type Version = NonNullable<Awaited<ReturnType<typeof queries.selectVersion>>>;

/** @param replica its number; 0 for an app that runs for itself, as automatic checks run one */
export function createOrder(platform: Platform, runtime: Runtime, version: Version, replica = 0): StartOrder {
  return {
    bundleKind: version.bundleKind,
    versionId: version.id,
    replica,
    organizationId: version.organizationId,
    appName: version.appName,
    imageDigest: version.imageDigest,
    openArchive: () => openArchive(platform.environment, version.archiveDigest),
    imageReference:
      version.bundleKind === "image" ? findReference(platform.environment, version.archiveDigest) : null,
    environment: { PLATFORM_STATE_API: readStateApi(platform.environment, runtime) },
  };
}

/**
 * Another caller is starting it, and this one uses its result, unless its worker dies. Watches that one instance: a caller
 * that looked for live instances instead would find none just after a failure, and start the app again.
 */
async function waitForOther(platform: Platform, runtimes: Runtimes, live: InstanceRow): Promise<void> {
  for (;;) {
    await removeAbandonedStarts(platform, runtimes, live.versionId);
    await sleep(POLL_MS);
    const now = await queries.selectInstance(platform.db, live.id);
    if (now?.state === "FAILED")
      throw new InstanceFailure(
        now.reasonCode ?? "EXITED",
        now.reason ?? "The app could not be started.",
        now.exitCode,
      );
    if (now?.state !== "STARTING") return;
  }
}

/** Ends starts whose worker died, so that they can be started again. */
export async function removeAbandonedStarts(
  platform: Platform,
  runtimes: Runtimes,
  versionId?: string,
): Promise<void> {
  for (const { handle, runtime } of await endAbandonedStarts(platform.db, versionId)) {
    if (handle === null) continue;
    await runtimes
      .byName(runtime)
      ?.stop(handle, 0)
      .catch((err: unknown) => platform.log.warn({ err }, "an abandoned start could not be removed yet"));
  }
}

interface StartOptions {
  readyWithinMs?: number;
  /** Runs in the transaction that makes it ready. */
  onReady?: (tx: Db) => Promise<unknown>;
}

/** Starts the instance of a row that was inserted for it. Throws an InstanceFailure if it doesn't become ready. */
export async function startInstance(
  platform: Platform,
  runtime: Runtime,
  version: Version,
  row: InstanceRow,
  { readyWithinMs = READY_WITHIN_MS, onReady }: StartOptions = {},
): Promise<InstanceRow> {
  const order = createOrder(platform, runtime, version, row.replica);
  const heartbeat = repeat(platform, {
    name: "heartbeat of a start",
    everyMs: HEARTBEAT_MS,
    run: () => queries.touchStart(platform.db, row.id),
  });
  const beganMs = performance.now();
  let started: Started | undefined;
  try {
    started = await runtime.start(order);
    await queries.touchStart(platform.db, row.id, started);
    await waitUntilReady(runtime, started, readyWithinMs);
    const ready = await readyOnce(platform, row, onReady);
    if (ready === undefined)
      throw new InstanceFailure("WORKER_ENDED", "Another worker ended the start. Launch the app again.");
    countStart(platform.metrics, runtime.name, "ready", beganMs);
    platform.log.info(
      { versionId: row.versionId, runtime: runtime.name, origin: started.origin },
      "instance ready",
    );
    return ready;
  } catch (error) {
    countStart(platform.metrics, runtime.name, explainError(error).code, beganMs);
    await endFailedStart(platform, runtime, row, started, error);
    throw error;
  } finally {
    heartbeat.stop();
  }
}

async function waitUntilReady(
  runtime: Runtime,
  { handle, origin }: Started,
  withinMs: number,
): Promise<void> {
  const until = Date.now() + withinMs;
  let problem: FailedCheck | undefined;
  for (;;) {
    const inspection = await runtime.inspect(handle);
    if (!inspection.running) {
      const { code, reason, exitCode } = inspection;
      const when = code === "COMMAND_NOT_STARTED" ? "" : " before GET /health returned 200";
      throw new InstanceFailure(code, `The app ${reason}${when}.`, exitCode);
    }
    // Checked only now, so that an app that exited is never reported as late.
    if (problem !== undefined && Date.now() >= until) {
      if (inspection.healthyThere) problem = blameNetwork(problem) ?? problem;
      break;
    }
    problem = await findHealthProblem(origin);
    if (problem === undefined) return;
    await sleep(POLL_MS);
  }
  const { code, reason, hint } = await explainSilence(runtime, handle, problem, withinMs / 1000);
  throw new InstanceFailure(
    code,
    joinSentences(`The app was not ready within ${withinMs / 1000} s.`, reason, hint),
  );
}

/** Where it listens explains more than the connection error, which may come from the engine's proxy. */
async function explainSilence(
  runtime: Runtime,
  handle: string,
  { code, reason, failure }: FailedCheck,
  withinSeconds: number,
): Promise<Pick<FailedCheck, "code" | "reason"> & { hint?: string }> {
  if (failure === undefined) return { code, reason };
  const listening = await runtime.listening?.(handle);
  const mayListenElsewhere = listening === undefined;
  if (mayListenElsewhere && code !== "PORT_NOT_BOUND")
    return { code, reason, hint: joinSentences(failure, LISTEN_RULE) };
  if (mayListenElsewhere || listening.listeners.length === 0) {
    const usage = await runtime.usage(handle).catch(() => undefined);
    const hasLog = (await runtime.logTail(handle, 1).catch(() => "")) !== "";
    return {
      code: mayListenElsewhere ? code : "HEALTH_TIMED_OUT",
      reason: explainSlowStart({
        withinSeconds,
        cpuNs: usage?.cpuNs ?? undefined,
        hasLog,
        mayListenElsewhere,
      }),
    };
  }
  const hint = explainListening(listening, code === "PORT_NOT_BOUND");
  return hint === undefined ? { code, reason, hint: failure } : { code: "PORT_NOT_BOUND", reason, hint };
}

async function endFailedStart(
  platform: Platform,
  runtime: Runtime,
  row: InstanceRow,
  started: Started | undefined,
  error: unknown,
) {
  const logTail = started && (await readLogTail(platform, runtime, started.handle, row.versionId));
  await endOnce(platform, row, { ...explainError(error), logTail });
  if (started === undefined) return;
  await finishLog(platform, runtime, { id: row.id, handle: started.handle });
  // Why it failed matters more. If the engine is gone, what it keeps is removed later, as a stray.
  await runtime
    .stop(started.handle, 0)
    .catch((err: unknown) => platform.log.warn({ err }, "a failed start could not be removed yet"));
}

const PLATFORM_FAILED = "The platform could not start the app. The platform's log has the cause.";

function explainError(error: unknown): InstanceEnd {
  if (error instanceof InstanceFailure)
    return { code: error.reasonCode, reason: error.detail, exitCode: error.exitCode };
  return { code: "PLATFORM_FAILED", reason: error instanceof Problem ? error.detail : PLATFORM_FAILED };
}

/** Why an instance could not be started. Rethrows database errors that are temporary: the work is then retried. */
export function startFailure(platform: Platform, error: unknown): { code: ReasonCode; reason: string } {
  if (error instanceof Problem) return explainError(error);
  if (sqlStateOf(error) !== undefined && !isRefusedValue(error)) throw error;
  platform.log.error({ err: error }, "an instance could not be started");
  return explainError(error);
}
