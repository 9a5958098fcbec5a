/** The metrics of a process in Prometheus' text format. Loads prom-client, which nothing else does. */
import type { Counter, Gauge, Histogram } from "prom-client";
import { type Labels, type Metric, OTHER, type Sample } from "../../platform/metrics";
import { readRelease } from "../../platform/machine";
import { connect, type Platform } from "../../platform/platform";
import { ALL_METRICS, BUILD_INFO, DATABASE_METRICS, DATABASE_UP } from "./all-metrics";
import { type Reading, selectReadings } from "./metrics-queries";

/** However often it is scraped, a process writes its metrics once in this time, and asks the database more rarely. */
const TEXT_MS = 1_000;
const READINGS_MS = 5_000;
/** The database may be away or slow: a scrape doesn't wait for it longer. */
const DATABASE_MS = 2_000;

export interface OpenMetrics {
  contentType: string;
  text: () => Promise<string>;
  close: () => Promise<void>;
}

/** Starts counting. */
export async function openMetrics(platform: Platform): Promise<OpenMetrics> {
  const prometheus = await import("prom-client");
  const { metrics } = platform;
  const registry = new prometheus.Registry();
  prometheus.collectDefaultMetrics({ register: registry });
  const counters = new Map<string, Counter>();
  const histograms = new Map<string, Histogram>();
  const gauges = new Map<string, Gauge>();
  const bounds = new Map(ALL_METRICS.map((metric) => [metric.name as string, createBound(metric)]));
  for (const { name, type, help, labels, buckets } of ALL_METRICS) {
    const common = { name, help: `${help}.`, labelNames: Object.keys(labels), registers: [registry] };
    if (type === "counter") {
      const counter = new prometheus.Counter(common);
      // A series that begins at 1 hides its first event: Prometheus' rate needs the 0 before it.
      for (const each of combine(labels)) counter.inc(each, 0);
      counters.set(name, counter);
    } else if (type === "gauge") gauges.set(name, new prometheus.Gauge(common));
    else histograms.set(name, new prometheus.Histogram({ ...common, buckets: [...(buckets ?? [])] }));
  }
  metrics.open({
    add: (name, labels, amount) => counters.get(name)?.inc(bounds.get(name)?.(labels) ?? {}, amount),
    observe: (name, labels, value) => histograms.get(name)?.observe(bounds.get(name)?.(labels) ?? {}, value),
  });

  const part = String(platform.log.bindings().part);
  const build = { version: await readRelease(), part, node: process.versions.node };
  const readings = createReadings(platform);

  async function write(): Promise<string> {
    const found = await readings.read();
    // Without samples, it is left out: 0 would say something about a part that doesn't have it.
    for (const metric of ALL_METRICS)
      if (metric.type === "gauge") setGauge(metric, metrics.readAll(metric.name));
    gauges.get(BUILD_INFO.name)?.set(build, 1);
    setGauge(DATABASE_UP, [{ labels: {}, value: found === undefined ? 0 : 1 }]);
    for (const [key, metric] of Object.entries(DATABASE_METRICS))
      setGauge(metric, toSamples(metric, key, found));
    return registry.metrics();
  }

  function setGauge({ name }: Pick<Metric, "name">, samples: readonly Sample[]): void {
    const gauge = gauges.get(name);
    gauge?.reset();
    // A gauge without labels would be 0 now.
    if (samples.length === 0) gauge?.remove({});
    for (const { labels, value } of samples) gauge?.inc(bounds.get(name)?.(labels) ?? {}, value);
  }

  return {
    contentType: registry.contentType,
    text: remember(TEXT_MS, write),
    close: async () => {
      registry.clear();
      await readings.close();
    },
  };
}

/** Every combination of the labels' values. */
function combine(labels: Metric["labels"]): Labels<string>[] {
  return Object.entries(labels).reduce<Labels<string>[]>(
    (found, [label, values]) => found.flatMap((one) => values.map((value) => ({ ...one, [label]: value }))),
    [{}],
  );
}

/**
 * Replaces every value that the metric doesn't name: the number of time series is fixed. The labels that result are made once, because
 * making them for each call costs as much as counting it.
 */
function createBound({ labels }: Metric): (given: Labels<string>) => Labels<string> {
  const names = Object.keys(labels);
  const grow = (at: number, made: Labels<string>): Branch => {
    const name = names[at];
    const values = name === undefined ? [] : [...(labels[name] ?? []), OTHER];
    return {
      labels: made,
      next: new Map(values.map((value) => [value, grow(at + 1, { ...made, [name ?? ""]: value })])),
    };
  };
  const root = grow(0, {});
  return (given) => {
    let found: Branch | undefined = root;
    for (const name of names) found = found?.next.get(given[name] ?? OTHER) ?? found?.next.get(OTHER);
    return found?.labels ?? {};
  };
}

/** The labels so far, and what each value of the next one adds. */
interface Branch {
  labels: Labels<string>;
  next: ReadonlyMap<string, Branch>;
}

/** 0 for each value of the label that the database has no row for, such as an empty queue. */
function toSamples({ labels }: Metric, gauge: string, found: readonly Reading[] | undefined): Sample[] {
  if (found === undefined) return [];
  const values = new Map(
    found.filter((each) => each.gauge === gauge).map((each) => [each.label, each.value]),
  );
  const [[label, known] = []] = Object.entries(labels);
  if (label === undefined || known === undefined) return [{ labels: {}, value: values.get(null) ?? 0 }];
  return known.map((value) => ({ labels: { [label]: value }, value: values.get(value) ?? 0 }));
}

/** A connection of its own: a scrape must answer while all others are busy. */
function createReadings(platform: Platform) {
  const { pool } = connect(platform, "metrics", {
    max: 1,
    allowExitOnIdle: true,
    idleTimeoutMillis: 60_000,
    connectionTimeoutMillis: DATABASE_MS,
    query_timeout: DATABASE_MS,
    statement_timeout: DATABASE_MS,
  });
  let wasAway = false;
  const read = async (): Promise<readonly Reading[] | undefined> => {
    try {
      const found = await selectReadings({ ...platform, pool });
      wasAway = false;
      return found;
    } catch (error) {
      if (!wasAway) platform.log.warn({ err: error }, "metrics could not be read from the database");
      wasAway = true;
      return undefined;
    }
  };
  return { read: remember(READINGS_MS, read), close: () => pool.end() };
}

/** What `make` returned last, for so long from its end. Callers at the same time share it. */
function remember<Result>(ms: number, make: () => Promise<Result>): () => Promise<Result> {
  let last: Promise<Result> | undefined;
  let until = Infinity;
  return () => {
    if (last === undefined || performance.now() >= until) {
      until = Infinity;
      const made = make().finally(() => (until = performance.now() + ms));
      last = made;
    }
    return last;
  };
}
