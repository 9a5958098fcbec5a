import { expect, test } from "vitest";
import { givenMember, testPlatform } from "@/tests/test-platform";
import { createApiKey } from "./manage-api-keys";
import { listApiKeys } from "./manage-api-keys";
import { revokeApiKey } from "./manage-api-keys";

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
