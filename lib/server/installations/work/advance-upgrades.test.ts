import { setTimeout as sleep } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { attempts } from "@/drizzle/schema/calls";
import { audit } from "@/drizzle/schema/platform";
import { instances } from "@/drizzle/schema/runtime";
import { givenMember, readState, testPlatform } from "@/tests/test-platform";
import { answering, CREATE, givenUpgradeWorld, keyOf } from "@/tests/upgrade-world";
import { claimUpgrades } from "@/tests/work";
import { callRoute } from "../../calls/call-route";
import { upgradePool } from "./advance-upgrades";

const platform = await testPlatform();

let world: Awaited<ReturnType<typeof givenUpgradeWorld>>;
beforeEach(async () => {
  world = await givenUpgradeWorld(platform);
});

const dropLeases = () => platform.pool.query("update upgrades set leased_until = null");

/** Calls a route repeatedly until it is stopped; returns the results in order. */
function stream(routeId: string) {
  const answers: (string | null)[] = [];
  let going = true;
  const lane = async () => {
    while (going) answers.push(await world.answerOf(routeId));
  };
  const lanes = [lane(), lane(), lane()];
  return {
    answers,
    end: async () => {
      going = false;
      await Promise.all(lanes);
      return answers;
    },
  };
}

const FROM_FIRST = JSON.stringify({ from: "first" });
const FROM_SECOND = JSON.stringify({ from: "second" });

// Guarantee: traffic moves once the new version is ready and its start hook has succeeded, and no call fails.
test("calls move from the old version to the new one without a failure, in one step", async () => {
  const id = await world.launch();
  const routeId = await world.routeOf(id, "/autofill");
  const calls = stream(routeId);
  world.fake.respond = async (response, received) => {
    // While the hook is running, all calls still go to the old version.
    if (received.url.startsWith("/_app/start")) {
      await sleep(100);
      expect(await world.installation(id)).toMatchObject({ versionId: world.first.id, revision: 1 });
      expect(await readState(platform, keyOf(received))).toMatchObject({ settings: { label: "new" } });
    }
    await answering("second")(response, received);
  };
  await world.begin(id);
  await expect.poll(() => calls.answers.length).toBeGreaterThan(5);
  await world.step();
  expect(await world.upgrade(id)).toMatchObject({ state: "DRAINING" });
  expect((await world.running()).sort()).toEqual([world.first.id, world.second.id].sort());
  await sleep(200);
  await world.hurry();
  await world.step();
  const answers = await calls.end();
  expect(new Set(answers)).toEqual(new Set([FROM_FIRST, FROM_SECOND]));
  // Three lanes: at the switch, each may have one call in progress.
  expect(
    answers.slice(answers.indexOf(FROM_SECOND)).filter((answer) => answer === FROM_FIRST).length,
  ).toBeLessThan(3);
  expect(await world.upgrade(id)).toMatchObject({ state: "DONE", reason: null });
  expect(await world.installation(id)).toMatchObject({
    state: "RUNNING",
    versionId: world.second.id,
    revision: 2,
    otherVersionId: null,
  });
  expect(await world.running()).toEqual([world.second.id]);
  expect(await world.routeOf(id, "/autofill")).toBe(routeId);
  const actions = (await platform.db.select().from(audit)).map((row) => row.action);
  expect(actions).toEqual(expect.arrayContaining(["installation.upgrade", "upgrade.switch", "upgrade.end"]));
});

// Guarantee: a call that started on the old version finishes there, with its settings.
test("the old instance stays until its calls have finished", async () => {
  const id = await world.launch();
  let release = (): void => undefined;
  let key = "";
  world.fake.app().respond = async (response, received) => {
    key = keyOf(received);
    await new Promise<void>((resolve) => {
      release = resolve;
    });
    response.end(JSON.stringify(await readState(platform, key)));
  };
  const slow = callRoute(platform, await world.routeOf(id, "/autofill"), CREATE);
  await expect.poll(() => key).not.toBe("");
  world.fake.respond = answering("second");
  await world.begin(id);
  await world.step();
  // Synchronous calls are recorded when they end, so the old instance stays as long as they may take.
  await platform.pool.query(
    "update upgrades set leased_until = null, switched_at = now() - interval '12 seconds'",
  );
  await world.step();
  expect(await world.upgrade(id)).toMatchObject({ state: "DRAINING" });
  expect(await world.answerOf(await world.routeOf(id, "/autofill"))).toBe(FROM_SECOND);
  release();
  const { failure, answer } = await slow;
  expect(failure).toBeNull();
  expect(JSON.parse(answer ?? "")).toMatchObject({ settings: { apiKey: "the-secret", note: "hello" } });
  await world.hurry();
  await world.step();
  expect(await world.upgrade(id)).toMatchObject({ state: "DONE" });
  expect(await world.running()).toEqual([world.second.id]);
});

