/**
 * Who may launch an app in an organization that lets members ask, and the states of a request.
 *
 * | from   | to        | when                                                                        | who                    |
 * | ------ | --------- | --------------------------------------------------------------------------- | ---------------------- |
 * | (none) | OPEN      | a member asks; asking again for the same app and tenant is the same request | `requestLaunch`        |
 * | OPEN   | APPROVED  | an owner approves it                                                        | `decideRequest`        |
 * | OPEN   | DECLINED  | an owner declines it, with a note                                           | `decideRequest`        |
 * | OPEN   | WITHDRAWN | the member takes it back                                                    | `withdrawRequest`      |
 * | OPEN   | OUTDATED  | the launch is not possible anymore, or not needed                           | `endOutdated`, from    |
 * |        |           |                                                                             | `endOutdatedRequests`, |
 * |        |           |                                                                             | `decideRequest`        |
 *
 * An approval lets the member who asked launch the newest version of that app for that tenant once, within 30 days. The launch has the
 * rules of every launch: what was suspended after the approval is not launched.
 */
import type { LaunchRequestState, LaunchRules } from "@/lib/contract/installations/launch-request";
import type { Role } from "@/lib/contract/platform/role";

export const APPROVAL_DAYS = 30;

/**
 * `ask`: with an owner's approval. `allow`: an owner allows the app first. A member who is no owner asks for both at once.
 */
export type LaunchPermission = "launch" | "ask" | "allow";

/** @param isAllowed the app is on the organization's list of allowed apps */
export function judgePermission(
  { membersAsk, onlyAllowedApps }: LaunchRules,
  role: Role,
  isAllowed: boolean,
): LaunchPermission {
  const mustAllow = onlyAllowedApps && !isAllowed;
  if (role === "owner") return mustAllow ? "allow" : "launch";
  return membersAsk || mustAllow ? "ask" : "launch";
}

export const OUTDATED_BY = [
  "SUSPENDED",
  "RETIRED",
  "RECALLED",
  "HIDDEN",
  "INSTALLED",
  "TENANT_GONE",
  "MEMBER_GONE",
] as const;
/** Why a request is outdated. */
export type OutdatedBy = (typeof OUTDATED_BY)[number];

const REASONS: Record<OutdatedBy, string> = {
  SUSPENDED: "The app was suspended.",
  RETIRED: "The app was retired.",
  RECALLED: "The app no longer has a verified version.",
  HIDDEN: "The app is no longer offered to your organization.",
  INSTALLED: "The app was installed for the tenant in the meantime.",
  TENANT_GONE: "The tenant was disconnected.",
  MEMBER_GONE: "The member left the organization.",
};

export function explainOutdated(by: OutdatedBy): string {
  return REASONS[by];
}

const ENDED: Record<Exclude<LaunchRequestState, "OPEN">, string> = {
  APPROVED: "was already approved",
  DECLINED: "was already declined",
  WITHDRAWN: "was withdrawn",
  OUTDATED: "can no longer be approved",
};

/** Why a request that is not open can't be decided or withdrawn. */
export function sayEnded(state: Exclude<LaunchRequestState, "OPEN">): string {
  return `This request ${ENDED[state]}. Reload the page.`;
}
