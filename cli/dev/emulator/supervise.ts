/**
 * Keeps the app running: starts it, waits until it is ready, checks its health each second, and starts it again if it ends.
 *
 *     stopped → building → starting → ready ⇄ failing
 *     building, starting → crashed    the build or the start failed, or the app was not ready in time: it waits for a change
 *     starting, ready, failing → crashed    the app ended
 *     crashed → starting    an app that was ready starts again, after 0.2, 1 and 3 seconds, and then waits for a change
 *     any → stopped
 */
import { setTimeout as sleep } from "node:timers/promises";
import { KEY_HEADER } from "@/lib/contract/platform/text";
import { INSTANCE_REASONS, type ReasonCode } from "@/lib/contract/runtime/instance-reasons";
import { explainHealth, HEALTH_DEADLINE_MS, joinSentences } from "@/lib/domain/runtime/health";
import { LISTEN_RULE } from "@/lib/domain/runtime/instance";
import { type AppExit, BuildFailure, type Runner, type RunningApp } from "../app/runner";
import { sendRequest } from "../app/send-request";
import type { DevHealth, DevInstance, DevLogLine } from "../contract/app";
import { unknownStateKey } from "./state-api";

type AppStatus = Omit<DevInstance, "how" | "what">;
type LogEntry = Pick<DevLogLine, "stream" | "text">;

interface SupervisorOptions {
  runner: Runner;
  stateApi: string;
  onChange: () => void;
  onLog: (entry: LogEntry) => void;
  readyMs?: number;
  /** A start that takes longer than this says what it waits for. */
  slowMs?: number;
}

const READY_MS = 60_000;
const SLOW_MS = 5_000;
/** Looking where the app listens may run a command of the engine. */
const LOOK_MS = 2_000;
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

const NOTHING_ANSWERS = `Its process is running, but nothing answers on its port: it may still be starting, or listen elsewhere. ${LISTEN_RULE}`;
const CHECK_LISTENING =
  "Check in its log whether it has started and on which port it listens. Use the port in PLATFORM_PORT on 0.0.0.0, then save: the app restarts.";

const FIX_LISTENING = "Use the port in PLATFORM_PORT on 0.0.0.0, then save: the app restarts.";

