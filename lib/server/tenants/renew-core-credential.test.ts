import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { givenMember, givenTenant, testPlatform } from "@/tests/test-platform";
import { selectTenantByCredential } from "../identity/queries";
import { renewCoreCredential } from "./renew-core-credential";

const platform = await testPlatform();
const found = (credential: string) =>
  selectTenantByCredential(platform.db, createHash("sha256").update(credential).digest("hex"));

// Guarantee: the core's new credential counts at once, the old one no more, and only its hash is kept.
test("a renewed credential ends the one before", async () => {
  const owner = await givenMember(platform, "harbor");
  const { tenant } = await givenTenant(platform, owner);
  const first = await renewCoreCredential(platform, owner, tenant.id);
  expect(await found(first.coreCredential)).toMatchObject({ id: tenant.id });
  const second = await renewCoreCredential(platform, owner, tenant.id);
  expect(await found(first.coreCredential)).toBeUndefined();
  expect(await found(second.coreCredential)).toMatchObject({ id: tenant.id });
  const { rows } = await platform.pool.query(
    "select t.*, a.action, a.details from tenants t, audit a where a.action = 'tenant.renew-core-credential'",
  );
  expect(rows).toHaveLength(2);
  expect(JSON.stringify(rows)).not.toContain(second.coreCredential);
});

test("another organization's tenant does not exist, and a sandbox has nothing to renew", async () => {
  const owner = await givenMember(platform, "harbor");
  const { tenant } = await givenTenant(platform, owner);
  const stranger = await givenMember(platform, "alpine");
  for (const id of [tenant.id, "x"])
    await expect(renewCoreCredential(platform, stranger, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await platform.pool.query("update tenants set sandbox = true");
  await expect(renewCoreCredential(platform, owner, tenant.id)).rejects.toMatchObject({
    code: "WRONG_STATE",
  });
});
