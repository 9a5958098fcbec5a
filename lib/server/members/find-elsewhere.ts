import type { Actor } from "@/lib/domain/actor";
import { PAGE_POLICY, type Audience, type PagePath } from "@/lib/domain/policy";
import type { Platform } from "../platform/platform";
import { selectOwnerAmong, type OwnedObject } from "./elsewhere-queries";

/**
 * The organization that a page belongs to, if it is not the one in which the person works now, but one in which they may open the
 * page. For everybody else the page does not exist.
 */
export async function findElsewhere(
  { db }: Platform,
  { userId, organization }: Actor,
  path: PagePath,
  params: Record<string, string>,
): Promise<string | undefined> {
  const audience: Audience = PAGE_POLICY[path];
  const object = toObject(path, params);
  if (typeof audience === "string" || object === undefined) return undefined;
  return selectOwnerAmong(db, { userId, except: organization?.id, roles: audience }, object);
}

function toObject(path: PagePath, params: Record<string, string>): OwnedObject | undefined {
  const { installationId, tenantId, attemptId, app } = params;
  if (installationId !== undefined) return { kind: "installation", id: installationId };
  if (tenantId !== undefined) return { kind: "tenant", id: tenantId };
  if (attemptId !== undefined) return { kind: "attempt", id: attemptId };
  if (app !== undefined && path.startsWith("/publish/")) return { kind: "app", name: app };
  return undefined;
}
