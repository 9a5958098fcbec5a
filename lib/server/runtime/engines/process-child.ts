/** An app as a child process, and the file that records it beyond the life of the worker that started it. */
import { spawn } from "node:child_process";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { z } from "zod";
import { describeExit, type Ending, type FollowOptions, type LogPiece } from "./runtime";

const LOG_BYTES = 64 * 1024;

/** What an app spawned may keep its output open. */
const OUTPUT_MS = 200;

/** Ends the app when the pipe from the worker closes, which happens however the worker ends. */
const END_WITH_WORKER =
  'data:text/javascript,process.stdin.on("end",()=>process.exit(0)).resume().unref?.();';

export interface Child {
  /** Undefined if it could not be spawned. */
  pid: number | undefined;
  /** How it ended; undefined while it runs. */
  exit?: Ending;
  /** The platform ends it. */
  stopping?: boolean;
  /** Resolves when it has ended and its output is complete, or shortly after it has ended. */
  ended: Promise<void>;
  /** The end of its output, and when each piece of it came. */
  output: Output[];
  /** How many pieces came before the first of `output`. */
  forgotten: number;
  /** Called when there is more output, or when it has ended. */
  followers: Set<() => void>;
}

interface Output {
  at: Date;
  chunk: Buffer;
  stream: LogPiece["stream"];
  /** The time of its first line, in nanoseconds. The next lines are one apart, and a chunk has at most 64 Ki. */
  firstLineAt: bigint;
}

const MILLISECOND_NS = 1_000_000n;
const LINES_OF_CHUNK = 65_536n;

/** Passes on nothing of this process's environment. */
export function spawnChild(script: string, environment: Record<string, string>): Child {
  const spawned = spawn(process.execPath, ["--import", END_WITH_WORKER, script], {
    cwd: path.dirname(script),
    // A separate process group, so that everything the app spawns ends with it.
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...environment, HOME: tmpdir(), NODE_ENV: "production", PATH: "/usr/local/bin:/usr/bin:/bin" },
  });
  const exited = new Promise<void>((resolve) => {
    spawned.once("exit", () => setTimeout(resolve, OUTPUT_MS));
    spawned.once("close", resolve);
    spawned.once("error", () => resolve());
  });
  const child: Child = {
    pid: spawned.pid,
    output: [],
    forgotten: 0,
    followers: new Set(),
    ended: exited,
  };
  const tellFollowers = () => child.followers.forEach((follower) => follower());
  let length = 0;
  let lastAt = 0n;
  const append = (stream: LogPiece["stream"], chunk: Buffer) => {
    const end = chunk.subarray(-LOG_BYTES);
    const at = new Date();
    const now = BigInt(at.getTime()) * MILLISECOND_NS;
    lastAt = now > lastAt + LINES_OF_CHUNK ? now : lastAt + LINES_OF_CHUNK;
    child.output.push({ at, chunk: end, stream, firstLineAt: lastAt });
    length += end.length;
    while (length - (child.output[0]?.chunk.length ?? 0) >= LOG_BYTES) {
      length -= child.output.shift()?.chunk.length ?? 0;
      child.forgotten += 1;
    }
    tellFollowers();
  };
  spawned.stdout.on("data", (chunk: Buffer) => append("stdout", chunk));
  spawned.stderr.on("data", (chunk: Buffer) => append("stderr", chunk));
  void exited.then(tellFollowers);
  // The app may close its input, which is harmless.
  spawned.stdin.on("error", () => undefined);
  spawned.once("error", (error) => append("stderr", Buffer.from(error.message)));
  spawned.once("exit", (code, signal) => {
    child.exit = describeExit(code, signal);
  });
  return child;
}

