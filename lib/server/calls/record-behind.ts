/**
 * Records synchronous calls after their answers, in batches: see docs/decisions/019. A crash may lose the calls of the last
 * moment. A record that cannot be written never fails its call.
 */
import { traceIdOf } from "@/lib/domain/calls/trace";
import { sqlStateOf } from "../platform/database/connect";
import type { Foundation } from "../platform/platform";
import { type Redaction, storableText } from "../platform/redaction/redact-secrets";
import { reportFailure, reportSuccess } from "../platform/database/repeated-failures";
import { DROPPED_RECORDS } from "./call-metrics";
import { endWithoutBody, type FinishedCall, type OpenCall, startWithoutBody } from "./call-steps";
import { type AttemptEnd, type AttemptStart, recordAttempts } from "./record-queries";
import { redactionFor } from "./redact-call";

const FLUSH_MS = 100;
const RETRY_MS = 1_000;
const RECORDING = "record calls";
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

export interface CallRecorder {
  record: (call: OpenCall, finished: FinishedCall) => void;
  /** False if the database was down: the calls are kept, and written later unless the process ends. */
  flush: () => Promise<boolean>;
}

declare module "../platform/platform" {
  interface Services {
    recorder: CallRecorder;
  }
}

export function createCallRecorder(foundation: Foundation): CallRecorder {
  const { log } = foundation;
  const calls: WaitingCall[] = [];
  let bodyCharacters = 0;
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<boolean> | undefined;

  function describe(call: OpenCall, finished: FinishedCall): WaitingCall {
    // Spreading two objects into one of 25 properties takes ten times as long, a twentieth of a whole call.
    const row = Object.assign(startWithoutBody(call), endWithoutBody(call, finished));
    if (!call.recorded) return { row };
    const { body: payload = null, revision } = call;
    const { answer } = finished;
    const characters = (payload?.length ?? 0) + (answer?.length ?? 0);
    if (bodyCharacters + characters > MOST_BODY_CHARACTERS) return { row: { ...row, recorded: false } };
    bodyCharacters += characters;
    return { row, bodies: { revision, payload, answer, characters } };
  }

  async function write(): Promise<boolean> {
    clearTimeout(timer);
    timer = undefined;
    // `writing` is set before anything is written.
    await undefined;
    while (calls.length > 0) {
      const batch = calls.slice(0, BATCH);
      try {
        await writeBatch(foundation, batch);
      } catch (error) {
        const message = "calls could not be recorded; trying again";
        reportFailure(log, RECORDING, {
          err: error,
          level: "warn",
          message,
          facts: { waiting: calls.length },
        });
        timer = setTimeout(() => void flush(), RETRY_MS).unref();
        writing = undefined;
        return false;
      }
      calls.splice(0, batch.length);
      for (const { bodies } of batch) bodyCharacters -= bodies?.characters ?? 0;
    }
    reportSuccess(log, RECORDING);
    if (dropped > 0) log.error({ calls: dropped }, "calls were not recorded");
    dropped = 0;
    // With the last look at `calls`, without a step between: a call that arrives later needs another write.
    writing = undefined;
    return true;
  }

  function flush(): Promise<boolean> {
    // A flush in progress includes calls that arrive later, because it writes until nothing is left.
    writing ??= write();
    return writing;
  }

  return {
    record: (call, finished) => {
      if (calls.length >= MOST_CALLS) {
        dropped += 1;
        foundation.metrics.add(DROPPED_RECORDS, {});
        return;
      }
      calls.push(describe(call, finished));
      if (writing === undefined) timer ??= setTimeout(() => void flush(), FLUSH_MS);
    },
    flush,
  };
}

async function writeBatch(foundation: Foundation, batch: readonly WaitingCall[]): Promise<void> {
  const rows = await withoutSecrets(foundation, batch);
  try {
    await recordAttempts(foundation.db, rows);
  } catch (error) {
    if (!isRefused(error)) throw error;
    // One by one, so that a row that PostgreSQL refuses doesn't keep the others from being written.
    for (const row of rows)
      await recordAttempts(foundation.db, [row]).catch((refusal: unknown) => {
        if (!isRefused(refusal)) throw refusal;
        foundation.log.error(
          { err: refusal, attemptId: row.id, trace_id: row.traceId ?? traceIdOf(row.id) },
          "a call could not be recorded",
        );
      });
  }
}

/** The classes "data exception" and "integrity constraint violation": trying again would not help. */
function isRefused(error: unknown): boolean {
  return /^2[23]/.test(sqlStateOf(error) ?? "");
}

/** The rows with their bodies. The secrets of each configuration are opened once for the whole batch. */
async function withoutSecrets(foundation: Foundation, batch: readonly WaitingCall[]) {
  const redactions = new Map<string, Promise<Redaction>>();
  return Promise.all(
    batch.map(async ({ row, bodies }) => {
      if (bodies === undefined) return row;
      const { installationId } = row;
      const name = `${installationId} ${bodies.revision}`;
      const opening = redactions.get(name) ?? redactionFor(foundation, installationId, bodies.revision);
      redactions.set(name, opening);
      const redact = await opening;
      const clean = (text: string | null) => (text === null ? null : storableText(text, redact));
      return { ...row, payload: clean(bodies.payload), answer: clean(bodies.answer) };
    }),
  );
}
