/**
 * What becomes of the egress guard's counts: they are added to the days of each version, and refused attempts are told in the app's log, at
 * most once an hour for each host, and to its publisher, once a day for each host that is tried again and again.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { isId } from "@/lib/contract/platform/text";
import type { EgressCount } from "@/lib/contract/runtime/egress";
import { OTHER_HOSTS } from "@/lib/domain/runtime/egress/egress-limits";
import { oneLine } from "@/lib/domain/platform/text";
import { normalizeName } from "@/lib/domain/runtime/egress/allowed-hosts";
import { CUSTOMERS_HOST, explainRefusal } from "@/lib/domain/runtime/egress/explain-refusal";
import { listCustomersHosts, listHostSettings } from "@/lib/domain/runtime/egress/view-egress";
import { type Db, isRefusedValue } from "../platform/database/connect";
import { reportFailure, reportSuccess } from "../platform/database/repeated-failures";
import { tellOfRefusedHost } from "../platform/notifications/tell-of-apps";
import type { Platform } from "../platform/platform";
import {
  addCounts,
  addWatches,
  noteTold,
  type Refused,
  selectCustomersHosts,
  selectTold,
  type Watch,
} from "./egress-count-queries";
import { addLines } from "./logs/queries";

/** Attempts within an hour, from which on a publisher is notified. */
const REPEATED = 3;

const HOST_LENGTH = 253;
const REASON_LENGTH = 300;

/** Stores the guard's totals. What was stored before is not added again, whoever stored it. */
export async function recordEgress(
  { db }: Pick<Platform, "db">,
  counts: readonly EgressCount[],
): Promise<void> {
  const storable = cleanCounts(counts);
  if (storable.length === 0) return;
  await db.transaction(async (tx) => tellOfRefused(tx, await addCounts(tx, storable)));
}

/** Names and reasons are what an app chose, or may quote it. */
function cleanCounts(counts: readonly EgressCount[]): EgressCount[] {
  const clean = new Map<string, EgressCount>();
  for (const count of counts) {
    if (!isId(count.versionId)) continue;
    const host = cleanHost(count.host);
    clean.set(`${count.id} ${host} ${count.port}`, {
      ...count,
      host,
      reason: oneLine(count.reason, REASON_LENGTH),
    });
  }
  return [...clean.values()];
}

function cleanHost(host: string): string {
  if (host === "" || host === OTHER_HOSTS) return host;
  return normalizeName(host) ?? oneLine(host, HOST_LENGTH).replaceAll(" ", "");
}

async function tellOfRefused(tx: Db, refused: readonly Refused[]): Promise<void> {
  const logged = refused.filter(({ isUnlogged }) => isUnlogged);
  const notified = refused.filter(
    ({ isUntold, lately, host }) => isUntold && lately >= REPEATED && host !== OTHER_HOSTS,
  );
  if (logged.length + notified.length === 0) return;
  const ids = new Set([...logged, ...notified].map(({ versionId }) => versionId));
  // Automatic checks are not among them: their review shows what was refused.
  for (const { versionId, listingId, hosts, instanceId } of await selectTold(tx, [...ids])) {
    const declared = hosts ?? undefined;
    const customers = await selectCustomersHosts(tx, listingId, listHostSettings(declared));
    const hidden = new Set(listCustomersHosts(declared, customers));
    const explain = (attempt: Refused) => explainRefusal(attempt, declared, hidden.has(attempt.host));
    const lines = logged.filter((each) => each.versionId === versionId).map(explain);
    if (instanceId !== null && lines.length > 0)
      await addLines(tx, { versionId, instanceId }, lines.map(toLine));
    for (const attempt of notified.filter((each) => each.versionId === versionId))
      await tellOfRefusedHost(tx, versionId, {
        ...attempt,
        shown: hidden.has(attempt.host) ? CUSTOMERS_HOST : attempt.host || "a host that it doesn't name",
        explanation: explain(attempt),
      });
  }
  await noteTold(tx, logged, notified);
}

const toLine = (text: string) => ({
  at: String(Date.now() * 1_000),
  stream: "platform" as const,
  level: null,
  text,
  cutBytes: 0,
});

/** Of a report. A statement with more would take long. */
const AT_ONCE = 500;
const AGAIN_MS = 2_000;

export interface EgressRecorder {
  /** What the guard reported, to be stored soon. */
  note(counts: readonly EgressCount[]): void;
  /** The versions that the guard watches now. */
  watch(versionIds: readonly string[]): void;
}

/** Stores reports one after another. While the database is away, it keeps the last total of each counter. */
export function createEgressRecorder(platform: Pick<Platform, "db" | "log">): EgressRecorder {
  const counts = new Map<string, EgressCount>();
  let watches: Watch[] = [];
  let today = "";
  let known = new Set<string>();
  let isStoring = false;

  async function store(): Promise<void> {
    while (counts.size + watches.length > 0) {
      const some = [...counts].slice(0, AT_ONCE);
      const watched = watches.slice(0, AT_ONCE);
      const settle = () => {
        watches = watches.slice(watched.length);
        // A newer total that came meanwhile stays.
        for (const [key, count] of some) if (counts.get(key) === count) counts.delete(key);
      };
      try {
        await addWatches(platform.db, watched);
        await recordEgress(
          platform,
          some.map(([, count]) => count),
        );
        settle();
        reportSuccess(platform.log, TASK);
      } catch (error) {
        // The same values would be refused again.
        if (isRefusedValue(error)) settle();
        reportFailure(platform.log, TASK, {
          err: error,
          level: "warn",
          message: "what the egress guard counted could not be stored; trying again",
        });
        await sleep(AGAIN_MS, undefined, { ref: false });
      }
    }
  }

  function begin(): void {
    if (isStoring) return;
    isStoring = true;
    void store().finally(() => (isStoring = false));
  }

  return {
    note: (reported) => {
      for (const count of reported) counts.set(`${count.id} ${count.host} ${count.port}`, count);
      begin();
    },
    watch: (versionIds) => {
      const day = new Date().toISOString().slice(0, 10);
      if (day !== today) [today, known] = [day, new Set()];
      for (const id of versionIds.filter((each) => !known.has(each) && isId(each))) {
        known.add(id);
        watches.push({ versionId: id, day });
      }
      begin();
    },
  };
}

const TASK = "record egress";
