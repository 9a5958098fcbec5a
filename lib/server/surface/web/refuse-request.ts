import type { IncomingMessage, ServerResponse } from "node:http";
import { ORGANIZATION_HEADER } from "@/lib/contract/platform/headers";
import { Problem } from "@/lib/contract/platform/problem";
import { isId } from "@/lib/contract/platform/text";
import type { Actor } from "@/lib/domain/platform/actor";

/** Reads the user of a session in another of their organizations. */
type ReadIn = (organizationId: string) => Promise<Actor | undefined>;

/**
 * A page that was opened in one organization must not write to another one, because its user switched in another tab. Throws
 * ORGANIZATION_CHANGED, or NOT_A_MEMBER if the user can't switch back. Requests that name no organization do not come from a page.
 */
export async function checkOrganization(
  headers: Headers,
  actor: Pick<Actor, "organization"> | undefined,
  readIn: ReadIn,
): Promise<void> {
  const shown = headers.get(ORGANIZATION_HEADER);
  if (shown === null || actor === undefined || shown === actor.organization?.id) return;
  await chooseOrganization(shown, readIn);
  const now =
    actor.organization === undefined ? "" : `You are now working in ${actor.organization.name}, but `;
  throw new Problem(
    "ORGANIZATION_CHANGED",
    `${now}this page belongs to another organization, so nothing was changed. Switch back in another tab and try again, or reload this page.`,
  );
}

/** The user in the organization that an address names. The same refusal for one that does not exist. */
export async function chooseOrganization(organizationId: string, readIn: ReadIn): Promise<Actor> {
  const actor = isId(organizationId) ? await readIn(organizationId) : undefined;
  if (actor?.organization !== undefined) return actor;
  throw new Problem(
    "NOT_A_MEMBER",
    "You are not, or no longer, a member of the organization that this belongs to, so nothing was changed. Ask one of its owners for a new invitation.",
  );
}

/** Next can't create a request with these methods, and would respond with a 500. */
const FORBIDDEN = new Set(["CONNECT", "TRACE", "TRACK"]);

/** Responds with a 405 if the method is one that no route can have. True if it did. */
export function refuseMethod(request: IncomingMessage, response: ServerResponse, webUrl: string): boolean {
  const { method = "" } = request;
  if (!FORBIDDEN.has(method)) return false;
  const problem = new Problem("WRONG_METHOD", `${method} is not supported. Use GET, POST, PUT, or DELETE.`);
  response.writeHead(problem.status, {
    "content-type": "application/problem+json",
    allow: "GET, POST, PUT, DELETE",
  });
  response.end(JSON.stringify(problem.body(webUrl)));
  return true;
}
