/** Everything that two customers do with an app: hooks, each alone, both at once, and again after a restart. */
import { setTimeout as sleep } from "node:timers/promises";
import type { CallSeen, Round } from "@/lib/domain/evidence/judge-calls";
import { planCalls, type PlannedCall } from "@/lib/domain/evidence/plan-calls";
import type { Platform } from "../platform/platform";
import { countStateReads } from "./queries";
import { sendHook, sendSample, type SentSample, type Target } from "./send-samples";

export interface Exercise {
  sent: SentSample[];
  /** The same with their reads of the state. */
  calls: CallSeen[];
  planned: readonly PlannedCall[];
  /** Declared routes that got no call. */
  skipped: string[];
  /** The first customer's keys read the state while only the second was served. */
  staleReads: boolean;
  hooksMs: number;
  callsMs: number;
}

/** Gateways note reads of the state every 100 ms. */
const READS_MS = 350;

/** Throws the reason of `lost` once it is aborted. */
export async function exerciseApp(
  platform: Platform,
  target: Target,
  withinMs: number,
  lost: AbortSignal,
): Promise<Exercise> {
  const { calls: planned, skipped } = planCalls(target.manifest);
  const sent: SentSample[] = [];
  const left: string[] = [];
  const beganMs = performance.now();
  const send = async (customer: number, round: Round, call: PlannedCall) => {
    lost.throwIfAborted();
    // An app whose calls hang gets no more time.
    if (performance.now() - beganMs > withinMs) left.push(call.what);
    else sent.push(await sendSample(platform, target, customer, round, call));
  };
  const readsOf = async (customer: number) => {
    await sleep(READS_MS);
    const ids = sent.filter((call) => call.customer === customer).map(({ attemptId }) => attemptId);
    const counts = await countStateReads(platform.db, ids);
    return [...counts.values()].reduce((sum, count) => sum + count, 0);
  };

  for (const hook of ["install", "start"] as const)
    if (target.manifest.core?.lifecycle?.includes(hook) === true)
      for (const index of target.customers.keys()) sent.push(await sendHook(platform, target, index, hook));
  const hooksMs = performance.now() - beganMs;

  for (const call of planned) await send(0, 1, call);
  const before = await readsOf(0);
  for (const call of planned) await send(1, 2, call);
  const after = await readsOf(0);
  for (const call of planned) await Promise.all([send(0, 3, call), send(1, 3, call)]);
  const callsMs = performance.now() - beganMs - hooksMs;

  for (const hook of ["stop", "uninstall"] as const)
    if (target.manifest.core?.lifecycle?.includes(hook) === true)
      for (const index of target.customers.keys()) sent.push(await sendHook(platform, target, index, hook));
  await sleep(READS_MS);
  const reads = await countStateReads(
    platform.db,
    sent.map(({ attemptId }) => attemptId),
  );
  const calls = sent.map((call) => ({ ...call, reads: reads.get(call.attemptId) ?? 0 }));
  const staleReads = after > before;
  return { sent, calls, planned, skipped: [...skipped, ...left], staleReads, hooksMs, callsMs };
}

/** Why calls fail now that succeeded before. One call of each customer. Its calls are added to what was sent. */
export async function callAfterRestart(
  platform: Platform,
  target: Target,
  { sent, planned }: Exercise,
): Promise<string[]> {
  const succeeded = (index: number) =>
    planned.find(({ what }) => {
      const calls = sent.filter((call) => call.customer === index && call.what === what);
      return calls.length > 0 && calls.every(({ failure }) => failure === null);
    });
  const failures: string[] = [];
  for (const index of target.customers.keys()) {
    const call = succeeded(index);
    if (call === undefined) continue;
    const again = await sendSample(platform, target, index, 4, call);
    sent.push(again);
    if (again.failure !== null) failures.push(`${again.what}: ${again.failure}`);
  }
  return failures;
}
