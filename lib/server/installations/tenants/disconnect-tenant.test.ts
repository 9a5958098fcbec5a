import { expect, test } from "vitest";
import { coreCredentials, tenants } from "@/drizzle/schema/installations-tenants";
import { fakeCore } from "@/tests/fake-core";
import {
  givenInstallation,
  givenListing,
  givenMember,
  givenTenant,
  testPlatform,
} from "@/tests/test-platform";
import { authenticateCore } from "../../accounts/credentials/authenticate-core";
import { launchInstallation } from "../launch-installation";
import { connectTenant, disconnectTenant } from "./connect-tenant";
import { rotateCoreCredential } from "./credentials";
import { listTenants, readTenant } from "./read-tenants";
import { testTenant } from "./test-connection";

const platform = await testPlatform();
const core = fakeCore();

async function givenConnected(slug = "harbor") {
  const owner = await givenMember(platform, slug);
  core.apiKey = "core-secret";
  const input = {
    name: "Production",
    hostName: `${slug}.core.example`,
    coreApiUrl: core.coreApiUrl,
    credential: { action: "set", value: "core-secret" } as const,
  };
  return { owner, input, ...(await connectTenant(platform, owner, input)) };
}

// Guarantee: both credentials are deleted with the tenant immediately, and the audit trail says who disconnected it.
test("a disconnected tenant's core can't sign in, and nothing secret of it is left", async () => {
  const { owner, tenantId, coreCredential } = await givenConnected();
  await expect(authenticateCore(platform, `Bearer ${coreCredential}`)).resolves.toMatchObject({ tenantId });
  await disconnectTenant(platform, owner, tenantId);
  await expect(authenticateCore(platform, `Bearer ${coreCredential}`)).rejects.toMatchObject({
    code: "WRONG_CREDENTIALS",
  });
  expect(await platform.db.select().from(coreCredentials)).toEqual([]);
  const [row] = await platform.db.select().from(tenants);
  expect(row).toMatchObject({ credential: null, connection: null });
  expect((await platform.pool.query("select id from products")).rows).toEqual([]);
  const audited = await platform.pool.query(
    "select actor, subject from audit where action = 'tenant.disconnect'",
  );
  expect(audited.rows).toEqual([{ actor: `user:${owner.userId}`, subject: `tenant:${tenantId}` }]);
});

test("a disconnected tenant is absent, and its name and host name can be connected again", async () => {
  const { owner, input, tenantId } = await givenConnected();
  await disconnectTenant(platform, owner, tenantId);
  expect((await listTenants(platform, owner)).tenants).toEqual([]);
  const rotate = () => rotateCoreCredential(platform, owner, tenantId, "24h");
  for (const verb of [readTenant, testTenant, rotate, disconnectTenant])
    await expect(verb(platform, owner, tenantId)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await connectTenant(platform, owner, input);
  expect((await listTenants(platform, owner)).tenants).toMatchObject([{ hostName: input.hostName }]);
});

// Guarantee: no installation is left without its tenant.
test("a tenant with an app installed is not disconnected; after the uninstall it is", async () => {
  const { owner, tenantId, coreCredential } = await givenConnected();
  const { version } = await givenListing(platform, await givenMember(platform, "acme"));
  const { installation } = await givenInstallation(platform, owner, version, tenantId);
  for (const state of ["RUNNING", "STOPPED", "ERROR", "UNINSTALLING"]) {
    await platform.pool.query("update installations set state = $1", [state]);
    await expect(disconnectTenant(platform, owner, tenantId), state).rejects.toMatchObject({
      code: "WRONG_STATE",
      detail: expect.stringContaining("Uninstall them first"),
    });
  }
  await expect(authenticateCore(platform, `Bearer ${coreCredential}`)).resolves.toBeDefined();
  await platform.pool.query("update installations set state = 'UNINSTALLED' where id = $1", [
    installation.id,
  ]);
  await disconnectTenant(platform, owner, tenantId);
});

// Guarantee: a launch and a disconnection at the same time never leave an installation without its tenant.
test("a launch that is under way wins; one that starts later finds no tenant", async () => {
  const publisher = await givenMember(platform, "acme");
  const { version } = await givenListing(platform, publisher, { state: "PUBLIC", verified: true });
  for (let round = 0; round < 5; round += 1) {
    const { owner, tenantId } = await givenConnected(`harbor-${round}`);
    const launch = launchInstallation(platform, owner, {
      versionId: version.id,
      tenantId,
      test: false,
      settings: { region: { action: "set", value: "eu" }, apiKey: { action: "set", value: "k" } },
      mappings: { Auto: { vin: "$.vin" } },
    });
    const outcomes = await Promise.allSettled([launch, disconnectTenant(platform, owner, tenantId)]);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  }
});

test("another organization's tenant is not found, and stays connected", async () => {
  const { owner, tenantId } = await givenConnected();
  const stranger = await givenMember(platform, "alpine");
  const { tenant } = await givenTenant(platform, stranger);
  await expect(disconnectTenant(platform, stranger, tenantId)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(disconnectTenant(platform, owner, tenant.id)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(readTenant(platform, owner, tenantId)).resolves.toBeDefined();
});
