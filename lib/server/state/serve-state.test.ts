import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { stateRecord } from "@/lib/contract/state-record";
import { givenConfiguredWorld, type ConfiguredWorld } from "@/tests/configured-world";
import { testPlatform } from "@/tests/test-platform";
import { commandInstallation } from "../installations/command-installation";
import { sealStateKey } from "../keys/state-key";
import { createPlatform } from "../platform/platform";
import { flushStateReads } from "./record-state-reads";
import { serveState } from "./serve-state";

const platform = await testPlatform();
const other = createPlatform(platform.environment, "test");
afterAll(() => other.pool.end());

afterEach(() => Promise.all([flushStateReads(platform), flushStateReads(other)]));

let world: ConfiguredWorld;
let id: string;
beforeEach(async () => {
  world = await givenConfiguredWorld(platform);
  id = await world.launch();
});

/** The moment of the last answer while both gateways are asked again and again for `ms`. */
async function hammer(key: string, ms: number): Promise<number> {
  const end = performance.now() + ms;
  let lastAnswer = 0;
  while (performance.now() < end) {
    const asked = performance.now();
    const answers = await Promise.allSettled([serveState(platform, key), serveState(other, key)]);
    if (answers.some(({ status }) => status === "fulfilled")) lastAnswer = asked;
    await sleep(5);
  }
  return lastAnswer;
}

// Guarantee (P11): a stop through one gateway ends keys at all of them within a second, also keys that are hot in a cache.
test.each(["stop", "uninstall"] as const)(
  "a hot key is dead at both gateways within one second of %s",
  async (command) => {
    const key = await world.keyFor(id, 1);
    await hammer(key, 200);
    const during = hammer(key, 1_500);
    await sleep(100);
    const before = performance.now();
    await commandInstallation(platform, world.customer, id, command);
    const committed = performance.now();
    const lastAnswer = await during;
    expect(lastAnswer).toBeGreaterThan(before - 100);
    expect(lastAnswer - committed).toBeLessThan(1_000);
    await expect(serveState(platform, key)).rejects.toMatchObject({ code: "NOT_FOUND" });
  },
);

// Guarantee: reads of one key at once or within a moment cost one query and one signature, and each of them is counted.
test("a hot key is answered with one record, and every read is noted", async () => {
  const key = await world.keyFor(id, 1);
  const texts = await Promise.all([1, 2, 3].map(() => serveState(platform, key)));
  texts.push(await serveState(platform, key));
  expect(new Set(texts).size).toBe(1);
  expect(stateRecord.parse(JSON.parse(texts[0] ?? "")).settings).toMatchObject({ apiKey: "first-key" });
  await flushStateReads(platform);
  const { rows } = await platform.pool.query("select count from attempt_state_reads");
  expect(rows).toEqual([{ count: 4 }]);
});

test("a cached answer does not outlive its key", async () => {
  const attemptId = "01890000-0000-7000-8000-000000000001";
  const { rows } = await platform.pool.query<{ id: string }>(
    "select id from routes where installation_id = $1 and kind = 'autofill'",
    [id],
  );
  const expiresAt = new Date(Date.now() + 250);
  const content = { installationId: id, routeId: rows[0]?.id ?? "", attemptId, revision: 1, epoch: 0 };
  const key = sealStateKey(platform.keyring, { ...content, expiresAt });
  await serveState(platform, key);
  await sleep(Math.max(0, expiresAt.getTime() - Date.now()) + 5);
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
  await without.pool.end();
});

// Guarantee: after a moment without a database, keys work again at once.
test("a failed read is not cached", async () => {
  const key = await world.keyFor(id, 1);
  await platform.pool.query("alter table tenants rename to gone");
  await expect(serveState(other, key)).rejects.toThrow();
  await platform.pool.query("alter table gone rename to tenants");
  expect(await serveState(other, key)).toContain("first-key");
});
