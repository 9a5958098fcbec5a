import { nextStep } from "@/lib/domain/backoff";
import { explainWait } from "@/lib/domain/delivery-wait";
import { recordAudit } from "../audit/record-audit";
import { callApp } from "../calls/call-app";
import type { Db } from "../database/connect";
import type { Platform } from "../platform/platform";
import {
  claimDeliveries,
  type ClaimedDelivery,
  endDeliveriesOfRoute,
  endRoute,
  lockVersion,
  selectOrganizationId,
  settleDelivery,
} from "./queries";
import { signWebhook } from "./sign-webhook";

/** How many deliveries a worker sends at once. */
export const DELIVERY_BOUND = 16;

const DEADLINE_MS = 30_000;

/** The deadline plus slack. After a crash, another worker sends the delivery again within this time. */
const LEASE_SECONDS = 45;

export function claimDueDeliveries(platform: Platform, limit: number): Promise<ClaimedDelivery[]> {
  return claimDeliveries(platform.db, limit, LEASE_SECONDS);
}

/** Makes one attempt. Its result and the delivery's next step are written in one transaction, after the answer. */
export async function sendDelivery(platform: Platform, delivery: ClaimedDelivery): Promise<void> {
  const { installationId, routeId, revision, epoch, origin, path, body } = delivery;
  const headers = await signWebhook(platform, delivery);
  const call = {
    installationId,
    routeId,
    revision,
    epoch,
    kind: "webhook" as const,
    deliveryId: delivery.id,
    test: delivery.test,
    eventType: delivery.eventType,
    queueMs: delivery.queueMs,
    wait: explainWait(delivery),
  };
  await callApp(
    platform,
    { ...call, origin, path, method: "POST", body, headers, deadlineMs: DEADLINE_MS },
    async (tx, finished) => {
      // An incomplete answer counts as none.
      const status = finished.answer === null ? null : finished.status;
      const answer = { status, retryAfter: finished.retryAfter };
      const step = nextStep(answer, delivery.attemptCount + 1, new Date(), Math.random());
      if (step.state === "ENDED") await endSubscription(platform, tx, delivery);
      else await settleDelivery(tx, delivery, step, finished.failure);
    },
  );
}

/** A 410 only counts for the version that answered it. If another one took over meanwhile, it gets the same event. */
async function endSubscription(platform: Platform, tx: Db, delivery: ClaimedDelivery): Promise<void> {
  if (!(await lockVersion(tx, delivery))) {
    await settleDelivery(tx, delivery, { state: "PENDING", waitMs: 0 }, null);
    return;
  }
  // The route first: its row lock serializes concurrent answers of 410.
  const ended = await endRoute(tx, delivery.routeId);
  await settleDelivery(tx, delivery, { state: "ENDED" }, null);
  await endDeliveriesOfRoute(tx, delivery.routeId);
  if (ended) await recordEnd(platform, tx, delivery);
}

async function recordEnd(
  platform: Platform,
  tx: Db,
  { installationId, routeId }: ClaimedDelivery,
): Promise<void> {
  const chain = await selectOrganizationId(tx, installationId);
  const details = { installationId, reason: "The app answered 410." };
  await recordAudit(tx, platform.keyring, {
    chain,
    actor: "worker",
    action: "route.end",
    subject: `route:${routeId}`,
    details,
  });
}

/** Sends one batch. The worker keeps its lanes full instead: see `worker/pool.ts`. */
export async function sendDueDeliveries(platform: Platform, limit = DELIVERY_BOUND): Promise<number> {
  const claimed = await claimDueDeliveries(platform, limit);
  await Promise.all(claimed.map((delivery) => sendDelivery(platform, delivery)));
  return claimed.length;
}
