/** What ends a request to launch an app. The states are in `lib/domain/installations/launch-request.ts`. */
import type { LaunchDecisionInput, LaunchRequestState } from "@/lib/contract/installations/launch-request";
import { Problem } from "@/lib/contract/platform/problem";
import { APPROVAL_DAYS, sayEnded, explainOutdated } from "@/lib/domain/installations/launch-request";
import type { Member } from "@/lib/domain/platform/actor";
import type { Db } from "../../platform/database/connect";
import { notify } from "../../platform/notifications/notify";
import type { Platform } from "../../platform/platform";
import { recordAudit } from "../../platform/record-audit";
import { allow } from "./launch-rules";
import * as queries from "./queries";
import { REQUESTS_PATH } from "./request-launch";

type Request = NonNullable<Awaited<ReturnType<typeof queries.lockRequest>>>;

/**
 * An owner's decision; an approval also allows the app. Throws NOT_FOUND, and WRONG_STATE for a request that is decided or withdrawn
 * by then, or whose launch is not possible anymore.
 */
export async function decideRequest(
  platform: Platform,
  member: Member,
  requestId: string,
  { decision, note }: LaunchDecisionInput,
): Promise<void> {
  const organizationId = member.organization.id;
  const outdated = await platform.db.transaction(async (tx) => {
    const request = await lockOpen(tx, organizationId, requestId);
    if (decision === "approve" && request.outdatedBy !== null) {
      await endOutdated(platform, tx, request);
      return explainOutdated(request.outdatedBy);
    }
    const approved = decision === "approve";
    const { listingId, title, tenantName } = request;
    await end(platform, tx, request, {
      state: approved ? "APPROVED" : "DECLINED",
      answer: note,
      decidedBy: member.userId,
      ...(approved ? { validDays: APPROVAL_DAYS } : {}),
    });
    if (approved) {
      const rules = await queries.selectRules(tx, organizationId, listingId);
      if (rules.onlyAllowedApps) await allow(platform, tx, member, listingId);
    }
    await tell(tx, request, {
      title: `Your request to launch ${title} for ${tenantName} was ${approved ? "approved" : "declined"}`,
      body: note,
      except: member.userId,
    });
    await audit(platform, tx, request, `user:${member.userId}`, {
      action: approved ? "launch-request.approve" : "launch-request.decline",
      note,
    });
    return undefined;
  });
  if (outdated !== undefined)
    throw new Problem("WRONG_STATE", `This request can no longer be approved. ${outdated} Reload the page.`);
}

/** The member who asked takes the request back. Throws NOT_FOUND for other people's, and WRONG_STATE. */
export async function withdrawRequest(platform: Platform, member: Member, requestId: string): Promise<void> {
  await platform.db.transaction(async (tx) => {
    const request = await lockOpen(tx, member.organization.id, requestId, member.userId);
    await end(platform, tx, request, { state: "WITHDRAWN", answer: "" });
    await audit(platform, tx, request, `user:${member.userId}`, { action: "launch-request.withdraw" });
  });
}

/** Of one round. The next comes within a minute. */
const LIMIT = 100;

/** Ends open requests whose launch is not possible or not needed anymore. Returns how many. */
export async function endOutdatedRequests(platform: Platform): Promise<number> {
  const found = await queries.selectOutdated(platform.db, LIMIT);
  let ended = 0;
  for (const { id, organizationId } of found)
    await platform.db.transaction(async (tx) => {
      const request = await queries.lockRequest(tx, organizationId, id);
      if (request?.state !== "OPEN" || request.outdatedBy === null) return;
      await endOutdated(platform, tx, request);
      ended += 1;
    });
  return ended;
}

async function endOutdated(platform: Platform, tx: Db, request: Request): Promise<void> {
  const { outdatedBy, title, tenantName } = request;
  if (outdatedBy === null) return;
  const answer = explainOutdated(outdatedBy);
  await end(platform, tx, request, { state: "OUTDATED", answer });
  if (outdatedBy !== "MEMBER_GONE")
    await tell(tx, request, {
      title: `Your request to launch ${title} for ${tenantName} ended without a decision`,
      body: answer,
    });
  await audit(platform, tx, request, "platform", { action: "launch-request.end", note: answer });
}

async function lockOpen(tx: Db, organizationId: string, requestId: string, requestedBy?: string) {
  const request = await queries.lockRequest(tx, organizationId, requestId);
  if (request === undefined || (requestedBy !== undefined && request.requestedBy !== requestedBy))
    throw new Problem("NOT_FOUND");
  if (request.state !== "OPEN") throw new Problem("WRONG_STATE", sayEnded(request.state));
  return request;
}

interface Ending {
  state: Exclude<LaunchRequestState, "OPEN">;
  answer: string;
  decidedBy?: string;
  validDays?: number;
}

async function end(platform: Platform, tx: Db, { id }: Request, ending: Ending): Promise<void> {
  if (!(await queries.endRequest(tx, id, ending)))
    throw new Error(`request ${id} changed although it is locked`);
}

async function tell(
  tx: Db,
  { id, organizationId, requestedBy }: Request,
  message: { title: string; body: string; except?: string },
): Promise<void> {
  const { except, ...lines } = message;
  await notify(tx, {
    kind: "launch-request",
    to: { userId: requestedBy, organizationId, except },
    ...lines,
    href: REQUESTS_PATH,
    subject: `launch-request:${id}`,
  });
}

async function audit(
  platform: Platform,
  tx: Db,
  { id, organizationId, listingId }: Request,
  actor: string,
  {
    action,
    note = "",
  }: { action: `launch-request.${"approve" | "decline" | "withdraw" | "end"}`; note?: string },
): Promise<void> {
  await recordAudit(tx, platform.keyring, {
    chain: organizationId,
    actor,
    action,
    subject: `launch-request:${id}`,
    details: { listingId, ...(note === "" ? {} : { note }) },
  });
}
