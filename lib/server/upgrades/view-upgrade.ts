import type { UpgradeView } from "@/lib/contract/configuration-view";
import type { InstallationState } from "@/lib/contract/installation";
import type { Db } from "../database/connect";
import type { Targets } from "./find-targets";
import { selectNewestUpgrade, type UpgradeRow } from "./queries";
import { isSwitchable } from "./switch-version";

interface Now {
  state: InstallationState;
  versionId: string;
  revision: number;
}

/** The newest move of an installation; null when it never moved. */
export async function viewNewestUpgrade(
  db: Db,
  installationId: string,
  now: Now,
  { targets }: Targets,
): Promise<UpgradeView | null> {
  const found = await selectNewestUpgrade(db, installationId);
  if (found === undefined) return null;
  const { upgrade, from, to, startedBy } = found;
  const { id, rollback, state, reason, createdAt, endedAt } = upgrade;
  const offered = targets.some((target) => target.versionId === upgrade.toVersionId);
  return {
    id,
    from,
    to,
    rollback,
    state,
    reason,
    startedAt: createdAt.toISOString(),
    startedBy,
    endedAt: endedAt?.toISOString() ?? null,
    retryable: offered && isSwitchable(now.state) && isRetryable(upgrade, now),
  };
}

/** It failed, and the installation still is what it began from. */
export function isRetryable(upgrade: UpgradeRow, now: Pick<Now, "versionId" | "revision">): boolean {
  const { state, fromVersionId, fromRevision } = upgrade;
  return state === "FAILED" && fromVersionId === now.versionId && fromRevision === now.revision;
}
