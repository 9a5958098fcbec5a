import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { attempts } from "@/drizzle/schema/deliveries";
import {
  givenInstallation,
  givenListing,
  givenMember,
  givenTenant,
  one,
  testPlatform,
} from "@/tests/test-platform";
import { hasUnfinishedHook, selectLastHook } from "./queries";

const platform = await testPlatform();

// Guarantee: the migration fills in the hooks of attempts that were made before the column existed.
test("the migration reads the hook of earlier attempts from their target", async () => {
  const member = await givenMember(platform, "acme");
  const { version } = await givenListing(platform, member);
  const { tenant } = await givenTenant(platform, member);
  const { installation, routes } = await givenInstallation(platform, member, version, tenant.id);
  const { id: routeId } = one(routes.filter(({ kind }) => kind === "lifecycle"));
  const call = { organizationId: member.organization.id, installationId: installation.id, routeId };
  await platform.db.insert(attempts).values([
    { ...call, kind: "lifecycle", target: "GET /_app/install?route=x" },
    { ...call, kind: "lifecycle", target: "GET /_app/start?route=/_app/stop?", durationMs: 1 },
    { ...call, kind: "webhook", target: "POST /_app/stop?" },
  ]);
  expect(await selectLastHook(platform.db, installation.id)).toBeUndefined();

  const sql = await readFile("drizzle/migrations/0006_attempt_hook.sql", "utf8");
  await platform.pool.query(sql.split("--> statement-breakpoint").at(-1) ?? "");

  const hooks = (await platform.db.select().from(attempts).orderBy(attempts.id)).map(({ hook }) => hook);
  expect(hooks).toEqual(["install", "start", null]);
  expect(await selectLastHook(platform.db, installation.id)).toBe("start");
  expect(await hasUnfinishedHook(platform.db, installation.id, "install")).toBe(true);
  expect(await hasUnfinishedHook(platform.db, installation.id, "start")).toBe(false);
});
