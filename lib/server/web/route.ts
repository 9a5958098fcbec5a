import type { z } from "zod";
import { parseInput } from "@/lib/contract/parse-json";
import { isId } from "@/lib/contract/names";
import { Problem } from "@/lib/contract/problem";
import { isMember, type Actor, type Member } from "@/lib/domain/actor";
import { admit, ROUTE_POLICY, type Audience, type RouteName } from "@/lib/domain/policy";
import type { Platform } from "../platform/platform";
import { currentActor } from "./auth-options";
import { webEnvironment, webPlatform } from "./platform";

/** Bodies of pages' requests are small, unless a route says otherwise; bundles go to the gateway. */
const BODY_BYTES = 2 * 1024 * 1024;

type AudienceOf<Name extends RouteName> = (typeof ROUTE_POLICY)[Name];

/** What a handler's `run` gets: the actor's type follows from the policy table's row. */
export type RunInput<Name extends RouteName, Body> = {
  platform: Platform;
  params: Record<string, string>;
  body: Body;
  request: Request;
  actor: AudienceOf<Name> extends "public" ? Actor | undefined : Actor;
  member: AudienceOf<Name> extends readonly unknown[] ? Member : Member | undefined;
};

interface RouteOptions<Name extends RouteName, Schema extends z.ZodType> {
  body?: Schema;
  /** The most that a body may have, where that is not 2 MiB. */
  bodyBytes?: number;
  /** Answer 201. */
  created?: boolean;
  run: (input: RunInput<Name, z.output<Schema>>) => unknown;
}

/** Next gives a route without dynamic parts no params at all. */
type Handler = (
  request: Request,
  context: { params: Promise<Record<string, string | string[] | undefined> | undefined> },
) => Promise<Response>;

/**
 * A route handler as an adapter: authenticate by the policy table's row, parse, delegate.
 * A `Problem` becomes problem+json; anything else is a bug: logged once, answered as a bare 500.
 */
export function route<Name extends RouteName, Schema extends z.ZodType = z.ZodUndefined>(
  name: Name,
  options: RouteOptions<Name, Schema>,
): Handler {
  const audience: Audience = ROUTE_POLICY[name];
  return async (request, context) => {
    try {
      if (request.method !== "GET" && request.method !== "HEAD") checkOrigin(request);
      const actor = await currentActor();
      refuseUnlessAdmitted(audience, actor);
      const params = Object.fromEntries(
        Object.entries((await context.params) ?? {}).map(([key, value]) => [
          key,
          Array.isArray(value) ? value.join("/") : (value ?? ""),
        ]),
      );
      refuseSenselessIds(params);
      const body =
        options.body === undefined
          ? undefined
          : await parseBody(request, options.body, options.bodyBytes ?? BODY_BYTES);
      const member = actor !== undefined && isMember(actor) ? actor : undefined;
      // The row admitted this actor, which is what the conditional types of RunInput say; the compiler cannot follow a table.
      const input = { platform: webPlatform(), params, body, request, actor, member } as RunInput<
        Name,
        z.output<Schema>
      >;
      return answer(await options.run(input), options.created === true ? 201 : 200);
    } catch (error) {
      return refusal(error, name);
    }
  };
}

function answer(value: unknown, status: number): Response {
  if (value instanceof Response) return value;
  if (value === undefined) return new Response(null, { status: 204 });
  return Response.json(value, { status, headers: { "cache-control": "no-store" } });
}

function refusal(error: unknown, name: RouteName): Response {
  if (!(error instanceof Problem))
    webPlatform().log.error({ err: error, route: name }, "a route handler broke");
  const problem =
    error instanceof Problem
      ? error
      : new Problem("INTERNAL", "This is our fault, and it is in our log. Try again in a moment.");
  const headers = { "content-type": "application/problem+json", "cache-control": "no-store" };
  return new Response(JSON.stringify(problem.body()), { status: problem.status, headers });
}

function refuseUnlessAdmitted(audience: Audience, actor: Actor | undefined): void {
  const admission = admit(audience, actor);
  if (admission === "not-signed-in")
    throw new Problem("NOT_SIGNED_IN", "Sign in first: your session has ended.");
  if (admission === "not-allowed")
    throw new Problem("NOT_ALLOWED", "Your role does not allow this. Ask an owner of your organization.");
}

/** What cannot be an id of ours is absent, like any id that nothing has. */
function refuseSenselessIds(params: Record<string, string>): void {
  const senseless = Object.entries(params).some(([name, value]) => name.endsWith("Id") && !isId(value));
  if (senseless) throw new Problem("NOT_FOUND");
}

/** Browsers send `Origin` with every mutation and pages cannot forge it; `Origin: null` and foreign ones are refused. */
function checkOrigin(request: Request): void {
  const own = new URL(webEnvironment().PLATFORM_WEB_URL).origin;
  if (request.headers.get("origin") === own) return;
  throw new Problem("WRONG_ORIGIN", `This request must come from a page of ${own}.`);
}

async function parseBody<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
  most: number,
): Promise<z.output<Schema>> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json")
    throw new Problem("WRONG_MEDIA_TYPE", "Send JSON, with 'Content-Type: application/json'.");
  return parseInput(schema, await readText(request, most));
}

async function readText(request: Request, most: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > most)
      throw new Problem("TOO_LARGE", `The request has more than ${Math.floor(most / 1024 / 1024)} MiB.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
