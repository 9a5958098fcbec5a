import type { EgressCount, EgressPolicy } from "@/lib/contract/runtime/egress";
import { EGRESS_LIMITS, OTHER_HOSTS } from "@/lib/domain/runtime/egress/egress-limits";

type Counted = Pick<EgressPolicy, "id" | "versionId">;

/** Who connected where, how often and how much: never what was sent. Since the guard's start. */
export class Counters {
  private readonly apps = new Map<string, Map<string, EgressCount>>();
  private readonly changed = new Set<EgressCount>();

  constructor(private readonly now: () => number = Date.now) {}

  connected(app: Counted, host: string, port: number): EgressCount {
    const count = this.find(app, host, port);
    count.connections += 1;
    this.note(count);
    return count;
  }

  refused(app: Counted, host: string, port: number, reason: string): void {
    const count = this.find(app, host, port);
    count.refused += 1;
    count.reason = reason;
    this.note(count);
  }

  moved(count: EgressCount, direction: "bytesOut" | "bytesIn", bytes: number): void {
    count[direction] += bytes;
    this.note(count);
  }

  /** What changed since the last time. */
  takeChanged(): EgressCount[] {
    const changed = [...this.changed].map((count) => ({ ...count }));
    this.changed.clear();
    return changed;
  }

  /** Takes everything the next time. */
  reportAll(): void {
    for (const counts of this.apps.values()) for (const count of counts.values()) this.changed.add(count);
  }

  /** Of an app that is gone. What was not taken yet is still taken. */
  forget(id: string): void {
    this.apps.delete(id);
  }

  private note(count: EgressCount): void {
    count.lastAt = this.now();
    this.changed.add(count);
  }

  private find({ id, versionId }: Counted, host: string, port: number): EgressCount {
    const counts = this.apps.get(id) ?? new Map<string, EgressCount>();
    this.apps.set(id, counts);
    const named = `${host} ${port}`;
    const isOther = host === OTHER_HOSTS || (!counts.has(named) && counts.size >= EGRESS_LIMITS.hosts);
    const key = isOther ? OTHER_HOSTS : named;
    const known = counts.get(key);
    if (known !== undefined) return known;
    const at = this.now();
    const count: EgressCount = {
      id,
      versionId,
      host: isOther ? OTHER_HOSTS : host,
      port: isOther ? 0 : port,
      connections: 0,
      bytesOut: 0,
      bytesIn: 0,
      refused: 0,
      reason: "",
      firstAt: at,
      lastAt: at,
    };
    counts.set(key, count);
    return count;
  }
}
