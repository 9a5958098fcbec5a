/** Why a page is missing for somebody: which role it needs, and who can give it. It says nothing about whether the object exists. */
import type { Role } from "@/lib/contract/platform/role";
import { roleText } from "../accounts/organization";
import { admit, type Audience, PAGE_POLICY, type PagePath } from "../accounts/policy";
import type { Actor } from "../platform/actor";
import { matchPath } from "./page-help";

interface NeededRole {
  /** A sentence: who may open the page. */
  needs: string;
  /** A sentence: who can change that. */
  gives: string;
  /** An owner of the organization can, so the page of its members says whom to ask. */
  byOwner: boolean;
}

const PATHS = Object.keys(PAGE_POLICY).filter((path): path is PagePath => path in PAGE_POLICY);

/** Undefined if the actor's role is not the reason. */
export function explainRole(
  pathname: string,
  actor: Pick<Actor, "organization" | "moderator">,
): NeededRole | undefined {
  const path = matchPath(PATHS, pathname);
  if (path === undefined) return undefined;
  const audience: Audience = PAGE_POLICY[path];
  const { organization } = actor;
  const whole = { ...actor, userId: "", sessionId: "", name: "", email: "" };
  if (admit(audience, whole) !== "not-allowed") return undefined;
  if (audience === "moderator")
    return {
      needs: "Only moderators of the platform can open this page.",
      gives: "The platform's operator can make you a moderator.",
      byOwner: false,
    };
  if (typeof audience === "string") return undefined;
  if (organization === undefined)
    return {
      needs: "This page belongs to an organization, and you are not in one.",
      gives: "Create one, or ask an owner of an organization for an invitation.",
      byOwner: false,
    };
  const yours = roleText(organization.role).toLowerCase();
  return {
    needs: `This page needs the role ${listRoles(audience)}. In ${organization.name}, you have the role ${yours}.`,
    gives: `An owner of ${organization.name} can change your role.`,
    byOwner: true,
  };
}

function listRoles(roles: readonly Role[]): string {
  const names = roles.map((role) => roleText(role).toLowerCase());
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}
