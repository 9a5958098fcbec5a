/** What the events of a version's instances say about its health. Pure. */
import type { INSTANCE_EVENT_KINDS } from "@/lib/contract/app-log";
import type { HealthState } from "@/lib/contract/health-history";
import { EXPECTED_ENDS, type ReasonCode } from "@/lib/contract/instance-reasons";

export interface InstanceEvent {
  instanceId: string;
  /** Milliseconds since 1970. */
  at: number;
  kind: (typeof INSTANCE_EVENT_KINDS)[number];
  code: ReasonCode | null;
  reason: string | null;
}

/** A time in one state. It lasts until the next one begins. */
export interface HealthPeriod {
  from: number;
  state: HealthState;
  /** Why it is degraded or down, if known. */
  reason: string | null;
}

/**
 * The states of a version, oldest first, from all events of its instances in their order. Before the first event, nothing is known,
 * except what that event implies: what recovers was failing, and what ends ran.
 */
export function traceHealth(events: readonly InstanceEvent[]): HealthPeriod[] {
  const [first] = events;
  if (first === undefined) return [];
  const instances = new Map<string, Phase>();
  // Ends after which nothing has taken the instance's place.
  let missing = 0;
  let reason: string | null = null;
  const implied = IMPLIED[first.kind];
  const periods: HealthPeriod[] =
    implied === undefined ? [] : [{ from: -Infinity, state: implied, reason: null }];
  for (const event of events) {
    const { instanceId: id, kind } = event;
    const before = instances.get(id);
    if (kind === "started") instances.set(id, "starting");
    else if (kind === "failing") instances.set(id, "failing");
    else if (kind === "ready" || kind === "recovered") instances.set(id, "healthy");
    else instances.delete(id);
    if (kind === "ready") missing = Math.max(0, missing - 1);
    // A failed try to replace one that is missing already is not another one.
    else if (isMissed(event)) missing = before === "starting" ? Math.max(1, missing) : missing + 1;
    // Of replicas that are too many, some still run.
    else if (event.code === "NOT_NEEDED" && instances.size === 0) missing = 0;
    if (kind === "failing" || isMissed(event)) reason = event.reason;
    const state = judge([...instances.values()], missing);
    const last = periods.at(-1);
    const explained = { from: event.at, state, reason: state === "UP" || state === "OFF" ? null : reason };
    if (last?.state !== explained.state || last.reason !== explained.reason) periods.push(explained);
  }
  return periods;
}

type Phase = "starting" | "healthy" | "failing";

const IMPLIED: Partial<Record<InstanceEvent["kind"], HealthState>> = {
  failing: "UP",
  recovered: "DEGRADED",
  failed: "UP",
  stopped: "UP",
};

/** Whether it ended although it should run. Early events have no code. */
function isMissed({ kind, code }: InstanceEvent): boolean {
  if (kind === "failed") return true;
  return kind === "stopped" && code !== null && !EXPECTED_ENDS.some((expected) => expected === code);
}

function judge(phases: readonly Phase[], missing: number): HealthState {
  const running = phases.filter((phase) => phase !== "starting");
  if (running.length === 0) return missing > 0 ? "DOWN" : "OFF";
  return missing > 0 || running.includes("failing") ? "DEGRADED" : "UP";
}
