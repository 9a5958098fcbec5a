import { setTimeout as sleep } from "node:timers/promises";
import { listSettings } from "@/lib/contract/manifest-terms";
import { Problem } from "@/lib/contract/problem";
import { judgeHooks, judgeRoutes, judgeState } from "@/lib/domain/evidence/judge-calls";
import { judgeCustomers, judgeSecrets } from "@/lib/domain/evidence/judge-customers";
import { judgeMemory, judgeRestart, judgeStart, type StartSeen } from "@/lib/domain/evidence/judge-start";
import { GRACE_SECONDS } from "../instances/ensure-instance";
import type { Platform } from "../platform/platform";
import { readAppLimits } from "../platform/app-limits";
import type { Runtime, Started, StartOrder } from "../runtimes/runtime";
import type { Customer } from "./customers";
import { callAfterRestart, exerciseApp, type Exercise } from "./exercise-app";
import { findLeaks } from "./find-leaks";
import { observeStart } from "./observe-start";
import type { Checked } from "./queries";
import type { Report } from "./report";

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
