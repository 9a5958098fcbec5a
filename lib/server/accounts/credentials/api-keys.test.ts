import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { apiKeys } from "@/drizzle/schema/accounts";
import { FIRST_SCOPES } from "@/lib/contract/accounts/api-key-scope";
import { givenMember, one, testPlatform } from "@/tests/test-platform";
import { lockApiKey } from "./api-key-queries";
import { authenticateApiKey, hashApiKey, identifyApiKey } from "./authenticate-api-key";
import {
  type ApiKeyQuery,
  createApiKey,
  exportApiKeys,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
  tellExpiringKeys,
} from "./manage-api-keys";

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

test("an organization lists only its own keys that work, newest first, and the others on demand", async () => {
  const owner = await givenMember(platform, "acme");
  const first = await createApiKey(platform, owner, "CI");
  const second = await createApiKey(platform, owner, "Laptop");
  await createApiKey(platform, await givenMember(platform, "harbor"), "Foreign");
  await revokeApiKey(platform, owner, first.apiKeyId);
  const third = await createApiKey(platform, owner, "Build", { days: 30 });
  const expired = await createApiKey(platform, owner, "Old", { days: 30 });
  await platform.pool.query("update api_keys set expires_at = now() where id = $1", [expired.apiKeyId]);
  const { apiKeys, counts } = await listApiKeys(platform, owner, { after: "no id" });
  expect(apiKeys.map(({ id }) => id)).toEqual([third.apiKeyId, second.apiKeyId]);
  expect(counts).toEqual({ working: 2, ended: 2 });
  const { apiKeys: ended } = await listApiKeys(platform, owner, { state: "ended" });
  expect(ended.map(({ id, state }) => [id, state])).toEqual([
    [expired.apiKeyId, "EXPIRED"],
    [first.apiKeyId, "REVOKED"],
  ]);
  expect((await listApiKeys(platform, owner, { search: "lap" })).apiKeys).toHaveLength(1);
});

// Guarantee: each order of the URL is that of all pages, there and back, and what is never used or never expires has a place in it.
test.each(["newest", "used", "expires", "constructor; drop"])(
  "pages of keys by %s, forward and back",
  async (sort) => {
    const owner = await givenMember(platform, "acme");
    await createApiKey(platform, owner, "CI");
    await platform.pool.query(`
    insert into api_keys (id, organization_id, name, client_id, key_hash, created_by, created_at, last_used_at, expires_at)
    select gen_random_uuid(), organization_id, 'Key ' || n, 'pci_' || n, key_hash || n, created_by, now() - make_interval(hours => n),
           case when n % 3 > 0 then now() - make_interval(days => n % 7) end,
           case when n % 4 > 0 then now() + make_interval(days => n) end
      from api_keys, generate_series(1, 44) n`);
    const read = (after?: string) => listApiKeys(platform, owner, { sort, after });
    const first = await read();
    const second = await read(first.next);
    const third = await read(second.next);
    const all = [first, second, third].flatMap(({ apiKeys: keys }) => keys);
    expect(new Set(all.map(({ id }) => id)).size).toBe(45);
    const ids = (page: typeof first) => page.apiKeys.map(({ id }) => id);
    expect(ids(await read(third.previous))).toEqual(ids(second));
    expect(ids(await read(second.previous))).toEqual(ids(first));
    const key = {
      used: ({ lastUsedAt }: (typeof all)[number]) => -(lastUsedAt?.getTime() ?? 0),
      expires: ({ expiresAt }: (typeof all)[number]) => expiresAt?.getTime() ?? Infinity,
    }[sort];
    const keys = all.map(key ?? (({ createdAt }) => -createdAt.getTime()));
    expect(keys).toEqual(keys.toSorted((one, other) => (one === other ? 0 : one - other)));
  },
);