export class Supervisor {
  readonly status: Readonly<AppStatus> = {
    state: "stopped",
    port: null,
    startedAt: null,
    readyAt: null,
    waiting: null,
    restarts: 0,
    cause: "",
    health: [],
    exit: null,
  };
  private app: RunningApp | undefined;
  /** Changes with every start and stop, so that what belongs to an earlier one ends. */
  private turn = 0;
  private crashes = 0;
  /** The app ends next because the emulator killed it. */
  private isKilled = false;
  private tail: string[] = [];
  private queue: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: SupervisorOptions) {}

  /** Builds and starts the app again. Resolves to whether it became ready. */
  restart(cause: string, { build = true } = {}): Promise<{ ready: boolean; stopped: "ended" | "killed" }> {
    return this.inTurn(async () => {
      this.crashes = 0;
      const stopped = await this.end();
      return { ready: await this.begin(cause, build), stopped };
    });
  }

  /** kill -9. The app is then started again, as after any crash. */
  async kill(): Promise<void> {
    this.isKilled = true;
    this.crashes = 0;
    await this.app?.kill();
  }

  /** Resolves when it is ready, or when it has failed for good or the time is up: then to false. */
  async waitUntilReady(ms: number): Promise<boolean> {
    const until = Date.now() + ms;
    while (Date.now() < until) {
      if (this.status.state === "ready") return true;
      if (this.status.state === "crashed" || this.status.state === "stopped") return false;
      await sleep(50);
    }
    return false;
  }

  stop(): Promise<void> {
    this.turn += 1;
    return this.inTurn(async () => {
      await this.end();
      this.set({ state: "stopped", waiting: null });
    });
  }

  private set(changes: Partial<AppStatus>): void {
    Object.assign(this.status, changes);
    this.options.onChange();
  }

  private inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.queue.then(work, work);
    this.queue = result.catch(() => undefined);
    return result;
  }

  private async end(): Promise<"ended" | "killed"> {
    this.turn += 1;
    const stopped = await this.app?.stop(GRACE_MS);
    this.app = undefined;
    return stopped ?? "ended";
  }

  private async begin(cause: string, build: boolean): Promise<boolean> {
    const { runner, stateApi } = this.options;
    const turn = ++this.turn;
    this.tail = [];
    const restarts = this.status.startedAt === null ? 0 : this.status.restarts + 1;
    const state = build ? "building" : "starting";
    this.set({ state, cause, restarts, port: null, readyAt: null, waiting: null, health: [] });
    const startedAt = new Date().toISOString();
    try {
      if (build) await runner.prepare((text) => this.log({ stream: "build", text }));
      if (turn !== this.turn) return false;
      this.set({ state: "starting", startedAt });
      this.app = await runner.start(stateApi, (stream, text) => this.log({ stream, text }));
    } catch (error) {
      const isBuild = error instanceof BuildFailure;
      const reason = error instanceof Error ? error.message : String(error);
      this.set({ startedAt });
      this.crash(
        { code: isBuild ? "IMAGE_MISSING" : "ENGINE_FAILED", reason },
        isBuild ? FIX_BUILD : undefined,
      );
      return false;
    }
    const { port, exited } = this.app;
    this.set({ port });
    void exited.then((exit) => (turn === this.turn ? this.restartAfter(exit) : undefined));
    return this.waitForHealth(turn, port);
  }

  private async waitForHealth(turn: number, port: number): Promise<boolean> {
    const { readyMs = READY_MS, slowMs = SLOW_MS } = this.options;
    const startedMs = Date.now();
    let check = await checkHealth(port);
    let look = { atMs: 0, found: "" };
    while (turn === this.turn && !check.ok && Date.now() < startedMs + readyMs) {
      if (Date.now() >= startedMs + slowMs) {
        if (Date.now() >= look.atMs + LOOK_MS) look = { found: await this.findOut(check), atMs: Date.now() };
        if (turn === this.turn) this.explainWaiting(check, port, readyMs, look.found);
      }
      await sleep(FIRST_CHECK_MS);
      check = await checkHealth(port);
    }
    if (turn !== this.turn) return false;
    if (check.ok) {
      this.set({ state: "ready", readyAt: check.at, waiting: null, health: [toHealth(check)] });
      void this.watchHealth(turn, port);
      return true;
    }
    const listening = await this.findOut(check);
    if (turn !== this.turn) return false;
    await this.end();
    const late = `did not become ready within ${readyMs / 1000} s.`;
    if (this.isNotListening(check))
      this.crash(
        { code: "PORT_NOT_BOUND", reason: joinSentences(late, listening || NOTHING_ANSWERS) },
        listening === "" ? CHECK_LISTENING : FIX_LISTENING,
      );
    else this.crash({ code: check.code ?? "HEALTH_TIMED_OUT", reason: `${late} ${check.problem ?? ""}` });
    return false;
  }

  /** The engine accepts connections for a container, and closes them if nothing listens inside. */
  private isNotListening({ code, fault }: HealthCheck): boolean {
    const { how } = this.options.runner;
    return code === "PORT_NOT_BOUND" || (how === "container" && fault === "app-response-incomplete");
  }

  /** Where the app listens instead. Empty if it isn't known, or not the problem. */
  private async findOut(check: HealthCheck): Promise<string> {
    return this.isNotListening(check) ? ((await this.app?.explainListening().catch(() => "")) ?? "") : "";
  }

  private explainWaiting(check: HealthCheck, port: number, readyMs: number, listening: string): void {
    const named = this.options.runner.how === "process" ? `PLATFORM_PORT, ${port}` : "PLATFORM_PORT";
    const problem =
      this.isNotListening(check) && listening === ""
        ? `The app isn't listening on its port yet: the one in ${named}.`
        : `The app isn't ready yet. ${listening || (check.problem ?? "")}`;
    const waiting = `${problem} Waiting up to ${readyMs / 1000} s in total for GET /health to return 200.`;
    if (waiting !== this.status.waiting) this.set({ waiting });
  }

  private async watchHealth(turn: number, port: number): Promise<void> {
    while (turn === this.turn) {
      await sleep(CHECK_MS, undefined, { ref: false });
      if (turn !== this.turn) return;
      const check = await checkHealth(port);
      if (turn !== this.turn) return;
      const health = [...this.status.health, toHealth(check)].slice(-KEPT_CHECKS);
      this.set({ state: check.ok ? "ready" : "failing", health });
    }
  }

  private async restartAfter(exit: AppExit): Promise<void> {
    const { readyAt } = this.status;
    if (readyAt !== null && Date.now() - Date.parse(readyAt) > STEADY_MS) this.crashes = 0;
    const turn = ++this.turn;
    this.app = undefined;
    const wait = RESTART_MS[this.crashes];
    this.crash(exit, this.isKilled ? "Nothing to do: the app starts again." : undefined);
    this.isKilled = false;
    if (readyAt === null || wait === undefined) return;
    this.crashes += 1;
    const cause = `The app ${exit.reason}.`;
    this.set({ state: "starting", cause });
    await sleep(wait);
    if (turn !== this.turn) return;
    await this.inTurn(async () => turn === this.turn && this.begin(cause, false));
  }

  private crash({ code, reason }: AppExit, nextStep = withoutPublishing(code)): void {
    const said = /^[A-Z]/.test(reason) ? reason : `The app ${reason}`;
    const sentence = /[.!?\n]$/.test(said) ? said : `${said}.`;
    const logTail = this.tail.join("\n");
    const exit = { at: new Date().toISOString(), code, reason: sentence, nextStep, logTail };
    this.set({ state: "crashed", port: null, waiting: null, exit });
  }

  private log(entry: LogEntry): void {
    this.tail = [...this.tail, entry.text].slice(-TAIL_LINES);
    this.options.onLog(entry);
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

interface HealthCheck extends DevHealth {
  code: ReasonCode | null;
  fault: string | null;
}

/** Without what only the supervisor needs. */
function toHealth({ at, ok, ms, problem }: HealthCheck): DevHealth {
  return { at, ok, ms, problem };
}

/** The key opens nothing, because a health check serves no customer. */
export async function checkHealth(port: number): Promise<HealthCheck> {
  const at = new Date().toISOString();
  const { status, failed, ms } = await sendRequest({
    method: "GET",
    path: "/health",
    headers: { [KEY_HEADER]: unknownStateKey() },
    deadlineMs: HEALTH_DEADLINE_MS,
    reader: "nobody",
    port,
  });
  const { fault = null, failure = null } = failed ?? {};
  const problem = explainHealth({ status, fault, failure });
  if (problem === undefined) return { at, ok: true, ms, problem: null, code: null, fault };
  const { code, reason } = problem;
  return { at, ok: false, ms, problem: joinSentences(reason, problem.failure), code, fault };
}
