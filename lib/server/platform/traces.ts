/**
 * Spans of what a process did, for its operators. Nothing is recorded until somebody opens the traces: see `surface/export-traces.ts`, which
 * alone knows OpenTelemetry. A span is described once it has ended, and only if its trace is sampled, so that calls carry nothing for it.
 */
import { randomFillSync } from "node:crypto";

export interface SpanRecord {
  /** From the code, never from outside. */
  name: string;
  kind: "server" | "client";
  /** 32 hexadecimal digits. */
  traceId: string;
  /** 16 hexadecimal digits. */
  spanId: string;
  parentId: string | null;
  /** On this process's monotonic clock (`performance.now()`). */
  startMs: number;
  endMs: number;
  /** Ids, codes and statuses. Never a secret, a key, a path, a header or a body. */
  attributes: Readonly<Record<string, string | number | boolean>>;
  isError: boolean;
}

/** Where spans go while the traces are open. */
export interface TraceSink {
  /** Whether spans of a trace are recorded. @param isSampled as the caller decided; null if the trace began here */
  samples: (traceId: string, isSampled: boolean | null) => boolean;
  record: (span: SpanRecord) => void;
}

export interface Traces {
  /** Undefined while nobody records: then nothing of a span is worked out. */
  readonly sink: TraceSink | undefined;
  /** Records from now on, until `undefined` is opened. */
  open: (sink: TraceSink | undefined) => void;
}

export function createTraces(): Traces {
  let sink: TraceSink | undefined;
  return {
    get sink() {
      return sink;
    },
    open: (opened) => {
      sink = opened;
    },
  };
}

const SPAN_BYTES = 8;
/** One call of the system's source for many spans. */
const random = Buffer.alloc(SPAN_BYTES * 512);
let used = random.length;

export function newSpanId(): string {
  if (used === random.length) {
    randomFillSync(random);
    used = 0;
  }
  used += SPAN_BYTES;
  return random.toString("hex", used - SPAN_BYTES, used);
}
