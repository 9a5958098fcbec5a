import { beforeEach, expect, test } from "vitest";
import { auditKeys } from "@/drizzle/schema/platform";
import { dataKeys } from "@/drizzle/schema/accounts";
import { givenMember, testPlatform } from "@/tests/test-platform";
import { findKeyringFaults } from "./check-keyring";
import { newMasterKey, readKeyring, wrapKey } from "./keyring";

const [OLD, NEW, IMPOSTOR] = [newMasterKey("old"), newMasterKey("new"), newMasterKey("old")];
const platform = await testPlatform({ PLATFORM_MASTER_KEYS: OLD });
const check = (...keys: string[]) => findKeyringFaults(readKeyring(keys.join(",")), platform.db);

beforeEach(async () => {
  await platform.db.delete(dataKeys);
  await platform.db.delete(auditKeys);
});

async function givenDataKey(text: string, slug: string): Promise<void> {
  const { organization } = await givenMember(platform, slug);
  const wrapped = wrapKey(readKeyring(text).current, "data-key", organization.id, Buffer.alloc(32));
  await platform.db.insert(dataKeys).values({ organizationId: organization.id, ...wrapped });
}

// Guarantee: what could serve no call does not start, and says which key is wrong.
test("a wrong key under the right id is found, and so is a missing one", async () => {
  expect(await check(OLD)).toEqual([]);
  await givenDataKey(OLD, "acme");
  expect(await check(OLD)).toEqual([]);
  expect(await check(IMPOSTOR)).toEqual([
    expect.stringContaining("'old' is not the one that wraps a data key"),
  ]);
  expect(await check(NEW)).toEqual([expect.stringContaining("'old', which wraps a data key")]);
});

// Guarantee: two launches on one new database have the same keys.
test("the first process to check an empty database decides which keys open it", async () => {
  expect(await check(OLD)).toEqual([]);
  expect(await check(IMPOSTOR)).toHaveLength(1);
  expect(await check(NEW)).toHaveLength(1);
  expect(await check(OLD)).toEqual([]);
});

test("during a rotation, old and new keys open what they wrap", async () => {
  await check(OLD);
  await givenDataKey(OLD, "acme");
  await givenDataKey(NEW, "other");
  expect(await check(OLD, NEW)).toEqual([]);
  expect(await check(NEW, OLD)).toEqual([]);
  expect(await check(OLD)).toEqual([expect.stringContaining("'new'")]);
});

test("one damaged row does not keep the platform from starting", async () => {
  await check(OLD);
  await givenDataKey(IMPOSTOR, "acme");
  await givenDataKey(OLD, "other");
  expect(await check(OLD)).toEqual([]);
});
