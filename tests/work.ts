/** One step of the worker's pools, without their loop. */
import { claimOpen } from "@/lib/server/installations/upgrade-queries";
import { installationPool } from "@/lib/server/installations/work/advance-installations";
import { upgradePool } from "@/lib/server/installations/work/advance-upgrades";
import { checkPool } from "@/lib/server/installations/work/check-configurations";
import { claimMoving } from "@/lib/server/installations/work/queries";
import type { Platform } from "@/lib/server/platform/platform";
import type { Runtimes } from "@/lib/server/runtime/engines/choose-runtime";
import { newLease, workOnce } from "./deliver";

export function advanceInstallations(
  platform: Platform,
  runtimes: Runtimes,
  limit?: number,
): Promise<number> {
  return workOnce(installationPool(platform, runtimes), limit);
}

/** As another worker would, which then dies. */
export function claimMovingInstallations(platform: Platform, limit: number) {
  return claimMoving(platform.db, limit, newLease());
}

export function claimUpgrades(platform: Platform, limit = 10) {
  return claimOpen(platform.db, limit, newLease());
}

export function advanceUpgrades(
  platform: Platform,
  runtimes: Runtimes,
  readyWithinMs?: number,
): Promise<number> {
  return workOnce(upgradePool(platform, runtimes, readyWithinMs));
}

export function makeChecks(platform: Platform, runtimes: Runtimes, limit?: number): Promise<number> {
  return workOnce(checkPool(platform, runtimes), limit);
}
