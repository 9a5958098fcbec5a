import { setTimeout as sleep } from "node:timers/promises";
import { asc, eq, sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { installations } from "@/drizzle/schema/installations";
import { configurations, secretEvents } from "@/drizzle/schema/installations-configurations";
import { instanceEvents, instanceLogs, instances, logLines, versionLogs } from "@/drizzle/schema/runtime";
import { fakeRuntimes } from "@/tests/fake-runtime";
import { anotherProcess, givenInstalledApp, one, testPlatform } from "@/tests/test-platform";
import { writtenLog } from "@/tests/given-logs";
import { sealSetting } from "../../platform/data-key";
import { runPool } from "../../platform/lease-loop";
import { sealStateKey } from "../../platform/state-key";
import { ensureInstance } from "../ensure-instance";
import { endOnce } from "../instance-outcome";
import { finishLog, logPool, removeOldLines } from "./follow-log";

const platform = await testPlatform();
const CANARY = "canary-8812-of-a-customer";
const PEM = `-----BEGIN KEY-----\n${"MIIEvQIBADANBgkq".repeat(3)}\n${"hkiG9w0BAQEFAASC".repeat(3)}\n-----END KEY-----`;

let world: Awaited<ReturnType<typeof givenWorld>>;
beforeEach(async () => {
  world = await givenWorld();
});

/** A version whose instance serves a customer with two secrets. */
async function givenWorld() {
  const { customer, version, installation } = await givenInstalledApp(platform);
  const seal = async (name: string, value: string) => {
    const { organizationId, id: installationId } = installation;
    const sealed = await sealSetting(platform, platform.db, { organizationId, installationId, name }, value);
    const origin = { type: "Password" as const, setIn: 1, updatedAt: new Date().toISOString(), by: "x" };
    return { kind: "sealed" as const, sealed, ...origin };
  };
  const settings = { apiKey: await seal("apiKey", CANARY), pem: await seal("pem", PEM) };
  await platform.db.update(configurations).set({ settings });
  const fake = fakeRuntimes((response) => void response.end("ok"));
  const log = writtenLog(one(fake.runtimes.all));
  const { id: instanceId } = await ensureInstance(platform, fake.runtimes, version.id);
  return { version, installation, customer, fake, log, instanceId, seal };
}

/** A worker that follows logs, until it ends or is killed. */
function startWorker() {
  const leaving = new AbortController();
  const loop = runPool(platform, logPool(platform, world.fake.runtimes, leaving.signal));
  loop.wake();
  const timer = setInterval(loop.wake, 50);
  const end = async () => {
    clearInterval(timer);
    leaving.abort();
    await loop.drain();
  };
  workers.push(end);
  return end;
}

const workers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(workers.splice(0).map((end) => end()));
});

const stored = () => platform.db.select().from(logLines).orderBy(asc(logLines.id));
const texts = async () => (await stored()).map(({ text }) => text);

async function storeAll(): Promise<string[]> {
  const end = startWorker();
  await expect.poll(() => platform.db.$count(instanceLogs)).toBe(1);
  world.log.end();
  await endOnce(
    platform,
    { id: world.instanceId, versionId: world.version.id },
    { code: "EXITED", reason: "x" },
  );
  await expect.poll(async () => one(await platform.db.select().from(instanceLogs)).closedAt).not.toBeNull();
  await end();
  return texts();
}

// Guarantee (P3): no secret of any customer and no state key is stored, however the app's output is cut into pieces.
test("secrets are removed across the borders of pieces, lines and batches", async () => {
  const { log, installation, version } = world;
  const key = sealStateKey(platform.keyring, {
    installationId: installation.id,
    routeId: installation.id,
    attemptId: version.id,
    revision: 1,
    epoch: 0,
    expiresAt: new Date(),
  });
  const end = startWorker();
  log.write(`calls with ${CANARY.slice(0, 9)}`, { isPart: true });
  await sleep(400);
  log.write(`${CANARY.slice(9)} and goes on`);
  log.write(`${"x".repeat(20_000)}${key.slice(0, 70)}`, { isPart: true });
  log.write(`${key.slice(70)}`);
  log.write(`key ${key.slice(0, 50)}`, { isPart: true });
  log.write(`${key.slice(50)} end`);
  for (const line of PEM.split("\n")) log.write(`${line}`);
  log.write(`${Buffer.from(CANARY).toString("base64")} encoded`, { stream: "stderr" });
  await expect.poll(texts).toHaveLength(8);
  await end();
  const all = (await texts()).join("\n");
  expect(all).not.toContain("canary");
  expect(all).not.toContain(key.slice(4, 30));
  for (const line of PEM.split("\n").slice(1, 3)) expect(all).not.toContain(line.slice(0, 16));
  expect(await texts()).toEqual(
    expect.arrayContaining(["calls with [secret: apiKey] and goes on", "key [state key] end"]),
  );
});

