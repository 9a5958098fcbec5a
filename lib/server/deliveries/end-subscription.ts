import { recordAudit } from "../audit/record-audit";
import { describeCall } from "../calls/call-steps";
import { recordAttempts } from "../calls/record-queries";
import { tellOfEndedSubscription } from "../notifications/tell-of-apps";
import type { Platform } from "../platform/platform";
import { endDeliveriesOfRoute, endRoute, lockVersion } from "./queries";
import type { Answered } from "./settle-deliveries";
import { settleDeliveries } from "./settle-queries";

/**
 * The app returned 410: it wants no more of these events. That only counts for the version that answered. If another one
 * took over meanwhile, it gets the same event.
 */
export async function endSubscription(platform: Platform, { delivery, finished }: Answered): Promise<void> {
  const attempt = await describeCall(platform, delivery.call, finished);
  const { id, claim, routeId, installationId, interruptions } = delivery;
  const settled = { id, claim, tries: delivery.tries + 1, interruptions, reason: null };
  await platform.db.transaction(async (tx) => {
    await recordAttempts(tx, [attempt]);
    if (!(await lockVersion(tx, delivery))) {
      await settleDeliveries(tx, [{ ...settled, state: "PENDING", waitMs: 0 }]);
      return;
    }
    // The route first: its row lock serializes concurrent answers of 410.
    const ended = await endRoute(tx, routeId);
    await settleDeliveries(tx, [{ ...settled, state: "ENDED", waitMs: null }]);
    await endDeliveriesOfRoute(tx, routeId);
    if (!ended) return;
    await tellOfEndedSubscription(tx, installationId);
    await recordAudit(tx, platform.keyring, {
      chain: delivery.organizationId,
      actor: "worker",
      action: "route.end",
      subject: `route:${routeId}`,
      details: { installationId, reason: "The app returned 410." },
    });
  });
}
