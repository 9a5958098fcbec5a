/** Keeps the app running: starts it, waits until it is ready, checks its health each second, and starts it again if it ends. */
import { setTimeout as sleep } from "node:timers/promises";
import { KEY_HEADER } from "@/lib/contract/platform/text";
import { INSTANCE_REASONS, type ReasonCode } from "@/lib/contract/runtime/instance-reasons";
import { type AppExit, BuildFailure, type Runner, type RunningApp } from "../app/runner";
import { sendRequest } from "../app/send-request";
import type { DevHealth, DevInstance, DevLogLine } from "../contract/app";
import { unknownStateKey } from "./state-api";

type AppStatus = Omit<DevInstance, "how" | "what">;
type LogEntry = Pick<DevLogLine, "stream" | "text">;

export interface Supervisor {
  status(): AppStatus;
  /** Builds and starts the app again. Resolves to whether it became ready. */
  restart(
    cause: string,
    options?: { build?: boolean },
  ): Promise<{ ready: boolean; stopped: "ended" | "killed" }>;
  /** kill -9. The app is then started again, as after any crash. */
  kill(): Promise<void>;
  /** Resolves when it is ready, or when it has failed for good or the time is up: then to false. */
  waitUntilReady(ms: number): Promise<boolean>;
  stop(): Promise<void>;
}

interface SupervisorOptions {
  runner: Runner;
  stateApi: string;
  onChange: () => void;
  onLog: (entry: LogEntry) => void;
  readyMs?: number;
}

const READY_MS = 60_000;
const CHECK_MS = 1_000;
/** Until it is ready. */
const FIRST_CHECK_MS = 150;
const KEPT_CHECKS = 60;
const TAIL_LINES = 30;
const GRACE_MS = 10_000;
/** Waits before an app that was ready and ended is started again. After the last, it waits for a change. */
const RESTART_MS = [200, 1_000, 3_000];
/** An app that was ready for this long has not crashed in a row. */
const STEADY_MS = 30_000;

