import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { attempts } from "@/drizzle/schema/calls";
import { installations } from "@/drizzle/schema/installations";
import { instances, parkings } from "@/drizzle/schema/runtime";
import { CRASHES_TO_PARK } from "@/lib/domain/runtime/instance";
import { fakeRuntimes } from "@/tests/fake-runtime";
import { givenInstalledApp, givenMember, one, testPlatform } from "@/tests/test-platform";
import { startAgain } from "../installations/command-installation";
import { readInstallation } from "../installations/read-installation";
import { reconfigureInstallation } from "../installations/save-configuration";
import { restoreInstances } from "../installations/work/restore-instances";
import { verifyAudit } from "../platform/verify-audit";
import { readOwnApp, readOwnOverview } from "../surface/read-own-listing";
import { checkInstances } from "./check-instances";
import { InstanceFailure } from "./engines/runtime";
import { ensureInstance } from "./ensure-instance";

const platform = await testPlatform();

let world: Awaited<ReturnType<typeof givenWorld>>;
beforeEach(async () => {
  world = await givenWorld();
});

async function givenWorld() {
  const { publisher, customer, version, installation, routes } = await givenInstalledApp(platform);
  const fake = fakeRuntimes((response) => void response.end("ok"));
  await ensureInstance(platform, fake.runtimes, version.id);
  return { publisher, customer, version, installation, routes, fake };
}

/** Crashes the app and lets time pass until it may be restarted. @param called whether calls were sent to each instance */
async function crash(times: number, called = false): Promise<void> {
  const { fake, installation, customer, routes } = world;
  for (let crashes = 0; crashes < times; crashes += 1) {
    if (called)
      await platform.db.insert(attempts).values({
        organizationId: customer.organization.id,
        installationId: installation.id,
        routeId: routes[0]?.id ?? "",
        kind: "autofill",
        target: "POST /autofill",
      });
    fake.crash();
    await checkInstances(platform, fake.runtimes, 0);
    await platform.pool.query(`
      update instances set ready_at = ready_at - interval '301 seconds', ended_at = ended_at - interval '301 seconds',
             created_at = created_at - interval '301 seconds'`);
    await platform.pool.query(
      "update parkings set parked_at = parked_at - interval '301 seconds', ended_at = ended_at - interval '301 seconds'",
    );
    await platform.pool.query("update attempts set started_at = started_at - interval '301 seconds'");
    await restore();
  }
}

const restore = () => restoreInstances(platform, world.fake.runtimes);
const view = () => readInstallation(platform, world.customer, world.installation.id);

describe("a crash loop", () => {
  // Guarantee: it ends, everybody sees that and why, and nothing restarts the app until somebody wants it.
  test("is parked, with its cause on both pages and an audit row", async () => {
    await crash(CRASHES_TO_PARK - 1);
    expect(world.fake.handles()).toHaveLength(1);
    await crash(1);
    for (let round = 0; round < 3; round += 1) await restore();
    expect(world.fake.handles()).toEqual([]);
    const { state, health, instance } = await view();
    expect(state).toBe("RUNNING");
    expect(health).toMatchObject({
      status: "DOWN",
      problems: [
        { cause: "parked", count: CRASHES_TO_PARK, code: "EXITED", reason: "The app exited with code 1." },
      ],
    });
    expect(instance?.lastFailure).toMatchObject({ code: "EXITED", exitCode: 1 });
    const { listing } = await readOwnApp(platform, world.publisher, "vin-lookup");
    const { failures } = await readOwnOverview(platform, world.publisher, listing);
    expect(one(failures)).toMatchObject({ code: "EXITED", parked: { crashes: CRASHES_TO_PARK } });
    expect(await verifyAudit(platform, listing.organizationId)).toMatchObject({ intact: true });
    const { rows } = await platform.pool.query("select 1 from audit where action = 'version.park'");
    expect(rows).toHaveLength(1);
  });

  // Guarantee: one customer's payload can't stop an app for all of its customers.
  test("is not assumed while calls may have caused the crashes", async () => {
    await crash(2 * CRASHES_TO_PARK, true);
    expect(await platform.db.select().from(parkings)).toEqual([]);
    expect(world.fake.handles()).toHaveLength(1);
  });

  test("is started again at once when an operator wants it, and parked again after as many crashes", async () => {
    await crash(CRASHES_TO_PARK);
    await startAgain(platform, world.customer, world.installation.id);
    await restore();
    expect(world.fake.handles()).toHaveLength(1);
    expect((await view()).health.status).toBe("DEGRADED");
    await expect(startAgain(platform, world.customer, world.installation.id)).rejects.toMatchObject({
      code: "WRONG_STATE",
    });
    await crash(CRASHES_TO_PARK - 1);
    expect(world.fake.handles()).toHaveLength(1);
    await crash(1);
    expect(world.fake.handles()).toEqual([]);
    const causes = (await platform.db.select().from(parkings)).map(({ endedCause }) => endedCause);
    expect(causes).toEqual(["START_AGAIN", null]);
  });

  test("ends with a new configuration, and with an instance that a launch made ready", async () => {
    await crash(CRASHES_TO_PARK);
    await reconfigureInstallation(platform, world.customer, world.installation.id, {
      revision: 1,
      settings: {
        region: { action: "set", value: "us" },
        apiKey: { action: "set", value: "key" },
      },
      mappings: {},
    });
    await restore();
    expect(world.fake.handles()).toHaveLength(1);
    await crash(CRASHES_TO_PARK);
    expect(world.fake.handles()).toEqual([]);
    await ensureInstance(platform, world.fake.runtimes, world.version.id);
    const causes = (await platform.db.select().from(parkings)).map(({ endedCause }) => endedCause);
    expect(causes).toEqual(["CONFIGURATION", "READY"]);
  });

  test("can't be ended by publishers of the customer or by other organizations", async () => {
    await crash(CRASHES_TO_PARK);
    const publisher = await givenMember(platform, "harbor", "publisher");
    const foreign = await givenMember(platform, "alpine");
    const startAs = (member: typeof publisher) => startAgain(platform, member, world.installation.id);
    await expect(startAs(publisher)).rejects.toMatchObject({ code: "NOT_ALLOWED" });
    await expect(startAs(foreign)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

// Guarantee: while nothing can be started, the page says why, and the database doesn't fill up with it.
test("an engine that doesn't respond is the reason of an app that it lost, recorded once", async () => {
  const { fake, version } = world;
  fake.crash();
  await checkInstances(platform, fake.runtimes, 0);
  const forBundle = async () => {
    throw new InstanceFailure("ENGINE_UNREACHABLE", "No container engine responds.");
  };
  for (let round = 0; round < 3; round += 1)
    await restoreInstances(platform, { ...fake.runtimes, forBundle });
  expect((await view()).health.problems).toMatchObject([
    { cause: "not-running", code: "ENGINE_UNREACHABLE", reason: "No container engine responds." },
  ]);
  const codes = await platform.db
    .select({ code: instances.reasonCode })
    .from(instances)
    .where(eq(instances.versionId, version.id))
    .orderBy(instances.id);
  expect(codes.map(({ code }) => code)).toEqual(["EXITED", "ENGINE_UNREACHABLE"]);
  await restore();
  expect((await view()).health.status).toBe("DEGRADED");
  expect(one(await platform.db.select().from(installations)).state).toBe("RUNNING");
});
