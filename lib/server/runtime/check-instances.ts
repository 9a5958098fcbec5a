import { setTimeout as sleep } from "node:timers/promises";
import { blameNetwork, type FailedCheck, joinSentences, THERE_WITHIN_MS } from "@/lib/domain/runtime/health";
import { isStateApiAway, noteStateApis, STATE_API_AWAY } from "../calls/state-api-away";
import type { Platform } from "../platform/platform";
import { findHealthProblem } from "./check-health";
import type { Runtimes } from "./engines/choose-runtime";
import { InstanceFailure } from "./engines/runtime";
import { inspectInstance, noteKilled, replaceLeaving, stopInstance } from "./drain-instances";
import { endOnce } from "./instance-outcome";
import * as queries from "./instance-queries";
import { type InstanceRow, selectInstance } from "./instance-queries";
import type { InstanceEnd } from "./instance-state-queries";
import { readLogTail } from "./logs/read-log-tail";

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
  void noteStateApis(platform, due);
  await Promise.all(due.map((instance) => checkInstance(platform, runtimes, instance)));
}

/** True if it is healthy. Ends it if it exited, or if it failed too many checks in a row. */
async function checkInstance(
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
  if (await replaceLeaving(platform, runtimes, instance)) return false;
  if (await followAddress(platform, runtimes, instance)) return false;
  const { code, reason } = await blame(platform, runtimes, instance, problem);
  const failedChecks = instance.failedChecks + 1;
  const isEnough = failedChecks >= FAILURES_ALLOWED;
  // The app's machine may not have noticed yet that the app is at fault.
  const mayNotice = isEnough && code === "NETWORK_FAILED";
  if (!isEnough || (mayNotice && (await queries.readFailingMs(platform.db, instance.id)) < THERE_WITHIN_MS)) {
    await queries.noteFailedCheck(platform.db, instance.id, { code, reason });
    return false;
  }
  await endInstance(platform, runtimes, instance, {
    code,
    reason: `${failedChecks} health checks failed in a row. ${reason}`,
  });
  return false;
}

const NO_ADDRESS: FailedCheck = { code: "PLATFORM_FAILED", reason: "It has no address." };

/** While its engine, its network or its state API doesn't respond, nobody can tell whether the app is at fault. */
async function blame(
  platform: Platform,
  runtimes: Runtimes,
  instance: InstanceRow,
  problem: FailedCheck,
): Promise<Pick<InstanceEnd, "code" | "reason">> {
  const { code } = problem;
  const explained = joinSentences(problem.reason, problem.failure);
  const known = runtimes.byName(instance.runtime);
  if (known === undefined || instance.handle === null) return { code, reason: explained };
  return known.inspect(instance.handle).then(
    (inspection) => {
      const network = inspection.running && inspection.healthyThere ? blameNetwork(problem) : undefined;
      return network ?? blameStateApi(platform, instance, { code, reason: explained });
    },
    (error: unknown) =>
      known.name === "kubernetes" && error instanceof InstanceFailure
        ? { code: error.reasonCode, reason: joinSentences(explained, error.detail) }
        : { code: "ENGINE_UNREACHABLE", reason: `${explained} The container engine does not respond.` },
  );
}

/** The end of an instance, with the platform's reason instead of the app's if its state API is away. */
async function blameStateApi<End extends Pick<InstanceEnd, "code" | "reason">>(
  platform: Platform,
  { stateApi }: Pick<InstanceRow, "stateApi">,
  end: End,
): Promise<End> {
  if (!CAUSED.includes(end.code) || !(await isStateApiAway(platform, stateApi))) return end;
  return { ...end, code: "STATE_API_MOVED", reason: `${end.reason} ${STATE_API_AWAY}` };
}

/** What an app may do that can't read its state. The others have nothing to do with it. */
const CAUSED: readonly InstanceEnd["code"][] = [
  "EXITED",
  "HEALTH_NOT_200",
  "HEALTH_TIMED_OUT",
  "PORT_NOT_BOUND",
];

