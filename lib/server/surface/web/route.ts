import type { z } from "zod";
import { ORGANIZATION_PARAMETER } from "@/lib/contract/platform/headers";
import { parseInput, Problem, wrongMethod } from "@/lib/contract/platform/problem";
import { canBeStored, isId } from "@/lib/contract/platform/text";
import { admit, type Audience, ROUTE_POLICY, type RouteName } from "@/lib/domain/accounts/policy";
import { type Actor, isMember, type Member } from "@/lib/domain/platform/actor";
import { readActor } from "../../accounts/sessions";
import { databaseProblem, isDatabaseUnavailable, whileAvailable } from "../../platform/database/availability";
import type { Platform } from "../../platform/platform";
import { decodeBody, readBody } from "../../platform/requests/read-request";
import { webEnvironment, webPlatform } from "./platform";
import { checkOrganization, chooseOrganization } from "./refuse-request";
import { checkOrigin, currentActor } from "./session";

/** For routes without their own limit. Bundles go to the gateway. */
const BODY_BYTES = 2 * 1024 * 1024;

type AudienceOf<Name extends RouteName> = (typeof ROUTE_POLICY)[Name];

/** Input of a handler's `run`. The actor's type follows from the policy table. */
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
  /** The size limit of the body; 2 MiB by default. */
  bodyBytes?: number;
  /** Respond with 201. */
  created?: boolean;
  /** It answers while the database is away. It uses no session. */
  withoutSession?: boolean;
  /** Other senders than our pages may call it, because its URL proves what they may do. It uses no session. */
  anyOrigin?: boolean;
  run: (input: RunInput<Name, z.output<Schema>>) => unknown;
}

/** Next passes no params to a route without dynamic segments. */
interface Context {
  params: Promise<Record<string, string | string[] | undefined> | undefined>;
}

interface Handler {
  (request: Request, context: Context): Promise<Response>;
  /** Its row in the policy table, such as `PUT /api/account`. */
  routeName: RouteName;
}

/**
 * A route handler that authenticates by the policy table, parses the body, and delegates. A `Problem` becomes problem+json.
 * Any other error is a bug: logged once, and returned as a 500 without details.
 */
export function route<Name extends RouteName, Schema extends z.ZodType = z.ZodUndefined>(
  name: Name,
  options: RouteOptions<Name, Schema>,
): Handler {
  const audience: Audience = ROUTE_POLICY[name];
  const handle = async (request: Request, context: Context) => {
    const isRead = request.method === "GET" || request.method === "HEAD";
    try {
      const work = answer(request, context, isRead);
      return await (options.withoutSession === true ? work : whileAvailable(webPlatform(), work));
    } catch (error) {
      return respondWithProblem(error, { name, isRead });
    }
  };
  const answer = async (request: Request, context: Context, isRead: boolean) => {
    if (!isRead && options.anyOrigin !== true)
      checkOrigin(request.headers, webEnvironment().PLATFORM_WEB_URL);
    const current = options.withoutSession === true ? undefined : await currentActor();
    const readIn = async (organizationId: string) =>
      current && readActor(webPlatform(), current.sessionId, organizationId);
    const isOfOrganization = typeof audience !== "string";
    if (isOfOrganization) await checkOrganization(request.headers, current, readIn);
    // Downloads and streams of events send no header. Their addresses name the organization of their page.
    const named = isOfOrganization && isRead ? readQuery(request)[ORGANIZATION_PARAMETER] : undefined;
    const actor =
      named === undefined || current === undefined ? current : await chooseOrganization(named, readIn);
    checkAdmission(audience, actor);
    const params = Object.fromEntries(
      Object.entries((await context.params) ?? {}).map(([key, value]) => [
        key,
        Array.isArray(value) ? value.join("/") : (value ?? ""),
      ]),
    );
    checkParams(params);
    const body =
      options.body === undefined
        ? undefined
        : await parseBody(request, options.body, options.bodyBytes ?? BODY_BYTES);
    const member = actor !== undefined && isMember(actor) ? actor : undefined;
    // The policy admitted this actor, as the conditional types of RunInput require; the compiler cannot follow a table.
    const input = { platform: webPlatform(), params, body, request, actor, member } as RunInput<
      Name,
      z.output<Schema>
    >;
    return respond(await options.run(input), options.created === true ? 201 : 200);
  };
  return Object.assign(handle, { routeName: name });
}

/**
 * One handler for each method, for a catch-all segment named `path` below `/api`. The first route whose path matches answers, so
 * a literal segment goes before a parameter.
 */
