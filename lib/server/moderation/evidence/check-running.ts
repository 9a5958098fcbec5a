import { setTimeout as sleep } from "node:timers/promises";
import type { EvidenceFacts } from "@/lib/contract/moderation/review";
import { listSettings } from "@/lib/contract/platform/manifest-terms";
import { Problem } from "@/lib/contract/platform/problem";
import {
  judgeCustomers,
  judgeHooks,
  judgeMemory,
  judgeRestart,
  judgeRoutes,
  judgeSecrets,
  judgeStart,
  judgeState,
  type Leak,
  type StartSeen,
} from "@/lib/domain/moderation/judge-running";
import { listChecks, skipRest, type Verdict, type Verdicts } from "@/lib/domain/moderation/verdict";
import { joinSentences } from "@/lib/domain/runtime/health";
import { readAppLimits } from "../../platform/environment";
import { LEASE_SECONDS } from "../../platform/lease-loop";
import type { Platform } from "../../platform/platform";
import { createRedaction, type Redaction } from "../../platform/redaction/redact-secrets";
import { findHealthProblem } from "../../runtime/check-health";
import type { Runtime, Started, StartOrder } from "../../runtime/engines/runtime";
import { GRACE_SECONDS } from "../../runtime/ensure-instance";
import type { Customer } from "./customers";
import { callAfterRestart, type Exercise, exerciseApp, type SentSample } from "./exercise-app";
import * as queries from "./queries";
import type { Checked } from "./queries";

export interface EvidenceLimits {
  readyWithinMs: number;
  /** After this time, no further sample call is sent. */
  callsMs: number;
}

interface Work {
  platform: Platform;
  runtime: Runtime;
  order: StartOrder;
  checked: Checked;
  customers: Customer[];
  report: Report;
  /** Aborted when the checks are no longer this worker's. */
  lost: AbortSignal;
  limits: EvidenceLimits;
}

const LOG_BYTES = 2 * 1024 * 1024;
/** The engine writes an app's last lines a moment after it wrote them. */
const LOG_MS = 300;

/** Starts the app, calls it, restarts it, and ends it. Throws what is not the app's fault. */
export async function checkRunning(work: Work): Promise<void> {
  const { platform, runtime, checked, customers, report, lost, limits } = work;
  const logs: string[] = [];
  let running: Started | undefined;
  const start = async (): Promise<StartSeen> => {
    lost.throwIfAborted();
    const startedMs = performance.now();
    try {
      running = await runtime.start(work.order);
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== "APP_FAILED") throw error;
      const ms = performance.now() - startedMs;
      return { ready: false, ms, answered: false, exit: `could not be started (${error.detail})` };
    }
    lost.throwIfAborted();
    return observeStart(runtime, running, startedMs, limits.readyWithinMs);
  };
  const stop = async (graceSeconds: number) => {
    if (running === undefined) return "ended";
    const { handle } = running;
    running = undefined;
    await sleep(LOG_MS);
    logs.push(await runtime.logTail(handle, LOG_BYTES, new Date(0), new Date()).catch(() => ""));
    return runtime.stop(handle, graceSeconds);
  };
  // Calls that hang end with the app.
  let ending: Promise<unknown> = Promise.resolve();
  const endEarly = () => void (ending = stop(0).catch(() => "killed"));
  lost.addEventListener("abort", endEarly);
  const judgeLog = async (exercise?: Exercise) => {
    const calls = exercise?.sent ?? [];
    const leaks = findLeaks(customers, logs.join("\n"), calls);
    const answers = calls.filter(({ answer }) => answer !== null).length;
    return judgeSecrets(leaks, { answers, log: logs.some((log) => log !== "") });
  };

  try {
    const seen = await start();
    const { port, health, "start-time": startTime } = judgeStart(seen, limits);
    if (seen.ready) report.facts.startMs = seen.ms;
    await report.add(seen.ms, { port, health, "start-time": startTime });
    if (!seen.ready || running === undefined) {
      await stop(0);
      const startedMs = performance.now();
      await report.add(performance.now() - startedMs, { secrets: await judgeLog() });
      return await report.end("The app never became healthy, so this could not be checked.");
    }

    const { manifest } = checked;
    const target = { origin: running.origin, manifest, customers };
    const exercise = await exerciseApp(platform, target, limits.callsMs, lost);
    const { calls, skipped, staleReads, hooksMs, callsMs } = exercise;
    report.facts.calls = exercise.sent.length;
    const declares = listSettings(manifest).length > 0 || (manifest.core?.fields ?? []).length > 0;
    const markers = customers.map((customer) => customer.markers);
    await report.add(hooksMs, { hooks: judgeHooks(calls) });
    await report.add(callsMs, {
      routes: judgeRoutes(calls, skipped),
      state: judgeState(calls, declares),
      customers: judgeCustomers({ calls, markers, staleReads }),
    });

    const measuredMs = performance.now();
    const memory = (await runtime.usage(running.handle).catch(() => undefined))?.memoryBytes;
    report.facts.memoryBytes = memory ?? null;
    await report.add(performance.now() - measuredMs, {
      memory: judgeMemory(memory, readAppLimits(platform.environment).memoryBytes),
    });

    const stoppedMs = performance.now();
    const killed = (await stop(GRACE_SECONDS)) === "killed";
    const again = await start();
    const failures =
      again.ready && running !== undefined
        ? await callAfterRestart(platform, { ...target, origin: running.origin }, exercise)
        : [];
    const restart = judgeRestart({ start: again, killed, graceSeconds: GRACE_SECONDS, failures });
    await report.add(performance.now() - stoppedMs, { restart });

    await stop(0);
    const searchedMs = performance.now();
    const secrets = await judgeLog(exercise);
    await report.add(performance.now() - searchedMs, { secrets });
  } finally {
    lost.removeEventListener("abort", endEarly);
    await Promise.all([ending, stop(0)]);
  }
}

