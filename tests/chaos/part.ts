/** The gateway and the worker as real processes, which a scenario kills, ends and starts again. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { openSync, readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const BUILD = path.resolve(".build");
const LOG_LINES = 15;

export type PartName = "gateway" | "worker";

interface PartOptions {
  name: PartName;
  /** Becomes the process's whole environment, beside `PATH`. */
  variables: Record<string, string>;
  /** Its working folder, which contains the examples that it can run. */
  folder: string;
  logFile: string;
}

export class Part {
  private readonly exited: Promise<unknown>;
  private expectsExit = false;

  private constructor(
    readonly options: PartOptions,
    private readonly child: ChildProcess,
  ) {
    this.exited = once(child, "exit");
  }

  /** Resolves when it is ready. Ends with this process, however this process ends. */
  static async start(options: PartOptions): Promise<Part> {
    const { name, variables, folder, logFile } = options;
    const log = openSync(logFile, "a");
    const child = fork(path.join(BUILD, `${name}.js`), {
      cwd: folder,
      env: { PATH: process.env.PATH, NODE_ENV: "development", ...variables },
      execArgv: ["--import", pathToFileURL(path.join(BUILD, "leave-with-launcher.js")).href],
      stdio: ["ignore", log, log, "ipc"],
    });
    const part = new Part(options, child);
    const ready = await Promise.race([once(child, "message"), part.exited.then(() => undefined)]);
    if (ready === undefined) throw new Error(`The ${name} did not start.${part.quoteLog()}`);
    return part;
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get hasExited(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Throws if it ended although nobody killed or ended it. */
  expectAlive(): void {
    if (this.expectsExit || !this.hasExited) return;
    const how = this.child.exitCode ?? this.child.signalCode;
    throw new Error(`The ${this.options.name} exited by itself (${how}).${this.quoteLog()}`);
  }

  async kill(): Promise<void> {
    this.expectsExit = true;
    this.child.kill("SIGKILL");
    await this.exited;
  }

  /** Sends SIGTERM. Resolves with how long it took to end, in milliseconds, and with its exit code. */
  async end(): Promise<{ tookMs: number; code: number | null }> {
    this.expectsExit = true;
    const startedAt = performance.now();
    this.child.kill("SIGTERM");
    await this.exited;
    return { tookMs: performance.now() - startedAt, code: this.child.exitCode };
  }

  /** The same part as a new process. */
  restart(): Promise<Part> {
    return Part.start(this.options);
  }

  quoteLog(): string {
    const lines = readFileSync(this.options.logFile, "utf8").trim().split("\n").slice(-LOG_LINES);
    return ` Its log ends with:\n${lines.join("\n")}`;
  }
}
