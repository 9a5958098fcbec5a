import type { Server } from "node:http";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readEnvironment } from "@/lib/server/platform/environment";
import { newMasterKey } from "@/lib/server/platform/keyring";
import { closePlatform, createPlatform } from "@/lib/server/surface/create-platform";
import { startTemporaryDatabase, type TemporaryDatabase } from "@/tests/temporary-database";
import { createGateway } from "./serve";

const folder = await mkdtemp(path.join(tmpdir(), "database-away-"));
const passFile = path.join(folder, "pgpass");
const warnings: string[] = [];
const keepWarning = ({ message }: Error) => void warnings.push(message);
let database: TemporaryDatabase;
let gateway: { base: string; close: () => Promise<void> };

beforeAll(async () => {
  process.on("warning", keepWarning);
  database = await startTemporaryDatabase("away");
  process.env.PGPASSFILE = passFile;
  await setPassword("postgres");
  const url = new URL(`${database.server}/away`);
  url.password = "";
  gateway = await startGateway(url.href);
}, 120_000);

afterAll(async () => {
  process.off("warning", keepWarning);
  delete process.env.PGPASSFILE;
  await gateway.close();
  await database.stop();
  await rm(folder, { recursive: true });
});

const setPassword = (password: string) => writeFile(passFile, `*:*:*:*:${password}\n`, { mode: 0o600 });

async function startGateway(url: string) {
  const variables = { DATABASE_URL: url, PLATFORM_MASTER_KEYS: newMasterKey("k1") };
  const platform = createPlatform(readEnvironment({ ...variables, PLATFORM_LOG_LEVEL: "silent" }), "gateway");
  const server: Server = createGateway(platform);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const close = async () => {
    server.close();
    server.closeAllConnections();
    await closePlatform(platform);
  };
  return { base: `http://127.0.0.1:${address.port}`, close };
}

async function ask(name: string, init?: RequestInit) {
  const response = await fetch(`${gateway.base}${name}`, init);
  const body: unknown = await response.json();
  return { status: response.status, retryAfter: response.headers.get("retry-after"), body };
}

const health = () => ask("/health");
const ready = () => ask("/ready");
const live = () => ask("/live");
const call = () =>
  ask("/r/0190a0a0-0000-7000-8000-000000000000", {
    method: "POST",
    headers: { authorization: "Bearer pcc_unknown-credential-of-a-core", "content-type": "application/json" },
    body: "{}",
  });

const OK = { status: 200, retryAfter: null, body: { status: "ok" } };
const AWAY = {
  status: 503,
  retryAfter: "2",
  body: { status: "unavailable", unavailable: ["database"] },
};
const TRY_AGAIN = {
  status: 503,
  retryAfter: "2",
  body: expect.objectContaining({ code: "DATABASE_UNAVAILABLE" }),
};
const soon = { timeout: 20_000 };

// Guarantee: a load balancer and callers learn that the database is away, and everything works again by itself.
test("while the database is down, /health and calls answer 503, and recover when it is back", async () => {
  expect(await health()).toEqual(OK);
  expect((await call()).status).toBe(401);
  await database.crash("SIGQUIT");
  await expect.poll(health, soon).toEqual(AWAY);
  expect(await call()).toEqual(TRY_AGAIN);
  await database.restart();
  await expect.poll(health, soon).toEqual(OK);
  expect((await call()).status).toBe(401);
});

// Guarantee: the probes don't hang with the database, and only say what is so: the process lives, and can't serve.
test("while the database accepts connections and answers nothing, the gateway is live and not ready", async () => {
  expect([await live(), await ready()]).toEqual([OK, OK]);
  const thaw = await database.freeze();
  try {
    await expect.poll(ready, soon).toEqual(AWAY);
    const startedAt = Date.now();
    expect([await live(), await health()]).toEqual([OK, AWAY]);
    expect(Date.now() - startedAt).toBeLessThan(5_000);
  } finally {
    thaw();
  }
  await expect.poll(ready, soon).toEqual(OK);
});

// Guarantee: no request goes to a process whose tables don't exist yet; a process of the previous release keeps serving.
test("a schema of an older release is not ready, and one of a newer release is", async () => {
  const admin = new pg.Client({ connectionString: `${database.server}/away` });
  await admin.connect();
  const migrations = "drizzle.__drizzle_migrations";
  const { rows } = await admin.query<{ last: string }>(`select max(created_at) as last from ${migrations}`);
  const [{ last } = { last: "" }] = rows;
  await admin.query(`insert into ${migrations} (hash, created_at) values ('newer', $1)`, [Number(last) + 1]);
  expect(await ready()).toEqual(OK);
  const OUTDATED = { ...AWAY, body: { status: "unavailable", unavailable: ["schema"] } };
  await admin.query(`update ${migrations} set created_at = created_at - 1000 where created_at >= $1`, [last]);
  await expect.poll(ready, soon).toEqual(OUTDATED);
  await admin.query(`update ${migrations} set created_at = created_at + 1000 where created_at >= $1`, [
    Number(last) - 1000,
  ]);
  await expect.poll(ready, soon).toEqual(OK);
  // As a database looks to a release that adds a table.
  await admin.query("alter table part_beats rename to not_yet");
  await expect.poll(ready, soon).toEqual(OUTDATED);
  expect(await live()).toEqual(OK);
  await admin.query("alter table not_yet rename to part_beats");
  await admin.query(`delete from ${migrations} where hash = 'newer'`);
  await admin.end();
  await expect.poll(ready, soon).toEqual(OK);
});

// Guarantee: a changed password needs no restart if it is in a password file.
test("while the password is refused, they answer 503 too, and use the new password of PGPASSFILE at once", async () => {
  const admin = new pg.Client({ connectionString: `${database.server}/postgres` });
  await admin.connect();
  await admin.query("alter user postgres password 'changed'");
  await admin.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = 'away'");
  await expect.poll(health, soon).toEqual(AWAY);
  expect(await call()).toEqual(TRY_AGAIN);
  await setPassword("changed");
  await expect.poll(health, soon).toEqual(OK);
  expect((await call()).status).toBe(401);
  // Nothing that is deprecated, and ends with an update of a package, reads the file.
  expect(warnings).toEqual([]);
  await admin.query("alter user postgres password 'postgres'");
  await admin.end();
});

test("a server with no connection left is away, too", async () => {
  const admin = new pg.Client({ connectionString: `${database.server}/postgres` });
  await setPassword("postgres");
  await admin.connect();
  await admin.query("alter database away connection limit 0");
  await admin.query("create role guest login password 'postgres'");
  await admin.end();
  const guest = await startGateway(`${database.server.replace("postgres:postgres", "guest:postgres")}/away`);
  const response = await fetch(`${guest.base}/health`);
  expect(response.status).toBe(503);
  await guest.close();
});
