/** Exports spans by OTLP over HTTP. Loads OpenTelemetry, which nothing else does, and only if its standard variables name a collector. */
import type { Environment } from "../../platform/environment";
import type { Platform } from "../../platform/platform";
import type { SpanRecord } from "../../platform/traces";

/** The collector may be away when the process ends. */
const CLOSE_MS = 2_000;
/** Beside the process's own work, not in its way. */
const CONCURRENT_EXPORTS = 2;

export function exportsTraces(environment: Environment): boolean {
  const { OTEL_SDK_DISABLED, OTEL_TRACES_EXPORTER } = environment;
  const endpoint = environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || environment.OTEL_EXPORTER_OTLP_ENDPOINT;
  return endpoint !== "" && OTEL_SDK_DISABLED.toLowerCase() !== "true" && OTEL_TRACES_EXPORTER !== "none";
}

/** Starts recording. The SDK reads the other standard variables itself: headers, sampler, batches, limits, and the resource's attributes. */
export async function openTraces(
  platform: Platform | undefined,
): Promise<{ close: () => Promise<void> } | undefined> {
  if (platform === undefined || !exportsTraces(platform.environment)) return undefined;
  const { log, traces } = platform;
  const [api, sdk, otlp, resources] = await Promise.all([
    import("@opentelemetry/api"),
    import("@opentelemetry/sdk-trace-base"),
    import("@opentelemetry/exporter-trace-otlp-http"),
    import("@opentelemetry/resources"),
  ]);
  const part = String(log.bindings().part);
  const exporter = new otlp.OTLPTraceExporter({ concurrencyLimit: CONCURRENT_EXPORTS });
  let isAway = false;
  const reporting: typeof exporter.export = (spans, done) =>
    exporter.export(spans, (result) => {
      const failed = result.error !== undefined;
      // Its message may quote what the collector answered.
      if (failed && !isAway)
        log.warn(
          { reason: result.error?.name },
          "traces can't be exported, and are dropped until that works again",
        );
      if (!failed && isAway) log.info("traces are exported again");
      isAway = failed;
      done({ code: result.code });
    });
  const next = { traceId: "", spanId: "" };
  const provider = new sdk.BasicTracerProvider({
    resource: resources
      .resourceFromAttributes({ "service.name": `app-hosting-${part}` })
      .merge(resources.detectResources({ detectors: [resources.envDetector] })),
    idGenerator: { generateTraceId: () => next.traceId, generateSpanId: () => next.spanId },
    spanProcessors: [new sdk.BatchSpanProcessor({ export: reporting, shutdown: () => exporter.shutdown() })],
  });
  const tracer = provider.getTracer("app-hosting");

  /** What the sampler decides for a trace that begins here. */
  function samples(traceId: string): boolean {
    Object.assign(next, { traceId, spanId: "0000000000000001" });
    return tracer.startSpan("sampled?", { root: true }).isRecording();
  }

  function record(span: SpanRecord): void {
    const { name, kind, traceId, spanId, parentId, startMs, endMs, attributes, isError } = span;
    const traceFlags = (span.isSampled ?? samples(traceId)) ? api.TraceFlags.SAMPLED : api.TraceFlags.NONE;
    Object.assign(next, { traceId, spanId });
    const context =
      parentId === null
        ? api.ROOT_CONTEXT
        : api.trace.setSpanContext(api.ROOT_CONTEXT, {
            traceId,
            spanId: parentId,
            traceFlags,
            isRemote: true,
          });
    const startTime = performance.timeOrigin + startMs;
    const options = { kind: api.SpanKind[kind === "server" ? "SERVER" : "CLIENT"], startTime, attributes };
    const recorded = tracer.startSpan(name, options, context);
    if (isError) recorded.setStatus({ code: api.SpanStatusCode.ERROR });
    recorded.end(performance.timeOrigin + endMs);
  }

  traces.open((span) => {
    try {
      record(span);
    } catch (error) {
      // Never at the cost of a call.
      if (!isAway) log.warn({ err: error }, "a span could not be recorded");
      isAway = true;
    }
  });
  log.info("traces are exported");
  return {
    close: async () => {
      traces.open(undefined);
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, CLOSE_MS);
      });
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
      clearTimeout(timer);
    },
  };
}
