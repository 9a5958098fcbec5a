import type { Server } from "node:http";
import Ajv, { type ValidateFunction } from "ajv/dist/2020";
import { v7 } from "uuid";
import { afterEach, beforeEach, expect, test } from "vitest";
import * as z from "zod";
import { PROBLEM_STATUS } from "@/lib/contract/platform/problem";
import { createApiKey } from "@/lib/server/accounts/credentials/manage-api-keys";
import { sealStateKey } from "@/lib/server/platform/state-key";
import { describeApi } from "@/lib/server/surface/api/describe-api";
import { ROUTES } from "@/lib/server/surface/api/all-routes";
import { givenInstance } from "@/tests/fake-app";
import {
  givenCredential,
  givenInstalledApp,
  givenListing,
  SAMPLE_APP,
  testPlatform,
} from "@/tests/test-platform";
import { createGateway } from "./serve";

const platform = await testPlatform();
const CREDENTIAL = "pcc_test-credential-of-a-core";

const parameter = z.object({ name: z.string(), in: z.enum(["path", "query", "header", "cookie"]) });
const media = z.looseObject({ schema: z.record(z.string(), z.unknown()) });
const operation = z.looseObject({
  operationId: z.string(),
  summary: z.string(),
  description: z.string().optional(),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  parameters: z.array(parameter).default([]),
  requestBody: z.looseObject({ content: z.record(z.string(), media) }).optional(),
  responses: z.record(
    z.string(),
    z.looseObject({ description: z.string(), content: z.record(z.string(), media).default({}) }),
  ),
});
const shape = z.looseObject({
  openapi: z.literal("3.1.0"),
  info: z.looseObject({ title: z.string(), version: z.string() }),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.looseObject({ securitySchemes: z.record(z.string(), z.unknown()) }),
});

const json: unknown = JSON.parse(
  JSON.stringify(describeApi(ROUTES, "https://gateway.example", "https://platform.example")),
);
const document = shape.parse(json);
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, described]) => ({ path, method, described })),
);
const ajv = new Ajv({ strict: false, validateFormats: false });
ajv.addSchema({ $id: "api", ...document });

function compile(schema: object): ValidateFunction {
  // References of the document's schemas are relative to the document.
  return ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/')));
}

// Guarantee: the description has every route of the gateway with the credential that the route requires, and no other.
test("every gateway route is described with its credential", () => {
  const described = new Set(operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`));
  for (const { name: route, credential } of ROUTES) {
    const [method = "", pattern = ""] = route.split(" ");
    const path = pattern.replace(/<(\w+)(?:\.\.\.)?>/g, "{$1}");
    const of = operations.filter(
      (each) => each.path === path && (method === "ANY" || each.method === method.toLowerCase()),
    );
    expect(of.length, route).toBe(method === "ANY" ? 5 : 1);
    for (const each of of) {
      described.delete(`${each.method.toUpperCase()} ${path}`);
      const [scheme = "", scope] = credential.name.split(" ");
      const expected: Record<string, unknown> = {
        nothing: [],
        "state-key": [],
        "core-credential": [{ core: [] }],
        "api-key": [{ publisher: [] }],
        "as-declared": [{}, { core: [] }],
      };
      expect(each.described.security, route).toEqual(expected[scheme]);
      if (scope !== undefined) expect(each.described.description).toContain(`needs the scope \`${scope}\``);
    }
  }
  expect([...described]).toEqual([]);
});

// Guarantee: the description is valid: tools can read it, and its examples are what it says.
test("the description is consistent, and its examples match its schemas", () => {
  const ids = operations.map(({ described }) => described.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { path, described } of operations) {
    const inPath = described.parameters.filter((each) => each.in === "path").map(({ name }) => name);
    expect([...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])).toEqual(inPath);
    for (const schemes of described.security)
      for (const scheme of Object.keys(schemes))
        expect(Object.keys(document.components.securitySchemes)).toContain(scheme);
    const contents = [
      described.requestBody?.content,
      ...Object.values(described.responses).map((each) => each.content),
    ];
    for (const each of contents.flatMap((content) => Object.values(content ?? {}))) {
      const validate = compile(each.schema);
      const { example, examples } = z
        .object({
          example: z.unknown().optional(),
          examples: z.record(z.string(), z.object({ value: z.unknown() })).default({}),
        })
        .parse(each);
      const all = [
        ...(example === undefined ? [] : [example]),
        ...Object.values(examples).map(({ value }) => value),
      ];
      for (const value of all)
        expect(validate(value), `${described.operationId}: ${JSON.stringify(validate.errors)}`).toBe(true);
    }
  }
});