test("a secret with line breaks is removed whole, although each line is short", async () => {
  const { log, installation, seal } = world;
  const secret = "ab\ncd\nef\ngh";
  await platform.db
    .update(configurations)
    .set({ settings: { short: await seal("short", secret) } })
    .where(eq(configurations.installationId, installation.id));
  for (const line of `before\n${secret}\nafter`.split("\n")) log.write(line);
  const lines = await storeAll();
  expect(lines).toHaveLength(6);
  expect(lines[0]).toBe("before");
  expect(lines.slice(1, 5).join()).not.toMatch(/ab|cd|ef|gh/);
  expect(lines[5]).toBe("after");
});

// Guarantee: what an app writes can neither control a terminal or a page nor hide text in them.
test("escape codes and control characters are removed, and HTML is text", async () => {
  world.log.write("\u001b[31mred\u001b[0m \u001b]0;title\u0007 bell\u0007 \u0000nul\u202Ereversed");
  world.log.write('<script>alert(1)</script><img src=x onerror="alert(1)">\r');
  expect(await storeAll()).toEqual([
    "red  bell nulreversed",
    '<script>alert(1)</script><img src=x onerror="alert(1)">',
  ]);
});

// Guarantee: a flood of one app takes a bounded part of the database, and readers see where lines are missing.
test("a flood is bounded, with one gap a second that says how much is missing", async () => {
  for (let second = 0; second < 3; second += 1)
    for (let line = 0; line < 3_000; line += 1)
      world.log.write(`line ${line}`, { afterMs: line === 0 && second > 0 ? 1_000 : 0 });
  world.log.write("quiet again", { afterMs: 1_000 });
  await storeAll();
  const lines = await stored();
  const gaps = lines.filter(({ stream }) => stream === "platform");
  expect(gaps.length).toBeGreaterThanOrEqual(3);
  // A gap is told in two if its second ends while it is written, or if it is stored before the flood has ended.
  expect(gaps.length).toBeLessThanOrEqual(6);
  expect(gaps[0]?.text).toMatch(
    /^[\d,]+ lines dropped: the app writes more than 200 lines or 64 KiB per second\.$/,
  );
  const missing = gaps.reduce((sum, { text }) => sum + Number(text.split(" ")[0]?.replace(",", "")), 0);
  expect(missing + lines.length - gaps.length).toBe(9_001);
  expect(lines.length).toBeLessThan(1_000 + 3 * 200 + 10);
  expect(lines.at(-1)?.text).toBe("quiet again");
});

test("a long line is cut, and says how much is missing", async () => {
  world.log.write("y".repeat(60_000), { isPart: true });
  world.log.write("y".repeat(40_000));
  world.log.write('{"level":"warn","message":"structured"}');
  await storeAll();
  const [long, structured] = await stored();
  expect(long).toMatchObject({ text: "y".repeat(8_192), cutBytes: 100_000 - 8_192, level: null });
  expect(structured).toMatchObject({ level: "warn", cutBytes: 0 });
});

// Guarantee: when a worker ends and another one takes over, no line is stored twice, and none is lost.
test("a restart of the worker doubles and loses nothing", async () => {
  let written = 0;
  const write = () => {
    world.log.write(`line ${written}`, { stream: written % 3 === 0 ? "stderr" : "stdout", afterMs: 6 });
    written += 1;
  };
  const timer = setInterval(write, 4);
  for (let restart = 0; restart < 4; restart += 1) {
    const end = startWorker();
    await sleep(500 + 130 * restart);
    await end();
  }
  clearInterval(timer);
  const lines = await storeAll();
  expect(lines).toEqual(Array.from({ length: written }, (_, index) => `line ${index}`));
});

test("a worker whose lease another one has taken stores nothing anymore", async () => {
  const end = startWorker();
  world.log.write("first");
  await expect.poll(texts).toEqual(["first"]);
  await platform.db.update(instanceLogs).set({ leasedBy: world.version.id });
  world.log.write("second");
  await sleep(1_500);
  expect(await texts()).toEqual(["first"]);
  await end();
});

// Guarantee: nobody can look for a deleted secret, so nothing is stored that may contain one.
test("lines that may contain a secret that was deleted are left out, unless the worker knew it", async () => {
  const { log, installation, customer, instanceId } = world;
  const forget = async () => {
    await platform.db.update(configurations).set({ settings: {} });
    await platform.db.insert(secretEvents).values({
      installationId: installation.id,
      revision: 1,
      name: "apiKey",
      action: "removed" as const,
      by: customer.userId,
    });
  };
  const end = startWorker();
  log.write("known");
  await expect.poll(texts).toEqual(["known"]);
  await platform.db.update(configurations).set({ createdAt: sql`now() - interval '1 hour'` });
  await sleep(500);
  log.write("read again");
  await expect.poll(texts).toHaveLength(2);
  await forget();
  log.write(`still knows ${CANARY}`);
  await expect.poll(texts).toEqual(["known", "read again", "still knows [secret: apiKey]"]);
  await end();
  // Another worker never knew it.
  await platform.db.delete(logLines);
  await platform.db.update(instanceLogs).set({ position: {} });
  const other = anotherProcess(platform);
  const leaving = new AbortController();
  const loop = runPool(other, logPool(other, world.fake.runtimes, leaving.signal));
  loop.wake();
  // In one batch or several, whichever the worker's reads divide them into.
  await expect.poll(async () => countLeftOut(await texts())).toBe(3);
  leaving.abort();
  await loop.drain();
  expect(one(await platform.db.select().from(instances)).id).toBe(instanceId);
});

