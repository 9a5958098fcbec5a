import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { redactKeys } from "@/lib/server/platform/redaction/redact-keys";
import { StartError } from "./data-folder/secrets";
import { announce, keepLastLog, RestartPauses } from "./data-folder/supervision";
import { printOutput, toJsonLines } from "./print-output";

const READY_MS = 120_000;
const END_MS = 28_000;

export interface PartOptions {
  name: string;
  script: string;
  root: string;
  env: NodeJS.ProcessEnv;
  /** A file for its output. Undefined prints it, with the part's name in front or as JSON. */
  logFile: string | undefined;
  /** Each line of its output is printed as a JSON object. */
  json?: boolean;
  /** A URL to poll until it responds, for parts that send no `{ ready: true }`. */
  health?: string;
  /** For tests. */
  readyMs?: number;
}

/** A child process that is restarted if it ends by itself, and ends with the launcher. */
export class Part {
  private child: ChildProcess | undefined;
  private ending = false;
  private restarting = false;
  private outdated = false;
  private readonly pauses = new RestartPauses();
  private pause: NodeJS.Timeout | undefined;

  constructor(private readonly options: PartOptions) {}

  /** Resolves with the part's ready message. */
  async start(): Promise<unknown> {
    if (this.options.logFile !== undefined) keepLastLog(this.options.logFile);
    const child = this.spawn();
    const message = await this.untilReady(child);
    this.supervise(child);
    return message;
  }

  /** Throws if it fails before. */
  private async untilReady(child: ChildProcess): Promise<unknown> {
    let stop = () => {};
    const failed = new Promise<never>((_resolve, reject) => {
      const fail = (what: string) => reject(this.createError(what));
      const exit = (code: number | null, signal: string | null) => fail(`ended with ${code ?? signal}`);
      const timer = setTimeout(
        () => fail("was not ready within two minutes"),
        this.options.readyMs ?? READY_MS,
      ).unref();
      child.once("error", reject);
      child.once("exit", exit);
      // Later, nobody gets the error, and the log that it quotes may be gone.
      stop = () => {
        clearTimeout(timer);
        child.off("exit", exit);
      };
    });
    try {
      return await Promise.race([failed, this.waitUntilReady(child)]);
    } finally {
      stop();
    }
  }

  /** Ends the process gracefully and starts its current script. Calls during a restart lead to one more restart. */
  async restart(): Promise<void> {
    this.outdated = true;
    if (this.restarting) return;
    this.restarting = true;
    while (this.outdated && !this.ending) {
      this.outdated = false;
      clearTimeout(this.pause);
      await this.endChild();
      this.pauses.reset();
      if (!this.ending) this.spawnAgain();
    }
    this.restarting = false;
  }

  /** Changes its environment, from its next start on. */
  configure(settings: Record<string, string>): void {
    Object.assign(this.options.env, settings);
  }

  /** The same, and notifies the running process. */
  tell(settings: Record<string, string>): void {
    this.configure(settings);
    this.child?.send({ settings });
  }

  /** From now on, it isn't restarted. A signal to all processes may end it before its turn comes. */
  expectEnd(): void {
    this.ending = true;
    clearTimeout(this.pause);
  }

  async end(): Promise<void> {
    this.expectEnd();
    await this.endChild();
  }

  kill(): void {
    this.ending = true;
    this.child?.kill("SIGKILL");
  }

  private async endChild(): Promise<void> {
    const child = this.child;
    if (child === undefined || hasEnded(child)) return;
    const exited = once(child, "exit");
    child.kill("SIGTERM");
    const timer = setTimeout(() => child.kill("SIGKILL"), END_MS);
    await exited;
    clearTimeout(timer);
  }

  /** In a separate process group: Ctrl-C in the terminal reaches only the launcher, which ends the parts in order. */
  private spawn(): ChildProcess {
    const { script, root, env, logFile, name } = this.options;
    const log = logFile === undefined ? "pipe" : openSync(logFile, "a", 0o600);
    const preload = pathToFileURL(path.join(root, ".build", "leave-with-launcher.js")).href;
    const child = fork(script, {
      cwd: root,
      env,
      detached: process.platform !== "win32",
      execArgv: ["--import", preload],
      stdio: ["ignore", log, log, "ipc"],
    });
    for (const [stream, level] of [[child.stdout, "info"] as const, [child.stderr, "error"] as const])
      if (stream !== null)
        printOutput(stream, (text) =>
          process.stdout.write(
            this.options.json ? toJsonLines(name, text, level) : text.replace(/^(?=.)/gm, `[${name}] `),
          ),
        );
    // The child has its own copy.
    if (typeof log === "number") closeSync(log);
    this.child = child;
    this.pauses.noteStart();
    return child;
  }

