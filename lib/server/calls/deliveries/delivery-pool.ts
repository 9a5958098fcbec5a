import type { DeliveryAnswer } from "@/lib/domain/calls/backoff";
import { LanesInUse } from "@/lib/domain/calls/delivery";
import { createWriter } from "../../platform/database/groups";
import { LEASE_SECONDS, type Pool } from "../../platform/lease-loop";
import type { Lease } from "../../platform/lease-queries";
import type { Platform } from "../../platform/platform";
import { reportFailure } from "../../platform/database/repeated-failures";
import { describeStart, type FinishedCall, isPassedOver, sendCall } from "../call-steps";
import { recordAttempts } from "../record-queries";
import { claimDue, type ClaimedDelivery, DueBoard } from "./claim-deliveries";
import { type Answered, endSubscription, settleAnswered } from "./settle-deliveries";
import { signWebhook } from "./sign-webhook";

/** How many deliveries a worker sends at once. Each has at most 1 MiB of body in memory. */
export const LANES = 256;

/** An attempt that takes longer is shown while it runs. Most end earlier, and are recorded once. */
const SHOWN_AFTER_MS = 1_000;

/** Other workers may already have claimed what this one saw as due. */
const CLAIM_TRIES = 4;

/** Checks an app's instance immediately, because a call failed. True if it is gone. */
export type LookAtInstance = (instanceId: string) => Promise<boolean>;

/** Sends due deliveries. No installation, app or organization uses more lanes than it leaves free. */
export function deliveryPool(
  platform: Platform,
  lookAtInstance: LookAtInstance = async () => false,
): Pool<ClaimedDelivery> {
  const board = new DueBoard();
  const inUse = new LanesInUse();
  const settle = createWriter(platform.log, (answered: readonly Answered[]) =>
    settleAnswered(platform, answered),
  );

  const recordStart = createWriter(platform.log, async (begun: readonly ClaimedDelivery[]) =>
    recordAttempts(platform.db, await Promise.all(begun.map(({ call }) => describeStart(platform, call)))),
  );

  async function claim(free: number, lease: Lease): Promise<ClaimedDelivery[]> {
    for (let tries = 1; tries <= CLAIM_TRIES; tries += 1) {
      const due = await board.take(platform.pool, inUse, inUse.total + free);
      if (due.length === 0) return [];
      let claimed: ClaimedDelivery[] = [];
      try {
        claimed = await claimDue(platform, due, lease);
      } finally {
        const begun = new Set(claimed.map(({ id }) => id));
        for (const each of due) if (!begun.has(each.id)) inUse.release(each);
        // Its version may have changed since it was seen, so count it under the one that will be released.
        for (const each of due) if (begun.has(each.id)) inUse.release(each);
        for (const each of claimed) inUse.take(each);
      }
      if (claimed.length > 0) return claimed;
      board.noteNews();
    }
    return [];
  }

  function show(delivery: ClaimedDelivery): void {
    recordStart(delivery).catch((err: unknown) => {
      const message = "an attempt could not be recorded before its end";
      const facts = { attemptId: delivery.claim, trace_id: delivery.call.trace?.traceId };
      reportFailure(platform.log, "record attempts before their end", { err, level: "warn", message, facts });
    });
  }

  async function handle(delivery: ClaimedDelivery): Promise<void> {
    const shown = setTimeout(show, SHOWN_AFTER_MS, delivery);
    try {
      const headers = await signWebhook(platform, delivery);
      const finished = await sendCall(platform, { ...delivery.call, headers });
      const answer = await readAnswer(finished, lookAtInstance);
      const answered = { delivery, finished, answer };
      if (answer.status === 410) await endSubscription(platform, answered);
      else await settle(answered);
    } finally {
      clearTimeout(shown);
      inUse.release(delivery);
    }
  }

  return {
    name: "deliveries",
    limit: LANES,
    leaseSeconds: LEASE_SECONDS,
    claim,
    handle,
    noteNews: () => board.noteNews(),
  };
}

/** An incomplete answer counts as none. Without one, the app's instance may be gone. */
async function readAnswer(
  { status, answer, fault, retryAfter, instanceId, passedOver }: FinishedCall,
  lookAtInstance: LookAtInstance,
): Promise<DeliveryAnswer> {
  for (const id of passedOver) lookAtInstance(id).catch(() => undefined);
  // It got the event, but could do nothing with it.
  if (fault === "state-api-away") return { status, interrupted: "refused" };
  if (answer !== null) return { status, retryAfter };
  const gone = instanceId === null ? Promise.resolve(true) : lookAtInstance(instanceId);
  if (isPassedOver(fault) || fault === "app-not-running") {
    // No need to wait for the result: the app did not get the event.
    gone.catch(() => undefined);
    return { status: null, interrupted: "refused" };
  }
  return { status: null, interrupted: (await gone) ? "cut" : undefined };
}