export function serveRoutes(handlers: readonly Handler[]) {
  const routes = handlers
    .map((handler) => {
      const [method = "", path = ""] = handler.routeName.split(" ");
      return { handler, method, segments: path.split("/").slice(2) };
    })
    .sort((one, other) => countParams(one.segments) - countParams(other.segments));

  return async (request: Request, context: Context): Promise<Response> => {
    const asked = [(await context.params)?.path ?? []].flat();
    const found = routes.filter(({ segments }) => matches(segments, asked));
    const method = request.method === "HEAD" ? "GET" : request.method;
    const route = found.find((each) => each.method === method);
    if (route === undefined) return respondWithProblem(explainMiss(found.map((each) => each.method)));
    const params = route.segments.flatMap((segment, at) =>
      isParam(segment) ? [[segment.slice(1, -1), asked[at]]] : [],
    );
    return route.handler(request, { params: Promise.resolve(Object.fromEntries(params)) });
  };
}

const isParam = (segment: string) => segment.startsWith("[");
const countParams = (segments: readonly string[]) => segments.filter(isParam).length;

function matches(segments: readonly string[], asked: readonly string[]): boolean {
  return (
    segments.length === asked.length &&
    segments.every((segment, at) => isParam(segment) || segment === asked[at])
  );
}

/** @param allowed the methods that the path has; none if there is no such path */
const explainMiss = (allowed: readonly string[]) =>
  allowed.length === 0 ? new Problem("NOT_FOUND") : wrongMethod(allowed, `Use ${allowed.join(", ")}.`);

/** The last value of each query parameter, without those that PostgreSQL can't compare with anything. */
export function readQuery(request: Request): Record<string, string> {
  const pairs = [...new URL(request.url).searchParams];
  return Object.fromEntries(pairs.filter(([, value]) => canBeStored(value)));
}

function respond(value: unknown, status: number): Response {
  if (value instanceof Response) return value;
  if (value === undefined) return new Response(null, { status: 204 });
  return Response.json(value, { status, headers: { "cache-control": "no-store" } });
}

interface Refused {
  name?: RouteName;
  isRead?: boolean;
}

export function respondWithProblem(error: unknown, refused: Refused = {}): Response {
  const problem = toProblem(error, refused);
  const headers = new Headers({ "content-type": "application/problem+json", "cache-control": "no-store" });
  if (problem.allowed.length > 0) headers.set("allow", problem.allowed.join(", "));
  if (problem.retryAfterSeconds !== undefined) headers.set("retry-after", String(problem.retryAfterSeconds));
  return new Response(JSON.stringify(problem.body(webEnvironment().PLATFORM_WEB_URL)), {
    status: problem.status,
    headers,
  });
}

function toProblem(error: unknown, { name, isRead = true }: Refused): Problem {
  if (error instanceof Problem) return error;
  if (isDatabaseUnavailable(error)) return databaseProblem(isRead ? undefined : error);
  webPlatform().log.error({ err: error, route: name }, "a route handler failed");
  return new Problem("INTERNAL", "An unexpected error occurred and was logged. Try again in a moment.");
}

function checkAdmission(audience: Audience, actor: Actor | undefined): void {
  const admission = admit(audience, actor);
  if (admission === "not-signed-in")
    throw new Problem("NOT_SIGNED_IN", "Your session has ended. Sign in again.");
  if (admission === "second-factor-needed")
    throw new Problem(
      "SECOND_FACTOR_NEEDED",
      "Your organization requires two-factor sign-in. Set it up on your account page.",
    );
  if (admission === "not-allowed")
    throw new Problem("NOT_ALLOWED", "Your role does not allow this. Ask an owner of your organization.");
}

/** A text that can't be a name is not found, like any unknown name. */
function checkParams(params: Record<string, string>): void {
  if (Object.entries(params).some(([name, value]) => !canBeName(name, value))) throw new Problem("NOT_FOUND");
}

/** Whether this can be an id or a name: PostgreSQL refuses to compare anything else with its columns. */
export function canBeName(param: string, value: string): boolean {
  return param.endsWith("Id") ? isId(value) : canBeStored(value);
}

async function parseBody<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
  limit: number,
): Promise<z.output<Schema>> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json")
    throw new Problem("WRONG_MEDIA_TYPE", "Send JSON, with 'Content-Type: application/json'.");
  const tooLarge = `The request body is larger than ${Math.floor(limit / 1024 / 1024)} MiB.`;
  return parseInput(schema, decodeBody(await readBody(request, { bytes: limit, tooLarge })));
}
