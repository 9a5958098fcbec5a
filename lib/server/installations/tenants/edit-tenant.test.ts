import { expect, test, vi } from "vitest";
import { credentialAction } from "@/lib/contract/platform/core";
import type { Member } from "@/lib/domain/platform/actor";
import { fakeCore, productsListing } from "@/tests/fake-core";
import { givenMember, testPlatform } from "@/tests/test-platform";
import { connectTenant, editTenant } from "./connect-tenant";
import { readTenant } from "./read-tenants";
import { refreshProducts, testConnection, testTenant } from "./test-connection";

const platform = await testPlatform();
const core = fakeCore();
const SECRET = "canary+core/credential=8f3a";
const set = (value: string) => ({ action: "set", value }) as const;
const input = (owner?: Member, name = "Production") => ({
  name,
  hostName: `${name.toLowerCase()}.${owner?.organization.slug ?? "harbor"}.core.example`,
  coreApiUrl: core.coreApiUrl,
});
const readApiKey = (headers: Record<string, unknown> | undefined) => headers?.["x-api-key"];

async function connected(owner: Member, value = SECRET, name = "Production"): Promise<string> {
  core.apiKey = value;
  return (await connectTenant(platform, owner, { ...input(owner, name), credential: set(value) })).tenantId;
}

/** Every row of every table as text. */
async function wholeDatabase(): Promise<string> {
  const { rows } = await platform.pool.query<{ all: string }>(
    "select query_to_xml('select * from ' || quote_ident(tablename), true, false, '')::text as all from pg_tables where schemaname = 'public'",
  );
  return rows.map((row) => row.all).join("\n");
}

// Guarantee: the core gets its credential with every request, and nobody else ever gets it.
test("a credential is sent to the core and never shown", async () => {
  const owner = await givenMember(platform, "harbor");
  const written = vi.spyOn(process.stdout, "write");
  const tenantId = await connected(owner);
  await testTenant(platform, owner, tenantId);
  await refreshProducts(platform, owner, tenantId);
  expect(core.seen.map(readApiKey)).toEqual([SECRET, SECRET, SECRET]);
  const view = await readTenant(platform, owner, tenantId);
  expect(view.credential).toEqual({ configured: true, updatedAt: expect.any(String), by: owner.name });
  expect(JSON.stringify(view)).not.toContain(SECRET);
  const dump = await wholeDatabase();
  for (const form of [SECRET, Buffer.from(SECRET).toString("base64"), encodeURIComponent(SECRET)])
    expect(dump).not.toContain(form);
  expect(dump).toContain("sealed");
  expect(JSON.stringify(written.mock.calls)).not.toContain(SECRET);
  written.mockRestore();
});

// Guarantee: keep, set, and clear do what they say; leaving the credential out keeps it.
test("keeping, replacing, and removing the credential", async () => {
  const owner = await givenMember(platform, "harbor");
  const tenantId = await connected(owner);
  const edit = (credential?: Parameters<typeof editTenant>[3]["credential"]) =>
    editTenant(platform, owner, tenantId, { ...input(), credential });
  core.apiKey = undefined;
  core.seen.length = 0;
  await edit();
  await edit({ action: "keep" });
  await edit(set("********"));
  await testTenant(platform, owner, tenantId);
  await edit({ action: "clear" });
  await testTenant(platform, owner, tenantId);
  await edit({ action: "keep" });
  const sent = [SECRET, SECRET, "********", "********", undefined, undefined, undefined];
  expect(core.seen.map(readApiKey)).toEqual(sent);
  expect((await readTenant(platform, owner, tenantId)).credential).toEqual({ configured: false });
  const { rows } = await platform.pool.query<{ said: string }>(
    "select details->>'credential' as said from audit where action = 'tenant.edit' order by position",
  );
  expect(rows.map((row) => row.said)).toEqual(["kept", "kept", "set", "cleared", "kept"]);
});

// Guarantee: nobody can read a stored credential by sending it to their own host.
test("a stored credential is not sent to another host", async () => {
  const owner = await givenMember(platform, "harbor");
  const tenantId = await connected(owner);
  core.seen.length = 0;
  const elsewhere = { ...input(), coreApiUrl: core.coreApiUrl.replace("127.0.0.1", "localhost") };
  await expect(editTenant(platform, owner, tenantId, elsewhere)).rejects.toMatchObject({
    code: "BAD_INPUT",
    issues: [{ code: "credential-ask-again", pointer: "/credential" }],
  });
  await testConnection(platform, owner, {
    ...elsewhere,
    hostName: "new.core.example",
    credential: { action: "keep" },
  });
  expect(core.seen.map(readApiKey)).toEqual([undefined]);
  await editTenant(platform, owner, tenantId, { ...elsewhere, credential: set(SECRET) });
  await editTenant(platform, owner, tenantId, { ...elsewhere, coreApiUrl: `${elsewhere.coreApiUrl}/v2` });
  expect((await readTenant(platform, owner, tenantId)).coreApiUrl).toBe(`${elsewhere.coreApiUrl}/v2`);
});

