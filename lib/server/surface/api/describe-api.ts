import * as z from "zod";
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from "zod-openapi";
import { problemShape } from "@/lib/contract/calls/gateway-answers";
import { Problem, PROBLEM_STATUS, type ProblemCode } from "@/lib/contract/platform/problem";
import type { Content, Route } from "./routes/route";

/** Any route can return these. */
const ALWAYS: readonly ProblemCode[] = [
  "WRONG_METHOD",
  "TOO_MANY_REQUESTS",
  "INTERNAL",
  "OVERLOADED",
  "DATABASE_UNAVAILABLE",
  "UNAVAILABLE",
];
const ANY_METHODS = ["get", "post", "put", "patch", "delete"] as const;
const RETRIES: ReadonlySet<number> = new Set([429, 503]);

export const TAGS: { name: Route["credential"]["tag"]; description: string }[] = [
  { name: "State", description: "For apps: which customer a request is for." },
  { name: "Core", description: "For the policy-administration system." },
  { name: "Endpoints", description: "For browsers and third parties." },
  { name: "Publish", description: "For the command line and CI." },
  { name: "Platform", description: "For operators, and for those who verify tokens." },
];

/**
 * The OpenAPI 3.1 description of the gateway: the state API, the core's API, and the publish API.
 * @param server the gateway's URL
 * @param webUrl the URL of the pages, which document the codes
 */
export function describeApi(routes: readonly Route[], server: string, webUrl: string) {
  return createDocument({
    openapi: "3.1.0",
    info: {
      title: "App Hosting Platform",
      version: "1",
      description:
        "The API for machines: apps, cores, and publishers' tools. Every error is `application/problem+json` with a " +
        "stable `code`. Its `type` is the URL of the code's entry in the documentation.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: server }],
    tags: TAGS,
    components: {
      securitySchemes: {
        core: { type: "http", scheme: "bearer", description: "The tenant's core credential (`pcc_…`)." },
        publisher: { type: "http", scheme: "basic", description: "Client ID and API key." },
      },
    },
    paths: describePaths(routes, webUrl),
  });
}

function describePaths(routes: readonly Route[], webUrl: string): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {};
  for (const route of routes) {
    const { path, methods } = splitName(route);
    for (const name of methods) {
      const described = describeOperation(route, name, webUrl);
      paths[path] = { ...paths[path], [name]: described };
    }
  }
  return paths;
}

/** A route for any method is an operation for each. */
export function splitName({ name }: Route): { path: string; methods: readonly string[] } {
  const [method = "", pattern = ""] = name.split(" ");
  const path = pattern.replace(/<(\w+)(?:\.\.\.)?>/g, "{$1}");
  return { path, methods: method === "ANY" ? ANY_METHODS : [method.toLowerCase()] };
}

function describeOperation(route: Route, method: string, webUrl: string): ZodOpenApiOperationObject {
  const { credential, summary, description, query, status = 200, answer } = route;
  const body = contentOfBody(route, method);
  const path = listParameters(route).map(([name, text]) => [name, z.string().meta({ description: text })]);
  return {
    operationId: toOperationId(route, method),
    tags: [credential.tag],
    summary,
    ...(description === undefined ? {} : { description }),
    security: credential.security,
    requestParams: {
      ...(path.length === 0 ? {} : { path: z.object(Object.fromEntries(path)) }),
      ...(query === undefined ? {} : { query }),
    },
    ...(body === undefined ? {} : { requestBody: { required: true, content: describeContent(body) } }),
    responses: {
      [`${status}`]: {
        description: "Done.",
        ...(answer.content === undefined ? {} : { content: describeContent(answer.content) }),
      },
      ...describeRefusals(route, webUrl),
    },
  };
}

export function contentOfBody({ body }: Route, method: string): Content | undefined {
  return method === "get" || method === "delete" ? undefined : body?.content;
}

const APP = { organization: "The publishing organization's slug.", app: "The app's name." };

/** The placeholders of the path, with what they stand for. */
export function listParameters({ name, parameters }: Route): [name: string, description: string][] {
  const texts: Record<string, string | undefined> = { ...APP, ...parameters };
  return [...name.matchAll(/<(\w+)/g)].map(([, placeholder = ""]) => {
    const text = texts[placeholder];
    if (text === undefined) throw new Error(`${name} does not describe ${placeholder}`);
    return [placeholder, text];
  });
}

function describeContent({ type, schema, example }: Content) {
  return { [type]: example === undefined ? { schema } : { schema, example } };
}

/** One response for each status, with the codes that it can have. */
function describeRefusals(route: Route, webUrl: string) {
  return Object.fromEntries(
    [...listProblems(route)].map(([status, codes]) => [
      `${status}`,
      {
        description: codes.join(", "),
        ...(RETRIES.has(status) ? { headers: RETRY_AFTER } : {}),
        content: {
          "application/problem+json": {
            schema: problemShape(codes),
            examples: Object.fromEntries(
              codes.map((code) => [code, { value: new Problem(code).body(webUrl) }]),
            ),
          },
        },
      },
    ]),
  );
}

/** By status. */
export function listProblems({ credential, query, body, problems = [] }: Route): Map<number, ProblemCode[]> {
  const byStatus = new Map<number, ProblemCode[]>();
  const codes = new Set<ProblemCode>([
    ...credential.problems,
    ...(query === undefined ? [] : (["BAD_INPUT"] as const)),
    ...(body?.problems ?? []),
    ...problems,
    ...ALWAYS,
  ]);
  for (const code of codes)
    byStatus.set(PROBLEM_STATUS[code], [...(byStatus.get(PROBLEM_STATUS[code]) ?? []), code]);
  return byStatus;
}

const RETRY_AFTER = {
  "Retry-After": { description: "Seconds to wait.", schema: { type: "integer" as const }, required: true },
};

/** `Send an event` becomes `sendAnEvent`. */
export function toOperationId({ name: route, summary }: Route, method: string): string {
  const words = summary.split(" ").map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase());
  const name = words.join("");
  const id = name.charAt(0).toLowerCase() + name.slice(1);
  return route.startsWith("ANY ") ? `${id}By${method.charAt(0).toUpperCase()}${method.slice(1)}` : id;
}