  private waitUntilReady(child: ChildProcess): Promise<unknown> {
    const { health } = this.options;
    return health === undefined ? receiveReady(child) : pollHealth(health, child);
  }

  private spawnAgain(): void {
    try {
      const child = this.spawn();
      this.supervise(child);
      // One that hangs before it is ready would be left so.
      const hanging = setTimeout(() => child.kill("SIGKILL"), this.options.readyMs ?? READY_MS);
      child.once("exit", () => clearTimeout(hanging));
      void this.waitUntilReady(child).then(() => {
        clearTimeout(hanging);
        if (!this.ending && !hasEnded(child)) announce(`${this.options.name} is running again.`);
      });
    } catch (error) {
      // Such as a full process table or disk, which may pass.
      this.restartLater(error instanceof Error ? error.message : String(error));
    }
  }

  private supervise(child: ChildProcess): void {
    let handled = false;
    const handleEnd = (how: string) => {
      if (handled || this.ending || this.restarting) return;
      handled = true;
      this.restartLater(how);
    };
    child.once("error", (error) => handleEnd(error.message));
    const handleExit = () => handleEnd(String(child.exitCode ?? child.signalCode));
    if (hasEnded(child)) handleExit();
    else child.once("exit", handleExit);
  }

  private restartLater(how: string): void {
    const wait = this.pauses.noteEnd();
    announce(
      `${this.options.name} ended unexpectedly (${how}). Restarting it in ${wait / 1000} s.${this.logHint()}`,
    );
    this.pause = setTimeout(() => this.spawnAgain(), wait);
  }

  private createError(what: string): StartError {
    const { name, logFile } = this.options;
    const tail =
      logFile === undefined
        ? ""
        : `\n${redactKeys(readFileSync(logFile, "utf8").trim().split("\n").slice(-15).join("\n"))}`;
    return new StartError(`${name} ${what}.${this.logHint()}${tail}`);
  }

  private logHint(): string {
    return this.options.logFile === undefined ? "" : ` See its log: ${this.options.logFile}`;
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

function receiveReady(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve) => {
    const listen = (message: unknown) => {
      if (typeof message !== "object" || message === null || !("ready" in message)) return;
      child.off("message", listen);
      resolve(message);
    };
    child.on("message", listen);
  });
}

/** Until the child responds, or has ended. */
async function pollHealth(url: string, child: ChildProcess): Promise<undefined> {
  const isHealthy = () =>
    fetch(url).then(
      (response) => response.ok,
      () => false,
    );
  while (!hasEnded(child) && !(await isHealthy())) await sleep(30);
  return undefined;
}

interface Supervised {
  expectEnd: () => void;
  end: () => Promise<void>;
  kill: () => void;
}

/** Ends what was started in reverse order: first the parts, then PostgreSQL, then the lock of the data folder. */
export class Lifetime {
  private readonly ends: (() => Promise<void>)[] = [];
  private readonly kills: (() => void)[] = [];
  private readonly expected: (() => void)[] = [];
  private ending = false;

  own(end: () => Promise<void>): void {
    this.ends.push(end);
  }

  /** A supervised process: it is not restarted once anything ends, and `kill` ends it at once, without waiting. */
  supervise({ expectEnd, end, kill }: Supervised): void {
    this.ends.push(end);
    this.kills.push(kill);
    this.expected.push(expectEnd);
  }

  get isEnding(): boolean {
    return this.ending;
  }

  async end(): Promise<void> {
    this.ending = true;
    for (const expectEnd of this.expected) expectEnd();
    for (let end = this.ends.pop(); end !== undefined; end = this.ends.pop()) {
      await end().catch((error: unknown) => console.error("While stopping:", error));
    }
  }

  kill(): void {
    for (const kill of this.kills) kill();
  }
}
