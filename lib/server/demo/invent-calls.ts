/** The calls of a past week, made up: busy on weekday mornings and afternoons, quiet at night, with an outage and a few failures. Pure. */
import { v7 } from "uuid";
import type { RouteKind } from "@/lib/contract/installation-states";

export const HISTORY_DAYS = 7;
const HOUR_MS = 3_600_000;

/** How a kind of route is called. Other kinds have no history. */
const TRAFFIC: Partial<Record<RouteKind, Traffic>> = {
  autofill: {
    busiestHour: 62,
    medianMs: 34,
    payload: 610,
    answer: 690,
    types: ["newBusiness.create", "endorsement.change"],
  },
  rater: { busiestHour: 38, medianMs: 11, payload: 540, answer: 96, types: [] },
  webhook: {
    busiestHour: 16,
    medianMs: 22,
    payload: 720,
    answer: 150,
    types: ["policy.issued", "policy.cancelled"],
  },
};

interface Traffic {
  /** Calls in the busiest hour of a weekday. */
  busiestHour: number;
  medianMs: number;
  /** Bytes. */
  payload: number;
  answer: number;
  /** Of events or operations, the most frequent first. */
  types: readonly string[];
}

export interface InventedCall {
  id: string;
  startedAt: Date;
  eventType: string | null;
  durationMs: number;
  platformMs: number;
  status: number;
  payloadBytes: number;
  answerBytes: number;
  /** As `lib/server/calls/explain-failure.ts` words it; null if it succeeded. */
  failure: string | null;
}

/** Share of the busiest hour, by hour of the day on this machine's clock. */
const DAY = [2, 1, 1, 1, 2, 5, 14, 38, 72, 94, 100, 92, 66, 78, 95, 90, 74, 48, 30, 22, 16, 11, 7, 4];
const WEEKEND = 0.22;
const FAILING = 0.006;

/** In an hour of the last weekday before today, the app was overloaded. */
const OUTAGE = { hour: 14, failing: 0.32, slower: 6 };

/** Oldest first. Equal for an equal `random`. @param random from 0 to 1, such as `Math.random` */
export function inventCalls(kind: RouteKind, now: Date, random: () => number): InventedCall[] {
  const traffic = TRAFFIC[kind];
  if (traffic === undefined) return [];
  const calls: InventedCall[] = [];
  const outage = kind === "autofill" ? findOutage(now) : undefined;
  for (let hoursAgo = HISTORY_DAYS * 24; hoursAgo > 0; hoursAgo -= 1) {
    const hour = new Date(now.getTime() - hoursAgo * HOUR_MS);
    const times = Array.from({ length: countInHour(hour, traffic, random) }, () => random() * HOUR_MS);
    for (const time of times.sort((one, other) => one - other))
      calls.push(
        inventCall(new Date(hour.getTime() + Math.floor(time)), traffic, hoursAgo === outage, random),
      );
  }
  return calls;
}

function countInHour(hour: Date, { busiestHour }: Traffic, random: () => number): number {
  const weekday = isWeekend(hour) ? WEEKEND : 1;
  const expected = (busiestHour * weekday * (DAY[hour.getHours()] ?? 0)) / 100;
  return Math.floor(expected * (0.8 + 0.4 * random()) + random());
}

function findOutage(now: Date): number {
  let hoursAgo = 24;
  while (!isAt(new Date(now.getTime() - hoursAgo * HOUR_MS), OUTAGE.hour)) hoursAgo += 1;
  return hoursAgo;
}

const isWeekend = (moment: Date) => moment.getDay() % 6 === 0;
const isAt = (moment: Date, hour: number) => moment.getHours() === hour && !isWeekend(moment);

function inventCall(startedAt: Date, traffic: Traffic, outage: boolean, random: () => number): InventedCall {
  const failed = random() < (outage ? OUTAGE.failing : FAILING);
  const durationMs = Math.round(traffic.medianMs * spread(random) * (outage ? OUTAGE.slower : 1));
  const [first = null, second = first] = traffic.types;
  return {
    id: v7({ msecs: startedAt.getTime() }),
    startedAt,
    eventType: random() < 0.8 ? first : second,
    durationMs,
    platformMs: 1 + Math.floor(random() * 4),
    status: failed ? 503 : 200,
    payloadBytes: Math.round(traffic.payload * (0.9 + 0.2 * random())),
    answerBytes: failed ? 38 : Math.round(traffic.answer * (0.9 + 0.2 * random())),
    failure: failed ? "It returned 503." : null,
  };
}

/** Log-normal around 1: few calls take several times as long as most. */
function spread(random: () => number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Math.exp(0.45 * normal);
}
