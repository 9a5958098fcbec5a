import { expect, test } from "vitest";
import { attempts } from "@/drizzle/schema/calls";
import {
  givenInstallation,
  givenListing,
  givenMember,
  givenTenant,
  one,
  testPlatform,
} from "@/tests/test-platform";
import { hasUnfinishedHook, selectLastHook } from "./route-queries";

const platform = await testPlatform();

// Guarantee: whether a hook ran, and whether one is still open, follows from the attempts alone.
test("the last hook that ended, and the hook that has not", async () => {
  const member = await givenMember(platform, "acme");
  const { version } = await givenListing(platform, member);
  const { tenant } = await givenTenant(platform, member);
  const { installation, routes } = await givenInstallation(platform, member, version, tenant.id);
  const { id: routeId } = one(routes.filter(({ kind }) => kind === "lifecycle"));
  const call = { organizationId: member.organization.id, installationId: installation.id, routeId };
  expect(await selectLastHook(platform.db, installation.id)).toBeUndefined();

  await platform.db.insert(attempts).values([
    { ...call, kind: "lifecycle", hook: "install", target: "GET /_app/install?route=x" },
    { ...call, kind: "lifecycle", hook: "start", target: "GET /_app/start?route=/_app/stop?", durationMs: 1 },
    { ...call, kind: "webhook", target: "POST /_app/stop?" },
  ]);

  expect(await selectLastHook(platform.db, installation.id)).toBe("start");
  expect(await hasUnfinishedHook(platform.db, installation.id, "install")).toBe(true);
  expect(await hasUnfinishedHook(platform.db, installation.id, "start")).toBe(false);
});
