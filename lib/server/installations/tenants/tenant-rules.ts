/** Rules that the verbs of this folder share. */
import type { AuditAction } from "@/lib/contract/platform/audit";
import { Problem } from "@/lib/contract/platform/problem";
import { isId } from "@/lib/contract/platform/text";
import type { Member } from "@/lib/domain/platform/actor";
import { type Db, violatedIndex } from "../../platform/database/connect";
import type { Platform } from "../../platform/platform";
import { recordAudit } from "../../platform/record-audit";
import {
  selectHostHolder,
  selectWholeTenant,
  TENANT_HOST_INDEX,
  TENANT_NAME_INDEX,
  type WholeTenant,
} from "./queries";

/** Throws NOT_FOUND for anything but a tenant of the member's organization. */
export async function findTenant(platform: Platform, member: Member, id: string): Promise<WholeTenant> {
  const tenant = isId(id) ? await selectWholeTenant(platform.db, member.organization.id, id) : undefined;
  if (tenant === undefined) throw new Problem("NOT_FOUND");
  return tenant;
}

/**
 * A host name identifies the tenant that a token speaks for, so it belongs to one tenant of the platform, and no token
 * is signed for another, not even to test a connection. Throws NAME_TAKEN.
 */
export async function checkHostName(db: Db, organizationId: string, hostName: string): Promise<void> {
  const holder = await selectHostHolder(db, organizationId, hostName);
  if (holder === undefined) return;
  const message =
    holder.organizationId === organizationId
      ? `Your tenant '${holder.name}' already uses '${hostName}'. Use that tenant, or disconnect it first.`
      : `Another organization has already connected '${hostName}'. Check the spelling. If this tenant is yours, ask the platform's operator to release its host name.`;
  throw new Problem("NAME_TAKEN", message, [{ code: "taken", pointer: "/hostName", message }]);
}

/** For `catch`: turns the violation of a unique index into NAME_TAKEN at the field. */
export function refuseTaken({ name, hostName }: { name: string; hostName: string }) {
  const taken = new Map([
    [
      TENANT_NAME_INDEX,
      ["/name", `Your organization already has a tenant named '${name}'. Choose another name.`],
    ],
    [
      TENANT_HOST_INDEX,
      ["/hostName", `Someone just connected '${hostName}'. Reload the page to see whether it was your team.`],
    ],
  ] as const);
  return (error: unknown): never => {
    const index = violatedIndex(error);
    const found = [...taken].find(([name]) => name === index)?.[1];
    if (found === undefined) throw error;
    const [pointer, message] = found;
    throw new Problem("NAME_TAKEN", message, [{ code: "taken", pointer, message }]);
  };
}

/** Somebody changed how the core is reached while it was being read. */
export function outdatedTenant(): Problem {
  return new Problem(
    "WRONG_STATE",
    "Someone else changed this tenant while its core was being read. Reload the page and try again.",
  );
}

/** Removes trailing slashes, because paths are appended and tokens contain the address. Throws BAD_INPUT. */
export function normalizeCoreUrl(address: string): string {
  const url = new URL(address);
  // An empty query or fragment leaves its `?` or `#` in `href`, but nothing in `search` or `hash`.
  if (url.username === "" && url.password === "" && !/[?#]/.test(url.href))
    return url.href.replace(/\/+$/, "");
  const message =
    "Enter the address without a user name, query, or fragment. The platform signs in with its own token.";
  throw new Problem("BAD_INPUT", message, [{ code: "core-address", pointer: "/coreApiUrl", message }]);
}

export async function auditTenant(
  platform: Platform,
  tx: Db,
  member: Member,
  entry: {
    action: Extract<AuditAction, `tenant.${string}`>;
    tenantId: string;
    details?: Record<string, unknown>;
  },
): Promise<void> {
  await recordAudit(tx, platform.keyring, {
    chain: member.organization.id,
    actor: `user:${member.userId}`,
    action: entry.action,
    subject: `tenant:${entry.tenantId}`,
    details: entry.details,
  });
}
