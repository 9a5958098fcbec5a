/** An engine's log of a container, entry by entry. */
import type Docker from "dockerode";
import { isStatus } from "./docker-engine";
import type { FollowOptions, LogPiece } from "./runtime";

const HEADER_BYTES = 8;
const STDERR = 2;
const SPACE = 0x20;
const SECOND_NS = 1_000_000_000n;

/** Each entry of a container's log: a line, or 16 KiB of a longer one. Ends when the container does, or if it is gone. */
export async function* followContainer(
  docker: Docker,
  handle: string,
  { since = 0n, follow, signal }: FollowOptions,
): AsyncGenerator<LogPiece> {
  const container = docker.getContainer(handle);
  // The engine takes seconds as a decimal number; one more microsecond makes up for rounding.
  const period = { since: Math.max(0, Number(since / 1_000n - 1n) / 1e6), timestamps: true };
  const output = { stdout: true, stderr: true, abortSignal: signal };
  let stream: AsyncIterable<Buffer>;
  try {
    stream = follow
      ? toChunks(await container.logs({ ...output, ...period, follow: true }))
      : once(await container.logs({ ...output, ...period, follow: false }));
  } catch (error) {
    // 409: it is being removed.
    if (signal.aborted || isStatus(error, 404, 409)) return;
    throw error;
  }
  try {
    for await (const { isError, entry } of splitFrames(stream)) {
      const piece = readEntry(entry);
      if (piece !== undefined && piece.at >= since) yield { stream: isError ? "stderr" : "stdout", ...piece };
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

async function* toChunks(stream: NodeJS.ReadableStream): AsyncGenerator<Buffer> {
  for await (const chunk of stream) yield typeof chunk === "string" ? Buffer.from(chunk) : chunk;
}

async function* once(log: Buffer): AsyncGenerator<Buffer> {
  yield log;
}

/** The frames of the engine's log stream: 1 byte stream, 3 bytes zero, 4 bytes length, then the entry. */
export async function* splitFrames(
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<{ isError: boolean; entry: Buffer }> {
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const rest = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    let at = 0;
    while (at + HEADER_BYTES <= rest.length) {
      const end = at + HEADER_BYTES + rest.readUInt32BE(at + 4);
      if (end > rest.length) break;
      yield { isError: rest[at] === STDERR, entry: rest.subarray(at + HEADER_BYTES, end) };
      at = end;
    }
    held = rest.subarray(at);
  }
}

/** An entry begins with its time, such as `2026-11-23T09:21:59.123456789Z`, and a space. */
function readEntry(entry: Buffer): Pick<LogPiece, "at" | "bytes"> | undefined {
  const end = entry.indexOf(SPACE);
  const [, seconds, fraction = "", zone] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/.exec(
      entry.subarray(0, Math.max(0, end)).toString("latin1"),
    ) ?? [];
  if (seconds === undefined || zone === undefined) return undefined;
  const at = BigInt(Date.parse(seconds + zone) / 1_000) * SECOND_NS + BigInt(fraction.padEnd(9, "0"));
  return { at, bytes: entry.subarray(end + 1) };
}
