import { setTimeout as sleep } from "node:timers/promises";
import type { EvidenceFacts } from "@/lib/contract/moderation/review";
import { listSettings } from "@/lib/contract/platform/manifest-terms";
import { REDACTION_MARK } from "@/lib/contract/platform/text";
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
import type { Runtime, Started, StartOrder, Stopped } from "../../runtime/engines/runtime";
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
  const { report, customers, limits } = work;
  const app = openTrial(work);
  try {
    const seen = await app.start();
    const { port, health, "start-time": startTime } = judgeStart(seen, limits);
    if (seen.ready) report.facts.startMs = seen.ms;
    await report.add(seen.ms, { port, health, "start-time": startTime });
    const running = app.running();
    if (!seen.ready || running === undefined) {
      await app.stop(0);
      await report.measure(() => ({ secrets: judgeLogs(customers, app.logs, []) }));
      return await report.end("The app never became healthy, so this could not be checked.");
    }
    const exercise = await checkCalls(work, running);
    await checkMemory(work, running);
    await checkRestart(work, app, exercise);
    await app.stop(0);
    await report.measure(() => ({ secrets: judgeLogs(customers, app.logs, exercise.sent) }));
  } finally {
    await app.end();
  }
}

type Trial = ReturnType<typeof openTrial>;

/** The app's only container, its logs, and its end. Calls that hang end with the app, so it is stopped once `lost` is aborted. */
function openTrial({ runtime, order, lost, limits }: Work) {
  const logs: string[] = [];
  let running: Started | undefined;
  let ending: Promise<unknown> = Promise.resolve();
  const endEarly = () => void (ending = stop(0).catch(() => "killed"));
  lost.addEventListener("abort", endEarly);

  async function start(): Promise<StartSeen> {
    lost.throwIfAborted();
    const startedMs = performance.now();
    try {
      running = await runtime.start(order);
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== "APP_FAILED") throw error;
      const ms = performance.now() - startedMs;
      return { ready: false, ms, answered: false, exit: `could not be started (${error.detail})` };
    }
    lost.throwIfAborted();
    return observeStart(runtime, running, startedMs, limits.readyWithinMs);
  }
  async function stop(graceSeconds: number): Promise<Stopped> {
    if (running === undefined) return "ended";
    const { handle } = running;
    running = undefined;
    await sleep(LOG_MS);
    logs.push(await runtime.logTail(handle, LOG_BYTES, new Date(0), new Date()).catch(() => ""));
    return runtime.stop(handle, graceSeconds);
  }
  async function end(): Promise<void> {
    lost.removeEventListener("abort", endEarly);
    await Promise.all([ending, stop(0)]);
  }
  return { start, stop, end, logs, running: () => running };
}

async function checkCalls(work: Work, { origin }: Started): Promise<Exercise> {
  const { platform, checked, customers, report, lost, limits } = work;
  const { manifest } = checked;
  const target = { origin, manifest, customers };
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
  return exercise;
}

async function checkMemory({ platform, runtime, report }: Work, { handle }: Started): Promise<void> {
  await report.measure(async () => {
    const memory = (await runtime.usage(handle).catch(() => undefined))?.memoryBytes;
    report.facts.memoryBytes = memory ?? null;
    return { memory: judgeMemory(memory, readAppLimits(platform.environment).memoryBytes) };
  });
}

async function checkRestart(work: Work, app: Trial, exercise: Exercise): Promise<void> {
  const { platform, checked, customers, report } = work;
  await report.measure(async () => {
    const killed = (await app.stop(GRACE_SECONDS)) === "killed";
    const again = await app.start();
    const running = app.running();
    const target = running && { origin: running.origin, manifest: checked.manifest, customers };
    const failures =
      again.ready && target !== undefined ? await callAfterRestart(platform, target, exercise) : [];
    return { restart: judgeRestart({ start: again, killed, graceSeconds: GRACE_SECONDS, failures }) };
  });
}

function judgeLogs(
  customers: readonly Customer[],
  logs: readonly string[],
  calls: readonly SentSample[],
): Verdict {
  const answers = calls.filter(({ answer }) => answer !== null).length;
  return judgeSecrets(findLeaks(customers, logs.join("\n"), calls), {
    answers,
    log: logs.some((log) => log !== ""),
  });
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
    for (const [, mark = ""] of redact(plain.slice(at, at + PART)).matchAll(REDACTION_MARK))
      found.add(toWords(mark));
  return [...found];
}

function toWords(mark: string): string {
  return mark.startsWith("secret: ") ? `the setting ${mark.slice("secret: ".length)}` : `a ${mark}`;
}

/** The review ended, or another worker took the checks over. */
export class LostClaim extends Error {}

export type Report = ReturnType<typeof createReport>;

type Added = Partial<Record<keyof Verdicts, Verdict>>;

/** Stores each result when it is known. Throws LostClaim. */
export function createReport(platform: Platform, claimed: queries.ClaimedEvidence) {
  const facts: EvidenceFacts = { image: null, startMs: null, memoryBytes: null, calls: 0 };
  let verdicts: Verdicts = {};
  const save = async () => {
    const known = { facts, checks: listChecks(verdicts) };
    if (!(await queries.saveEvidence(platform.db, claimed, known, LEASE_SECONDS))) throw new LostClaim();
  };
  /** @param ms how long observing took, for all of them */
  const add = async (ms: number, added: Added) => {
    for (const [name, verdict] of Object.entries(added))
      verdicts = { ...verdicts, [name]: { ...verdict, ms: Math.round(ms) } };
    await save();
  };
  return {
    facts,
    add,
    /** Observes, and adds what was seen with how long it took. */
    measure: async (observe: () => Added | Promise<Added>) => {
      const startedMs = performance.now();
      const added = await observe();
      await add(performance.now() - startedMs, added);
    },
    /** The checks that have no result are skipped for this reason. */
    end: async (reason: string) => {
      verdicts = skipRest(verdicts, reason);
      await save();
    },
  };
}