let server: Server;
let base: string;
beforeEach(async () => {
  server = createGateway(platform);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  base = typeof address === "object" && address !== null ? `http://127.0.0.1:${address.port}` : "";
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

/** Sends a request, and checks its answer against the description. @returns the status */
async function send(
  method: string,
  path: string,
  values: Record<string, string>,
  init: RequestInit = {},
): Promise<number> {
  const url = base + path.replace(/\{(\w+)\}/g, (_all, name: string) => values[name] ?? "");
  const answer = await fetch(url, { method, ...init });
  const described = document.paths[path]?.[method.toLowerCase()]?.responses[String(answer.status)];
  const type = answer.headers.get("content-type") ?? "";
  const text = await answer.text();
  expect(described, `${method} ${path}: ${answer.status} ${text}`).toBeDefined();
  const schema = described?.content[type]?.schema;
  expect(schema, `${method} ${path}: ${answer.status} ${type}`).toBeDefined();
  const validate = compile(schema ?? {});
  expect(validate(JSON.parse(text)), `${text} ${JSON.stringify(validate.errors)}`).toBe(true);
  if (answer.status >= 400)
    expect(z.object({ code: z.enum(Object.keys(PROBLEM_STATUS)) }).parse(JSON.parse(text))).toBeDefined();
  return answer.status;
}

// Guarantee: the description is true: what the gateway really answers has the status, the type and the shape that it says.
test("real answers of the gateway match the description", async () => {
  const { publisher, version, tenant, installation, route } = await givenInstalledApp(platform);
  await givenCredential(platform, tenant.id, CREDENTIAL);
  const routeId = route("autofill").id;
  const content = { installationId: installation.id, routeId, attemptId: v7(), revision: 1, epoch: 0 };
  const key = sealStateKey(platform.keyring, { ...content, expiresAt: new Date(Date.now() + 60_000) });
  const { clientId, apiKey } = await createApiKey(platform, publisher, "CI");
  const core = { authorization: `Bearer ${CREDENTIAL}`, "content-type": "application/json" };
  const basic = { authorization: `Basic ${Buffer.from(`${clientId}:${apiKey}`).toString("base64")}` };

  expect(await send("GET", "/health", {})).toBe(200);
  expect(await send("GET", "/.well-known/jwks.json", {})).toBe(200);
  expect(await send("GET", "/openapi.json", {})).toBe(200);
  expect(await send("GET", "/state/{key}", { key })).toBe(200);
  expect(await send("GET", "/state/{key}", { key: "nonsense" })).toBe(404);
  expect([200, 404]).toContain(await send("GET", "/state/{key}/webhook-secrets", { key }));

  const event = (data: unknown) =>
    JSON.stringify({ id: "e-1", type: "policy.issued", timestamp: "2026-01-31T12:00:00Z", data });
  const sendEvent = (headers: HeadersInit, body: string) =>
    send("POST", "/core/v1/events", {}, { headers, body });
  expect(await sendEvent(core, event(1))).toBe(202);
  expect(await sendEvent(core, event(1))).toBe(202);
  expect(await sendEvent(core, event(2))).toBe(409);
  expect(await sendEvent(core, "{}")).toBe(400);
  expect(await sendEvent({ ...core, "content-type": "text/plain" }, event(1))).toBe(415);
  expect(await sendEvent({ ...core, authorization: "Bearer no" }, event(1))).toBe(401);

  const call = (body: string, id = routeId) =>
    send("POST", "/r/{routeId}", { routeId: id }, { headers: core, body });
  const operationBody = '{"operation":"newBusiness.create"}';
  expect([502, 503]).toContain(await call(operationBody));
  await givenInstance(platform, version.id, (response) => void response.end('{"vin":"x"}'));
  expect(await call(operationBody)).toBe(200);
  expect(await call('{"operation":"other.thing"}')).toBe(400);
  expect(await call(operationBody, v7())).toBe(404);

  expect(await send("GET", "/publish/v1/whoami", {}, { headers: basic })).toBe(200);
  expect(await send("GET", "/publish/v1/whoami", {})).toBe(401);
  const draft = "/publish/v1/apps/{organization}/{app}/manifest";
  const push = (text: string, revision: number) =>
    send("PUT", draft, SAMPLE_APP, {
      headers: { ...basic, "content-type": "application/json" },
      body: JSON.stringify({ text, revision }),
    });
  expect(await send("GET", draft, SAMPLE_APP, { headers: basic })).toBe(200);
  expect(await push("{", 0)).toBe(200);
  expect(await push("[", 0)).toBe(409);
  expect(await send("GET", draft, { ...SAMPLE_APP, app: "none" }, { headers: basic })).toBe(404);
  await givenListing(platform, publisher, { appName: "draft" });
  const notes = (appName: string, number: string, body: object) => {
    const path = "/publish/v1/apps/{organization}/{app}/versions/{version}/notes";
    const headers = { ...basic, "content-type": "application/json" };
    const values = { organization: "acme", app: appName, version: number };
    return send("PUT", path, values, { headers, body: JSON.stringify(body) });
  };
  expect(await notes("draft", "1.4.0", { notes: "Faster." })).toBe(200);
  expect(await notes("draft", "1.4.0", {})).toBe(400);
  expect(await notes("draft", "9.0.0", { notes: "Faster." })).toBe(404);
  // It is verified.
  expect(await notes("vin-lookup", "1.4.0", { notes: "Faster." })).toBe(409);
  const versions = "/publish/v1/apps/{organization}/{app}/versions";
  expect(await send("POST", versions, SAMPLE_APP, { headers: basic, body: "no archive" })).toBe(400);
});
