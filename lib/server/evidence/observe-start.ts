import { setTimeout as sleep } from "node:timers/promises";
import type { StartSeen } from "@/lib/domain/evidence/judge-start";
import { findHealthProblem, joinSentences } from "../instances/check-health";
import type { Runtime, Started } from "../runtimes/runtime";

const POLL_MS = 100;

/** Watches an app that was just started until it is healthy, ends, or the time is up. */
export async function observeStart(
  runtime: Runtime,
  { handle, origin }: Started,
  startedMs: number,
  readyWithinMs: number,
): Promise<StartSeen> {
  const elapsed = () => Math.round(performance.now() - startedMs);
  let answered = false;
  let problem: string | undefined;
  do {
    const inspection = await runtime.inspect(handle);
    if (!inspection.running) return { ready: false, ms: elapsed(), exit: inspection.reason, answered };
    const found = await findHealthProblem(origin);
    if (found === undefined) return { ready: true, ms: elapsed(), answered: true };
    // Without a connection failure, the app responded, or took too long.
    answered ||= found.failure === undefined;
    problem = joinSentences(found.reason, found.failure);
    await sleep(POLL_MS);
  } while (elapsed() < readyWithinMs);
  return { ready: false, ms: elapsed(), problem, answered, listening: await runtime.listening?.(handle) };
}
