/** Exports spans by OTLP over HTTP. Loads OpenTelemetry, which nothing else does, and only if its standard variables name a collector. */
import type { Context, HrTime, SpanContext } from "@opentelemetry/api";
import type { ReadableSpan, Sampler } from "@opentelemetry/sdk-trace-base";
import type { Environment } from "../platform/environment";
import type { Platform } from "../platform/platform";
import type { SpanRecord } from "../platform/traces";

/** The collector may be away when the process ends. */
const CLOSE_MS = 2_000;
/** Beside the process's own work, not in its way. */
const CONCURRENT_EXPORTS = 2;

export function exportsTraces(environment: Environment): boolean {
  const { OTEL_SDK_DISABLED, OTEL_TRACES_EXPORTER } = environment;
  const endpoint = environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || environment.OTEL_EXPORTER_OTLP_ENDPOINT;
  return endpoint !== "" && OTEL_SDK_DISABLED.toLowerCase() !== "true" && OTEL_TRACES_EXPORTER !== "none";
}

/**
 * Starts recording. Spans go to the SDK's batches as they are described here, and not through its tracer, which would cost a call more
 * than everything else: docs/metrics.md. The SDK reads the other standard variables itself: headers, batches, and the resource's attributes.
 */
export async function openTraces(
  platform: Platform | undefined,
): Promise<{ close: () => Promise<void> } | undefined> {
  if (platform === undefined || !exportsTraces(platform.environment)) return undefined;
  const { environment, log, traces } = platform;
  const [api, sdk, otlp, resources] = await loadOpenTelemetry();
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
  const processor = new sdk.BatchSpanProcessor({ export: reporting, shutdown: () => exporter.shutdown() });
  const shared: SharedFields = {
    resource: resources
      .resourceFromAttributes({ "service.name": `app-hosting-${part}` })
      .merge(resources.detectResources({ detectors: [resources.envDetector] })),
    instrumentationScope: { name: "app-hosting" },
    kinds: { server: api.SpanKind.SERVER, client: api.SpanKind.CLIENT },
    sampled: api.TraceFlags.SAMPLED,
    ok: { code: api.SpanStatusCode.UNSET },
    error: { code: api.SpanStatusCode.ERROR },
  };
  const sampler = createSampler(sdk, environment, log);
  // Of a parent, samplers look at nothing but the flag.
  const below = (traceFlags: number): Context =>
    api.trace.setSpanContext(api.ROOT_CONTEXT, { ...ANY_PARENT, traceFlags, isRemote: true });
  const belowSampled = below(api.TraceFlags.SAMPLED);
  const belowOther = below(api.TraceFlags.NONE);
  const { NOT_RECORD } = sdk.SamplingDecision;

  traces.open({
    samples: (traceId, isSampled) => {
      const context = isSampled === null ? api.ROOT_CONTEXT : isSampled ? belowSampled : belowOther;
      return (
        sampler.shouldSample(context, traceId, "", api.SpanKind.INTERNAL, {}, []).decision !== NOT_RECORD
      );
    },
    record: (span) => {
      try {
        processor.onEnd(new EndedSpan(span, shared));
      } catch (error) {
        // Never at the cost of a call.
        if (!isAway) log.warn({ err: error }, "a span could not be recorded");
        isAway = true;
      }
    },
  });
  log.info("traces are exported");
  return {
    close: async () => {
      traces.open(undefined);
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, CLOSE_MS);
      });
      await Promise.race([processor.shutdown().catch(() => undefined), late]);
      clearTimeout(timer);
    },
  };
}

function loadOpenTelemetry() {
  return Promise.all([
    import("@opentelemetry/api"),
    import("@opentelemetry/sdk-trace-base"),
    import("@opentelemetry/exporter-trace-otlp-http"),
    import("@opentelemetry/resources"),
  ]);
}

type Sdk = Awaited<ReturnType<typeof loadOpenTelemetry>>[1];

/** The sampler that OpenTelemetry's variables name, as its specification says: what is not valid is reported, and everything is sampled. */
function createSampler(sdk: Sdk, environment: Environment, log: Platform["log"]): Sampler {
  const { OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: argument } = environment;
  const isBased = name.startsWith("parentbased_") || name === "";
  const root = createRoot(name.replace(/^parentbased_/, ""));
  return isBased || root === undefined
    ? new sdk.ParentBasedSampler({ root: root ?? new sdk.AlwaysOnSampler() })
    : root;

  function createRoot(kind: string): Sampler | undefined {
    if (kind === "always_on" || kind === "") return new sdk.AlwaysOnSampler();
    if (kind === "always_off") return new sdk.AlwaysOffSampler();
    if (kind !== "traceidratio") {
      log.warn({ sampler: name }, "OTEL_TRACES_SAMPLER is not a sampler's name: every trace is sampled");
      return undefined;
    }
    const ratio = Number(argument);
    if (argument.trim() !== "" && ratio >= 0 && ratio <= 1) return new sdk.TraceIdRatioBasedSampler(ratio);
    log.warn(
      { ratio: argument },
      "OTEL_TRACES_SAMPLER_ARG is not a number from 0 to 1: every trace is sampled",
    );
    return new sdk.TraceIdRatioBasedSampler(1);
  }
}

/** Valid, which is all that is asked of it. */
const ANY_PARENT = { traceId: "1".repeat(32), spanId: "1".repeat(16) };

interface SharedFields extends Pick<ReadableSpan, "resource" | "instrumentationScope"> {
  kinds: Record<SpanRecord["kind"], ReadableSpan["kind"]>;
  sampled: number;
  ok: ReadableSpan["status"];
  error: ReadableSpan["status"];
}

const NOTHING: [] = [];

/** A span as exporters read it. What they need in another form is worked out when they ask for it. */
class EndedSpan implements ReadableSpan {
  readonly #span: SpanRecord;
  readonly #shared: SharedFields;
  readonly #context: SpanContext;
  readonly ended = true;
  readonly links = NOTHING;
  readonly events = NOTHING;
  readonly droppedAttributesCount = 0;
  readonly droppedEventsCount = 0;
  readonly droppedLinksCount = 0;

  constructor(span: SpanRecord, shared: SharedFields) {
    this.#span = span;
    this.#shared = shared;
    this.#context = { traceId: span.traceId, spanId: span.spanId, traceFlags: shared.sampled };
  }

  get name() {
    return this.#span.name;
  }
  get kind() {
    return this.#shared.kinds[this.#span.kind];
  }
  get attributes() {
    return this.#span.attributes;
  }
  get status() {
    return this.#span.isError ? this.#shared.error : this.#shared.ok;
  }
  get resource() {
    return this.#shared.resource;
  }
  get instrumentationScope() {
    return this.#shared.instrumentationScope;
  }
  get startTime() {
    return toHrTime(performance.timeOrigin + this.#span.startMs);
  }
  get endTime() {
    return toHrTime(performance.timeOrigin + this.#span.endMs);
  }
  get duration() {
    return toHrTime(this.#span.endMs - this.#span.startMs);
  }
  spanContext() {
    return this.#context;
  }
  get parentSpanContext(): SpanContext | undefined {
    const { parentId } = this.#span;
    return parentId === null ? undefined : { ...this.#context, spanId: parentId, isRemote: true };
  }
}

/** Whole seconds, and the nanoseconds of the rest. */
function toHrTime(ms: number): HrTime {
  const seconds = Math.trunc(ms / 1_000);
  return [seconds, Math.round((ms - seconds * 1_000) * 1e6)];
}
