import { expect, test } from "vitest";
import { apiKeys } from "@/drizzle/schema/organizations";
import { givenMember, one, testPlatform } from "@/tests/test-platform";
import { authenticateApiKey } from "./authenticate-api-key";
import { hashApiKey } from "./authenticate-api-key";

const platform = await testPlatform();
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
