/** An app's output, as the API server reads it from the Pod's node. It does not separate the streams: all lines are `stdout`. */
import { cleanLog, type FollowOptions, type LogPiece, parseLogTime } from "../engines/runtime";
import { type Cluster, isClusterStatus } from "./client";
import { CONTAINER } from "./objects";

/** As for containers of an engine. */
const LOG_LINES = 400;

/** A part of a line that doesn't end is handed on, so that it takes no more memory than this. */
const LONGEST_PART = 64 * 1024;
const SECOND_NS = 1_000_000_000n;
const NEWLINE = 0x0a;
const SPACE = 0x20;

/** For one that isn't followed: without a byte, the node is gone. */
const IDLE_MS = 30_000;

interface Place {
  namespace: string;
  pod: string;
}

/** Ends with the app, if the Pod is gone, and when the signal is aborted. Throws if it is cut. */
export async function* readLog(
  cluster: Cluster,
  { namespace, pod }: Place,
  { since = 0n, follow, signal }: FollowOptions,
  lines?: number,
): AsyncGenerator<LogPiece> {
  const seconds = new Date(Number((since / SECOND_NS) * 1_000n)).toISOString();
  const query = {
    container: CONTAINER,
    timestamps: "true",
    ...(follow && { follow: "true" }),
    ...(lines !== undefined && { tailLines: String(lines) }),
    // Whole seconds: earlier lines of the second are dropped here.
    ...(since > 0n && { sinceTime: seconds }),
  };
  const path = `/api/v1/namespaces/${namespace}/pods/${pod}/log`;
  try {
    // An app may write nothing for days.
    const chunks = await cluster.stream({ path, query }, follow ? 0 : IDLE_MS, signal);
    for await (const piece of splitPieces(chunks))
      if (piece.at >= since) yield { stream: "stdout", at: piece.at, bytes: piece.bytes };
  } catch (error) {
    // 400: its container has not started, or is gone already.
    if (signal.aborted || isClusterStatus(error, 400, 404)) return;
    throw error;
  }
}

/** @see `Runtime.logTail` */
export async function readTail(
  cluster: Cluster,
  place: Place,
  bytes: number,
  { since, until, signal }: { since?: Date; until?: Date; signal: AbortSignal },
): Promise<string> {
  const from = since === undefined ? undefined : toNs(since);
  const to = until === undefined ? undefined : toNs(until);
  // The API has no end of the period, and counts lines from the end of the log.
  const lines = until === undefined ? LOG_LINES : undefined;
  const kept: Buffer[] = [];
  let size = 0;
  for await (const piece of readLog(cluster, place, { since: from, follow: false, signal }, lines)) {
    if (to !== undefined && piece.at > to) continue;
    kept.push(piece.bytes);
    size += piece.bytes.length;
    for (let [first] = kept; first !== undefined && size - first.length >= bytes; [first] = kept) {
      kept.shift();
      size -= first.length;
    }
  }
  return cleanLog(Buffer.concat(kept), bytes);
}

const toNs = (date: Date) => BigInt(date.getTime()) * 1_000_000n;

interface Piece {
  at: bigint;
  bytes: Buffer;
}

/** Each line begins with its time, such as `2026-11-23T09:21:59.123456789Z`, and a space. */
export async function* splitPieces(chunks: AsyncIterable<Buffer>): AsyncGenerator<Piece> {
  let held: Buffer = Buffer.alloc(0);
  let last = 0n;
  // Of a line whose first part was handed on already.
  let isRest = false;
  const read = (line: Buffer): Piece => {
    const [at, bytes] = isRest ? [last, line] : readTime(line, last);
    last = at > last ? at : last;
    return { at: last, bytes };
  };
  for await (const chunk of chunks) {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    let start = 0;
    for (let end = held.indexOf(NEWLINE); end >= 0; end = held.indexOf(NEWLINE, start)) {
      yield read(held.subarray(start, end + 1));
      isRest = false;
      start = end + 1;
    }
    held = held.subarray(start);
    if (held.length < LONGEST_PART) continue;
    yield read(held);
    isRest = true;
    held = Buffer.alloc(0);
  }
  if (held.length > 0) yield read(held);
}

/** @param last the time of the line before, for a line without one */
function readTime(line: Buffer, last: bigint): [bigint, Buffer] {
  const end = line.indexOf(SPACE);
  const at = parseLogTime(line.subarray(0, Math.max(0, end)).toString("latin1"));
  return at === undefined ? [last, line] : [at, line.subarray(end + 1)];
}