// Guarantee (P12): a sealed credential opens only in its own row.
test("a credential copied to another tenant's row does not open", async () => {
  const owner = await givenMember(platform, "harbor");
  const [one, other] = [await connected(owner, "first"), await connected(owner, "second", "Test")];
  const stranger = await givenMember(platform, "alpine");
  const foreign = await connected(stranger, "third");
  const { rows } = await platform.pool.query<{ id: string; credential: object }>(
    "select id, credential from tenants",
  );
  const sealed = new Map(rows.map((row) => [row.id, JSON.stringify(row.credential)]));
  core.seen.length = 0;
  for (const [from, to, actor] of [
    [one, other, owner],
    [one, foreign, stranger],
    [foreign, one, owner],
  ] as const) {
    const update = "update tenants set credential = $1 where id = $2";
    await platform.pool.query(update, [sealed.get(from), to]);
    await expect(testTenant(platform, actor, to)).rejects.toThrow();
    await expect(refreshProducts(platform, actor, to)).rejects.toThrow();
    await expect(editTenant(platform, actor, to, input(actor))).rejects.toThrow();
  }
  expect(core.seen).toEqual([]);
});

// Guarantee: if the core cannot be read with the new values, nothing is stored, and the error contains no secret.
test("a failed edit changes nothing", async () => {
  const owner = await givenMember(platform, "harbor");
  const tenantId = await connected(owner);
  const before = await readTenant(platform, owner, tenantId);
  const wrong = { ...input(), name: "Renamed", credential: set("canary-wrong") };
  const refusal = await editTenant(platform, owner, tenantId, wrong).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: "CORE_FAILED" });
  expect(JSON.stringify(refusal)).not.toContain("canary-wrong");
  expect(await readTenant(platform, owner, tenantId)).toEqual(before);
});

test("an edit changes name, host name, address, and products", async () => {
  const owner = await givenMember(platform, "harbor");
  const { tenantId } = await connectTenant(platform, owner, input());
  core.answer = { body: productsListing("Home") };
  const next = { name: "Live", hostName: "live.core.example", coreApiUrl: `${core.coreApiUrl}/live/` };
  expect(await editTenant(platform, owner, tenantId, next)).toEqual({
    products: ["Home"],
    added: ["Home"],
    removed: ["Auto"],
    changed: [],
  });
  expect(await readTenant(platform, owner, tenantId)).toMatchObject({
    ...next,
    coreApiUrl: `${core.coreApiUrl}/live`,
    products: [{ name: "Home" }],
  });
});

test("a taken name or host name is an issue at its field; another organization's tenant is not found", async () => {
  const owner = await givenMember(platform, "harbor");
  await connected(owner, SECRET, "Production");
  const second = await connected(owner, SECRET, "Test");
  const { name, hostName } = input();
  for (const [taken, pointer] of [
    [{ name }, "/name"],
    [{ hostName }, "/hostName"],
  ] as const)
    await expect(
      editTenant(platform, owner, second, { ...input(owner, "Test"), ...taken }),
    ).rejects.toMatchObject({ code: "NAME_TAKEN", issues: [{ pointer }] });
  const stranger = await givenMember(platform, "alpine");
  for (const id of [second, "x"])
    await expect(editTenant(platform, stranger, id, input())).rejects.toMatchObject({ code: "NOT_FOUND" });
});

// Guarantee: of two simultaneous edits, one succeeds and the other is refused.
test("an outdated edit is refused", async () => {
  const owner = await givenMember(platform, "harbor");
  const tenantId = await connected(owner);
  core.apiKey = undefined;
  // Both have read the tenant by then.
  core.answer = { together: 2 };
  const outcomes = await Promise.allSettled([
    editTenant(platform, owner, tenantId, { ...input(), credential: set("one") }),
    editTenant(platform, owner, tenantId, { ...input(), credential: set("two") }),
  ]);
  expect(outcomes.map((outcome) => outcome.status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(outcomes.find((outcome) => outcome.status === "rejected")?.reason).toMatchObject({
    code: "WRONG_STATE",
  });
});

// Guarantee: a tenant cannot be moved to another organization's host name, whatever its address.
test("an edit to another organization's host name is refused before the core is read", async () => {
  const owner = await givenMember(platform, "harbor");
  const stranger = await givenMember(platform, "alpine");
  await connected(owner);
  const tenantId = await connected(stranger);
  core.seen.length = 0;
  await expect(editTenant(platform, stranger, tenantId, input(owner))).rejects.toMatchObject({
    code: "NAME_TAKEN",
    issues: [{ pointer: "/hostName" }],
  });
  expect(core.seen).toEqual([]);
});

// Guarantee: a value that no header can carry is refused before anything is sent, and the error does not repeat it.
test.each(["", " x", "x ", "a\nb", "a\0b", "ключ", "x".repeat(4097)])(
  "%j is not a valid credential",
  (value) => {
    const parsed = credentialAction.safeParse({ action: "set", value });
    expect(parsed.success).toBe(false);
    if (value.trim() !== "" && value.length > 3) expect(JSON.stringify(parsed.error)).not.toContain(value);
  },
);

// Guarantee: tenants that shared a host name before host names were unique can still be edited, and give it up only once.
test("an earlier tenant with a shared host name keeps it until it is changed", async () => {
  const owner = await givenMember(platform, "harbor");
  await connected(owner);
  const tenantId = await connected(owner, SECRET, "Test");
  const { hostName } = input(owner);
  await platform.pool.query("update tenants set shares_host = true, host_name = $1 where id = $2", [
    hostName,
    tenantId,
  ]);
  const edit = (host: string) =>
    editTenant(platform, owner, tenantId, { ...input(owner, "Test"), hostName: host });
  await edit(hostName);
  await edit("test.harbor.core.example");
  await expect(edit(hostName)).rejects.toMatchObject({ code: "NAME_TAKEN" });
});
