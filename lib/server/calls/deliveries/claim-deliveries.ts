import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import { v7 } from "uuid";
import { explainWait, type LanesInUse, pickFairly } from "@/lib/domain/calls/delivery";
import type { Lease, Leased } from "../../platform/lease-queries";
import type { Platform } from "../../platform/platform";
import { openCall, type OpenCall } from "../call-steps";
import { claimDeliveries, type ClaimedRow, type DueDelivery, selectDue, takeProbes } from "./claim-queries";

/** A delivery that this worker sends. Its lease is its attempt's: `claim` is the attempt's id. */
export interface ClaimedDelivery extends ClaimedRow, Leased {
  call: OpenCall;
}

const DEADLINE_MS = 30_000;

/** Claims due deliveries for new attempts. */
export async function claimDue(
  platform: Platform,
  due: readonly DueDelivery[],
  lease: Pick<Lease, "seconds" | "workerId">,
): Promise<ClaimedDelivery[]> {
  const probes = due.filter(({ probe }) => probe).map(({ installationId }) => installationId);
  const probed = probes.length === 0 ? [] : await takeProbes(platform.db, probes);
  const wanted = due.map(({ id }) => ({ id, attemptId: v7() }));
  const rows = await claimDeliveries(platform.pool, { wanted, probed, lease });
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

/** Before the first id. */
const FIRST = "00000000-0000-0000-0000-000000000000";

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
  #after = FIRST;
  /** Where the current round over all installations began; undefined if it is complete, and nothing is new. */
  #roundFrom: string | undefined = FIRST;
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

  /** Reads the next part of a round over all installations. */
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
    for (const delivery of due) {
      const list = this.#waiting.get(delivery.installationId);
      if (list === undefined) this.#waiting.set(delivery.installationId, [delivery]);
      else list.push(delivery);
    }
    for (const list of this.#waiting.values()) this.#more ||= list.length >= this.#each;
    this.#each = Math.max(
      LEAST_OF_ONE,
      Math.min(MOST_OF_ONE, Math.floor(READ / Math.max(1, this.#waiting.size))),
    );
    this.#advance(last);
  }

  #advance(last: string | undefined): void {
    if (last === undefined) this.#wrapped = true;
    this.#after = last ?? FIRST;
    if (this.#wrapped && this.#roundFrom !== undefined && this.#after >= this.#roundFrom)
      this.#roundFrom = undefined;
    // This part covered every installation.
    if (last === undefined && this.#roundFrom === FIRST) this.#roundFrom = undefined;
  }
}
