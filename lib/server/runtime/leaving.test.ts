/** What happens to an instance that its cluster ends, such as for the drain of a node, or that only its own node reaches. */
import { asc, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { notifications } from "@/drizzle/schema/platform";
import { instances } from "@/drizzle/schema/runtime";
import type { Respond } from "@/tests/fake-app";
import { fakeRuntimes } from "@/tests/fake-runtime";
import { givenInstalledApp, testPlatform } from "@/tests/test-platform";
import { selectReadyReplicas } from "../calls/route-queries";
import { restoreInstances } from "../installations/work/restore-instances";
import { checkInstances, followChange } from "./check-instances";
import { ensureInstance } from "./ensure-instance";
import { reconcileInstances } from "./reconcile-instances";
import { readPlatformId } from "./stray-queries";

const platform = await testPlatform();
const healthy: Respond = (response) => void response.end("ok");

let versionId: string;
beforeEach(async () => {
  versionId = (await givenInstalledApp(platform)).version.id;
});

const rows = () => platform.db.select().from(instances).orderBy(asc(instances.id));
const states = async () => (await rows()).map(({ state }) => state);
const callable = async () => (await selectReadyReplicas(platform.pool, versionId)).map(({ id }) => id);

/** Apps that start are not ready until the function that this returns is called. */
function holdAnswers(fake: { respond: Respond }): () => void {
  let open: () => void = () => undefined;
  const isOpen = new Promise<void>((resolve) => (open = resolve));
  fake.respond = (response) => void isOpen.then(() => response.end("ok"));
  return open;
}

// Guarantee: calls find an instance from the moment that the cluster begins to move it until its successor is ready.
test("an instance that is moved stays callable until its successor is ready", async () => {
  const fake = fakeRuntimes(healthy);
  const first = await ensureInstance(platform, fake.runtimes, versionId);
  const open = holdAnswers(fake);
  fake.leave();
  await followChange(platform, fake.runtimes, first.handle ?? "");
  expect(await states()).toEqual(["DRAINING", "STARTING"]);
  expect(await callable()).toEqual([first.id]);
  open();
  await expect.poll(states).toEqual(["DRAINING", "READY"]);
  const [old, successor] = await rows();
  expect(await callable()).toEqual([successor?.id]);
  // It is not the app's fault, and nobody is notified.
  expect(old).toMatchObject({
    reasonCode: "EVICTED",
    reason: "The app was moved, because its node is being drained.",
  });
});

test("of several replicas, one that is moved gets no more calls at once", async () => {
  const fake = fakeRuntimes(healthy);
  const first = await ensureInstance(platform, fake.runtimes, versionId);
  const [handle] = fake.handles();
  await platform.db.insert(instances).values({
    ...{ versionId, replica: 1, runtime: first.runtime, origin: first.origin },
    ...{ state: "READY", readyAt: new Date() },
  });
  const other = (await rows()).at(-1)?.id;
  const open = holdAnswers(fake);
  fake.leave(handle);
  await followChange(platform, fake.runtimes, first.handle ?? "");
  expect(await callable()).toEqual([other]);
  open();
  await expect.poll(states).toEqual(["DRAINING", "READY", "READY"]);
});

// Guarantee: a move needs no room in the publisher's quota, and no app is started twice for it.
test("the successor takes its predecessor's place in the quota", async () => {
  const small = { ...platform, environment: { ...platform.environment, PLATFORM_QUOTA_MEMORY_MIB: 600 } };
  const fake = fakeRuntimes(healthy);
  const { handle } = await ensureInstance(small, fake.runtimes, versionId);
  fake.leave();
  await Promise.all([1, 2, 3].map(() => followChange(small, fake.runtimes, handle ?? "")));
  await restoreInstances(small, fake.runtimes);
  await expect.poll(states).toEqual(["DRAINING", "READY"]);
  expect(fake.orders).toHaveLength(2);
});

// Guarantee: a report that was missed is made up for.
test.each([
  ["a worker that starts", reconcileInstances],
  [
    "a health check that fails",
    async (...[, runtimes]: Parameters<typeof checkInstances>) => checkInstances(platform, runtimes, 0),
  ],
])("%s sees that an instance is moved", async (_, look) => {
  let isWell = true;
  const fake = fakeRuntimes((response) => void response.writeHead(isWell ? 200 : 503).end());
  await ensureInstance(platform, fake.runtimes, versionId);
  fake.leave();
  isWell = false;
  await look(platform, fake.runtimes);
  expect((await states())[0]).toBe("DRAINING");
  isWell = true;
  fake.respond = healthy;
  await expect.poll(states).toEqual(["DRAINING", "READY"]);
});

const failing = (seconds: number) =>
  platform.db
    .update(instances)
    .set({ failedChecks: 2, failingSince: sql`now() - make_interval(secs => ${seconds})` });

// Guarantee: a node that is gone and a policy that blocks the platform aren't blamed on the app, and its publisher isn't notified.
test.each([
  ["refuses connections", (fake: ReturnType<typeof fakeRuntimes>) => void fake.app().server.close()],
  [
    "breaks them off",
    (fake: ReturnType<typeof fakeRuntimes>) => (fake.app().respond = (response) => void response.destroy()),
  ],
])(
  "an instance that answers its own machine, while the platform's way there %s, is ended for its network",
  async (_, cut) => {
    const fake = fakeRuntimes(healthy);
    await ensureInstance(platform, fake.runtimes, versionId);
    fake.healthyThere = true;
    cut(fake);
    // Its machine may not have noticed yet.
    await failing(5);
    await checkInstances(platform, fake.runtimes, 0);
    expect((await rows())[0]).toMatchObject({
      state: "READY",
      reasonCode: "NETWORK_FAILED",
      failedChecks: 3,
    });
    await failing(13);
    await checkInstances(platform, fake.runtimes, 0);
    expect((await rows())[0]).toMatchObject({
      ...{ state: "STOPPED", reasonCode: "NETWORK_FAILED" },
      reason: expect.stringContaining("The machine that the app runs on gets 200"),
    });
    expect(await platform.db.select().from(notifications)).toEqual([]);
  },
);

test("an instance that its own machine doesn't reach either, or that answers 503, is at fault", async () => {
  const fake = fakeRuntimes(healthy);
  await ensureInstance(platform, fake.runtimes, versionId);
  fake.app().server.close();
  fake.app().server.closeAllConnections();
  await failing(5);
  await checkInstances(platform, fake.runtimes, 0);
  expect((await rows())[0]).toMatchObject({ reasonCode: "PORT_NOT_BOUND", endedAt: expect.any(Date) });
  const ill = fakeRuntimes(healthy);
  await ensureInstance(platform, ill.runtimes, versionId);
  ill.healthyThere = true;
  ill.app().respond = (response) => void response.writeHead(503).end();
  await failing(13);
  await checkInstances(platform, ill.runtimes, 0);
  expect((await rows())[1]).toMatchObject({ reasonCode: "HEALTH_NOT_200", endedAt: expect.any(Date) });
});

test("a start that only its own machine sees succeed says so", async () => {
  const fake = fakeRuntimes((response) => void response.destroy());
  fake.healthyThere = true;
  await expect(ensureInstance(platform, fake.runtimes, versionId, 300)).rejects.toMatchObject({
    reasonCode: "NETWORK_FAILED",
    detail: expect.stringContaining("policies between the platform and apps"),
  });
});

// Guarantee: two platforms in one namespace don't take each other's apps for strays, and a restart keeps its own.
test("the platform's id is made once", async () => {
  const ids = await Promise.all([1, 2, 3].map(() => readPlatformId(platform.db)));
  expect(new Set(ids).size).toBe(1);
});
