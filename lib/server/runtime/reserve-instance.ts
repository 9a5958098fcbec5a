import { type CapacityUse, findExceeded, measureCapacity } from "@/lib/domain/platform/app-limits";
import { lockOrganization } from "../catalog/version-queries";
import type { Db } from "../platform/database/connect";
import { readAppLimits, readCapacityQuota } from "../platform/environment";
import type { Platform } from "../platform/platform";
import { InstanceFailure } from "./engines/runtime";
import * as queries from "./instance-queries";
import type { InstanceRow } from "./instance-queries";

/**
 * Reserves memory and CPU of the version's publisher for an instance that is about to start. Until the transaction ends, no
 * other instance of the same publisher can, so that starts can't pass the check at once. Undefined if `insert` adds none. Throws an
 * InstanceFailure with `QUOTA_REACHED`.
 */
export async function reserveInstance(
  { db, environment }: Pick<Platform, "db" | "environment">,
  { organizationId }: { organizationId: string },
  insert: (tx: Db) => Promise<InstanceRow | undefined>,
): Promise<InstanceRow | undefined> {
  return db.transaction(async (tx) => {
    await lockOrganization(tx, organizationId);
    const row = await insert(tx);
    if (row === undefined) return undefined;
    const exceeded = findExceeded(await readCapacityUse({ db: tx, environment }, organizationId));
    if (exceeded !== undefined)
      throw new InstanceFailure(
        "QUOTA_REACHED",
        `The running apps of this app's publisher already have all the ${exceeded} that the platform allows them.`,
      );
    return row;
  });
}

/** What the running apps of an organization have, and may have. */
export async function readCapacityUse(
  { db, environment }: { db: Db; environment: Platform["environment"] },
  organizationId: string,
): Promise<CapacityUse> {
  const apps = await queries.countLive(db, organizationId);
  return measureCapacity(apps, readAppLimits(environment), readCapacityQuota(environment));
}
