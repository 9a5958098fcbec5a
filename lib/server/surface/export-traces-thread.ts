/** The code of the thread that exports spans. `export-traces.ts` starts it. */
import { parentPort, workerData } from "node:worker_threads";
import { type HrTime, type SpanContext, SpanKind, SpanStatusCode, TraceFlags } from "@opentelemetry/api";
import { detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, type ReadableSpan, type SpanExporter } from "@opentelemetry/sdk-trace-base";
import type { SpanRecord } from "../platform/traces";

export interface ThreadData {
  /** `gateway` */
  part: string;
  isJson: boolean;
  /** `performance.timeOrigin` of the main thread, whose clock the spans' times are on. */
  timeOrigin: number;
}

/** Spans as JSON, or the end: what is left is exported then. */
export type ToThread = { spans: string } | "end";

/** `taken` after each message with spans. */
export type FromThread = "taken" | "ended" | { failed: string | null };

/** Beside the process's own work, not in its way. */
const CONCURRENT_EXPORTS = 2;

const { part, isJson, timeOrigin }: ThreadData = workerData;
const resource = resourceFromAttributes({ "service.name": `app-hosting-${part}` }).merge(
  detectResources({ detectors: [envDetector] }),
);
const instrumentationScope = { name: "app-hosting" };
const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT };
const NOTHING: [] = [];

const { OTLPTraceExporter } = isJson
  ? await import("@opentelemetry/exporter-trace-otlp-http")
  : await import("@opentelemetry/exporter-trace-otlp-proto");
const exporter: SpanExporter = new OTLPTraceExporter({ concurrencyLimit: CONCURRENT_EXPORTS });
const processor = new BatchSpanProcessor({
  export: (spans, done) =>
    exporter.export(spans, (result) => {
      // Without its message, which may quote what the collector answered.
      report({ failed: result.error?.name ?? null });
      done({ code: result.code });
    }),
  shutdown: () => exporter.shutdown(),
});

parentPort?.on("message", (message: ToThread) => {
  if (message === "end") {
    void processor
      .shutdown()
      .catch(() => undefined)
      .then(() => report("ended"));
    return;
  }
  const spans: SpanRecord[] = JSON.parse(message.spans);
  for (const span of spans) processor.onEnd(toSpan(span));
  report("taken");
});

function report(message: FromThread): void {
  parentPort?.postMessage(message);
}

/** As exporters read it. */
function toSpan({
  name,
  kind,
  traceId,
  spanId,
  parentId,
  startMs,
  endMs,
  attributes,
  isError,
}: SpanRecord): ReadableSpan {
  const traceFlags = TraceFlags.SAMPLED;
  const context: SpanContext = { traceId, spanId, traceFlags };
  return {
    name,
    kind: KINDS[kind],
    spanContext: () => context,
    ...(parentId !== null && {
      parentSpanContext: { traceId, spanId: parentId, traceFlags, isRemote: true },
    }),
    startTime: toHrTime(timeOrigin + startMs),
    endTime: toHrTime(timeOrigin + endMs),
    duration: toHrTime(endMs - startMs),
    status: { code: isError ? SpanStatusCode.ERROR : SpanStatusCode.UNSET },
    attributes: { ...attributes },
    resource,
    instrumentationScope,
    ended: true,
    links: NOTHING,
    events: NOTHING,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

/** Whole seconds, and the nanoseconds of the rest. */
function toHrTime(ms: number): HrTime {
  const seconds = Math.trunc(ms / 1_000);
  return [seconds, Math.round((ms - seconds * 1_000) * 1e6)];
}
