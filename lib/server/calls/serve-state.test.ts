import { afterAll, afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { tenants } from "@/drizzle/schema/installations-tenants";
import { stateRecord } from "@/lib/contract/catalog/configuration";
import { type ConfiguredWorld, givenConfiguredWorld } from "@/tests/configured-world";
import { testPlatform } from "@/tests/test-platform";
import { commandInstallation } from "../installations/command-installation";
import { sealStateKey } from "../platform/state-key";
import { closePlatform, createPlatform } from "../surface/create-platform";
import { serveState } from "./serve-state";

const platform = await testPlatform();
const other = createPlatform(platform.environment, "test");
afterAll(() => closePlatform(other));

afterEach(() => Promise.all([platform.services.stateReads.flush(), other.services.stateReads.flush()]));

let world: ConfiguredWorld;
let id: string;
beforeEach(async () => {
  world = await givenConfiguredWorld(platform);
  id = await world.launch();
});

/** Asks both gateways every 5 ms of a clock that stands still otherwise, for `ms`. Returns when it got the last answer. */
async function hammer(key: string, ms: number): Promise<number | undefined> {
  let last: number | undefined;
  for (let passed = 0; passed < ms; passed += 5) {
    const now = performance.now();
    vi.spyOn(performance, "now").mockReturnValue(now + 5);
    const answers = await Promise.allSettled([serveState(platform, key), serveState(other, key)]);
    if (answers.some(({ status }) => status === "fulfilled")) last = now + 5;
  }
  return last;
}

// Guarantee (P11): a stop through one gateway ends keys at all of them within a second, also keys that are hot in a cache.
test.each(["stop", "uninstall"] as const)(
  "a hot key is dead at both gateways within one second of %s",
  async (command) => {
    const key = await world.keyFor(id, 1);
    onTestFinished(() => void vi.restoreAllMocks());
    // Its response is as new as it can be, and the key stays hot after the command.
    const hotUntil = await hammer(key, 5);
    expect(hotUntil).toBe(performance.now());
    await commandInstallation(platform, world.customer, id, command);
    const lastAnswer = (await hammer(key, 1_500)) ?? 0;
    expect(lastAnswer - performance.now() + 1_500).toBeLessThan(1_000);
    await expect(serveState(platform, key)).rejects.toMatchObject({ code: "NOT_FOUND" });
  },
);

// Guarantee: an app behind the egress guard gets an address of its core that it can use there; the token is the same.
test("an app that asks through the guard gets a name for a core that has only an address", async () => {
  const core = "http://172.17.0.1:4010/tenants/harbor";
  await platform.db.update(tenants).set({ coreApiUrl: core });
  const key = await world.keyFor(id, 1);
  const read = async (host?: string) =>
    stateRecord.parse(JSON.parse(await serveState(platform, key, { host })));
  const [open, guarded] = [await read("172.17.0.1:4001"), await read("10.213.4.3:61001")];
  expect(open.coreApiUrl).toBe(core);
  expect(guarded).toEqual({ ...open, coreApiUrl: "http://172-17-0-1.core.internal:4010/tenants/harbor" });
  expect(await read("state.platform.internal:4001")).toEqual(guarded);
  expect(await read()).toEqual(open);
});

// Guarantee: reads of one key at once or within a moment cost one query and one signature, and each of them is counted.
test("a hot key is answered with one record, and every read is noted", async () => {
  const key = await world.keyFor(id, 1);
  const texts = await Promise.all([1, 2, 3].map(() => serveState(platform, key)));
  texts.push(await serveState(platform, key));
  expect(new Set(texts).size).toBe(1);
  expect(stateRecord.parse(JSON.parse(texts[0] ?? "")).settings).toMatchObject({ apiKey: "first-key" });
  await platform.services.stateReads.flush();
  const { rows } = await platform.pool.query("select count from attempt_state_reads");
  expect(rows).toEqual([{ count: 4 }]);
});

test("a cached answer does not outlive its key", async () => {
  const attemptId = "01890000-0000-7000-8000-000000000001";
  const { rows } = await platform.pool.query<{ id: string }>(
    "select id from routes where installation_id = $1 and kind = 'autofill'",
    [id],
  );
  const expiresAt = new Date(Date.now() + 60_000);
  const content = { installationId: id, routeId: rows[0]?.id ?? "", attemptId, revision: 1, epoch: 0 };
  const key = sealStateKey(platform.keyring, { ...content, expiresAt });
  onTestFinished(() => void vi.restoreAllMocks());
  // The cache has a clock of its own, on which no time passes: the answer is still there.
  vi.spyOn(performance, "now").mockReturnValue(performance.now());
  await serveState(platform, key);
  vi.spyOn(Date, "now").mockReturnValue(expiresAt.getTime());
  await expect(serveState(platform, key)).rejects.toMatchObject({ code: "NOT_FOUND" });
});

// Guarantee (P11): a guess costs no query, so guessing cannot load the database.
test("keys that do not open are refused without a database", async () => {
  const DATABASE_URL = "postgres://nobody@127.0.0.1:9/none";
  const without = createPlatform({ ...platform.environment, DATABASE_URL }, "test");
  const real = await world.keyFor(id, 1);
  const guesses = [
    "",
    "x",
    `psk_${"A".repeat(real.length - 4)}`,
    `${real.slice(0, -1)}_`,
    "x".repeat(1 << 20),
  ];
  for (const guess of guesses)
    await expect(serveState(without, guess)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await closePlatform(without);
});

// Guarantee: after a moment without a database, keys work again at once.
test("a failed read is not cached", async () => {
  const key = await world.keyFor(id, 1);
  await platform.pool.query("alter table tenants rename to gone");
  await expect(serveState(other, key)).rejects.toThrow();
  await platform.pool.query("alter table gone rename to tenants");
  expect(await serveState(other, key)).toContain("first-key");
});

// Guarantee: what is written behind the answers of a process is written before it ends.
test("a read is noted although its process ends at once", async () => {
  const ending = createPlatform(platform.environment, "test");
  await serveState(ending, await world.keyFor(id, 1));
  await closePlatform(ending);
  const { rows } = await platform.pool.query("select count from attempt_state_reads");
  expect(rows).toEqual([{ count: 1 }]);
});
