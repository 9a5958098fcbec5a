/** One step of the worker's pools, without their loop. */
import { v7 } from "uuid";
import { installationPool } from "@/lib/server/installations/work/advance-installations";
import { claimMoving } from "@/lib/server/installations/work/queries";
import { LEASE_SECONDS } from "@/lib/server/leases/lease-loop";
import type { Platform } from "@/lib/server/platform/platform";
import type { Runtimes } from "@/lib/server/runtimes/choose-runtime";
import { upgradePool } from "@/lib/server/upgrades/advance-upgrades";
import { claimOpen } from "@/lib/server/upgrades/queries";
import { workOnce } from "./deliver";

export function advanceInstallations(
  platform: Platform,
  runtimes: Runtimes,
  limit?: number,
): Promise<number> {
  return workOnce(installationPool(platform, runtimes), limit);
}

/** As another worker would, which then dies. */
export function claimMovingInstallations(platform: Platform, limit: number) {
  return claimMoving(platform.db, limit, v7(), LEASE_SECONDS);
}

export function claimUpgrades(platform: Platform, limit = 10) {
  return claimOpen(platform.db, limit, v7(), LEASE_SECONDS);
}

export function advanceUpgrades(
  platform: Platform,
  runtimes: Runtimes,
  readyWithinMs?: number,
): Promise<number> {
  return workOnce(upgradePool(platform, runtimes, readyWithinMs));
}
