import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import { v7 } from "uuid";
import { chooseProbes } from "@/lib/domain/calls/breaker";
import { parseTrace, traceIdOf } from "@/lib/domain/calls/trace";
import { explainWait, type LanesInUse, pickFairly } from "@/lib/domain/calls/delivery";
import type { Lease, Leased } from "../../platform/lease-queries";
import type { Platform } from "../../platform/platform";
import { openCall, type OpenCall } from "../call-steps";
import {
  BEFORE_ALL,
  claimDeliveries,
  type ClaimedRow,
  type DueDelivery,
  type QueueId,
  selectDue,
  takeProbes,
} from "./claim-queries";

/** A delivery that this worker sends. Its lease is its attempt's: `claim` is the attempt's id. */
export interface ClaimedDelivery extends ClaimedRow, Leased {
  call: OpenCall;
}

const DEADLINE_MS = 30_000;

/** Claims due deliveries for new attempts: those that wait for an open breaker are its probes. */
export async function claimDue(
  platform: Platform,
  due: readonly DueDelivery[],
  lease: Pick<Lease, "seconds" | "workerId">,
): Promise<ClaimedDelivery[]> {
  const chosen = due.filter(({ probe }) => probe !== null);
  const taken = chosen.length === 0 ? [] : await takeProbes(platform.db, chosen);
  const wanted = [...due.filter(({ probe }) => probe === null), ...taken].map(({ id }) => ({
    id,
    attemptId: v7(),
  }));
  if (wanted.length === 0) return [];
  const probes = taken.map(({ id }) => id);
  const rows = await claimDeliveries(platform.pool, { wanted, probes, lease });
  return rows.map((row) => open(platform, row));
}

/** Adds to the row instead of copying it, because this runs for every delivery. */
function open(platform: Platform, row: ClaimedRow): ClaimedDelivery {
  const call = openCall(platform, {
    installationId: row.installationId,
    routeId: row.routeId,
    revision: row.revision,
    epoch: row.epoch,
    kind: "webhook",
    deliveryId: row.id,
    test: row.test,
    wait: explainWait(row),
    eventType: row.eventType,
    trace: parseTrace(row.traceParent, row.traceState) ?? {
      traceId: traceIdOf(row.eventId),
      parentId: null,
      isSampled: true,
      state: null,
    },
    queueMs: row.queueMs,
    attemptId: row.attemptId,
    recorded: row.recorded,
    replicas: row.replicas,
    method: "POST",
    path: row.path,
    body: row.body,
    deadlineMs: DEADLINE_MS,
  });
  return Object.assign(row, { claim: row.attemptId, call });
}

/** As the database orders them. */
function isBefore(one: QueueId, other: QueueId): boolean {
  const key = ({ installationId, eventType, retried }: QueueId) =>
    Buffer.from(`${installationId} ${eventType}\0${Number(retried)}`);
  return Buffer.compare(key(one), key(other)) < 0;
}

const VISITS = 500;
/** About this many deliveries are read at once, divided equally between the installations that have some. */
const READ = 2_000;
const MOST_OF_ONE = 500;
const LEAST_OF_ONE = 8;

/** Several notifications within this time cause one read. */
const PAUSE_MS = 15;

/** The deliveries that were due when this worker last looked. Other workers may have sent them since, so claiming checks again. */
export class DueBoard {
  readonly #waiting = new Map<string, DueDelivery[]>();
  #after = BEFORE_ALL;
  /** Where the current round over all queues began; undefined if it is complete, and nothing is new. */
  #roundFrom: QueueId | undefined = BEFORE_ALL;
  #wrapped = false;
  #news = true;
  #more = false;
  #each = MOST_OF_ONE;
  #readAt = 0;

  /** New deliveries may be due. */
  noteNews(): void {
    this.#news = true;
  }

  /** Takes deliveries that can be sent now. Empty if none are due, or if all of them belong to keys that use their full share. */
  async take(pool: Pool, inUse: LanesInUse, lanes: number): Promise<DueDelivery[]> {
    if (this.#news && performance.now() - this.#readAt > PAUSE_MS) await this.#read(pool);
    for (;;) {
      const picked = pickFairly(this.#waiting, inUse, lanes);
      if (picked.length > 0) return picked;
      const exhausted = this.#waiting.size === 0 && this.#more;
      if (!this.#news && this.#roundFrom === undefined && !exhausted) return [];
      await sleep(Math.max(0, PAUSE_MS - (performance.now() - this.#readAt)) * (this.#news ? 1 : 0));
      await this.#read(pool);
    }
  }

  /** Reads the next part of a round over all queues. */
  async #read(pool: Pool): Promise<void> {
    if (this.#news || this.#roundFrom === undefined) {
      this.#roundFrom = this.#after;
      this.#wrapped = false;
      this.#more = false;
    }
    this.#news = false;
    const { due, last } = await selectDue(pool, { after: this.#after, visits: VISITS, each: this.#each });
    this.#readAt = performance.now();
    this.#waiting.clear();
    const queues = new Map<string, Map<string, DueDelivery[]>>();
    for (const delivery of due) {
      const { installationId, eventType, retried, newest } = delivery;
      const own = queues.get(installationId) ?? new Map<string, DueDelivery[]>();
      queues.set(installationId, own);
      const queue = `${Number(retried)}${Number(newest)} ${eventType}`;
      const list = own.get(queue);
      if (list === undefined) own.set(queue, [delivery]);
      else list.push(delivery);
    }
    for (const [installationId, own] of queues) {
      const lists = [...own.values()];
      this.#more ||= lists.some((list) => list.length >= this.#each && list[0]?.probe === null);
      this.#waiting.set(installationId, withoutHeld(interleave(lists)));
    }
    this.#each = Math.max(
      LEAST_OF_ONE,
      Math.min(MOST_OF_ONE, Math.floor(READ / Math.max(1, this.#waiting.size))),
    );
    this.#advance(last);
  }

  #advance(last: QueueId | undefined): void {
    if (last === undefined) this.#wrapped = true;
    this.#after = last ?? BEFORE_ALL;
    if (this.#wrapped && this.#roundFrom !== undefined && !isBefore(this.#after, this.#roundFrom))
      this.#roundFrom = undefined;
    // This part covered every queue.
    if (last === undefined && this.#roundFrom === BEFORE_ALL) this.#roundFrom = undefined;
  }
}

/** Of an installation's deliveries, those that may be sent: of what waits for an open breaker, its probes. */
function withoutHeld(all: readonly DueDelivery[]): DueDelivery[] {
  // In their own order, because there may be fewer lanes than types.
  if (all.every(({ probe }) => probe === "whole")) return chooseProbes("whole", all);
  const held = new Map<string, DueDelivery[]>();
  for (const each of all)
    if (each.probe === "type") held.set(each.eventType, [...(held.get(each.eventType) ?? []), each]);
  const probes = new Set([...held.values()].flatMap((own) => chooseProbes("type", own)));
  return all.filter((each) => each.probe === null || probes.has(each));
}

/** One of each list in turn, so that no type of event waits behind all of another. */
function interleave<Item>(lists: readonly Item[][]): Item[] {
  const [only] = lists;
  if (only !== undefined && lists.length === 1) return only;
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
}
