import type { AcceptedEvent } from "@/lib/contract/gateway-answers";
import type { CoreEvent } from "@/lib/contract/core";
import { sqlStateOf } from "../database/connect";
import { createGroups, type Groups } from "../database/groups";
import { type RecognizedCore, wrongCredentials } from "../identity/authenticate-core";
import { noteCredentialUse } from "../identity/note-credential-use";
import type { Platform } from "../platform/platform";
import { answerAgain, toRow } from "./accept-event";
import {
  type EventOutcome,
  type EventRow,
  type FirstEvent,
  selectFirstEvents,
  storeEvents,
} from "./accept-queries";

/** Two, so that one commits while the next one arrives. More only make the groups smaller: see docs/decisions/027. */
const STORE = { lanes: 2, items: 64, bytes: 2 * 1024 * 1024 };
const READ = { lanes: 1, items: 64 };

interface EventKey {
  tenant: string;
  key: string;
}

type Stored = { outcome: EventOutcome } | { error: unknown };

interface Acceptance {
  store: Groups<EventRow, Stored>;
  readFirst: Groups<EventKey, { first: FirstEvent | undefined }>;
}

const byPlatform = new WeakMap<Platform, Acceptance>();

/**
 * Stores an event of a core and its deliveries, all or nothing, together with the events that arrive at the same time. Once
 * this returns, a crash can't lose it. Throws WRONG_CREDENTIALS, EVENT_ID_REUSED and TOO_LARGE.
 * @param core as recognized; whether its credential still works is checked here
 * @param text the event as it was received, which is what apps get
 */
export async function acceptFromCore(
  platform: Platform,
  core: RecognizedCore,
  event: Pick<CoreEvent, "id" | "type">,
  text: string,
): Promise<AcceptedEvent> {
  const { store, readFirst } = acceptanceFor(platform);
  const row = toRow({ tenant: null, credential: core.hash }, event, text);
  const stored = await store.add(core.organizationId, row, text.length);
  if ("error" in stored) throw stored.error;
  const { tenant, credential, deliveries } = stored.outcome;
  if (tenant === null || credential === null) throw wrongCredentials();
  noteCredentialUse(platform, credential);
  if (stored.outcome.stored) return { eventId: row.id, deliveries, duplicate: false };
  // A statement doesn't see what another one stored at the same time; the next statement does.
  const { first } = await readFirst.add(core.organizationId, { tenant, key: row.key });
  return answerAgain(row, first);
}

function acceptanceFor(platform: Platform): Acceptance {
  let acceptance = byPlatform.get(platform);
  if (acceptance === undefined) {
    acceptance = {
      store: createGroups(STORE, (rows) => storeGroup(platform, rows)),
      readFirst: createGroups(READ, (rows) => readGroup(platform, rows)),
    };
    byPlatform.set(platform, acceptance);
  }
  return acceptance;
}

/** One event that can't be stored fails alone: the others are stored without it. */
async function storeGroup(platform: Platform, rows: readonly EventRow[]): Promise<Stored[]> {
  try {
    const outcomes = new Map((await storeEvents(platform.pool, rows)).map((each) => [each.id, each]));
    return rows.map(({ id }) => {
      const outcome = outcomes.get(id);
      return outcome === undefined ? { error: new Error("the event was not stored") } : { outcome };
    });
  } catch (error) {
    if (rows.length === 1 || !isAboutRows(error)) return rows.map(() => ({ error }));
    const stored: Stored[] = [];
    for (const row of rows) stored.push(...(await storeGroup(platform, [row])));
    return stored;
  }
}

/** Whether the error is about the values. Other SQLSTATE classes are about the database or the connection. */
function isAboutRows(error: unknown): boolean {
  return ["21", "22", "23", "40", "54"].includes(sqlStateOf(error)?.slice(0, 2) ?? "");
}

async function readGroup(
  platform: Platform,
  rows: readonly EventKey[],
): Promise<{ first: FirstEvent | undefined }[]> {
  const found = await selectFirstEvents(platform.pool, rows);
  return rows.map(({ tenant, key }) => ({
    first: found.find((each) => each.tenantId === tenant && each.key === key),
  }));
}
