/** Notes which attempts read their state. Written in batches after the answer, so that a read stays one select. */
import type { Platform } from "../platform/platform";
import { CHECK_ROUTE, type StateKeyContent } from "../keys/state-key";
import { recordReads, type StateRead } from "./queries";

const FLUSH_MS = 100;

interface Buffer {
  reads: Map<string, StateRead>;
  timer: NodeJS.Timeout | undefined;
  /** All writes so far. */
  written: Promise<void>;
}

const buffers = new WeakMap<Platform, Buffer>();

export function noteStateRead(
  platform: Platform,
  { attemptId, installationId, routeId, revision }: Omit<StateKeyContent, "epoch" | "expiresAt">,
): void {
  // What a check reads is not saved, and no call.
  if (routeId === CHECK_ROUTE) return;
  const buffer = buffers.get(platform) ?? { reads: new Map(), timer: undefined, written: Promise.resolve() };
  buffers.set(platform, buffer);
  const known = buffer.reads.get(attemptId);
  const now = performance.now();
  if (known === undefined) {
    const read = { attemptId, installationId, revision, count: 1, firstMs: now, lastMs: now };
    buffer.reads.set(attemptId, read);
  } else {
    known.count += 1;
    known.lastMs = now;
  }
  buffer.timer ??= setTimeout(() => void flushStateReads(platform), FLUSH_MS);
}

/**
 * Resolves when all reads noted before are written, also those that the timer is writing. Only the console needs these notes: if the
 * database is down, they are dropped with a log entry.
 */
export async function flushStateReads(platform: Platform): Promise<void> {
  const buffer = buffers.get(platform);
  if (buffer === undefined) return;
  clearTimeout(buffer.timer);
  buffer.timer = undefined;
  const reads = [...buffer.reads.values()];
  buffer.reads.clear();
  if (reads.length > 0)
    buffer.written = Promise.all([buffer.written, write(platform, reads)]).then(() => undefined);
  await buffer.written;
}

async function write(platform: Platform, reads: StateRead[]): Promise<void> {
  await recordReads(platform.pool, reads).catch((error: unknown) =>
    platform.log.warn({ err: error }, "state reads could not be noted"),
  );
}