function countLeftOut(lines: string[]): number {
  const counts = lines.map((text) =>
    /^(\d+) lines? left out: they may contain a customer's secret/.exec(text),
  );
  return counts.reduce((sum, found, index) => sum + Number(found?.[1] ?? expect.fail(lines[index])), 0);
}

// Guarantee: why an app did not start is in its log, although its container is removed at once.
test("the log of an instance that nobody follows is stored before its container is removed", async () => {
  const { log, fake, instanceId } = world;
  log.write("cannot start: ");
  log.write("PLATFORM_TOKEN is missing", { isPart: true });
  log.end();
  await endOnce(platform, { id: instanceId, versionId: world.version.id }, { code: "EXITED", reason: "x" });
  const [row] = await platform.db.select().from(instances);
  await finishLog(platform, one(fake.runtimes.all), row ?? expect.fail());
  expect(await texts()).toEqual(["cannot start: ", "PLATFORM_TOKEN is missing"]);
  expect(one(await platform.db.select().from(instanceLogs)).closedAt).not.toBeNull();
});

// Guarantee: every change of an instance is in its version's history, whichever code made it.
test("a start, its end and failing health checks are noted", async () => {
  const { instanceId, version } = world;
  const change = (values: Partial<typeof instances.$inferInsert>) =>
    platform.db.update(instances).set(values).where(eq(instances.id, instanceId));
  await change({ failingSince: new Date(), reason: "GET /health returned 500." });
  await change({ failedChecks: 2 });
  await change({ failingSince: null, reason: null });
  await endOnce(
    platform,
    { id: instanceId, versionId: version.id },
    { code: "EXITED", reason: "It crashed." },
  );
  await change({ state: "FAILED" });
  const events = await platform.db.select().from(instanceEvents).orderBy(asc(instanceEvents.id));
  expect(events.map(({ kind, reason }) => [kind, reason])).toEqual([
    ["started", null],
    ["ready", null],
    ["failing", "GET /health returned 500."],
    ["recovered", null],
    ["failed", "It crashed."],
  ]);
  expect(new Set(events.map((event) => event.instanceId))).toEqual(new Set([instanceId]));
  expect(await platform.db.$count(installations)).toBe(1);
});

test("empty lines count too", async () => {
  for (let line = 0; line < 500; line += 1) world.log.write("", { afterMs: 10 });
  await storeAll();
  const some = { ...platform, environment: { ...platform.environment, PLATFORM_KEEP_LOGS_MB: 0.01 } };
  await removeOldLines(some, new Date(Date.now() - 3_600_000), { batchSize: 100, pauseMs: 0 });
  expect(await stored()).toHaveLength(104);
});

// Guarantee: the log of a version takes a bounded part of the database, and what is kept is its end.
test("old lines and those beyond the size of a version are removed, oldest first", async () => {
  for (let line = 0; line < 60; line += 1) world.log.write(`${line} ${"z".repeat(4_000)}`, { afterMs: 100 });
  await storeAll();
  const some = { ...platform, environment: { ...platform.environment, PLATFORM_KEEP_LOGS_MB: 0.1 } };
  const options = { batchSize: 7, pauseMs: 0 };
  const long = new Date(Date.now() - 3_600_000);
  expect(await removeOldLines(some, long, options)).toBeGreaterThan(30);
  const left = await stored();
  const size = left.reduce((sum, { text }) => sum + text.length + 100, 0);
  expect(size).toBeLessThanOrEqual(0.1 * 1024 * 1024);
  expect(size).toBeGreaterThan(0.09 * 1024 * 1024);
  expect(left.at(-1)?.text).toMatch(/^59 z/);
  expect(one(await platform.db.select().from(versionLogs))).toMatchObject({
    lines: left.length,
    bytes: size,
  });
  await platform.db.update(versionLogs).set({ oldestAt: long });
  expect(await removeOldLines(platform, new Date(Date.now() + 60_000), options)).toBe(left.length);
  expect(await stored()).toEqual([]);
  expect(one(await platform.db.select().from(versionLogs))).toMatchObject({ lines: 0, bytes: 0 });
});
