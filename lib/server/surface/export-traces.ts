/** Exports spans by OTLP over HTTP. Loads OpenTelemetry, which nothing else does, and only if its standard variables name a collector. */
import { Worker } from "node:worker_threads";
import type { Context } from "@opentelemetry/api";
import type { Sampler } from "@opentelemetry/sdk-trace-base";
import { type Environment, readTracesVariables } from "../platform/environment";
import type { Platform } from "../platform/platform";
import { threadCode } from "../platform/thread-code";
import type { SpanRecord } from "../platform/traces";
import type { FromThread, ThreadData, ToThread } from "./export-traces-thread";

/** The collector may be away when the process ends. */
const CLOSE_MS = 2_000;
/** Spans that the thread gets at once, or what there is after the time. */
const BATCH = 256;
const BATCH_MS = 500;
/** Batches that the thread hasn't taken yet. Further spans are dropped, as by the SDK if its queue is full. */
const MOST_WAITING = 8;

const START = threadCode(import.meta.url, { source: "export-traces-thread.ts", bundle: "export-traces" });

export function exportsTraces(environment: Environment): boolean {
  const { OTEL_SDK_DISABLED, OTEL_TRACES_EXPORTER } = environment;
  const endpoint = environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || environment.OTEL_EXPORTER_OTLP_ENDPOINT;
  return endpoint !== "" && OTEL_SDK_DISABLED.toLowerCase() !== "true" && OTEL_TRACES_EXPORTER !== "none";
}

/**
 * Starts recording. Spans go to the SDK's batches as they are described here, and not through its tracer, which would cost a call more
 * than everything else: docs/metrics.md. Batches are exported in a thread, because writing and sending them costs more than describing
 * spans. The SDK reads the other standard variables itself: headers, batches, and the resource's attributes.
 */
export async function openTraces(
  platform: Platform | undefined,
): Promise<{ close: () => Promise<void> } | undefined> {
  if (platform === undefined || !exportsTraces(platform.environment)) return undefined;
  const { environment, log, traces } = platform;
  const [api, sdk] = await loadOpenTelemetry();
  const thread = startThread(platform);
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
    record: thread.add,
  });
  log.info("traces are exported");
  return {
    close: async () => {
      traces.open(undefined);
      await thread.end();
    },
  };
}

/** The thread that exports what is added. Its failure is logged, and never that of a call. */
function startThread({ environment, log, traces }: Platform) {
  const workerData: ThreadData = {
    part: String(log.bindings().part),
    isJson: readProtocol(environment, log) === "http/json",
    timeOrigin: performance.timeOrigin,
  };
  // What the process preloads is for its main thread, and the exporter needs no secrets but those of its own variables.
  const thread = new Worker(START, {
    eval: true,
    workerData,
    execArgv: [],
    env: readTracesVariables(),
  });
  thread.unref();
  let spans: SpanRecord[] = [];
  let timer: NodeJS.Timeout | undefined;
  let untaken = 0;
  let isAway = false;
  let hasExited = false;
  let ended = () => {};
  const away = (reason: string) => {
    if (!isAway) log.warn({ reason }, "traces can't be exported, and are dropped until that works again");
    isAway = true;
  };
  thread.on("message", (message: FromThread) => {
    if (message === "taken") untaken -= 1;
    else if (message === "ended") ended();
    else if (message.failed !== null) away(message.failed);
    else {
      if (isAway) log.info("traces are exported again");
      isAway = false;
    }
  });
  thread.on("error", (err) => {
    traces.open(undefined);
    log.error({ err }, "traces are not exported anymore, because their thread failed");
  });
  thread.on("exit", () => {
    hasExited = true;
    ended();
  });

  const post = (message: ToThread) => thread.postMessage(message);
  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (spans.length === 0) return;
    const batch = spans;
    spans = [];
    if (untaken >= MOST_WAITING) return away("busy");
    untaken += 1;
    post({ spans: JSON.stringify(batch) });
  }

  return {
    add: (span: SpanRecord) => {
      spans.push(span);
      if (spans.length >= BATCH) flush();
      else timer ??= setTimeout(flush, BATCH_MS).unref();
    },
    end: async () => {
      flush();
      if (hasExited) return;
      let giveUp: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        ended = resolve;
        giveUp = setTimeout(resolve, CLOSE_MS);
        post("end");
      });
      clearTimeout(giveUp);
      await thread.terminate();
    },
  };
}

function loadOpenTelemetry() {
  return Promise.all([import("@opentelemetry/api"), import("@opentelemetry/sdk-trace-base")]);
}

/** The default is the specification's, and half as long as JSON. */
function readProtocol(environment: Environment, log: Platform["log"]): "http/json" | "http/protobuf" {
  const protocol = environment.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL || environment.OTEL_EXPORTER_OTLP_PROTOCOL;
  if (protocol === "http/json") return protocol;
  if (protocol !== "" && protocol !== "http/protobuf")
    log.warn(
      { protocol },
      "OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf or http/json: traces are exported by http/protobuf",
    );
  return "http/protobuf";
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
