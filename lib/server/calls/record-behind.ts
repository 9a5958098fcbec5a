/**
 * Records synchronous calls after their answers, in batches: see docs/decisions/019. A crash may lose the calls of the last
 * moment. A record that cannot be written never fails its call.
 */
import { sqlStateOf } from "../platform/database/connect";
import type { Platform } from "../platform/platform";
import { type Redaction, storableText } from "../platform/redaction/redact-secrets";
import { endWithoutBody, type FinishedCall, type OpenCall, startWithoutBody } from "./call-steps";
import { type AttemptEnd, type AttemptStart, recordAttempts } from "./record-queries";
import { redactionFor } from "./redact-call";

const FLUSH_MS = 100;
const RETRY_MS = 1_000;
const BATCH = 500;
/** If the database is down or too slow, records above this number are dropped and counted. */
export const MOST_CALLS = 10_000;
/** For waiting payloads and answers. Above this, calls are recorded without them. */
export const MOST_BODY_CHARACTERS = 32 * 1024 * 1024;

interface WaitingCall {
  row: AttemptStart & AttemptEnd;
  /** Undefined if they are not stored. They still contain secrets. */
  bodies?: { revision: number; payload: string | null; answer: string | null; characters: number };
}

interface Buffer {
  calls: WaitingCall[];
  bodyCharacters: number;
  dropped: number;
  timer: NodeJS.Timeout | undefined;
  writing: Promise<boolean> | undefined;
}

const buffers = new WeakMap<Platform, Buffer>();

export function recordBehind(platform: Platform, call: OpenCall, finished: FinishedCall): void {
  let buffer = buffers.get(platform);
  if (buffer === undefined) {
    buffer = { calls: [], bodyCharacters: 0, dropped: 0, timer: undefined, writing: undefined };
    buffers.set(platform, buffer);
  }
  if (buffer.calls.length >= MOST_CALLS) {
    buffer.dropped += 1;
    return;
  }
  buffer.calls.push(describe(buffer, call, finished));
  if (buffer.writing === undefined) buffer.timer ??= setTimeout(() => void flushCalls(platform), FLUSH_MS);
}

/** False if the database was down: the calls are kept, and written later unless the process ends. */
export async function flushCalls(platform: Platform): Promise<boolean> {
  const buffer = buffers.get(platform);
  if (buffer === undefined) return true;
  // A flush in progress includes calls that arrive later, because it writes until nothing is left.
  buffer.writing ??= write(platform, buffer).finally(() => (buffer.writing = undefined));
  return buffer.writing;
}

function describe(buffer: Buffer, call: OpenCall, finished: FinishedCall): WaitingCall {
  const row = { ...startWithoutBody(call), ...endWithoutBody(call, finished) };
  if (!call.recorded) return { row };
  const { body: payload = null, revision } = call;
  const { answer } = finished;
  const characters = (payload?.length ?? 0) + (answer?.length ?? 0);
  if (buffer.bodyCharacters + characters > MOST_BODY_CHARACTERS) return { row: { ...row, recorded: false } };
  buffer.bodyCharacters += characters;
  return { row, bodies: { revision, payload, answer, characters } };
}

async function write(platform: Platform, buffer: Buffer): Promise<boolean> {
  clearTimeout(buffer.timer);
  buffer.timer = undefined;
  while (buffer.calls.length > 0) {
    const batch = buffer.calls.slice(0, BATCH);
    try {
      await writeBatch(platform, batch);
    } catch (error) {
      platform.log.warn(
        { err: error, waiting: buffer.calls.length },
        "calls could not be recorded; trying again",
      );
      buffer.timer = setTimeout(() => void flushCalls(platform), RETRY_MS).unref();
      return false;
    }
    buffer.calls.splice(0, batch.length);
    for (const { bodies } of batch) buffer.bodyCharacters -= bodies?.characters ?? 0;
  }
  if (buffer.dropped > 0) platform.log.error({ calls: buffer.dropped }, "calls were not recorded");
  buffer.dropped = 0;
  return true;
}

async function writeBatch(platform: Platform, batch: readonly WaitingCall[]): Promise<void> {
  const rows = await withoutSecrets(platform, batch);
  try {
    await recordAttempts(platform.db, rows);
  } catch (error) {
    if (!isRefused(error)) throw error;
    // One by one, so that a row that PostgreSQL refuses doesn't keep the others from being written.
    for (const row of rows)
      await recordAttempts(platform.db, [row]).catch((refusal: unknown) => {
        if (!isRefused(refusal)) throw refusal;
        platform.log.error({ err: refusal, attemptId: row.id }, "a call could not be recorded");
      });
  }
}

/** The classes "data exception" and "integrity constraint violation": trying again would not help. */
function isRefused(error: unknown): boolean {
  return /^2[23]/.test(sqlStateOf(error) ?? "");
}

/** The rows with their bodies. The secrets of each configuration are opened once for the whole batch. */
async function withoutSecrets(platform: Platform, batch: readonly WaitingCall[]) {
  const redactions = new Map<string, Promise<Redaction>>();
  return Promise.all(
    batch.map(async ({ row, bodies }) => {
      if (bodies === undefined) return row;
      const { installationId } = row;
      const name = `${installationId} ${bodies.revision}`;
      const opening = redactions.get(name) ?? redactionFor(platform, installationId, bodies.revision);
      redactions.set(name, opening);
      const redact = await opening;
      const clean = (text: string | null) => (text === null ? null : storableText(text, redact));
      return { ...row, payload: clean(bodies.payload), answer: clean(bodies.answer) };
    }),
  );
}