/** Follows a change that the runtime reports: ends the ready instance if it exited, replaces it if it is about to. */
export async function followChange(platform: Platform, runtimes: Runtimes, handle: string): Promise<void> {
  const instance = await queries.selectReadyInstance(platform.db, handle);
  if (instance === undefined || (await endIfExited(platform, runtimes, instance))) return;
  if (await replaceLeaving(platform, runtimes, instance)) return;
  // It runs again already. Its old address may soon be another app's.
  await followAddress(platform, runtimes, instance);
}

/** False if it is running, or if the runtime cannot tell. */
export async function endIfExited(
  platform: Platform,
  runtimes: Runtimes,
  instance: InstanceRow,
): Promise<boolean> {
  const inspection = await inspectInstance(runtimes, instance);
  if (inspection === undefined || inspection.running) return false;
  const { code, exitCode, reason } = inspection;
  const end = await blameStateApi(platform, instance, { code, exitCode, reason: `The app ${reason}.` });
  await endInstance(platform, runtimes, instance, end);
  return true;
}

/** True if it runs at another address than before, as after somebody restarted its container. */
export async function followAddress(
  platform: Platform,
  runtimes: Runtimes,
  instance: InstanceRow,
): Promise<boolean> {
  const inspection = await inspectInstance(runtimes, instance);
  if (inspection?.running !== true || inspection.origin === instance.origin) return false;
  await queries.moveInstance(platform.db, instance.id, inspection.origin);
  return true;
}

async function endInstance(
  platform: Platform,
  runtimes: Runtimes,
  instance: InstanceRow,
  end: Omit<InstanceEnd, "logTail">,
): Promise<void> {
  const { handle, versionId } = instance;
  const runtime = runtimes.byName(instance.runtime);
  const logTail = runtime && handle !== null ? await readLogTail(platform, runtime, handle, versionId) : "";
  if (!(await endOnce(platform, instance, { ...end, logTail }))) return;
  platform.log.warn({ versionId, code: end.code, reason: end.reason }, "instance ended");
  if (runtime === undefined || handle === null) return;
  await noteKilled(platform, instance, logTail, await stopInstance(platform, runtime, instance));
}

/** Its connections end a moment before its engine reports that it exited. */
const EXIT_LOOKS_MS = [0, 50, 150, 300, 500] as const;
const CHECK_AGAIN_MS = 1_000;
const MOST_CHECKS = 10;

/**
 * Checks an instance because a call to it failed; many calls share one check. Resolves to whether it is gone. If it
 * still runs, its health is checked at once, and every second until it is healthy or ended, instead of at the next
 * regular check.
 * @param onEnd called when it was found to be gone
 */
export function createInstanceLook(
  platform: Platform,
  runtimes: Runtimes,
  onEnd: () => void,
): (instanceId: string) => Promise<boolean> {
  const looking = new Map<string, Promise<boolean>>();
  const checking = new Set<string>();

  async function look(id: string): Promise<boolean> {
    for (const wait of EXIT_LOOKS_MS) {
      if (wait > 0) await sleep(wait);
      if (await isGone(platform, runtimes, id)) {
        onEnd();
        return true;
      }
    }
    void check(id).catch((error: unknown) =>
      platform.log.warn({ err: error }, "an instance could not be checked"),
    );
    return false;
  }

  async function check(id: string): Promise<void> {
    if (checking.has(id)) return;
    checking.add(id);
    try {
      for (let checks = 1; checks <= MOST_CHECKS; checks += 1) {
        const instance = await selectInstance(platform.db, id);
        if (instance?.state !== "READY") return onEnd();
        if (await checkInstance(platform, runtimes, instance)) return;
        await sleep(CHECK_AGAIN_MS);
      }
    } finally {
      checking.delete(id);
    }
  }

  return (id) => {
    let found = looking.get(id);
    if (found === undefined) {
      found = look(id).finally(() => looking.delete(id));
      looking.set(id, found);
    }
    return found;
  };
}

async function isGone(platform: Platform, runtimes: Runtimes, id: string): Promise<boolean> {
  const instance = await selectInstance(platform.db, id);
  return instance?.state !== "READY" || endIfExited(platform, runtimes, instance);
}
