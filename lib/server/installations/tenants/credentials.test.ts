import { expect, test } from "vitest";
import type { Overlap } from "@/lib/contract/accounts/api-key";
import { givenMember, givenTenant, testPlatform } from "@/tests/test-platform";
import { authenticateCore } from "../../accounts/credentials/authenticate-core";
import { revokeCoreCredential, rotateCoreCredential } from "./credentials";
import { readTenant } from "./read-tenants";

const platform = await testPlatform();
const REFUSED = { code: "WRONG_CREDENTIALS" };

async function givenOwner() {
  const owner = await givenMember(platform, "harbor");
  const { tenant } = await givenTenant(platform, owner);
  const rotate = async (overlap: Overlap) =>
    (await rotateCoreCredential(platform, owner, tenant.id, overlap)).coreCredential;
  const read = async () => (await readTenant(platform, owner, tenant.id)).coreCredentials;
  return { owner, tenant, rotate, read };
}
const signIn = (credential: string) => authenticateCore(platform, `Bearer ${credential}`);
const waitHours = (hours: number) =>
  platform.pool.query("update core_credentials set expires_at = expires_at - make_interval(hours => $1)", [
    hours,
  ]);

// Guarantee: during the overlap a core signs in with either credential, afterwards only with the new one.
test("a rotated credential works until its overlap ends", async () => {
  const { tenant, rotate, read } = await givenOwner();
  const first = await rotate("24h");
  const second = await rotate("24h");
  for (const credential of [first, second])
    expect(await signIn(credential)).toMatchObject({ tenantId: tenant.id });
  expect(await read()).toMatchObject([{ expiresAt: null }, { expiresAt: expect.any(String) }]);
  await waitHours(23);
  await expect(signIn(first)).resolves.toBeDefined();
  await waitHours(1);
  await expect(signIn(first)).rejects.toMatchObject(REFUSED);
  await expect(signIn(second)).resolves.toBeDefined();
  expect(await read()).toHaveLength(1);
});

test("a rotation never extends an overlap, and without an overlap it ends the earlier ones at once", async () => {
  const { rotate, read } = await givenOwner();
  await rotate("24h");
  await rotate("1h");
  const end = (await read())[1]?.expiresAt;
  await rotate("7d");
  expect((await read())[2]?.expiresAt).toBe(end);
  const last = await rotate("now");
  expect(await read()).toMatchObject([{ expiresAt: null }]);
  await expect(signIn(last)).resolves.toBeDefined();
});

// Guarantee: a revoked credential stops working at once, in every process: nothing caches it.
test("revoking", async () => {
  const { owner, tenant, rotate, read } = await givenOwner();
  const first = await rotate("24h");
  const second = await rotate("24h");
  const old = (await read())[1]?.id ?? "";
  await revokeCoreCredential(platform, owner, tenant.id, old);
  await expect(signIn(first)).rejects.toMatchObject(REFUSED);
  await expect(signIn(second)).resolves.toBeDefined();
  await expect(revokeCoreCredential(platform, owner, tenant.id, old)).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});

// Guarantee: a database dump and the audit trail contain no credential.
test("only the hash is stored, and each change has its audit row", async () => {
  const { owner, tenant, rotate, read } = await givenOwner();
  const credentials = [await rotate("24h"), await rotate("24h")];
  await revokeCoreCredential(platform, owner, tenant.id, (await read())[1]?.id ?? "");
  const { rows } = await platform.pool.query<{ action: string }>(
    "select a.action, a.details, c.* from audit a, core_credentials c where a.action like 'tenant.%' order by a.position",
  );
  expect(rows.map(({ action }) => action)).toEqual([
    "tenant.rotate-core-credential",
    "tenant.rotate-core-credential",
    "tenant.revoke-core-credential",
  ]);
  for (const credential of credentials) expect(JSON.stringify(rows)).not.toContain(credential);
});

// Guarantee: the page says which credential the core uses, without a write for each request.
test("the last use is noted, at most once a minute", async () => {
  const { rotate, read } = await givenOwner();
  const credential = await rotate("24h");
  expect((await read())[0]?.lastUsedAt).toBeNull();
  await signIn(credential);
  await platform.services.cores.uses.flush();
  const used = (await read())[0]?.lastUsedAt;
  expect(used).toEqual(expect.any(String));
  for (let n = 0; n < 3; n += 1) {
    await signIn(credential);
    await platform.services.cores.uses.flush();
  }
  expect((await read())[0]?.lastUsedAt).toBe(used);
});

test("concurrent rotations leave one current credential, and their number is bounded", async () => {
  const { rotate, read } = await givenOwner();
  await Promise.all([rotate("24h"), rotate("24h"), rotate("24h")]);
  expect((await read()).filter(({ expiresAt }) => expiresAt === null)).toHaveLength(1);
  await rotate("24h");
  await rotate("24h");
  await expect(rotate("24h")).rejects.toMatchObject({ code: "WRONG_STATE", detail: /Revoke one/ });
});

test("another organization's tenant is not found, and a sandbox's credential can't be changed", async () => {
  const { owner, tenant, rotate, read } = await givenOwner();
  await rotate("24h");
  const credentialId = (await read())[0]?.id ?? "";
  const stranger = await givenMember(platform, "alpine");
  const { tenant: theirs } = await givenTenant(platform, stranger);
  for (const id of [tenant.id, "x"])
    await expect(rotateCoreCredential(platform, stranger, id, "24h")).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  for (const id of [tenant.id, theirs.id])
    await expect(revokeCoreCredential(platform, stranger, id, credentialId)).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  await platform.pool.query("update tenants set sandbox = true");
  await expect(rotate("24h")).rejects.toMatchObject({ code: "WRONG_STATE" });
  await expect(revokeCoreCredential(platform, owner, tenant.id, credentialId)).rejects.toMatchObject({
    code: "WRONG_STATE",
  });
});
