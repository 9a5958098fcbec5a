import { matchesAny } from "@/lib/domain/match-pattern";
import type { Db } from "../database/connect";
import { selectWebhookRoutes } from "./queries";

/** The tenant's webhook routes that receive an event of this type now; with `testOnly`, only those of Test Launches. */
export async function findSubscribers(db: Db, tenantId: string, type: string, testOnly: boolean) {
  const routes = await selectWebhookRoutes(db, tenantId, testOnly);
  return routes.filter((route) => matchesAny(route.patterns, type));
}
