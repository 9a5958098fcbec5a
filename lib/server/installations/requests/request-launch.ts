/** Members ask before they launch. The states of a request are in `lib/domain/installations/launch-request.ts`. */
import { v7 } from "uuid";
import type { LaunchRequestInput } from "@/lib/contract/installations/launch-request";
import { Problem } from "@/lib/contract/platform/problem";
import { mayOperate } from "@/lib/domain/calls/installation";
import { judgePermission } from "@/lib/domain/installations/launch-request";
import type { Member } from "@/lib/domain/platform/actor";
import { judgeLaunch, refuse } from "../../catalog/judge-launch";
import type { Db } from "../../platform/database/connect";
import { notify } from "../../platform/notifications/notify";
import type { Platform } from "../../platform/platform";
import { recordAudit } from "../../platform/record-audit";
import { lockTenant } from "../tenants/queries";
import * as queries from "./queries";

export const REQUESTS_PATH = "/installations/requests";

/**
 * Asks the owners to let the member launch an app for a tenant. An open request for the same is the same request. Throws NOT_FOUND,
 * NOT_ALLOWED, and WRONG_STATE for somebody who needs no approval or has one.
 */
export async function requestLaunch(
  platform: Platform,
  member: Member,
  { versionId, tenantId, note, link }: LaunchRequestInput,
): Promise<{ requestId: string }> {
  const { id: organizationId, role } = member.organization;
  if (!mayOperate(role, false))
    throw new Problem(
      "NOT_ALLOWED",
      "Publishers can only start Test Launches. Ask an owner of your organization for the operator role.",
    );
  return platform.db.transaction(async (tx) => {
    const version = await queries.lockRequested(tx, versionId);
    if (version === undefined) throw new Problem("NOT_FOUND");
    const judged = await judgeLaunch(tx, member, version, { test: false, link, pilot: true });
    if (judged.refusal !== undefined) throw refuse(judged.refusal);
    const tenant = await lockTenant(tx, organizationId, tenantId);
    if (tenant === undefined || tenant.sandbox) throw new Problem("NOT_FOUND");
    const { listingId, title } = version;
    const asked = { organizationId, requestedBy: member.userId, listingId };
    await refuseNeedless(tx, member, asked, tenant);
    const row = { ...asked, tenantId, versionId, note, withLink: judged.link !== undefined };
    const requestId = await queries.insertRequest(tx, { id: v7(), ...row });
    if (requestId === undefined) return { requestId: await findOpen(tx, asked, tenantId) };
    await notify(tx, {
      kind: "launch-request",
      to: { organizationId, roles: ["owner"], except: member.userId },
      title: `${member.name} asks to launch ${title} for ${tenant.name}`,
      body: note,
      href: REQUESTS_PATH,
      // Who withdraws and asks again notifies nobody a second time within an hour.
      subject: `launch-request:${member.userId}:${listingId}:${tenantId}`,
    });
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: `user:${member.userId}`,
      action: "launch-request.create",
      subject: `launch-request:${requestId}`,
      details: { listingId, versionId, tenantId },
    });
    return { requestId };
  });
}

interface Asked {
  organizationId: string;
  requestedBy: string;
  listingId: string;
}

async function refuseNeedless(
  tx: Db,
  member: Member,
  asked: Asked,
  tenant: { id: string; name: string },
): Promise<void> {
  const rules = await queries.selectRules(tx, asked.organizationId, asked.listingId);
  const permission = judgePermission(rules, member.organization.role, rules.isAllowed);
  if (permission === "launch")
    throw new Problem("WRONG_STATE", "You don't need approval. Reload the page, and launch the app.");
  if (permission === "allow")
    throw new Problem("WRONG_STATE", "You are an owner. Allow the app on its page, and launch it.");
  const before = await queries.selectAsked(tx, asked);
  if (before.some(({ tenantId, isUsable }) => tenantId === tenant.id && isUsable) && isAllowedBy(rules))
    throw new Problem(
      "WRONG_STATE",
      `You already have an approval for ${tenant.name}. Reload the page, and launch the app.`,
    );
}

async function findOpen(tx: Db, asked: Asked, tenantId: string): Promise<string> {
  const rows = await queries.selectAsked(tx, asked);
  const open = rows.find((row) => row.tenantId === tenantId && row.state === "OPEN");
  // Between the two statements somebody decided it.
  if (open === undefined) throw new Problem("WRONG_STATE", "Your request was just decided. Reload the page.");
  return open.id;
}

/** What the launch page shows a member who may have to ask. */
export async function readAsking({ db }: Platform, member: Member, listingId: string) {
  const asked = { organizationId: member.organization.id, requestedBy: member.userId, listingId };
  const rules = await queries.selectRules(db, asked.organizationId, listingId);
  const permission = judgePermission(rules, member.organization.role, rules.isAllowed);
  const requests = permission === "ask" ? await queries.selectAsked(db, asked) : [];
  return {
    permission,
    /** Only allowed apps are launched, and this one is, or is not. */
    allowed: rules.onlyAllowedApps ? rules.isAllowed : undefined,
    /** The newest for each tenant. */
    requests: requests.map((request) => ({ ...request, isUsable: request.isUsable && isAllowedBy(rules) })),
  };
}

const isAllowedBy = ({ onlyAllowedApps, isAllowed }: { onlyAllowedApps: boolean; isAllowed: boolean }) =>
  !onlyAllowedApps || isAllowed;

/**
 * In the transaction of a launch, or of a check of its settings, which the app sees: locks the approval that it needs. Throws NOT_ALLOWED,
 * with the way to ask, if it needs one and there is none.
 * @returns the id of the approval, which the launch uses up with `spendApproval`; undefined if it needs none
 */
export async function requireApproval(
  tx: Db,
  member: Member,
  { listingId, title, tenantId }: { listingId: string; title: string; tenantId: string },
): Promise<string | undefined> {
  const { id: organizationId, role, name } = member.organization;
  const rules = await queries.selectRules(tx, organizationId, listingId);
  const permission = judgePermission(rules, role, rules.isAllowed);
  if (permission === "launch") return undefined;
  if (permission === "allow")
    throw new Problem(
      "NOT_ALLOWED",
      `${name} launches allowed apps only, and ${title} is not one of them. Allow it on its page in the marketplace, then launch it. Your answers are still here.`,
    );
  const asked = { organizationId, requestedBy: member.userId, listingId };
  const approvalId = isAllowedBy(rules) ? await queries.lockApproval(tx, asked, tenantId) : undefined;
  if (approvalId !== undefined) return approvalId;
  const reason = isAllowedBy(rules)
    ? `Members of ${name} ask an owner before they launch an app, and you have no approval for this tenant.`
    : `${name} launches allowed apps only, and ${title} is not one of them.`;
  throw new Problem("NOT_ALLOWED", `${reason} Reload the page to ask for it. Your answers are still here.`);
}
