import { expect, test } from "vitest";
import { apiKeys } from "@/drizzle/schema/organizations";
import { givenMember, one, testPlatform } from "@/tests/test-platform";
import { authenticateApiKey, hashApiKey } from "./authenticate-api-key";
import { createApiKey, listApiKeys, revokeApiKey } from "./manage-api-keys";

const platform = await testPlatform();

test("a key is shown once and stored as a hash: no row, audit entry or list contains it", async () => {
  const member = await givenMember(platform, "acme");
  const { apiKey, clientId } = await createApiKey(platform, member, "CI");
  expect(apiKey).toMatch(/^pak_[\w-]{43}$/);
  const stored = await platform.pool.query(
    "select to_jsonb(k)::text as row from api_keys k union all select to_jsonb(a)::text from audit a",
  );
  const listed = await listApiKeys(platform, member, {});
  expect(JSON.stringify([stored.rows, listed])).toContain(clientId);
  expect(JSON.stringify([stored.rows, listed])).not.toContain(apiKey.slice(4));
  expect(JSON.stringify(listed)).not.toContain("keyHash");
});

test("only its own organization can revoke a key, and only once", async () => {
  const [owner, stranger] = [await givenMember(platform, "acme"), await givenMember(platform, "harbor")];
  const { apiKeyId } = await createApiKey(platform, owner, "CI");
  await expect(revokeApiKey(platform, stranger, apiKeyId)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await revokeApiKey(platform, owner, apiKeyId);
  await expect(revokeApiKey(platform, owner, apiKeyId)).rejects.toMatchObject({ code: "NOT_FOUND" });
  const { rows } = await platform.pool.query("select action from audit order by position");
  expect(rows).toEqual([{ action: "api-key.create" }, { action: "api-key.revoke" }]);
});

test("an organization lists only its own keys, including revoked ones, newest first", async () => {
  const owner = await givenMember(platform, "acme");
  const first = await createApiKey(platform, owner, "CI");
  const second = await createApiKey(platform, owner, "Laptop");
  await createApiKey(platform, await givenMember(platform, "harbor"), "Foreign");
  await revokeApiKey(platform, owner, first.apiKeyId);
  const { apiKeys } = await listApiKeys(platform, owner, { after: "no id" });
  expect(apiKeys.map((key) => [key.id, key.revokedAt !== null])).toEqual([
    [second.apiKeyId, false],
    [first.apiKeyId, true],
  ]);
  expect((await listApiKeys(platform, owner, { search: "lap" })).apiKeys).toHaveLength(1);
});

const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;

async function givenKey(revokedAt?: Date) {
  const member = await givenMember(platform);
  const values = {
    organizationId: member.organization.id,
    name: "CI",
    clientId: "pci_a",
    keyHash: hashApiKey("pak_b"),
    createdBy: member.userId,
    revokedAt,
  };
  return one(await platform.db.insert(apiKeys).values(values).returning());
}

test("a key authenticates its organization, and its last use is updated at most once a minute", async () => {
  const key = await givenKey();
  const lastUse = async () => one(await platform.db.select().from(apiKeys)).lastUsedAt;
  expect(await lastUse()).toBeNull();
  expect(await authenticateApiKey(platform, basic("pci_a:pak_b"))).toMatchObject({
    organizationId: key.organizationId,
    organizationSlug: "acme",
    actor: `api-key:${key.id}`,
    apiKeyName: "CI",
  });
  const first = await lastUse();
  expect(first).not.toBeNull();
  await authenticateApiKey(platform, basic("pci_a:pak_b"));
  expect(await lastUse()).toEqual(first);
});

test("absent, malformed, unknown, wrong and enormous credentials look the same", async () => {
  await givenKey();
  const headers = [
    undefined,
    "",
    "Bearer x",
    "Basic",
    "Basic ???",
    basic("pci_a"),
    basic("pci_a:"),
    basic("pci_a:pak_c"),
    basic("pci_x:pak_b"),
    basic("pci_a\0:pak_b"),
    basic(`pci_a:${"x".repeat(1_000_000)}`),
  ];
  const refusals = await Promise.all(
    headers.map((header) => authenticateApiKey(platform, header).catch((error: unknown) => error)),
  );
  for (const refusal of refusals) expect(refusal).toMatchObject({ code: "WRONG_CREDENTIALS" });
  expect(new Set(refusals.map(String)).size).toBe(1);
});

test("a revoked key is refused", async () => {
  await givenKey(new Date());
  await expect(authenticateApiKey(platform, basic("pci_a:pak_b"))).rejects.toMatchObject({
    code: "WRONG_CREDENTIALS",
  });
});