export function supervise({
  runner,
  stateApi,
  onChange,
  onLog,
  readyMs = READY_MS,
}: SupervisorOptions): Supervisor {
  const status: AppStatus = {
    state: "stopped",
    port: null,
    startedAt: null,
    readyAt: null,
    restarts: 0,
    cause: "",
    health: [],
    exit: null,
  };
  let app: RunningApp | undefined;
  /** Changes with every start and stop, so that what belongs to an earlier one ends. */
  let turn = 0;
  let crashes = 0;
  /** The next time the app ends, it is on purpose. */
  let isKilled = false;
  let tail: string[] = [];
  let queue: Promise<unknown> = Promise.resolve();

  const set = (changes: Partial<AppStatus>) => {
    Object.assign(status, changes);
    onChange();
  };
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = queue.then(work, work);
    queue = result.catch(() => undefined);
    return result;
  };

  return {
    status: () => status,
    restart: (cause, { build = true } = {}) =>
      inTurn(async () => {
        crashes = 0;
        const stopped = await end();
        return { ready: await begin(cause, build), stopped };
      }),
    kill: async () => {
      isKilled = true;
      crashes = 0;
      await app?.kill();
    },
    waitUntilReady: async (ms) => {
      const until = Date.now() + ms;
      while (Date.now() < until) {
        if (status.state === "ready") return true;
        if (status.state === "crashed" || status.state === "stopped") return false;
        await sleep(50);
      }
      return false;
    },
    stop: () => {
      turn += 1;
      return inTurn(async () => {
        await end();
        set({ state: "stopped" });
      });
    },
  };

  async function end(): Promise<"ended" | "killed"> {
    turn += 1;
    const stopped = await app?.stop(GRACE_MS);
    app = undefined;
    return stopped ?? "ended";
  }

  async function begin(cause: string, build: boolean): Promise<boolean> {
    const own = ++turn;
    tail = [];
    const restarts = status.startedAt === null ? 0 : status.restarts + 1;
    set({ state: build ? "building" : "starting", cause, restarts, port: null, readyAt: null, health: [] });
    const startedAt = new Date().toISOString();
    try {
      if (build) await runner.prepare((text) => log({ stream: "build", text }));
      if (own !== turn) return false;
      set({ state: "starting", startedAt });
      app = await runner.start(stateApi, (stream, text) => log({ stream, text }));
    } catch (error) {
      const isBuild = error instanceof BuildFailure;
      const reason = error instanceof Error ? error.message : String(error);
      set({ startedAt });
      crash({ code: isBuild ? "IMAGE_MISSING" : "ENGINE_FAILED", reason }, isBuild ? FIX_BUILD : undefined);
      return false;
    }
    const { port, exited } = app;
    set({ port });
    void exited.then((exit) => {
      if (own === turn) void onExit(own, exit);
    });
    return waitForHealth(own, port);
  }

  async function waitForHealth(own: number, port: number): Promise<boolean> {
    const until = Date.now() + readyMs;
    let last: HealthCheck | undefined;
    while (own === turn && Date.now() < until) {
      last = await checkHealth(port);
      if (own !== turn) return false;
      if (last.ok) {
        set({ state: "ready", readyAt: last.at, health: [last] });
        void watchHealth(own, port);
        return true;
      }
      await sleep(FIRST_CHECK_MS);
    }
    if (own !== turn) return false;
    turn += 1;
    await app?.stop(GRACE_MS);
    app = undefined;
    const { code = null, problem = "" } = last ?? {};
    const seconds = readyMs / 1000;
    crash({
      code: code ?? "HEALTH_TIMED_OUT",
      reason: `did not become ready within ${seconds} s. ${problem}`,
    });
    return false;
  }

  async function watchHealth(own: number, port: number): Promise<void> {
    while (own === turn) {
      await sleep(CHECK_MS, undefined, { ref: false });
      if (own !== turn) return;
      const check = await checkHealth(port);
      if (own !== turn) return;
      const health = [...status.health, check].slice(-KEPT_CHECKS);
      set({ state: check.ok ? "ready" : "failing", health });
    }
  }

  async function onExit(own: number, exit: AppExit): Promise<void> {
    const wasReady = status.readyAt !== null;
    if (status.readyAt !== null && Date.now() - Date.parse(status.readyAt) > STEADY_MS) crashes = 0;
    turn += 1;
    const ended = turn;
    app = undefined;
    const wait = RESTART_MS[crashes];
    crash(exit, isKilled ? "Nothing to do: the app starts again." : undefined);
    isKilled = false;
    if (!wasReady || wait === undefined || own + 1 !== ended) return;
    crashes += 1;
    set({ state: "starting", cause: `The app ${exit.reason}.` });
    await sleep(wait);
    if (turn !== ended) return;
    await inTurn(async () => turn === ended && begin(`The app ${exit.reason}.`, false));
  }

  function crash({ code, reason }: AppExit, nextStep = withoutPublishing(code)): void {
    const said = /^[A-Z]/.test(reason) ? reason : `The app ${reason}`;
    const sentence = /[.!?\n]$/.test(said) ? said : `${said}.`;
    const exit = { at: new Date().toISOString(), code, reason: sentence, nextStep, logTail: tail.join("\n") };
    set({ state: "crashed", port: null, exit });
  }

  function log(entry: LogEntry): void {
    tail = [...tail, entry.text].slice(-TAIL_LINES);
    onLog(entry);
  }
}

const FIX_BUILD =
  "Fix what the build reports, and save. Or run without a container: platform-app dev --no-container";

/** On a laptop, a saved file is enough. */
function withoutPublishing(code: ReasonCode): string {
  return INSTANCE_REASONS[code].nextStep.replace(
    /,? then publish a new version\.|Then publish a new version\./,
    (found) => (found.startsWith(",") ? ", then save: the app restarts." : " Then save: the app restarts."),
  );
}

// `GET /health` as the platform asks for it, and what is wrong with an answer.

const DEADLINE_MS = 3_000;

interface HealthCheck extends DevHealth {
  code: ReasonCode | null;
}

/** The key opens nothing, because a health check serves no customer. */
export async function checkHealth(port: number): Promise<HealthCheck> {
  const at = new Date().toISOString();
  const { status, failed, ms } = await sendRequest({
    method: "GET",
    path: "/health",
    headers: { [KEY_HEADER]: unknownStateKey() },
    deadlineMs: DEADLINE_MS,
    port,
  });
  if (status === 200 && failed === null) return { at, ok: true, ms, problem: null, code: null };
  const bad = (code: ReasonCode, problem: string): HealthCheck => ({ at, ok: false, ms, problem, code });
  if (failed?.fault === "app-timed-out")
    return bad("HEALTH_TIMED_OUT", `GET /health did not answer within ${DEADLINE_MS / 1000} s.`);
  if (failed?.fault === "app-connection-refused")
    return bad("PORT_NOT_BOUND", `GET /health got no response. ${failed.failure}`);
  if (failed !== null) return bad("HEALTH_NOT_200", `GET /health got no valid response. ${failed.failure}`);
  const redirect = status !== null && status >= 300 && status < 400;
  return bad(
    "HEALTH_NOT_200",
    redirect
      ? `GET /health returned ${status}, a redirect. It must return 200 itself.`
      : `GET /health returned ${status}. It must return exactly 200.`,
  );
}
