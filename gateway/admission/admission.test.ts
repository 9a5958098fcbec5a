import { type ClientRequest, request as httpRequest, type IncomingMessage, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Endpoint } from "@/lib/contract/catalog/manifest";
import { createApiKey } from "@/lib/server/accounts/credentials/manage-api-keys";
import { declaredRoutes } from "@/lib/server/installations/declared-routes";
import { upsertRoutes } from "@/lib/server/installations/queries";
import { givenInstance } from "@/tests/fake-app";
import {
  givenCredential,
  givenInstallation,
  givenListing,
  givenMember,
  givenTenant,
  SAMPLE_MANIFEST,
  testPlatform,
} from "@/tests/test-platform";
import { createGateway } from "../serve";
import { shareGateway } from "../share-gateway";
import type { Admission } from "./admit-request";

const platform = await testPlatform();
const ENDPOINTS: Endpoint[] = [{ path: "/form", methods: ["POST"], access: "public", title: "Form" }];
const MANIFEST = { ...SAMPLE_MANIFEST, core: { ...SAMPLE_MANIFEST.core, endpoints: ENDPOINTS } };
const FOREVER = 30_000;

let server: Server | undefined;
/** How many requests the gateway got, and those of them that have their places. */
let asked = 0;
let admitted: IncomingMessage[] = [];

function watch(admission: Admission): Admission {
  return {
    ...admission,
    admit: async (route, parts, exchange) => {
      asked += 1;
      await admission.admit(route, parts, exchange);
      admitted.push(exchange.request);
    },
  };
}

afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => server?.close(resolve));
});

type Share = Record<"total" | "each", number>;

