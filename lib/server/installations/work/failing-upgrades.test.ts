import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { audit } from "@/drizzle/schema/platform";
import { Problem } from "@/lib/contract/platform/problem";
import { one, testPlatform } from "@/tests/test-platform";
import { CREATE, givenUpgradeWorld } from "@/tests/upgrade-world";
import { callRoute } from "../../calls/call-route";
import { checkInstances } from "../../runtime/check-instances";
import { readInstallation } from "../read-installation";
import { restoreInstances } from "./restore-instances";

const platform = await testPlatform();

type World = Awaited<ReturnType<typeof givenUpgradeWorld>>;
let world: World;
beforeEach(async () => {
  world = await givenUpgradeWorld(platform);
});

interface Row {
  what: string;
  given: (fake: World["fake"]) => void;
  reason: RegExp;
  /** How often the new version is started. */
  starts: number;
}

const ROWS: Row[] = [
  {
    what: "it is never healthy",
    given: (fake) => (fake.respond = (response) => void response.writeHead(503).end()),
    reason: /not ready within .*503/,
    starts: 1,
  },
  {
    what: "it answers nothing",
    given: (fake) => (fake.respond = (response) => void response.destroy()),
    reason: /not ready within .*GET \/health got no response/,
    starts: 1,
  },
  {
    what: "it ends before it is ready",
    given: (fake) => {
      fake.respond = (response) => {
        response.writeHead(503).end();
        fake.crash();
      };
    },
    reason: /exited with code 1 before GET \/health returned 200/,
    starts: 1,
  },
  {
    what: "its start hook answers 500",
    given: (fake) =>
      (fake.respond = (response, { url }) =>
        void response.writeHead(url.startsWith("/_app") ? 500 : 200).end("no luck")),
    reason: /start hook failed.*500.*no luck/,
    starts: 1,
  },
  {
    what: "it ends after its start hook",
    given: (fake) => {
      fake.respond = (response, { url }) => {
        response.end("{}", () => {
          if (url.startsWith("/_app")) fake.crash();
        });
      };
    },
    reason: /GET \/health got no response/,
    starts: 1,
  },
  {
    what: "no engine answers",
    given: ({ runtimes }) => {
      runtimes.forBundle = () => Promise.reject(new Problem("UNAVAILABLE", "No container engine answers."));
    },
    reason: /^No container engine answers\.$/,
    starts: 0,
  },
  {
    what: "the engine fails in its own words, which stay in the log",
    given: ({ runtimes }) => {
      one(runtimes.all).start = () => Promise.reject(new Error("no such image: registry.internal/x"));
    },
    reason: /^The platform could not start the app\. The platform's log has the cause\.$/,
    starts: 0,
  },
];

// Guarantee: however a new version fails, the old one keeps running, no call fails, and it is not started again and again.
test.each(ROWS)("no call fails when $what", async ({ given, reason, starts }) => {
  const id = await world.launch();
  const route = (await world.routes(id)).find(({ path }) => path === "/autofill");
  const failures: (string | null)[] = [];
  let going = true;
  const lane = async () => {
    while (going) failures.push((await callRoute(platform, route?.id ?? "", CREATE)).failure);
  };
  const lanes = [lane(), lane(), lane()];
  const before = world.fake.orders.length;
  given(world.fake);
  await world.begin(id);
  for (let round = 0; round < 3; round += 1) {
    await world.step(400);
    await checkInstances(platform, world.fake.runtimes, 0);
    await restoreInstances(platform, world.fake.runtimes);
  }
  const called = failures.length;
  await expect.poll(() => failures.length).toBeGreaterThan(called + 5);
  going = false;
  await Promise.all(lanes);
  expect(failures.filter((failure) => failure !== null)).toEqual([]);

  expect(world.fake.orders.length - before).toBe(starts);
  const upgrade = await world.upgrade(id);
  expect(upgrade).toMatchObject({ state: "FAILED", switchedAt: null });
  expect(upgrade?.reason).toMatch(reason);
  expect(await world.installation(id)).toMatchObject({
    state: "RUNNING",
    versionId: world.first.id,
    revision: 1,
    otherVersionId: null,
  });
  expect(await world.running()).toEqual([world.first.id]);
  const { upgrade: view } = await readInstallation(platform, world.customer, id);
  expect(view).toMatchObject({ state: "FAILED", retryable: true, from: "1.0.0", to: "2.0.0" });
  const rows = await platform.db.select().from(audit).where(eq(audit.action, "upgrade.fail"));
  expect(rows).toHaveLength(1);
});