const POLL_MS = 100;

/** Watches an app that was just started until it is healthy, ends, or the time is up. */
async function observeStart(
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

/** Searched at once: an index of more takes much memory. Parts overlap, so that no secret is cut in every part. */
const PART = 64 * 1024;
const OVERLAP = 4 * 1024;

const MARKS = /\[(secret: [^\]]+|state key|token)\]/g;

/** Where an app wrote secrets of its customers, state keys or tokens, in any encoding that the platform redacts. */
function findLeaks(customers: readonly Customer[], log: string, calls: readonly SentSample[]): Leak[] {
  const secrets = customers.flatMap(({ settings }) => settings.filter(({ secret }) => secret));
  const redact = createRedaction(secrets);
  const found = [
    ...findIn(redact, log).map((what) => ({ what, where: "its log" })),
    ...calls.flatMap(({ answer, what: call }) =>
      findInAnswer(redact, answer ?? "").map((what) => ({ what, where: `the answer to ${call}` })),
    ),
  ];
  return found.filter(
    (leak, at) => found.findIndex(({ what, where }) => what === leak.what && where === leak.where) === at,
  );
}

/** The call's own key is already replaced. */
function findInAnswer(redact: Redaction, answer: string): string[] {
  return [...(answer.includes("[state key]") ? ["a state key"] : []), ...findIn(redact, answer)];
}

function findIn(redact: Redaction, text: string): string[] {
  // A mark that the app itself wrote doesn't count.
  const plain = text.replaceAll("[", "(");
  const found = new Set<string>();
  for (let at = 0; at < plain.length; at += PART - OVERLAP)
    for (const [, mark = ""] of redact(plain.slice(at, at + PART)).matchAll(MARKS)) found.add(toWords(mark));
  return [...found];
}

function toWords(mark: string): string {
  return mark.startsWith("secret: ") ? `the setting ${mark.slice("secret: ".length)}` : `a ${mark}`;
}

/** The review ended, or another worker took the checks over. */
export class LostClaim extends Error {}

export type Report = ReturnType<typeof createReport>;

/** Stores each result when it is known. Throws LostClaim. */
export function createReport(platform: Platform, claimed: queries.ClaimedEvidence) {
  const facts: EvidenceFacts = { image: null, startMs: null, memoryBytes: null, calls: 0 };
  let verdicts: Verdicts = {};
  const save = async () => {
    const known = { facts, checks: listChecks(verdicts) };
    if (!(await queries.saveEvidence(platform.db, claimed, known, LEASE_SECONDS))) throw new LostClaim();
  };
  return {
    facts,
    /** @param ms how long observing took, for all of them */
    add: async (ms: number, added: Partial<Record<keyof Verdicts, Verdict>>) => {
      for (const [name, verdict] of Object.entries(added))
        verdicts = { ...verdicts, [name]: { ...verdict, ms: Math.round(ms) } };
      await save();
    },
    /** The checks that have no result are skipped for this reason. */
    end: async (reason: string) => {
      verdicts = skipRest(verdicts, reason);
      await save();
    },
  };
}
