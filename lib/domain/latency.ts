/**
 * Latencies in buckets that grow by 8%, so that those of many hours and routes can be added up, and percentiles of the sum are
 * within 4%. Pure.
 */

/** Each bucket begins at this many times the one before. The first begins at 1 ms and includes 0 ms. */
export const LATENCY_GROWTH = 1.08;

/** The bucket of calls that have not ended, which have no latency. */
export const NOT_ENDED = -1;

/** Calls, as PostgreSQL counts them. */
export interface LatencyCounts {
  /** Buckets, and how many calls are in each. A bucket may occur several times. */
  latencies: number[];
  calls: number[];
  failed: number;
}

export interface Measures {
  calls: number;
  failed: number;
  /** Milliseconds; null if no call ended. */
  p50: number | null;
  p95: number | null;
}

export class LatencyTally {
  readonly #calls = new Map<number, number>();
  #failed = 0;

  add({ latencies, calls, failed }: LatencyCounts): void {
    latencies.forEach((bucket, at) => {
      this.#calls.set(bucket, (this.#calls.get(bucket) ?? 0) + (calls[at] ?? 0));
    });
    this.#failed += failed;
  }

  measure(): Measures {
    const ended = [...this.#calls]
      .filter(([bucket]) => bucket !== NOT_ENDED)
      .sort(([one], [other]) => one - other);
    const count = ended.reduce((sum, [, calls]) => sum + calls, 0);
    return {
      calls: count + (this.#calls.get(NOT_ENDED) ?? 0),
      failed: this.#failed,
      p50: quantile(ended, count * 0.5),
      p95: quantile(ended, count * 0.95),
    };
  }
}

/** The latency that so many calls did not exceed. */
function quantile(ended: [bucket: number, calls: number][], rank: number): number | null {
  let seen = 0;
  for (const [bucket, calls] of ended) {
    seen += calls;
    if (seen >= rank) return Math.round(LATENCY_GROWTH ** (bucket + 0.5));
  }
  return null;
}
