import type { Platform } from "../platform/platform";
import type { Runtimes } from "../runtimes/choose-runtime";
import { finishLog } from "../app-logs/finish-log";
import { findHealthProblem, joinSentences, type FailedCheck } from "./check-health";
import { endOnce } from "./end-once";
import { GRACE_SECONDS } from "./ensure-instance";
import * as queries from "./queries";
import type { InstanceRow } from "./queries";
import { readLogTail } from "./read-log-tail";

export const CHECK_SECONDS = 10;
const FAILURES_ALLOWED = 3;

/** Checks the ready instances whose check is due. Ends the ones that fail; the next restore starts them again. */
export async function checkInstances(
  platform: Platform,
  runtimes: Runtimes,
  everySeconds = CHECK_SECONDS,
): Promise<void> {
  // A little less than the interval, so that an early timer does not skip a round.
  const due = await queries.claimChecks(platform.db, everySeconds * 0.9);
  await Promise.all(due.map((instance) => checkInstance(platform, runtimes, instance)));
}

/** True if it is healthy. Ends it if it exited, or if it failed too many checks in a row. */
export async function checkInstance(
  platform: Platform,
  runtimes: Runtimes,
  instance: InstanceRow,
): Promise<boolean> {
  const problem = instance.origin === null ? NO_ADDRESS : await findHealthProblem(instance.origin);
  if (problem === undefined) {
    if (instance.failingSince !== null) await queries.clearFailedChecks(platform.db, instance.id);
    return true;
  }
  if (await endIfExited(platform, runtimes, instance)) return false;
  if (await followAddress(platform, runtimes, instance)) return false;
  const { code, reason } = await blame(runtimes, instance, problem);
  if (instance.failedChecks + 1 < FAILURES_ALLOWED) {
    await queries.noteFailedCheck(platform.db, instance.id, { code, reason });
    return false;
  }
  await endInstance(platform, runtimes, instance, {
    code,
    reason: `${FAILURES_ALLOWED} health checks failed in a row. ${reason}`,
  });
  return false;
}

const NO_ADDRESS: FailedCheck = { code: "PLATFORM_FAILED", reason: "It has no address." };

/** While its engine doesn't respond, nobody can tell whether the app is at fault. */
async function blame(
  runtimes: Runtimes,
  { runtime, handle }: InstanceRow,
  { code, reason, failure }: FailedCheck,
): Promise<Pick<queries.InstanceEnd, "code" | "reason">> {
  const explained = joinSentences(reason, failure);
  const known = runtimes.byName(runtime);
  if (known === undefined || handle === null) return { code, reason: explained };
  return known.inspect(handle).then(
    () => ({ code, reason: explained }),
    () => ({ code: "ENGINE_UNREACHABLE", reason: `${explained} The container engine does not respond.` }),
  );
}

/** Ends the ready instance behind a handle that its runtime reports as exited. */
export async function endExited(platform: Platform, runtimes: Runtimes, handle: string): Promise<void> {
  const instance = await queries.selectReadyInstance(platform.db, handle);
  if (instance === undefined || (await endIfExited(platform, runtimes, instance))) return;
  // It runs again already. Its old address may soon be another app's.
  await followAddress(platform, runtimes, instance);
}

/** False if it is running, or if the runtime cannot tell. */
export async function endIfExited(
  platform: Platform,
  runtimes: Runtimes,
  instance: InstanceRow,
): Promise<boolean> {
  const runtime = runtimes.byName(instance.runtime);
  if (runtime === undefined || instance.handle === null) return false;
  const inspection = await runtime.inspect(instance.handle).catch(() => undefined);
  if (inspection === undefined || inspection.running) return false;
  const { code, exitCode, reason } = inspection;
  await endInstance(platform, runtimes, instance, { code, exitCode, reason: `The app ${reason}.` });
  return true;
}

/** True if it runs at another address than before, as a container does that somebody restarted. */
export async function followAddress(
  platform: Platform,
  runtimes: Runtimes,
  instance: InstanceRow,
): Promise<boolean> {
  if (instance.handle === null) return false;
  // If the engine doesn't answer, leave its containers to the health checks.
  const inspection = await runtimes
    .byName(instance.runtime)
    ?.inspect(instance.handle)
    .catch(() => undefined);
  if (inspection?.running !== true || inspection.origin === instance.origin) return false;
  await queries.moveInstance(platform.db, instance.id, inspection.origin);
  return true;
}

async function endInstance(
  platform: Platform,
  runtimes: Runtimes,
  instance: InstanceRow,
  end: Omit<queries.InstanceEnd, "logTail">,
): Promise<void> {
  const { handle, versionId } = instance;
  const runtime = runtimes.byName(instance.runtime);
  const logTail = runtime && handle !== null ? await readLogTail(platform, runtime, handle, versionId) : "";
  if (!(await endOnce(platform, instance, { ...end, logTail }))) return;
  platform.log.warn({ versionId, code: end.code, reason: end.reason }, "instance ended");
  if (runtime === undefined || handle === null) return;
  await finishLog(platform, runtime, instance);
  await runtime.stop(handle, GRACE_SECONDS);
}
