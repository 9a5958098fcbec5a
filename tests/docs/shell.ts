/** A folder in which the commands of a page are run, one fence after the other, as a reader would in a terminal. */
import { spawn, type ChildProcess } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";

export interface Ran {
  status: number;
  /** Both streams, in order. */
  output: string;
}

type Variables = Record<string, string>;

const LONGEST_MS = 120_000;
/** Long enough for what the command starts itself. */
const END_MS = 10_000;

export class Shell {
  #folder: string;
  readonly #background: ChildProcess[] = [];

  constructor(
    /** Outside of the folder, so that `ls` shows only the reader's files. */
    readonly scratch: string,
    folder: string,
    readonly environment: Record<string, string>,
  ) {
    this.#folder = folder;
  }

  async enter(folder: string): Promise<void> {
    await mkdir(folder, { recursive: true });
    this.#folder = folder;
  }

  /** Stops at the first command that fails. The next one starts in the folder where this one ended. */
  async run(code: string, more: Variables = {}): Promise<Ran> {
    const ended = path.join(this.scratch, "pwd");
    const child = this.#start(`set -e\n${code}\npwd > ${JSON.stringify(ended)}\n`, more);
    const output: string[] = [];
    collect(child, (text) => output.push(text));
    const timer = setTimeout(() => end(child, "SIGKILL"), LONGEST_MS);
    const status = await new Promise<number>((resolve) => child.once("close", (code) => resolve(code ?? -1)));
    clearTimeout(timer);
    if (status === 0) this.#folder = (await readFile(ended, "utf8")).trim();
    return { status, output: output.join("") };
  }

  /** Leaves it running. Resolves when its output contains a text; throws with the output if it ends before. */
  async runInBackground(code: string, until: string, more: Variables = {}): Promise<Ran> {
    const child = this.#start(code, more);
    this.#background.push(child);
    let output = "";
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no "${until}" in:\n${output}`)), LONGEST_MS);
      const settle = (error?: Error) => {
        clearTimeout(timer);
        if (error === undefined) resolve();
        else reject(error);
      };
      collect(child, (text) => {
        output += text;
        if (output.includes(until)) settle();
      });
      child.once("close", (status) => settle(new Error(`it ended with ${status}:\n${output}`)));
    });
    return { status: 0, output };
  }

  /** Ends what runs in the background, as Ctrl-C does. */
  async close(): Promise<void> {
    await Promise.all(
      this.#background.map(async (child) => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        const closed = new Promise((resolve) => child.once("close", resolve));
        end(child, "SIGINT");
        const timer = setTimeout(() => end(child, "SIGKILL"), END_MS);
        await closed;
        clearTimeout(timer);
      }),
    );
  }

  #start(script: string, more: Variables): ChildProcess {
    return spawn("bash", ["--noprofile", "--norc", "-c", script], {
      cwd: this.#folder,
      env: { NODE_ENV: "production", ...this.environment, ...more },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
  }
}

/** With everything that it started. */
function end(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // It has ended.
  }
}

function collect(child: ChildProcess, onText: (text: string) => void): void {
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8");
    stream?.on("data", (text: string) => onText(text));
  }
}

/** A command of the given name that runs this script. */
export async function writeCommand(folder: string, name: string, script: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}
