/** What load balancers ask the pages, while a real PostgreSQL is down or frozen. The gateway's answers: gateway/database-away.test.ts. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { readEnvironment } from "@/lib/server/platform/environment";
import { newMasterKey } from "@/lib/server/platform/keyring";
import type { Platform } from "@/lib/server/platform/platform";
import { closePlatform, createPlatform } from "@/lib/server/surface/create-platform";
import { startTemporaryDatabase, type TemporaryDatabase } from "@/tests/temporary-database";
import { loadHandlers } from "./matrix/ask-handlers";

let database: TemporaryDatabase;
let platform: Platform;
const handlers = new Map(await loadHandlers());

beforeAll(async () => {
  database = await startTemporaryDatabase("pages");
  const variables = {
    DATABASE_URL: `${database.server}/pages`,
    PLATFORM_MASTER_KEYS: newMasterKey("k1"),
    PLATFORM_LOG_LEVEL: "silent",
  };
  platform = createPlatform(readEnvironment(variables), "web");
  Object.assign(globalThis, { hostingPlatform: platform, hostingEnvironment: platform.environment });
}, 120_000);

afterAll(async () => {
  await closePlatform(platform);
  await database.stop();
});

async function ask(name: "GET /ready" | "GET /api/health" | "GET /live") {
  const path = name.slice("GET ".length);
  const handler = handlers.get(name) ?? expect.fail(`There is no ${name}.`);
  const response = await handler(new Request(new URL(path, "http://localhost:3000")), {
    params: Promise.resolve({}),
  });
  return {
    status: response.status,
    retryAfter: response.headers.get("retry-after"),
    body: await response.json(),
  };
}

const OK = { status: 200, retryAfter: null, body: { status: "ok" } };
const AWAY = {
  status: 503,
  retryAfter: "2",
  body: { status: "unavailable", unavailable: ["database"] },
};
const SOON = { timeout: 20_000 };

// Guarantee: no load balancer sends a reader to pages that can't be loaded, and none restarts a process over it.
test.each([
  ["is down", () => database.crash("SIGQUIT").then(() => database.restart)],
  ["accepts connections and answers nothing", () => database.freeze()],
])("while the database %s, the pages are live and not ready", async (_how, begin) => {
  expect([await ask("GET /ready"), await ask("GET /api/health")]).toEqual([OK, OK]);
  const end = await begin();
  try {
    await expect.poll(() => ask("GET /ready"), SOON).toEqual(AWAY);
    const startedAt = Date.now();
    expect([await ask("GET /api/health"), await ask("GET /live")]).toEqual([AWAY, OK]);
    expect(Date.now() - startedAt).toBeLessThan(5_000);
  } finally {
    await end();
  }
  await expect.poll(() => ask("GET /ready"), SOON).toEqual(OK);
  await expect.poll(() => ask("GET /api/health"), SOON).toEqual(OK);
});
