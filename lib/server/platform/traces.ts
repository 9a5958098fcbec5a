/**
 * Spans of what a process did, for its operators. Nothing is recorded until somebody opens the traces: see `surface/traces/`, which alone
 * knows OpenTelemetry. A span is described once it has ended, so that calls carry nothing for it.
 */
import { randomBytes } from "node:crypto";

export interface SpanRecord {
  /** From the code, never from outside. */
  name: string;
  kind: "server" | "client";
  /** 32 hexadecimal digits. */
  traceId: string;
  /** 16 hexadecimal digits. */
  spanId: string;
  parentId: string | null;
  /** As the caller decided; null if the trace began here: then the sampler decides. */
  isSampled: boolean | null;
  /** On this process's monotonic clock (`performance.now()`). */
  startMs: number;
  endMs: number;
  /** Ids, codes and statuses. Never a secret, a key, a path, a header or a body. */
  attributes: Readonly<Record<string, string | number | boolean>>;
  isError: boolean;
}

export interface Traces {
  /** Whether it is worth describing a span. */
  readonly isOn: boolean;
  record: (span: SpanRecord) => void;
  /** Records from now on, until `undefined` is opened. */
  open: (sink: ((span: SpanRecord) => void) | undefined) => void;
}

export function createTraces(): Traces {
  let sink: ((span: SpanRecord) => void) | undefined;
  return {
    get isOn() {
      return sink !== undefined;
    },
    record: (span) => sink?.(span),
    open: (opened) => {
      sink = opened;
    },
  };
}

export function newSpanId(): string {
  return randomBytes(8).toString("hex");
}