// Guarantee: a call that picked the old instance just before the switch still finds it, even if not recorded yet.
test("the old instance stays for a while even without recorded calls", async () => {
  const id = await world.launch();
  await world.begin(id);
  await world.step();
  await dropLeases();
  await world.step();
  expect(await world.upgrade(id)).toMatchObject({ state: "DRAINING" });
  expect(await world.running()).toHaveLength(2);
});

test("an attempt that a dead process left open does not keep the instance forever", async () => {
  const id = await world.launch();
  const startedAt = new Date(Date.now() - 3 * 60_000);
  const { organizationId } = await world.installation(id);
  const routeId = await world.routeOf(id, "/autofill");
  await platform.db.insert(attempts).values({
    organizationId,
    installationId: id,
    routeId,
    kind: "autofill",
    target: "POST /autofill",
    startedAt,
  });
  await world.begin(id);
  await world.step();
  await world.hurry();
  await world.step();
  expect(await world.upgrade(id)).toMatchObject({ state: "DONE" });
});

// Guarantee: another worker continues where one was killed, and nothing important happens twice.
describe("a killed worker is replaced:", () => {
  const finish = async (id: string) => {
    await dropLeases();
    await world.step();
    await world.hurry();
    await world.step();
    expect(await world.upgrade(id)).toMatchObject({ state: "DONE" });
    expect(await world.installation(id)).toMatchObject({ versionId: world.second.id, otherVersionId: null });
    expect(await world.running()).toEqual([world.second.id]);
    const switches = await platform.db.select().from(audit).where(eq(audit.action, "upgrade.switch"));
    expect(switches).toHaveLength(1);
  };

  test("after it claimed", async () => {
    const id = await world.launch();
    await world.begin(id);
    expect(await claimUpgrades(platform, 10)).toHaveLength(1);
    expect(await claimUpgrades(platform, 10)).toHaveLength(0);
    await finish(id);
  });

  test("while the new version was starting", async () => {
    const id = await world.launch();
    await world.begin(id);
    await claimUpgrades(platform, 10);
    const abandoned = {
      versionId: world.second.id,
      runtime: "process",
      checkedAt: new Date(Date.now() - 60_000),
    };
    await platform.db.insert(instances).values(abandoned);
    await finish(id);
  });

  test("after the new version was ready and its hook had run", async () => {
    const id = await world.launch();
    await world.begin(id);
    const { transaction } = platform.db;
    let hooks = 0;
    world.fake.respond = async (response, received) => {
      if (received.url.startsWith("/_app/start") && (hooks += 1) === 1)
        platform.db.transaction = () => Promise.reject(new Error("killed"));
      await answering("second")(response, received);
    };
    await expect(world.step()).rejects.toThrow("killed");
    platform.db.transaction = transaction;
    expect(await world.running()).toHaveLength(2);
    expect(await world.installation(id)).toMatchObject({ versionId: world.first.id });
    await finish(id);
  });

  test("after the switch", async () => {
    const id = await world.launch();
    await world.begin(id);
    await world.step();
    expect(await claimUpgrades(platform, 10)).toHaveLength(1);
    await platform.pool.query(
      "update upgrades set leased_until = null, switched_at = now() - interval '10 seconds'",
    );
    await finish(id);
  });

  test("and a late one changes nothing", async () => {
    const id = await world.launch();
    await world.begin(id);
    const [late] = await claimUpgrades(platform, 10);
    await finish(id);
    if (late !== undefined) await upgradePool(platform, world.fake.runtimes).handle(late);
    expect(await world.upgrade(id)).toMatchObject({ state: "DONE" });
    expect(await world.installation(id)).toMatchObject({ versionId: world.second.id, otherVersionId: null });
  });
});

// Guarantee: customers upgrade one by one; a version does not end because another customer left it.
test("one of two installations upgrades, and both versions run", async () => {
  const id = await world.launch();
  const other = await world.launch(await givenMember(platform, "alpine", "operator"));
  await world.begin(id);
  await world.step();
  await world.hurry();
  await world.step();
  expect((await world.running()).sort()).toEqual([world.first.id, world.second.id].sort());
  expect(await world.answerOf(await world.routeOf(other, "/autofill"))).toBe(FROM_FIRST);
  expect(await world.upgrade(id)).toMatchObject({ state: "DONE" });
});

test("the start hook is called only for its installation and revision", async () => {
  const id = await world.launch();
  const hooks: { url: string; settings: Record<string, string> }[] = [];
  world.fake.respond = async (response, received) => {
    if (received.url.startsWith("/_app")) {
      const { settings } = await readState(platform, keyOf(received));
      hooks.push({ url: received.url, settings });
    }
    response.end("{}");
  };
  await world.begin(id);
  await world.step();
  const routeBase = `${platform.environment.PLATFORM_GATEWAY_URL}/r/${(await world.installation(id)).routeBase}`;
  const settings = { region: "eu", note: "hello", label: "new" };
  expect(hooks).toEqual([{ url: `/_app/start?route=${encodeURIComponent(routeBase)}`, settings }]);
});
