import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { givenMember, givenTenant, testPlatform } from "@/tests/test-platform";
import { selectTenantByCredential } from "../identity/queries";
import { renewCoreCredential } from "./renew-core-credential";

const platform = await testPlatform();
const findTenant = (credential: string) =>
  selectTenantByCredential(platform.db, createHash("sha256").update(credential).digest("hex"));

// Guarantee: the new credential works at once, the old one no longer, and only the hash is stored.
test("renewing a credential revokes the previous one", async () => {
  const owner = await givenMember(platform, "harbor");
  const { tenant } = await givenTenant(platform, owner);
  const first = await renewCoreCredential(platform, owner, tenant.id);
  expect(await findTenant(first.coreCredential)).toMatchObject({ id: tenant.id });
  const second = await renewCoreCredential(platform, owner, tenant.id);
  expect(await findTenant(first.coreCredential)).toBeUndefined();
  expect(await findTenant(second.coreCredential)).toMatchObject({ id: tenant.id });
  const { rows } = await platform.pool.query(
    "select t.*, a.action, a.details from tenants t, audit a where a.action = 'tenant.renew-core-credential'",
  );
  expect(rows).toHaveLength(2);
  expect(JSON.stringify(rows)).not.toContain(second.coreCredential);
});

test("another organization's tenant is not found, and a sandbox has no credential to renew", async () => {
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
