import { notify } from "../notifications/notify";
import type { Platform } from "../platform/platform";
import { claimExpiringKeys } from "./queries";

/** How long before. */
const DAYS = 7;
const BATCH = 100;

/** Notifies organizations of API keys that expire within a week: once for each key, whichever worker runs it. */
export async function tellExpiringKeys(platform: Platform): Promise<number> {
  const told = await platform.db.transaction(async (tx) => {
    const keys = await claimExpiringKeys(tx, DAYS, BATCH);
    for (const { id, name, organizationId, expiresAt } of keys)
      await notify(tx, {
        kind: "api-key",
        to: { organizationId, roles: ["owner", "publisher"] },
        title: `The API key “${name}” expires on ${describeDay(expiresAt)}`,
        body: "Rotate it before then, and replace it wherever it is used.",
        href: "/organization/api-keys",
        subject: `api-key:${id}`,
      });
    return keys.length;
  });
  return told < BATCH ? told : told + (await tellExpiringKeys(platform));
}

function describeDay(at: Date | null): string {
  return at?.toLocaleDateString("en-US", { month: "long", day: "numeric", timeZone: "UTC" }) ?? "";
}
