/** Clients of every kind that write as long as a scenario lasts, and what they were promised. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Platform } from "@/lib/server/platform/platform";
import { verifyAudit } from "@/lib/server/platform/verify-audit";
import { type Answer, createAutofill, createEvent } from "./core";
import { expectKept, type Random } from "./scenario";
import type { Customer } from "./world";

const EVENT_SENDERS = 4;
const CALLERS = 4;
const PAUSE_MS = 20;
const RECORDED_WITHIN_MS = 10_000;

/** Sends one request. Undefined if it has no answer that a client may rely on. */
export type Deliver = (
  method: "POST" | "PUT",
  path: string,
  authorization: string,
  body: unknown,
) => Promise<Answer | undefined>;

export interface Promised {
  /** The ids of the events that were accepted. */
  events: string[];
  /** How many calls were answered. */
  calls: number;
  /** The revisions of the draft that were saved. */
  revisions: number[];
}

export interface Load {
  promised: Promised;
  /** Resolves when all clients have their last answers. */
  end: () => Promise<void>;
}

/** @param takesMs how long the app takes to answer */
export function startLoad(
  deliver: Deliver,
  { core, publisher, appName, autofillRouteId }: Customer,
  takesMs: (random: Random) => number,
  random: Random,
): Load {
  const promised: Promised = { events: [], calls: 0, revisions: [] };
  let isOver = false;

  async function repeat(write: (number: number) => Promise<void>): Promise<void> {
    for (let number = 0; !isOver; number += 1) {
      await write(number);
      await sleep(PAUSE_MS);
    }
  }

  const sendEvents = (sender: number) =>
    repeat(async (number) => {
      const event = createEvent(`evt-${sender}-${number}`, takesMs(random));
      // Accepted or not, an event without an answer is sent again, also after the end.
      for (;;) {
        const answer = await deliver("POST", "/core/v1/events", core, event);
        if (answer?.status === 202) break;
        await sleep(PAUSE_MS);
      }
      promised.events.push(event.id);
    });
  const call = () =>
    repeat(async () => {
      const answer = await deliver("POST", `/r/${autofillRouteId}`, core, createAutofill(takesMs(random)));
      if (answer?.status === 200) promised.calls += 1;
    });
  const saveDraft = () =>
    repeat(async (number) => {
      const body = { text: `{ "save": ${number} }`, revision: null };
      const answer = await deliver("PUT", `/publish/v1/apps/${appName}/manifest`, publisher, body);
      if (answer?.status === 200) promised.revisions.push(Number(JSON.parse(answer.text).revision));
    });

  const clients = [
    ...Array.from({ length: EVENT_SENDERS }, (_, sender) => sendEvents(sender)),
    ...Array.from({ length: CALLERS }, call),
    saveDraft(),
  ];
  const ended = Promise.all(clients);
  // A failed client fails the scenario when it ends the load.
  ended.catch(() => undefined);
  return {
    promised,
    end: async () => {
      isOver = true;
      await ended;
    },
  };
}

/** Every answered call has its record, and every saved revision its row in an intact audit trail. */
export async function expectRecorded(
  platform: Platform,
  { organizationId }: Customer,
  { calls, revisions }: Promised,
): Promise<void> {
  const kept = await countRecordedCalls(platform, calls);
  expectKept(kept >= calls, `${calls} calls were answered and only ${kept} are recorded.`);
  const audited = await platform.pool.query<{ revision: number }>(
    "select (details ->> 'revision')::int as revision from audit where action = 'manifest-draft.save'",
  );
  const known = new Set(audited.rows.map(({ revision }) => revision));
  const lost = revisions.filter((revision) => !known.has(revision));
  expectKept(lost.length === 0, `Saved revisions ${lost.join(", ")} are not in the audit trail.`);
  const trail = await verifyAudit(platform, organizationId);
  expectKept(trail.intact, `The audit trail is broken: ${JSON.stringify(trail)}`);
}

/** Records are written behind the answers, so they may still be on their way. */
async function countRecordedCalls(platform: Platform, expected: number): Promise<number> {
  const until = Date.now() + RECORDED_WITHIN_MS;
  for (;;) {
    const { rows } = await platform.pool.query<{ calls: number }>(
      "select count(*)::int as calls from attempts where kind = 'autofill' and status = 200 and failure is null",
    );
    const calls = rows[0]?.calls ?? 0;
    if (calls >= expected || Date.now() > until) return calls;
    await sleep(200);
  }
}
