import type { ConnectionTest } from "@/lib/contract/core";
import type { Member } from "@/lib/domain/actor";
import { recordAudit } from "../audit/record-audit";
import type { Platform } from "../platform";
import { updateTenant } from "./queries";

/** What a test of the connection found, with its audit row. */
export async function keepTest(
  platform: Platform,
  member: Member,
  tenantId: string,
  test: ConnectionTest,
): Promise<void> {
  const organizationId = member.organization.id;
  await platform.db.transaction(async (tx) => {
    await updateTenant(tx, organizationId, tenantId, { connection: test });
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: `user:${member.userId}`,
      action: "tenant.test-connection",
      subject: `tenant:${tenantId}`,
      details: { ok: test.ok, step: test.steps.at(-1)?.step },
    });
  });
}
