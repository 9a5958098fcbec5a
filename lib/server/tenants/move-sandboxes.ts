import { recordAudit } from "../audit/record-audit";
import type { Platform } from "../platform/platform";
import { updateTenant } from "./queries";
import { selectSandboxes } from "./sandbox-queries";

/** The platform's own core listens where apps reach it, which changes when a container engine comes or goes. */
export async function moveSandboxes(platform: Platform, ownCore: string): Promise<void> {
  for (const { id, organizationId, hostName, coreApiUrl } of await selectSandboxes(platform.db)) {
    const moved = `${ownCore}/tenants/${hostName}`;
    if (moved === coreApiUrl) continue;
    await platform.db.transaction(async (tx) => {
      await updateTenant(tx, organizationId, id, { coreApiUrl: moved });
      await recordAudit(tx, platform.keyring, {
        chain: organizationId,
        actor: "operator:launcher",
        action: "tenant.move",
        subject: `tenant:${id}`,
        details: { from: coreApiUrl, to: moved },
      });
    });
  }
}
