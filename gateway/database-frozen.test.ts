/** Requests of a gateway whose PostgreSQL is really frozen: it accepts connections, keeps those that it has, and answers nothing. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { events } from "@/drizzle/schema/calls";
import { createApiKey } from "@/lib/server/accounts/credentials/manage-api-keys";
import { readEnvironment } from "@/lib/server/platform/environment";
import { newMasterKey } from "@/lib/server/platform/keyring";
import type { Platform } from "@/lib/server/platform/platform";
import { sealStateKey } from "@/lib/server/platform/state-key";
import { closePlatform, createPlatform } from "@/lib/server/surface/create-platform";
import { basic } from "@/tests/matrix/world";
import { startTemporaryDatabase, type TemporaryDatabase } from "@/tests/temporary-database";
import { givenInstance } from "@/tests/fake-app";
import { givenCredential, givenInstalledApp } from "@/tests/test-platform";
import { createGateway } from "./serve";
import { shareGateway } from "./share-gateway";

/** Of synchronous calls, as docs/guide/calls.md promises: the shortest of all. */
const DEADLINE_MS = 10_000;
/** Requests of each kind at once: fewer than an organization may have in progress. */
const EACH = 3;
/** Events with the same id must be the same. */
const AT = "2026-11-28T08:00:00.000Z";
const CREDENTIAL = "pcc_test-credential-of-a-core";
let database: TemporaryDatabase;
let platform: Platform;
let base: string;
let close: () => Promise<void>;
let requests: Record<string, (id: string) => Promise<Answered>>;

beforeAll(async () => {
  database = await startTemporaryDatabase("frozen");
  const variables = {
    DATABASE_URL: `${database.server}/frozen`,
    PLATFORM_MASTER_KEYS: newMasterKey("k1"),
    PLATFORM_LOG_LEVEL: "silent",
  };
  platform = createPlatform(readEnvironment(variables), "gateway");
  const shared = shareGateway(platform, true);
  const server = createGateway(platform, undefined, shared);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  base = typeof address === "object" && address !== null ? `http://127.0.0.1:${address.port}` : "";
  close = async () => {
    server.close();
    server.closeAllConnections();
    for (const each of shared.platforms.values()) await closePlatform(each);
    await closePlatform(platform);
  };
  requests = await givenRequests();
}, 120_000);

afterAll(async () => {
  await close();
  await database.stop();
});

interface Answered {
  status: number;
  code: unknown;
  retryAfter: string | null;
  ms: number;
}

async function ask(path: string, init?: RequestInit): Promise<Answered> {
  const startedAt = performance.now();
  const response = await fetch(`${base}${path}`, init);
  const body: unknown = await response.json();
  const code = typeof body === "object" && body !== null && "code" in body ? body.code : undefined;
  const retryAfter = response.headers.get("retry-after");
  return { status: response.status, code, retryAfter, ms: performance.now() - startedAt };
}

/** One of each kind of work; each needs the database. */
async function givenRequests() {
  const { publisher, tenant, version, installation, route } = await givenInstalledApp(platform);
  await givenInstance(platform, version.id, (response) => void response.end("{}"));
  await givenCredential(platform, tenant.id, CREDENTIAL);
  const apiKey = await createApiKey(platform, publisher, "CI");
  const core = { authorization: `Bearer ${CREDENTIAL}`, "content-type": "application/json" };
  const publish = { authorization: basic(apiKey), "content-type": "application/json" };
  const ids = { installationId: installation.id, routeId: route("autofill").id };
  const content = { ...ids, attemptId: installation.id, revision: 1, epoch: 0 };
  const app = `/publish/v1/apps/${publisher.organization.slug}/vin-lookup`;
  const requests: Record<string, (id: string) => Promise<Answered>> = {
    call: () =>
      ask(`/r/${ids.routeId}`, {
        method: "POST",
        headers: core,
        body: JSON.stringify({ operation: "newBusiness.quote" }),
      }),
    event: (id) =>
      ask("/core/v1/events", {
        method: "POST",
        headers: core,
        body: JSON.stringify({ id, type: "policy.issued", timestamp: AT, data: {} }),
      }),
    state: () =>
      ask(
        `/state/${sealStateKey(platform.keyring, { ...content, expiresAt: new Date(Date.now() + 60_000) })}`,
      ),
    whoami: () => ask("/publish/v1/whoami", { headers: publish }),
    status: () => ask(`${app}/status`, { headers: publish }),
    versions: () => ask(`${app}/versions`, { headers: publish }),
    publish: () => ask(`${app}/manifest`, { method: "PUT", headers: publish, body: "{}" }),
  };
  return requests;
}

async function askAll(round: string): Promise<[string, Answered][]> {
  const asked = Object.entries(requests).flatMap(([name, send]) =>
    Array.from({ length: EACH }, async (_, n): Promise<[string, Answered]> => [
      name,
      await send(`${round}-${n}`),
    ]),
  );
  return Promise.all(asked);
}

const AWAY = { status: 503, code: "DATABASE_UNAVAILABLE", retryAfter: "2" };
const awayWithin = ([name, { ms, ...answer }]: [string, Answered]) =>
  [name, answer, ms < DEADLINE_MS ? "in time" : `after ${Math.round(ms)} ms`] as const;

// Guarantee: nobody waits as long as the database hangs, and what was accepted is kept.
test("while the database hangs, every request ends in time with 503, and what was accepted is there", async () => {
  const before = await askAll("before");
  expect(before.filter(([, { status }]) => status === 503)).toEqual([]);
  const accepted = before.filter(([name, { status }]) => name === "event" && status === 202);
  expect(accepted).toHaveLength(EACH);
  const thaw = await database.freeze();
  try {
    // With warm connections and without; the second round finds the database known to be away.
    for (const round of ["frozen", "again"]) {
      const answers = await askAll(round);
      expect(answers.map(awayWithin)).toEqual(answers.map(([name]) => [name, AWAY, "in time"]));
    }
  } finally {
    thaw();
  }
  await expect.poll(async () => (await requests.whoami?.(""))?.status, { timeout: 20_000 }).toBe(200);
  // A core repeats what was not accepted, with the same ids. Events have connections of their own, which are back a moment later.
  const repeat = async () =>
    (await askAll("frozen")).filter(([name]) => name === "event").map(([, { status }]) => status);
  await expect.poll(repeat, { timeout: 20_000 }).toEqual(Array.from({ length: EACH }, () => 202));
  const stored = (await platform.db.select({ key: events.eventId }).from(events)).map(({ key }) => key);
  const ids = (round: string) => Array.from({ length: EACH }, (_, n) => `${round}-${n}`);
  expect(stored.filter((key) => !key.startsWith("again")).toSorted()).toEqual(
    [...ids("before"), ...ids("frozen")].toSorted(),
  );
});