/** A gateway in which each class has these places. */
async function startGateway(
  each: Share,
  others: { body?: Share; connections?: Share } = {},
): Promise<number> {
  const environment = {
    ...platform.environment,
    PLATFORM_SHARE_STATE: each,
    PLATFORM_SHARE_CALLS: each,
    PLATFORM_SHARE_EVENTS: each,
    PLATFORM_SHARE_ENDPOINTS: each,
    PLATFORM_SHARE_UPLOADS: each,
    PLATFORM_SHARE_OTHER: each,
    ...(others.body && { PLATFORM_SHARE_BODY_MB: others.body }),
    ...(others.connections && { PLATFORM_SHARE_CONNECTIONS: others.connections }),
  };
  admitted = [];
  asked = 0;
  const shared = shareGateway({ ...platform, environment });
  const started = createGateway({ ...platform, environment }, undefined, {
    ...shared,
    admission: watch(shared.admission),
  });
  server = started;
  await new Promise<void>((resolve) => started.listen(0, "127.0.0.1", resolve));
  const address = started.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

interface Asked {
  method: string;
  path: string;
  authorization?: string;
  body: string;
  /** Of the whole request, when it is complete. */
  status: number;
}

/** What an organization asks, by class. */
async function givenOrganization(slug: string): Promise<Record<string, Asked>> {
  const member = await givenMember(platform, slug);
  const options = { state: "PUBLIC", verified: true, manifest: MANIFEST } as const;
  const { version } = await givenListing(platform, member, options);
  const { tenant } = await givenTenant(platform, member);
  const credential = `pcc_test-credential-of-${slug}`;
  await givenCredential(platform, tenant.id, credential);
  const { installation, route } = await givenInstallation(platform, member, version, tenant.id);
  await upsertRoutes(platform.db, installation.id, declaredRoutes(MANIFEST, true));
  await platform.pool.query("update routes set opened_at = now() where kind = 'endpoint'");
  await givenInstance(platform, version.id, (response) => void response.end('{"fields":{}}'));
  const { clientId, apiKey } = await createApiKey(platform, member, "CI");
  const core = `Bearer ${credential}`;
  const publisher = `Basic ${Buffer.from(`${clientId}:${apiKey}`).toString("base64")}`;
  const app = `/publish/v1/apps/${slug}/vin-lookup`;
  const routeId = route("autofill").id;
  const event = { id: "e-1", type: "policy.issued", timestamp: new Date().toISOString(), data: {} };
  const post = { method: "POST", authorization: core };
  return {
    calls: { ...post, path: `/r/${routeId}`, body: '{"operation":"newBusiness.create"}', status: 200 },
    events: { ...post, path: "/core/v1/events", body: JSON.stringify(event), status: 202 },
    endpoints: { method: "POST", path: `/r/${installation.routeBase}/form`, body: "a=1", status: 200 },
    uploads: {
      method: "POST",
      path: `${app}/versions`,
      authorization: publisher,
      body: "not an archive",
      status: 400,
    },
    other: {
      method: "PUT",
      path: `${app}/manifest`,
      authorization: publisher,
      body: JSON.stringify({ text: "{", revision: 0 }),
      status: 200,
    },
  };
}

interface Answer {
  status: number;
  headers: IncomingMessage["headers"];
  body: string;
}

/** Sends all but the last byte of a request. */
function begin(
  port: number,
  asked: Asked | undefined,
): { finish: () => Promise<Answer>; answer: Promise<Answer> } {
  if (asked === undefined) throw new Error("no such class");
  const { method, path, authorization, body } = asked;
  const headers = {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    ...(authorization !== undefined && { authorization }),
  };
  let sent: ClientRequest | undefined;
  const answer = new Promise<Answer>((resolve, reject) => {
    sent = httpRequest({ host: "127.0.0.1", port, method, path, headers, agent: false }, (response) => {
      const { statusCode: status = 0, headers: answered } = response;
      text(response).then((whole) => resolve({ status, headers: answered, body: whole }), reject);
    });
    sent.once("error", reject);
    sent.write(body.slice(0, -1));
  });
  answer.catch(() => undefined);
  const finish = () => {
    sent?.end(body.slice(-1));
    return answer;
  };
  return { finish, answer };
}

const CLASSES = ["calls", "events", "endpoints", "uploads", "other"];
let harbor: Record<string, Asked>;
let alpine: Record<string, Asked>;
beforeEach(async () => {
  harbor = await givenOrganization("harbor");
  alpine = await givenOrganization("alpine");
});

/** Until so many requests have their places: only then is the next one too many. */
const untilAdmitted = (count = 1) => expect.poll(() => admitted.length, { interval: 5 }).toBe(count);

// Guarantee: in each class, an organization that uses up its share is refused with that reason, and another one is served.
test.each(CLASSES)(
  "one organization's %s are limited to its share",
  async (name) => {
    const port = await startGateway({ total: 2, each: 1 });
    const held = begin(port, harbor[name]);
    await untilAdmitted();
    const refused = await begin(port, harbor[name]).answer;
    expect(refused.status).toBe(429);
    expect(refused.headers).toMatchObject({
      "content-type": "application/problem+json",
      "retry-after": expect.stringMatching(/^[1-9]\d*$/),
    });
    expect(JSON.parse(refused.body)).toMatchObject({
      code: "TOO_MANY_REQUESTS",
      detail: expect.stringMatching(/^(This tenant|Your organization) has 1 /),
    });
    expect((await begin(port, alpine[name]).finish()).status).toBe(alpine[name]?.status);
    expect((await held.finish()).status).toBe(harbor[name]?.status);
  },
  FOREVER,
);

// Guarantee: a caller that the platform can't serve because of others learns that it is not at fault, and when to try again.
test.each(CLASSES)(
  "%s beyond all places get a 503",
  async (name) => {
    const port = await startGateway({ total: 1, each: 1 });
    const held = begin(port, harbor[name]);
    await untilAdmitted();
    const refused = await begin(port, alpine[name]).answer;
    expect(refused.status).toBe(503);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    expect(JSON.parse(refused.body)).toMatchObject({
      code: "OVERLOADED",
      detail: expect.stringMatching(/busy/),
    });
    expect((await held.finish()).status).toBe(harbor[name]?.status);
  },
  FOREVER,
);

// Guarantee: classes never wait for each other.
test(
  "a class whose places are used up doesn't affect the other classes",
  async () => {
    const port = await startGateway({ total: 1, each: 1 });
    const held = CLASSES.map((name) => begin(port, harbor[name]));
    await untilAdmitted(CLASSES.length);
    const health = await fetch(`http://127.0.0.1:${port}/health`);
    expect(health.status).toBe(200);
    expect((await fetch(`http://127.0.0.1:${port}/state/x`)).status).toBe(404);
    const answers = await Promise.all(held.map(({ finish }) => finish()));
    expect(answers.map(({ status }) => status)).toEqual(CLASSES.map((name) => harbor[name]?.status));
  },
  FOREVER,
);

// Guarantee: a request that waits for a place is served when one is free.
test("a request that waits a moment for a place is served", async () => {
  const port = await startGateway({ total: 1, each: 1 });
  const held = begin(port, harbor.calls);
  await untilAdmitted();
  const waiting = begin(port, alpine.calls).finish();
  await expect.poll(() => asked).toBe(2);
  expect((await held.finish()).status).toBe(200);
  expect((await waiting).status).toBe(200);
});

// Guarantee: invented credentials share what their address has, and never use up an organization's share.
test(
  "a flood of wrong credentials refuses nobody else",
  async () => {
    const port = await startGateway({ total: 8, each: 2 });
    const strangers = Array.from({ length: 40 }, (_, at) => {
      const authorization = `Bearer pcc_invented-credential-${at}`;
      return begin(port, { ...(harbor.events ?? never()), authorization }).answer;
    });
    const answers = await Promise.all([
      ...Array.from({ length: 2 }, () => begin(port, harbor.calls).finish()),
      begin(port, harbor.events).finish(),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 202]);
    const refused = await Promise.all(strangers);
    expect(refused.filter(({ status }) => status !== 401 && status !== 429)).toEqual([]);
  },
  FOREVER,
);

// Guarantee: bodies in memory are bounded for each organization.
test("an organization's concurrent bodies are limited", async () => {
  const port = await startGateway({ total: 8, each: 8 }, { body: { total: 2, each: 1 } });
  const large = (asked: Asked | undefined) => ({
    ...(asked ?? never()),
    body: `{"operation":"newBusiness.create","data":"${"x".repeat(700_000)}"}`,
  });
  const held = begin(port, large(harbor.calls));
  await expect.poll(() => admitted[0]?.socket.bytesRead).toBeGreaterThan(700_000);
  const refused = await begin(port, large(harbor.calls)).answer;
  expect(refused.status).toBe(429);
  expect(refused.headers["retry-after"]).toBeDefined();
  expect((await begin(port, large(alpine.calls)).finish()).status).toBe(200);
  expect((await held.finish()).status).toBe(200);
});

// Guarantee: a connection too many gets an answer instead of a reset.
test("connections beyond the limit of an address are answered", async () => {
  const port = await startGateway({ total: 8, each: 8 }, { connections: { total: 8, each: 2 } });
  const held = [begin(port, harbor.calls), begin(port, harbor.events)];
  await untilAdmitted(2);
  const refused = await begin(port, alpine.calls).answer;
  expect(refused).toMatchObject({ status: 429, headers: { connection: "close" } });
  expect(refused.body).toMatch(/Your address has 2 open connections/);
  expect((await Promise.all(held.map(({ finish }) => finish()))).map(({ status }) => status)).toEqual([
    200, 202,
  ]);
});

function never(): never {
  throw new Error("no such class");
}
