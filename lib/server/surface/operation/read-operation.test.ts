/** What moderators see of the running platform, from a real database, store and certificates. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { hostname, tmpdir } from "node:os";
import path from "node:path";
import { eq } from "drizzle-orm";
import { expect, onTestFinished, test, vi } from "vitest";
import { backups, mails, partBeats, restorations } from "@/drizzle/schema/platform";
import { instances } from "@/drizzle/schema/runtime";
import { listProcesses, stateOf } from "@/lib/domain/surface/operation";
import { keepBeating } from "@/lib/server/platform/part-beats";
import { newMasterKey, readKeyring } from "@/lib/server/platform/keyring";
import type { Platform } from "@/lib/server/platform/platform";
import { backUp, givenPublished, temporaryFolder } from "@/tests/backup-world";
import { givenListing, givenMember, givenTenant, testPlatform } from "@/tests/test-platform";
import { closePlatform, createPlatform } from "../create-platform";
import { recordCheck } from "../backup/write-backup";
import { readOperation } from "./read-operation";

const platform = await testPlatform();
const withSettings = (changes: Partial<Platform["environment"]>): Platform => ({
  ...platform,
  environment: { ...platform.environment, ...changes },
});

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

// Guarantee: the page costs what any other page costs.
test("at most 20 statements read it, and a new database needs none of them to have rows", async () => {
  const statements = vi.spyOn(platform.pool, "query");
  const operation = await readOperation(platform);
  expect(statements.mock.calls.length).toBeLessThanOrEqual(20);
  expect(operation).toMatchObject({
    schema: "same",
    release: expect.stringMatching(/^\d+\.\d+\.\d+/),
    processes: [],
    hold: null,
    nodes: [],
    failing: { versions: 0, installations: 0, breakers: 0 },
    store: { name: "folder", blobs: 0, bytes: 0, problem: null },
    masterKeys: [{ id: "test", isCurrent: true, isPresent: true }],
    certificates: [],
    backup: null,
  });
  expect(operation.queues.find(({ queue }) => queue === "deliveries")).toEqual({
    queue: "deliveries",
    due: 0,
    leased: 0,
    oldestSeconds: 0,
  });
});

test("processes report themselves, and say when they end on purpose", async () => {
  const web = keepBeating(platform, "web");
  const gateway = keepBeating(platform, "gateway");
  const read = async () => (await readOperation(platform)).processes.map(({ part }) => part).sort();
  await expect.poll(read).toEqual(["gateway", "web"]);
  const before = await readOperation(platform);
  expect(before.processes[0]).toMatchObject({ host: hostname(), release: before.release, endedAt: null });
  expect(before.processes.map((one) => stateOf(one, before.now))).toEqual(["working", "working"]);
  gateway.stop();
  await expect
    .poll(async () => {
      const { processes, now } = await readOperation(platform);
      return processes.filter(({ part }) => part === "gateway").map((one) => stateOf(one, now));
    })
    .toEqual(["ending"]);
  web.stop();
  await expect
    .poll(async () => (await platform.db.select().from(partBeats)).every(({ endedAt }) => endedAt))
    .toBe(true);
});

// Guarantee: restarts of one part never hide that another is away, and what is not listed is counted.
test("of very many processes, the newest of each part are listed", async () => {
  await platform.pool.query(`
    insert into part_beats (id, part, seen_at) select gen_random_uuid(), 'web', now() - make_interval(secs => n) from generate_series(1, 200) n`);
  await platform.pool.query(`
    insert into part_beats (id, part, seen_at) values (gen_random_uuid(), 'worker', now() - interval '3 hours')`);
  const { processes, moreProcesses } = await readOperation(platform);
  expect(processes).toHaveLength(200);
  expect(moreProcesses).toBe(1);
  expect(processes.at(-1)?.part).toBe("worker");
});

// Guarantee: rows of the release before say less, and are shown all the same.
test("a process of the release before is listed", async () => {
  await platform.pool.query("insert into part_beats (id, part) values (gen_random_uuid(), 'worker')");
  const operation = await readOperation(platform);
  expect(listProcesses(operation)).toMatchObject([{ part: "worker", host: null, release: null }]);
});

// Guarantee: who set no mail server is not told every day that mails are late.
test("mails are late only if there is a server that takes them", async () => {
  await platform.db
    .insert(mails)
    .values({ recipient: "ada@acme.example", dueAt: new Date(Date.now() - 1_200_000) });
  const read = async (PLATFORM_SMTP_URL: string) =>
    (await readOperation(withSettings({ PLATFORM_SMTP_URL }))).queues.find(({ queue }) => queue === "mails");
  expect(await read("")).toMatchObject({ due: 0, oldestSeconds: 0 });
  const late = await read("smtp://127.0.0.1:1");
  expect(late?.due).toBe(1);
  expect(late?.oldestSeconds).toBeGreaterThan(1_190);
});

test("instances, and the store's content", async () => {
  const publisher = await givenMember(platform, "acme");
  const { version } = await givenListing(platform, publisher, { state: "PUBLIC", verified: true });
  await givenTenant(platform, publisher);
  await platform.db.insert(instances).values([
    { versionId: version.id, runtime: "docker", node: "apps-1", state: "READY" },
    { versionId: version.id, runtime: "docker", node: "apps-1", state: "READY", replica: 1 },
    { versionId: version.id, runtime: "docker", node: "apps-1", state: "FAILED", replica: 2 },
    {
      versionId: version.id,
      runtime: "docker",
      node: "apps-2",
      state: "READY",
      replica: 3,
      failingSince: new Date(),
    },
    { versionId: version.id, runtime: "docker", node: "apps-2", state: "DRAINING", replica: 4 },
    { versionId: version.id, runtime: "docker", state: "STARTING", replica: 5 },
  ]);
  await givenPublished(platform, "northwind");
  const { nodes, moreNodes, store } = await readOperation(platform);
  const none = { runtime: "docker", healthy: 0, failing: 0, starting: 0, draining: 0 };
  expect(nodes).toEqual([
    { ...none, node: "apps-1", healthy: 2 },
    { ...none, node: "apps-2", failing: 1, draining: 1 },
    { ...none, node: null, starting: 1 },
  ]);
  expect(moreNodes).toBe(0);
  expect(store).toMatchObject({ blobs: 4, problem: null });
  expect(store.bytes).toBeGreaterThan(20_000);
  expect(store.disk?.freeBytes).toBeGreaterThan(0);
});

test("master keys: what the current one protects, what is left to rotate, and what is missing", async () => {
  await givenPublished(platform, "acme");
  const keys = async (text: string) =>
    (await readOperation({ ...platform, keyring: readKeyring(text) })).masterKeys.map(
      ({ wraps, ...key }) => ({
        ...key,
        isUsed: wraps > 0,
      }),
    );
  const next = newMasterKey("next");
  expect(await keys(`${next},${platform.environment.PLATFORM_MASTER_KEYS}`)).toEqual([
    { id: "next", isCurrent: true, isPresent: true, isUsed: false },
    { id: "test", isCurrent: false, isPresent: true, isUsed: true },
  ]);
  expect(await keys(next)).toContainEqual({ id: "test", isCurrent: false, isPresent: false, isUsed: true });
});

// Guarantee: the page knows of a backup what its manifest says, and only a check of all its files counts as one.
test("the last backup, its check, and a copy that knows neither", async () => {
  await givenMember(platform);
  const folder = path.join(await temporaryFolder(), "backup");
  const manifest = await backUp(platform, folder);
  const { backup } = await readOperation(platform);
  expect(backup).toMatchObject({ id: manifest.id, lostBlobs: 0, checkedAt: null });
  expect(backup?.takenAt.toISOString()).toBe(manifest.takenAt);
  expect(await recordCheck(platform, manifest)).toBe(true);
  expect((await readOperation(platform)).backup?.checkedAt).toBeInstanceOf(Date);
  const { rows } = await platform.pool.query(
    "select action from audit where chain = 'platform' order by position",
  );
  expect(rows).toEqual([{ action: "platform.backup" }, { action: "platform.check-backup" }]);
  await platform.db.delete(backups).where(eq(backups.id, manifest.id));
  expect(await recordCheck(platform, manifest)).toBe(false);
  await platform.db
    .insert(restorations)
    .values({ backupId: manifest.id, backedUpAt: new Date(manifest.takenAt) });
  expect((await readOperation(platform)).hold?.backedUpAt.toISOString()).toBe(manifest.takenAt);
});

// Guarantee: whatever happens to it later, a backup that is complete is complete.
test("a backup that can't be recorded is there, and says so", async () => {
  await platform.pool.query("alter table backups rename to away");
  onTestFinished(async () => void (await platform.pool.query("alter table away rename to backups")));
  const lines: string[] = [];
  const folder = path.join(await temporaryFolder(), "backup");
  await backUp(platform, folder, { report: (line) => lines.push(line) });
  expect(lines.at(-1)).toMatch(/^WARNING: the Operation page doesn't show this backup: /);
  expect(lines.at(-1)).not.toContain("insert");
  expect(JSON.parse(await readFile(path.join(folder, "manifest.json"), "utf8"))).toHaveProperty("id");
});

test("a registry that answers, refuses, or is away", async () => {
  let status = 404;
  const server = createServer((_request, response) => void response.writeHead(status).end());
  const port = await listen(server);
  const probe = async () => {
    const registry = { PLATFORM_REGISTRY_URL: `http://127.0.0.1:${port}/platform/apps` };
    return (await readOperation(withSettings(registry))).store;
  };
  expect(await probe()).toMatchObject({ name: "registry", disk: null, problem: null });
  status = 503;
  expect((await probe()).problem).toBe("It answered with status 503.");
  status = 401;
  expect((await probe()).problem).toBe(
    "It doesn't accept the configured credentials. Correct PLATFORM_REGISTRY_CREDENTIALS.",
  );
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  expect((await probe()).problem).toBe("It can't be reached (ECONNREFUSED).");
});

const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;

test.runIf(hasOpenssl)(
  "certificates say how long they are valid; what can't be reached is left out",
  async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "certificates-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const parts = ["-keyout", "key.pem", "-out", "cert.pem", "-days", "5", "-nodes", "-subj", "/CN=registry"];
    execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", ...parts], {
      cwd: folder,
      stdio: "ignore",
    });
    const [key, cert] = await Promise.all(
      ["key.pem", "cert.pem"].map((name) => readFile(path.join(folder, name))),
    );
    const server = createTlsServer({ key, cert }, (_request, response) => void response.writeHead(404).end());
    onTestFinished(() => void server.close());
    const port = await listen(server);
    // Each process remembers what it saw.
    const process = createPlatform(
      {
        ...platform.environment,
        PLATFORM_REGISTRY_URL: `https://127.0.0.1:${port}/platform/apps`,
        PLATFORM_GATEWAY_URL: "https://127.0.0.1:1",
      },
      "test",
    );
    onTestFinished(() => closePlatform(process));
    const { certificates } = await readOperation(process);
    expect(certificates).toEqual([{ of: "the registry", validUntil: expect.any(Date) }]);
    const days = ((certificates[0]?.validUntil.getTime() ?? 0) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(4);
    expect(days).toBeLessThan(6);
  },
);
