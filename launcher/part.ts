import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, openSync, readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { Refusal } from "./refusal";

const READY_MS = 120_000;
const END_MS = 28_000;
const STEADY_MS = 60_000;
const PAUSES_MS = [500, 1_000, 2_000, 5_000, 10_000, 30_000];

export interface PartOptions {
  name: string;
  script: string;
  root: string;
  env: NodeJS.ProcessEnv;
  /** A file for its output; undefined prints it here, behind the part's name (in production as it is: lines of JSON). */
  logFile: string | undefined;
  /** Parts that send no `{ ready: true }` are asked here until they answer. */
  health?: string;
}

/** One process of the tree. It is started again when it ends by itself, and ended with the launcher. */
export class Part {
  private child: ChildProcess | undefined;
  private ending = false;
  private crashes = 0;
  private pause: NodeJS.Timeout | undefined;

  constructor(private readonly options: PartOptions) {}

  /** Resolves with the part's own ready message. */
  async start(): Promise<unknown> {
    const child = this.spawn();
    const failed = new Promise<never>((_resolve, reject) => {
      child.once("error", reject);
      child.once("exit", (code, signal) => reject(this.refusal(`ended with ${code ?? signal}`)));
      setTimeout(() => reject(this.refusal("was not ready within two minutes")), READY_MS).unref();
    });
    const message = await Promise.race([
      failed,
      this.options.health === undefined ? readyMessage(child) : answering(this.options.health),
    ]);
    failed.catch(() => undefined);
    this.watch(child);
    return message;
  }

  async end(): Promise<void> {
    this.ending = true;
    clearTimeout(this.pause);
    const child = this.child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill("SIGTERM");
    const timer = setTimeout(() => child.kill("SIGKILL"), END_MS);
    await gone;
    clearTimeout(timer);
  }

  kill(): void {
    this.ending = true;
    this.child?.kill("SIGKILL");
  }

  /** In a process group of its own: Ctrl-C in the terminal reaches the launcher alone, which ends the parts in order. */
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
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (chunk: Buffer) =>
        process.stdout.write(env.NODE_ENV === "production" ? chunk : prefixed(name, chunk)),
      );
    this.child = child;
    return child;
  }

  private watch(child: ChildProcess): void {
    const since = Date.now();
    const again = (how: string) => {
      if (this.ending) return;
      this.crashes = Date.now() - since > STEADY_MS ? 0 : this.crashes + 1;
      const wait = PAUSES_MS[Math.min(this.crashes, PAUSES_MS.length - 1)] ?? 30_000;
      console.error(
        `${this.options.name} ended (${how}); starting it again in ${wait / 1000} s.${this.whereToRead()}`,
      );
      this.pause = setTimeout(() => this.watch(this.spawn()), wait);
    };
    if (child.exitCode !== null || child.signalCode !== null)
      again(String(child.exitCode ?? child.signalCode));
    else child.once("exit", (code, signal) => again(String(code ?? signal)));
  }

  private refusal(what: string): Refusal {
    const tail =
      this.options.logFile === undefined
        ? ""
        : `\n${readFileSync(this.options.logFile, "utf8").trim().split("\n").slice(-15).join("\n")}`;
    return new Refusal(`${this.options.name} ${what}.${this.whereToRead()}${tail}`);
  }

  private whereToRead(): string {
    return this.options.logFile === undefined ? "" : ` Its log: ${this.options.logFile}`;
  }
}

/** Logs start anew with each launch, so that they do not grow for ever. */
export function emptyLog(file: string): void {
  createWriteStream(file, { mode: 0o600 }).end();
}

function readyMessage(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve) => {
    const listen = (message: unknown) => {
      if (typeof message !== "object" || message === null || !("ready" in message)) return;
      child.off("message", listen);
      resolve(message);
    };
    child.on("message", listen);
  });
}

async function answering(address: string): Promise<undefined> {
  while (
    !(await fetch(address).then(
      (answer) => answer.ok,
      () => false,
    ))
  )
    await new Promise((resolve) => setTimeout(resolve, 30));
  return undefined;
}

function prefixed(name: string, chunk: Buffer): string {
  return String(chunk).replace(/^(?=.)/gm, `[${name}] `);
}
