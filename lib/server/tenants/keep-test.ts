import type { ConnectionTest } from "@/lib/contract/core";
import type { Member } from "@/lib/domain/actor";
import { recordAudit } from "../audit/record-audit";
import type { Platform } from "../platform/platform";
import { overtaken } from "./overtaken";
import { updateUnchangedTenant, type WholeTenant } from "./queries";

/** What a test of the connection found, with its audit row. Throws WRONG_STATE when the tenant is another by now. */
export async function keepTest(
  platform: Platform,
  member: Member,
  read: WholeTenant,
  test: ConnectionTest,
): Promise<void> {
  const organizationId = member.organization.id;
  await platform.db.transaction(async (tx) => {
    if (!(await updateUnchangedTenant(tx, organizationId, read, { connection: test }))) throw overtaken();
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: `user:${member.userId}`,
      action: "tenant.test-connection",
      subject: `tenant:${read.id}`,
      details: { ok: test.ok, step: test.steps.at(-1)?.step },
    });
  });
}
