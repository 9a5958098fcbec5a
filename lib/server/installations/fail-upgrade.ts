import { recordAudit } from "../audit/record-audit";
import type { Db } from "../database/connect";
import type { Platform } from "../platform/platform";
import * as queries from "./upgrade-queries";

/**
 * Fails the installation's upgrade if there is one that has not switched yet; the old version keeps running. Call it in a
 * transaction that locks the installation.
 */
export async function failUpgrade(
  platform: Platform,
  tx: Db,
  installation: { id: string; organizationId: string },
  reason: string,
): Promise<void> {
  const open = await queries.selectOpenUpgrade(tx, installation.id);
  if (open?.state !== "STARTING") return;
  await queries.moveUpgrade(tx, open.id, "STARTING", { state: "FAILED", reason });
  await queries.setOtherVersion(tx, installation.id, null);
  await recordAudit(tx, platform.keyring, {
    chain: installation.organizationId,
    actor: "worker",
    action: "upgrade.fail",
    subject: `upgrade:${open.id}`,
    details: { installationId: installation.id, reason },
  });
}