// Guarantee: a file has what its list shows, of its organization alone, and nothing that lets anybody in.
test("keys are exported without hashes", async () => {
  const owner = await givenMember(platform, "acme");
  const { clientId, apiKey } = await createApiKey(platform, owner, "CI", { scopes: ["publish"] });
  const gone = await createApiKey(platform, owner, "=Gone");
  await revokeApiKey(platform, owner, gone.apiKeyId);
  await createApiKey(platform, await givenMember(platform, "harbor"), "Foreign");
  const read = async (query: ApiKeyQuery, format: "csv" | "json") =>
    (await Readable.from(exportApiKeys(platform, owner, query, format)).toArray()).join("");
  const working = await read({}, "json");
  expect(JSON.parse(working)).toEqual([
    expect.objectContaining({ name: "CI", clientId, scopes: ["publish"], revokedAt: null }),
  ]);
  const { rows } = await platform.pool.query<{ hash: string }>("select key_hash as hash from api_keys");
  for (const secret of [apiKey, apiKey.slice(4), ...rows.map(({ hash }) => hash)])
    expect(working).not.toContain(secret);
  const ended = await read({ state: "ended" }, "csv");
  expect(ended).toContain('"\'=Gone"');
  expect(ended.trim().split("\r\n")).toHaveLength(2);
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

const AT = { network: "203.0.113.7" };
const authenticate = (header: string | undefined) => authenticateApiKey(platform, header, AT);
const lastUse = async () => {
  const { lastUsedAt, lastUsedFrom } = one(await platform.db.select().from(apiKeys));
  return { lastUsedAt, lastUsedFrom };
};

test("a key authenticates its organization", async () => {
  const key = await givenKey();
  expect(await authenticate(basic("pci_a:pak_b"))).toMatchObject({
    organizationId: key.organizationId,
    organizationSlug: "acme",
    actor: `api-key:${key.id}`,
    apiKeyName: "CI",
  });
});

// Guarantee: a thousand requests cost one write a minute, and none waits for it.
test("uses are noted behind the requests, with the network, at most once a minute", async () => {
  await givenKey();
  await Promise.all(Array.from({ length: 20 }, () => authenticate(basic("pci_a:pak_b"))));
  expect((await lastUse()).lastUsedAt).toBeNull();
  await platform.services.apiKeyUses.flush();
  const first = await lastUse();
  expect(first).toMatchObject({ lastUsedFrom: "203.0.113.7" });
  expect(first.lastUsedAt).not.toBeNull();
  await authenticate(basic("pci_a:pak_b"));
  await platform.services.apiKeyUses.flush();
  expect(await lastUse()).toEqual(first);
});

test("looking up only whose share a request uses records no use", async () => {
  await givenKey();
  await identifyApiKey(platform, basic("pci_a:pak_b"));
  await platform.services.apiKeyUses.flush();
  expect((await lastUse()).lastUsedAt).toBeNull();
});

// Guarantee: a key allows only its scopes, and a refusal names the missing one.
test("a key without the scope is refused, even if everything else is right", async () => {
  const member = await givenMember(platform);
  const { clientId, apiKey } = await createApiKey(platform, member, "CI", {
    scopes: ["manifest:read"],
    days: 90,
  });
  const header = basic(`${clientId}:${apiKey}`);
  await expect(authenticateApiKey(platform, header, { ...AT, scope: "publish" })).rejects.toMatchObject({
    code: "NOT_ALLOWED",
    detail: expect.stringContaining("scope publish"),
  });
  await expect(
    authenticateApiKey(platform, header, { ...AT, scope: "manifest:read" }),
  ).resolves.toBeDefined();
});

test("a key from before there were scopes has those of then", async () => {
  await givenKey();
  expect((await authenticate(basic("pci_a:pak_b"))).scopes).toEqual(FIRST_SCOPES);
});

test("an expired key is refused like a wrong one, by the database's clock", async () => {
  await givenKey();
  await platform.pool.query("update api_keys set expires_at = now()");
  await expect(authenticate(basic("pci_a:pak_b"))).rejects.toMatchObject({ code: "WRONG_CREDENTIALS" });
  expect(
    await platform.db.transaction(async (tx) => lockApiKey(tx, one(await tx.select().from(apiKeys)).id)),
  ).toBe(false);
});

// Guarantee: machines can switch keys without downtime, within the chosen overlap.
test("after a rotation both keys work until the overlap ends, with the same scopes", async () => {
  const member = await givenMember(platform);
  const old = await createApiKey(platform, member, "CI", { scopes: ["publish"], days: 365 });
  const fresh = await rotateApiKey(platform, member, old.apiKeyId, { overlap: "1h", days: 90 });
  for (const key of [old, fresh])
    expect(await authenticate(basic(`${key.clientId}:${key.apiKey}`))).toMatchObject({
      apiKeyName: "CI",
      scopes: ["publish"],
    });
  const { rows } = await platform.pool.query<{ minutes: number }>(
    "select round(extract(epoch from expires_at - now()) / 60)::int as minutes from api_keys where id = $1",
    [old.apiKeyId],
  );
  expect(rows).toEqual([{ minutes: 60 }]);
});

test("a rotation without overlap ends the old key at once, and an ended key can't be rotated", async () => {
  const member = await givenMember(platform);
  const old = await createApiKey(platform, member, "CI");
  const replace = () => rotateApiKey(platform, member, old.apiKeyId, { overlap: "now", days: 0 });
  const tried = await Promise.allSettled([replace(), replace()]);
  expect(tried.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  await expect(authenticate(basic(`${old.clientId}:${old.apiKey}`))).rejects.toMatchObject({
    code: "WRONG_CREDENTIALS",
  });
  const stranger = await givenMember(platform, "harbor");
  const foreign = await createApiKey(platform, stranger, "CI");
  await expect(
    rotateApiKey(platform, member, foreign.apiKeyId, { overlap: "7d", days: 0 }),
  ).rejects.toMatchObject({ code: "NOT_FOUND" });
});

// Guarantee: nobody is notified twice, or about a key that was replaced.
test("owners and publishers are notified once that a key expires within a week", async () => {
  const member = await givenMember(platform);
  const operator = await givenMember(platform, "acme", "operator");
  const replaced = await createApiKey(platform, member, "Replaced", { days: 30 });
  await rotateApiKey(platform, member, replaced.apiKeyId, { overlap: "7d", days: 365 });
  await createApiKey(platform, member, "Later", { days: 30 });
  const soon = await createApiKey(platform, member, "Soon", { days: 30 });
  await platform.pool.query("update api_keys set expires_at = now() + interval '6 days' where id = $1", [
    soon.apiKeyId,
  ]);
  const told = await Promise.all([tellExpiringKeys(platform), tellExpiringKeys(platform)]);
  expect(told.sort()).toEqual([0, 1]);
  expect(await tellExpiringKeys(platform)).toBe(0);
  const { rows } = await platform.pool.query("select user_id, title from notifications");
  expect(rows).toEqual([{ user_id: member.userId, title: expect.stringContaining("“Soon” expires on") }]);
  expect(rows[0].user_id).not.toBe(operator.userId);
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
    headers.map((header) => authenticate(header).catch((error: unknown) => error)),
  );
  for (const refusal of refusals) expect(refusal).toMatchObject({ code: "WRONG_CREDENTIALS" });
  expect(new Set(refusals.map(String)).size).toBe(1);
});

test("a revoked key is refused", async () => {
  await givenKey(new Date());
  await expect(authenticate(basic("pci_a:pak_b"))).rejects.toMatchObject({
    code: "WRONG_CREDENTIALS",
  });
});
