/** The outcome of the accepted events, according to the database and to the app's own journal. */
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { Platform } from "@/lib/server/platform/platform";
import { expectKept, greatest } from "./scenario";

/** `app` is the running app that received it: each start has another one. */
const receipt = z.object({ app: z.string(), at: z.number(), webhookId: z.string(), eventId: z.string() });
type Receipt = z.infer<typeof receipt>;

/** What the app received. A process that was killed may have left its last line incomplete. */
export async function readJournal(file: string): Promise<Receipt[]> {
  const lines = (await readFile(file, "utf8").catch(() => "")).split("\n").filter(Boolean);
  return lines.flatMap((line) => {
    try {
      const { webhookId, ...rest } = JSON.parse(line);
      return webhookId === undefined ? [] : [receipt.parse({ webhookId, ...rest })];
    } catch {
      return [];
    }
  });
}

export async function untilSettled(platform: Platform, withinMs: number): Promise<void> {
  const until = Date.now() + withinMs;
  for (;;) {
    const { rows } = await platform.pool.query<{ text: string }>(
      `select 'attempt ' || d.attempt_count + 1 || ' of ' || count(*) || ' at ' || min(d.next_attempt_at) || ', after: '
              || coalesce(string_agg(distinct a.failure, ' '), 'no failure') as text
         from deliveries d left join attempts a on a.delivery_id = d.id
        where d.state = 'PENDING' group by d.attempt_count order by d.attempt_count`,
    );
    if (rows.length === 0) return;
    if (Date.now() > until) {
      const open = [...rows, ...(await describeInstances(platform))]
        .map(({ text }) => `\n  ${text}`)
        .join("");
      throw new Error(`Some deliveries still wait after ${withinMs / 1000} s:${open}`);
    }
    await sleep(500);
  }
}

/** What happened to the apps, for the message of a broken promise. */
export async function describeInstances(platform: Platform): Promise<{ text: string }[]> {
  const { rows } = await platform.pool.query<{ text: string }>(
    `select concat_ws(' ', 'app', version_id, state, 'started', created_at, 'ready', ready_at, 'ended', ended_at, reason) as text
       from instances order by version_id, created_at`,
  );
  return rows;
}

/** Faults of attempts that never reached the app. */
const NEVER_SENT = "('app-connection-refused', 'app-unreachable', 'app-not-running')";

export interface DeliveryHistory {
  /** The core's id of the event. */
  eventId: string;
  /** The `webhook-id` that all attempts must have. */
  webhookId: string;
  /** The version of the app that must receive it, and no other app may. */
  versionId: string;
  state: string;
  /** Why its last attempt failed. */
  reason: string | null;
  /** When it was accepted, sent each time, and settled, in seconds. */
  moments: number[];
  attempts: number;
  /** Attempts that were in flight when something was killed: sent, and without an answer or never finished. */
  cut: number;
}

export async function readHistories(platform: Platform): Promise<DeliveryHistory[]> {
  const { rows } = await platform.pool.query<DeliveryHistory>(
    `select e.event_id as "eventId", e.id as "webhookId", d.state, d.reason, i.version_id as "versionId",
            array_remove(array[extract(epoch from d.created_at)] || array_agg(extract(epoch from a.started_at) order by a.id)
              || array[extract(epoch from d.settled_at)], null)::float8[] as moments,
            count(a.id)::int as attempts,
            (count(a.id) filter (where a.status is null and coalesce(a.fault, '') not in ${NEVER_SENT}))::int as cut
       from events e join deliveries d on d.event_id = e.id join installations i on i.id = d.installation_id left join attempts a on a.delivery_id = d.id
      group by e.id, d.id, i.id`,
  );
  return rows;
}

/** The longest time, in seconds, in which nothing happened to a delivery that was not settled. */
export function longestWait(histories: readonly DeliveryHistory[]): number {
  return greatest(
    histories.flatMap(({ moments }) =>
      moments.slice(1).map((moment, at) => moment - (moments[at] ?? moment)),
    ),
  );
}

/**
 * Every accepted event was delivered only to its own app, each time with the same id. @returns how often it was
 * received again
 */
export async function expectDelivered(
  platform: Platform,
  journalFile: string,
  acceptedIds: readonly string[],
): Promise<{ histories: DeliveryHistory[]; duplicates: number }> {
  const histories = await readHistories(platform);
  const receipts = new Map<string, Receipt[]>();
  for (const receipt of await readJournal(journalFile))
    receipts.set(receipt.eventId, [...(receipts.get(receipt.eventId) ?? []), receipt]);
  const byEvent = new Map(histories.map((history) => [history.eventId, history]));
  const versionOfApp = new Map<string, string>();
  let duplicates = 0;
  for (const id of acceptedIds) {
    const history = byEvent.get(id);
    const received = receipts.get(id) ?? [];
    expectKept(history !== undefined, `Event ${id} was accepted and is not stored.`);
    expectKept(
      history?.state === "DELIVERED",
      `Event ${id} was accepted and its delivery is ${history?.state} after ${history?.attempts} attempts: ${history?.reason}`,
    );
    expectKept(received.length > 0, `Event ${id} is marked as delivered, and the app never received it.`);
    expectKept(
      received.every(({ webhookId }) => webhookId === history?.webhookId),
      `Event ${id} was sent with different ids.`,
    );
    for (const { app } of received) {
      const versionId = versionOfApp.get(app) ?? history?.versionId ?? "";
      versionOfApp.set(app, versionId);
      expectKept(versionId === history?.versionId, `Event ${id} reached an app of another customer.`);
    }
    const again = received.length - 1;
    expectKept(
      again <= (history?.cut ?? 0),
      `Event ${id} was received ${received.length} times, although only ${history?.cut} of its attempts were cut off.`,
    );
    duplicates += again;
  }
  expectKept(
    histories.length === acceptedIds.length,
    `${acceptedIds.length} events were accepted and ${histories.length} are stored.`,
  );
  return { histories, duplicates };
}
