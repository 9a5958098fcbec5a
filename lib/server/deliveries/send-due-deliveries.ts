import { nextStep } from "@/lib/domain/backoff";
import { recordAudit } from "../audit/record-audit";
import { callApp } from "../calls/call-app";
import type { Db } from "../database/connect";
import type { Platform } from "../platform/platform";
import {
  claimDeliveries,
  type ClaimedDelivery,
  endDeliveriesOfRoute,
  endRoute,
  holdVersion,
  selectOrganizationOf,
  settleDelivery,
} from "./queries";
import { createHmac } from "node:crypto";
import { deriveKey, type Keyring } from "../platform/keyring";

/** How many calls a worker has open at once. */
export const DELIVERY_BOUND = 16;

const DEADLINE_MS = 30_000;

/** The deadline and some slack. After a crash, whoever comes next sends it again within this time. */
const LEASE_SECONDS = 45;

export function claimDueDeliveries(platform: Platform, limit: number): Promise<ClaimedDelivery[]> {
  return claimDeliveries(platform.db, limit, LEASE_SECONDS);
}

/** One try. The attempt and what follows from it are written in one transaction, after the answer. */
export async function sendDelivery(platform: Platform, delivery: ClaimedDelivery): Promise<void> {
  const body = JSON.stringify(delivery.body);
  const { installationId, routeId, revision, epoch, origin, path } = delivery;
  const headers = signWebhook(platform.keyring, installationId, delivery.eventId, body, new Date());
  const call = {
    installationId,
    routeId,
    revision,
    epoch,
    kind: "webhook" as const,
    deliveryId: delivery.id,
  };
  await callApp(
    platform,
    { ...call, origin, path, method: "POST", body, headers, deadlineMs: DEADLINE_MS },
    async (tx, finished) => {
      // An answer that did not come whole is none.
      const status = finished.answer === null ? null : finished.status;
      const answer = { status, retryAfter: finished.retryAfter };
      const step = nextStep(answer, delivery.attemptCount + 1, new Date(), Math.random());
      if (step.state === "ENDED") await endSubscription(platform, tx, delivery);
      else await settleDelivery(tx, delivery, step);
    },
  );
}

/** A version speaks for itself: once another has taken its place, that one is asked, with the same event. */
async function endSubscription(platform: Platform, tx: Db, delivery: ClaimedDelivery): Promise<void> {
  if (!(await holdVersion(tx, delivery))) {
    await settleDelivery(tx, delivery, { state: "PENDING", waitMs: 0 });
    return;
  }
  // The route first: its row's lock orders two answers of 410 that come at once.
  const endsNow = await endRoute(tx, delivery.routeId);
  await settleDelivery(tx, delivery, { state: "ENDED" });
  await endDeliveriesOfRoute(tx, delivery.routeId);
  if (endsNow) await recordEnd(platform, tx, delivery);
}

async function recordEnd(
  platform: Platform,
  tx: Db,
  { installationId, routeId }: ClaimedDelivery,
): Promise<void> {
  const chain = await selectOrganizationOf(tx, installationId);
  const details = { installationId, reason: "The app answered 410." };
  await recordAudit(tx, platform.keyring, {
    chain,
    actor: "worker",
    action: "route.end",
    subject: `route:${routeId}`,
    details,
  });
}

/** Sends what is due, one batch. The worker keeps its lanes full instead; see `worker/pool.ts`. */
export async function sendDueDeliveries(platform: Platform, limit = DELIVERY_BOUND): Promise<number> {
  const claimed = await claimDueDeliveries(platform, limit);
  await Promise.all(claimed.map((delivery) => sendDelivery(platform, delivery)));
  return claimed.length;
}

/**
 * Standard Webhooks: HMAC-SHA-256 over `<id>.<timestamp>.<body>`, with a secret for each installation.
 * The id stays the same over all tries and all routes of an event, so that an app can tell a repetition.
 * One signature for each master key, the current one first: a receiver accepts any that fits, and so outlives a rotation.
 */
export function signWebhook(
  keyring: Keyring,
  installationId: string,
  id: string,
  body: string,
  now: Date,
): Record<string, string> {
  const timestamp = Math.floor(now.getTime() / 1000).toString();
  const signatures = [...keyring.byId.values()].map((master) => {
    const secret = deriveKey(master, `webhook/${installationId}`);
    return `v1,${createHmac("sha256", secret).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}
