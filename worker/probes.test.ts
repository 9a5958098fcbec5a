/** Real processes that are really frozen: what their probes and the pages say. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { afterEach, expect, test } from "vitest";
import { partBeats } from "@/drizzle/schema/platform";
import { AWAY_AFTER_MS } from "@/lib/domain/platform/availability";
import { freePort } from "@/lib/server/platform/machine";
import { readAvailability } from "@/lib/server/platform/database/availability";
import { testPlatform } from "@/tests/test-platform";

const platform = await testPlatform();
const running = new Set<ChildProcess>();

afterEach(async () => {
  for (const child of running) {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  }
  running.clear();
  await platform.db.delete(partBeats);
});

async function start(part: "worker" | "gateway") {
  const { DATABASE_URL, PLATFORM_MASTER_KEYS, dataDir } = platform.environment;
  const port = await freePort();
  const child = fork(`.build/${part}.js`, {
    env: {
      ...process.env,
      NODE_ENV: "test",
      DATABASE_URL,
      PLATFORM_MASTER_KEYS,
      PLATFORM_DATA_DIR: dataDir,
      PLATFORM_RUNTIME: "process",
      [`PLATFORM_${part.toUpperCase()}_PORT`]: String(port),
    },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  running.add(child);
  await once(child, "message");
  return { child, ask: (path: string) => ask(`http://127.0.0.1:${port}${path}`) };
}

/** "silence": the connection is accepted, and nothing comes. */
async function ask(url: string) {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(1_000) });
    const body: unknown = await response.json();
    return { status: response.status, body };
  } catch (error) {
    return error instanceof Error && error.name === "TimeoutError" ? "silence" : "nobody";
  }
}

const OK = { status: 200, body: { status: "ok" } };
const soon = { timeout: 25_000, interval: 250 };
const away = async () => (await readAvailability(platform)).away.map(({ part }) => part);

// Guarantee: a frozen worker keeps its connections and its locks, and still nobody believes that it works.
test("a frozen worker is away for the pages and its probes, and is back by itself", async () => {
  const { child, ask } = await start("worker");
  await expect.poll(() => ask("/live"), soon).toEqual(OK);
  await expect.poll(() => ask("/ready"), soon).toEqual(OK);
  expect(await ask("/metrics")).toMatchObject({ status: 404 });
  await expect.poll(() => platform.db.select().from(partBeats), soon).toHaveLength(1);
  await expect.poll(away, soon).toEqual([]);
  const frozenAt = Date.now();
  child.kill("SIGSTOP");
  expect([await ask("/live"), await ask("/ready")]).toEqual(["silence", "silence"]);
  await expect.poll(away, soon).toEqual(["worker"]);
  const [{ since } = { since: null }] = (await readAvailability(platform)).away;
  expect(Math.abs(Date.parse(since ?? "") - frozenAt)).toBeLessThan(15_000);
  child.kill("SIGCONT");
  await expect.poll(away, soon).toEqual([]);
  await expect.poll(() => ask("/ready"), soon).toEqual(OK);
});

test("a gateway is away only if no other is there", async () => {
  const [one, other] = [await start("gateway"), await start("gateway")];
  await expect.poll(() => other.ask("/ready"), soon).toEqual(OK);
  await expect.poll(() => platform.db.select().from(partBeats), soon).toHaveLength(2);
  one.child.kill("SIGSTOP");
  const oldest = async () =>
    Math.min(...(await platform.db.select().from(partBeats)).map(({ seenAt }) => seenAt.getTime()));
  await expect.poll(async () => Date.now() - (await oldest()), soon).toBeGreaterThan(AWAY_AFTER_MS + 1_000);
  await expect.poll(away, soon).toEqual([]);
  other.child.kill("SIGKILL");
  await expect.poll(away, soon).toEqual(["gateway"]);
  one.child.kill("SIGCONT");
  await expect.poll(away, soon).toEqual([]);
});

// Guarantee: what stops one loop of a worker that otherwise runs is seen, too.
test(
  "a worker with a loop that makes no progress is not ready, and is away",
  { timeout: 120_000 },
  async () => {
    const { ask } = await start("worker");
    await expect.poll(() => ask("/ready"), soon).toEqual(OK);
    const client = await platform.pool.connect();
    try {
      await client.query("set idle_in_transaction_session_timeout = 0");
      await client.query("begin");
      await client.query("lock table upgrades in access exclusive mode");
      await expect
        .poll(() => ask("/ready"), { ...soon, timeout: 60_000 })
        .toMatchObject({
          status: 503,
          body: { status: "unavailable", stuck: expect.arrayContaining(["upgrades"]) },
        });
      await expect.poll(() => ask("/live"), soon).toEqual(OK);
      await expect.poll(away, soon).toEqual(["worker"]);
    } finally {
      client.release(true);
    }
    await expect.poll(() => ask("/ready"), soon).toEqual(OK);
    await expect.poll(away, soon).toEqual([]);
  },
);
