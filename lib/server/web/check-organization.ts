import { ORGANIZATION_HEADER } from "@/lib/contract/organization-header";
import { Problem } from "@/lib/contract/problem";
import type { Actor } from "@/lib/domain/actor";

/**
 * A page that was opened in one organization must not write to another one, because its user switched in another tab. Throws
 * ORGANIZATION_CHANGED. Requests that name no organization come from no page.
 */
export function checkOrganization(headers: Headers, actor: Pick<Actor, "organization"> | undefined): void {
  const shown = headers.get(ORGANIZATION_HEADER);
  if (shown === null || actor === undefined || shown === actor.organization?.id) return;
  const now =
    actor.organization === undefined
      ? "You are no longer a member of this page's organization"
      : `You are now working in ${actor.organization.name}, but this page belongs to another organization`;
  throw new Problem(
    "ORGANIZATION_CHANGED",
    `${now}, so nothing was changed. Switch back in another tab and try again, or reload this page.`,
  );
}
