import type { IncomingMessage, ServerResponse } from "node:http";
import { ORGANIZATION_HEADER } from "@/lib/contract/platform/headers";
import { Problem } from "@/lib/contract/platform/problem";
import type { Actor } from "@/lib/domain/platform/actor";

/**
 * A page that was opened in one organization must not write to another one, because its user switched in another tab. Throws
 * ORGANIZATION_CHANGED. Requests that name no organization do not come from a page.
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
