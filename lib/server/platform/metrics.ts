/**
 * What a process counts for its operators. Nothing is counted until somebody opens the metrics: see `surface/metrics/`, which alone
 * knows Prometheus. Each metric is declared in the context that counts it, with every value that its labels can have, so that nobody
 * outside can add a time series.
 */
export interface Metric<Label extends string = string> {
  name: `platform_${string}`;
  type: "counter" | "gauge" | "histogram";
  /** One sentence without a dot. */
  help: string;
  /** All values of each label. Any other is counted as `other`. */
  labels: Readonly<Record<Label, readonly string[]>>;
  /** Of a histogram, in its unit. */
  buckets?: readonly number[];
}

export type Labels<Label extends string> = Readonly<Record<Label, string>>;

export interface Sample<Label extends string = string> {
  labels: Labels<Label>;
  value: number;
}

/** Where counts go while the metrics are open. */
export interface MetricSink {
  add: (name: string, labels: Labels<string>, amount: number) => void;
  observe: (name: string, labels: Labels<string>, value: number) => void;
}

type Reader = () => readonly Sample[] | undefined;

export interface Metrics {
  /** False while nobody counts: then nothing has to be worked out for it. */
  readonly isOn: boolean;
  /** Adds to a counter. */
  add: <Label extends string>(metric: Metric<Label>, labels: Labels<Label>, amount?: number) => void;
  /** Adds a value to a histogram. */
  observe: <Label extends string>(metric: Metric<Label>, labels: Labels<Label>, value: number) => void;
  /** Says how to read a gauge; it is only read for a scrape. Several readers of the same labels are added up. Undefined ends a reader. */
  read: <Label extends string>(
    metric: Metric<Label>,
    reader: () => readonly Sample<Label>[] | undefined,
  ) => void;
  /** What all readers of a gauge say now. */
  readAll: (name: string) => Sample[];
  /** Counts from now on. */
  open: (sink: MetricSink) => void;
}

export const OTHER = "other";

export function createMetrics(): Metrics {
  let sink: MetricSink | undefined;
  const readers = new Map<string, Set<Reader>>();
  return {
    get isOn() {
      return sink !== undefined;
    },
    add: ({ name }, labels, amount = 1) => sink?.add(name, labels, amount),
    observe: ({ name }, labels, value) => sink?.observe(name, labels, value),
    read: ({ name }, reader) => {
      const known = readers.get(name) ?? new Set();
      // Of pools that were closed since.
      for (const each of known) if (each() === undefined) known.delete(each);
      readers.set(name, known.add(reader));
    },
    readAll: (name) => [...(readers.get(name) ?? [])].flatMap((reader) => reader() ?? []),
    open: (opened) => {
      sink = opened;
    },
  };
}
