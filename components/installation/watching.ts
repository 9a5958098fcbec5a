import type { InstallationView } from "@/lib/contract/installation-view";
import { isMoving } from "@/lib/domain/installation";

const CLOSELY_MS = 1_000;
const RESTING_MS = 15_000;

type Watched = Pick<InstallationView, "state" | "upgrade">;

/** An upgrade that a worker is still at. */
export function isUpgrading({ upgrade }: Pick<InstallationView, "upgrade">): boolean {
  return upgrade?.state === "STARTING" || upgrade?.state === "DRAINING";
}

/** How long until the page looks again, in milliseconds: short while something happens without anybody's doing. */
export function watchEvery(installation: Watched): number {
  return isMoving(installation.state) || isUpgrading(installation) ? CLOSELY_MS : RESTING_MS;
}
