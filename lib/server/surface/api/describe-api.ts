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
  "UNAVAILABLE",
];
const ANY_METHODS = ["get", "post", "put", "patch", "delete"] as const;
const RETRIES: ReadonlySet<number> = new Set([429, 503]);

/**
 * The OpenAPI 3.1 description of the gateway: the state API, the core's API, and the publish API. @param server the gateway's URL @param webUrl the URL of the pages, which document the codes
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
    tags: [
      { name: "State", description: "For apps: which customer a request is for." },
      { name: "Core", description: "For the policy-administration system." },
      { name: "Endpoints", description: "For browsers and third parties." },
      { name: "Publish", description: "For the command line and CI." },
      { name: "Platform", description: "For operators, and for those who verify tokens." },
    ],
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
    const [method = "", pattern = ""] = route.name.split(" ");
    const path = pattern.replace(/<(\w+)(?:\.\.\.)?>/g, "{$1}");
    const methods = method === "ANY" ? ANY_METHODS : [method.toLowerCase()];
    for (const name of methods) {
      const described = describeOperation(route, name, webUrl);
      paths[path] = { ...paths[path], [name]: described };
    }
  }
  return paths;
}

function describeOperation(route: Route, method: string, webUrl: string): ZodOpenApiOperationObject {
  const { tag, summary, description, parameters, query, body, status, answer, problems } = route;
  const { security } = route.credential;
  const refusals = [...problems, ...ALWAYS];
  if (security.length > 0) refusals.push("WRONG_CREDENTIALS");
  const takesBody = body !== undefined && method !== "get" && method !== "delete";
  const path = Object.entries(parameters ?? {}).map(
    ([name, text]) => [name, z.string().meta({ description: text })] as const,
  );
  return {
    operationId: toOperationId(summary, method, route.name),
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    security,
    requestParams: {
      ...(path.length === 0 ? {} : { path: z.object(Object.fromEntries(path)) }),
      ...(query === undefined ? {} : { query }),
    },
    ...(takesBody ? { requestBody: { required: true, content: describeContent(body.content) } } : {}),
    responses: {
      [`${status}`]: {
        description: "Done.",
        ...(answer.content === undefined ? {} : { content: describeContent(answer.content) }),
      },
      ...describeRefusals(refusals, webUrl),
    },
  };
}

function describeContent({ type, schema, example }: Content) {
  return { [type]: example === undefined ? { schema } : { schema, example } };
}

/** One response for each status, with the codes that it can have. */
function describeRefusals(codes: readonly ProblemCode[], webUrl: string) {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of new Set(codes))
    byStatus.set(PROBLEM_STATUS[code], [...(byStatus.get(PROBLEM_STATUS[code]) ?? []), code]);
  return Object.fromEntries(
    [...byStatus].map(([status, ofStatus]) => [
      `${status}`,
      {
        description: ofStatus.join(", "),
        ...(RETRIES.has(status) ? { headers: RETRY_AFTER } : {}),
        content: {
          "application/problem+json": {
            schema: problemShape(ofStatus),
            examples: Object.fromEntries(
              ofStatus.map((code) => [code, { value: new Problem(code).body(webUrl) }]),
            ),
          },
        },
      },
    ]),
  );
}

const RETRY_AFTER = {
  "Retry-After": { description: "Seconds to wait.", schema: { type: "integer" as const }, required: true },
};

/** `Send an event` becomes `sendAnEvent`. */
function toOperationId(summary: string, method: string, route: string): string {
  const words = summary.split(" ").map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase());
  const name = words.join("");
  const id = name.charAt(0).toLowerCase() + name.slice(1);
  return route.startsWith("ANY ") ? `${id}By${method.charAt(0).toUpperCase()}${method.slice(1)}` : id;
}