/** The whole lines that it wrote between two moments, of the last `LOG_BYTES`. */
export function readOutput({ output }: Child, since = new Date(0), until?: Date): Buffer {
  const isWithin = (at: Date) => at >= since && (until === undefined || at <= until);
  const first = output.findIndex(({ at }) => isWithin(at));
  const last = output.findLastIndex(({ at }) => isWithin(at));
  if (first === -1) return Buffer.alloc(0);
  const text = Buffer.concat(output.slice(first, last + 1).map(({ chunk }) => chunk)).subarray(-LOG_BYTES);
  // A pipe cuts its output anywhere.
  const start = first > 0 && !endsLine(output[first - 1]?.chunk) ? text.indexOf(NEWLINE) + 1 : 0;
  const end = last < output.length - 1 && !endsLine(text) ? text.lastIndexOf(NEWLINE) + 1 : text.length;
  return text.subarray(start, Math.max(start, end));
}

/** Its output, line by line, from the first that is still kept. */
export async function* followOutput(
  child: Child,
  { since = 0n, follow, signal }: FollowOptions,
): AsyncGenerator<LogPiece> {
  let hasEnded = false;
  void child.ended.then(() => (hasEnded = true));
  for (let next = 0; !signal.aborted;) {
    next = Math.max(next, child.forgotten);
    const output = child.output[next - child.forgotten];
    if (output !== undefined) {
      next += 1;
      for (const piece of splitLines(output)) if (piece.at >= since) yield piece;
    } else if (!follow || hasEnded) {
      return;
    } else {
      await waitForOutput(child, signal);
    }
  }
}

function* splitLines({ chunk, stream, firstLineAt }: Output): Generator<LogPiece> {
  let start = 0;
  for (let line = 0n; start < chunk.length; line += 1n) {
    const end = chunk.indexOf(NEWLINE, start);
    const stop = end === -1 ? chunk.length : end + 1;
    yield { stream, at: firstLineAt + line, bytes: chunk.subarray(start, stop) };
    start = stop;
  }
}

function waitForOutput({ followers }: Child, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      followers.delete(end);
      signal.removeEventListener("abort", end);
      resolve();
    };
    followers.add(end);
    signal.addEventListener("abort", end);
  });
}

const NEWLINE = 0x0a;

function endsLine(chunk: Buffer | undefined): boolean {
  return chunk?.at(-1) === NEWLINE;
}

export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has already ended.
  }
}

const processRecord = z.object({
  pid: z.number().int().positive(),
  /** Of the process and of its worker: see `readStartTime`. */
  startedAt: z.string(),
  workerPid: z.number().int().positive(),
  workerStartedAt: z.string(),
  versionId: z.string(),
  /** Records of earlier releases have none. */
  replica: z.number().int().default(0),
  origin: z.string(),
});
export type ProcessRecord = z.infer<typeof processRecord>;

/** Unique, and usable as a file name. */
export function toHandle({ pid, startedAt }: Pick<ProcessRecord, "pid" | "startedAt">): string {
  return `${pid}-${startedAt.replaceAll(/[^\w-]+/g, "_")}`;
}

export async function writeRecord(folder: string, record: ProcessRecord): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(recordFile(folder, toHandle(record)), JSON.stringify(record), { mode: 0o600 });
}

export async function removeRecord(folder: string, handle: string): Promise<void> {
  await rm(recordFile(folder, handle), { force: true });
}

/** Undefined if there is none or it was only partly written. */
export async function readRecord(folder: string, handle: string): Promise<ProcessRecord | undefined> {
  try {
    return processRecord.parse(JSON.parse(await readFile(recordFile(folder, handle), "utf8")));
  } catch {
    return undefined;
  }
}

export async function readRecords(folder: string): Promise<ProcessRecord[]> {
  const names = await readdir(folder).catch(() => []);
  const records = await Promise.all(
    names
      .filter((name) => name.endsWith(".json"))
      .map((name) => readRecord(folder, name.slice(0, -".json".length))),
  );
  return records.filter((record) => record !== undefined);
}

function recordFile(folder: string, handle: string): string {
  return path.join(folder, `${handle}.json`);
}
