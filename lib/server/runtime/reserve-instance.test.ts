/** The running apps of a publisher never have more memory and CPU than the platform allows them. */
import { expect, test } from "vitest";
import { installations } from "@/drizzle/schema/installations";
import { instances } from "@/drizzle/schema/runtime";
import type { Respond } from "@/tests/fake-app";
import { fakeRuntimes } from "@/tests/fake-runtime";
import {
  givenInstallation,
  givenListing,
  givenMember,
  givenTenant,
  one,
  testPlatform,
} from "@/tests/test-platform";
import { advanceInstallations } from "@/tests/work";
import { listUsage, readUsage } from "../insight/health/read-usage";
import { ensureInstance } from "./ensure-instance";

const platform = await testPlatform();
const MIB = 1024 * 1024;

/** Versions of a publisher's apps. */
async function givenVersions(slug: string, count: number) {
  const publisher = await givenMember(platform, slug);
  const given = [];
  for (let number = 0; number < count; number += 1)
    given.push(
      await givenListing(platform, publisher, { appName: `app-${number}`, verified: true, state: "PUBLIC" }),
    );
  return { publisher, versions: given.map(({ version }) => version) };
}

const healthy: Respond = (response) => void response.end("ok");

test("of many starts at once, only as many succeed as the quota allows", async () => {
  const small = { ...platform, environment: { ...platform.environment, PLATFORM_QUOTA_MEMORY_MIB: 1_100 } };
  const { publisher, versions } = await givenVersions("acme", 6);
  const { runtimes } = fakeRuntimes(healthy);
  const starts = await Promise.allSettled(versions.map(({ id }) => ensureInstance(small, runtimes, id)));
  const refused = starts.flatMap((start) => (start.status === "rejected" ? [start.reason] : []));
  expect(refused.map(({ reasonCode }) => reasonCode)).toEqual(Array(4).fill("QUOTA_REACHED"));
  expect(refused[0].detail).toContain("all the memory");
  // What was refused left nothing behind.
  expect(await platform.db.$count(instances)).toBe(2);
  const { capacity } = await readUsage(small, publisher.organization.id);
  expect(capacity).toEqual({
    apps: 2,
    used: { memoryBytes: 1_024 * MIB, cpus: 2 },
    quota: { memoryBytes: 1_100 * MIB, cpus: 20 },
  });
  // While instances finish their calls, they keep what they have.
  await platform.db.update(instances).set({ state: "DRAINING" });
  expect((await readUsage(small, publisher.organization.id)).capacity.apps).toBe(2);
  await platform.db.update(instances).set({ state: "READY" });
  // Another publisher has a quota of its own.
  const other = await givenVersions("partner", 1);
  await ensureInstance(small, runtimes, one(other.versions).id);
  // Nothing that runs is stopped when the quota shrinks, and a version that runs needs no second place.
  small.environment.PLATFORM_QUOTA_MEMORY_MIB = 1;
  const [running] = await platform.db.select().from(instances).orderBy(instances.id);
  expect((await ensureInstance(small, runtimes, running?.versionId ?? "")).id).toBe(running?.id);
});

test("a launch beyond the quota says so, and starts once there is room", async () => {
  const small = { ...platform, environment: { ...platform.environment, PLATFORM_QUOTA_CPUS: 1 } };
  const { versions } = await givenVersions("acme", 2);
  const { runtimes } = fakeRuntimes(healthy);
  const [first, second] = versions;
  if (first === undefined || second === undefined) throw new Error("two versions");
  await ensureInstance(small, runtimes, first.id);
  const customer = await givenMember(platform, "harbor");
  const { tenant } = await givenTenant(platform, customer);
  await givenInstallation(platform, customer, second, tenant.id);
  const launch = async () => {
    await platform.db.update(installations).set({ state: "LAUNCHING" });
    await advanceInstallations(small, runtimes);
    return one(await platform.db.select().from(installations));
  };
  expect(await launch()).toMatchObject({
    state: "ERROR",
    reasonCode: "QUOTA_REACHED",
    reason: expect.stringContaining("all the CPU that the platform allows"),
  });
  small.environment.PLATFORM_QUOTA_CPUS = 2;
  expect(await launch()).toMatchObject({ state: "RUNNING", reasonCode: null });
});

test("the operator sees the largest organizations first, page by page, and finds each", async () => {
  const { runtimes } = fakeRuntimes(healthy);
  for (const [slug, count] of [
    ["small", 1],
    ["large", 3],
    ["middle", 2],
  ] as const)
    for (const { id } of (await givenVersions(slug, count)).versions)
      await ensureInstance(platform, runtimes, id);
  await givenMember(platform, "idle");
  const slugs = async (query: Parameters<typeof listUsage>[1]) =>
    (await listUsage(platform, query)).organizations.map(({ slug, capacity }) => [slug, capacity.apps]);
  expect(await slugs({})).toEqual([
    ["large", 3],
    ["middle", 2],
    ["small", 1],
    ["idle", 0],
  ]);
  expect(await slugs({ search: "IDD" })).toEqual([["middle", 2]]);
  expect(await slugs({ search: "%" })).toEqual([]);
  const { organizations, total } = await listUsage(platform, {});
  expect(total).toBe(organizations.length);
  expect(await slugs({ after: `3.${organizations[0]?.id}` })).toEqual([
    ["middle", 2],
    ["small", 1],
    ["idle", 0],
  ]);
  expect(await slugs({ after: "x'; drop table organizations" })).toHaveLength(4);
  expect(await slugs({ by: "storage" })).toHaveLength(4);
});
