/** The webhook secrets of an installation, for the members who operate it. docs/guide/webhooks.md describes what they are for. */
import { type Overlap, overlapSeconds } from "@/lib/contract/accounts/api-key";
import type { RevealedSecrets, WebhookSecretView } from "@/lib/contract/calls/gateway-answers";
import type { AuditAction } from "@/lib/contract/platform/audit";
import { Problem } from "@/lib/contract/platform/problem";
import type { Member } from "@/lib/domain/platform/actor";
import { expireSecrets, selectSecretTimes } from "../calls/deliveries/webhook-secret-queries";
import { openSecret, readSecrets, storeSecret } from "../calls/deliveries/webhook-secrets";
import type { Db } from "../platform/database/connect";
import type { Platform } from "../platform/platform";
import { recordAudit } from "../platform/record-audit";
import { lockInstallation, requireInstallation, requireOperator } from "./queries";

/** Without the secrets themselves. Empty until an installation of an earlier release signs or reveals its first. */
export async function listWebhookSecrets(
  platform: Platform,
  member: Member,
  installationId: string,
): Promise<{ secrets: WebhookSecretView[] }> {
  await requireInstallation(platform.db, member.organization.id, installationId);
  const times = await selectSecretTimes(platform.db, installationId);
  const secrets = times.map(({ createdAt, expiresAt }) => ({
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
  }));
  return { secrets };
}

/**
 * The secrets that sign now, the current one first. The audit trail records who saw them. Throws what `lockOperable`
 * throws.
 */
export async function revealWebhookSecrets(
  platform: Platform,
  member: Member,
  installationId: string,
): Promise<RevealedSecrets> {
  await platform.db.transaction(async (tx) => {
    await lockOperable(tx, member, installationId);
    await auditSecrets(platform, tx, member, { installationId, action: "webhook-secret.reveal" });
  });
  const rows = await readSecrets(platform, [installationId]);
  return {
    secrets: rows.map((row) => ({
      secret: openSecret(platform, row),
      createdAt: row.createdAt.toISOString(),
      expiresAt: row.expiresAt?.toISOString() ?? null,
    })),
  };
}

/**
 * From now on a new secret signs, and the earlier ones as well until their overlap ends. Throws what `lockOperable`
 * throws.
 */
export async function rotateWebhookSecret(
  platform: Platform,
  member: Member,
  installationId: string,
  overlap: Overlap,
): Promise<void> {
  // The secret of an installation of an earlier release signs during the overlap too. Reading stores it, so it comes
  // after the check.
  if (overlap !== "now") {
    await platform.db.transaction((tx) => lockOperable(tx, member, installationId));
    await readSecrets(platform, [installationId]);
  }
  await platform.db.transaction(async (tx) => {
    await lockOperable(tx, member, installationId);
    await expireSecrets(tx, installationId, overlapSeconds(overlap));
    const place = { organizationId: member.organization.id, installationId };
    await storeSecret(platform, tx, place);
    await auditSecrets(platform, tx, member, {
      installationId,
      action: "webhook-secret.rotate",
      details: { overlap },
    });
  });
}

/** Throws NOT_FOUND, NOT_ALLOWED and WRONG_STATE. Locks the installation until the transaction ends. */
async function lockOperable(tx: Db, member: Member, installationId: string): Promise<void> {
  const { state, test } = await lockInstallation(tx, member.organization.id, installationId);
  requireOperator(member.organization.role, test, "see and rotate the webhook secret of a Test Launch");
  if (state === "UNINSTALLED")
    throw new Problem("WRONG_STATE", "The app was uninstalled, and its webhook secret was deleted.");
}

async function auditSecrets(
  platform: Platform,
  tx: Db,
  member: Member,
  entry: { installationId: string; action: AuditAction; details?: Record<string, unknown> },
): Promise<void> {
  await recordAudit(tx, platform.keyring, {
    chain: member.organization.id,
    actor: `user:${member.userId}`,
    action: entry.action,
    subject: `installation:${entry.installationId}`,
    details: entry.details ?? {},
  });
}
