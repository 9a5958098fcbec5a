import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { givenMember, testPlatform } from "@/tests/test-platform";
import { insertAuditRow } from "./audit-queries";
import { sealSetting } from "./data-key";
import { deriveKey, newMasterKey, readKeyring, wrapKey } from "./keyring";
import type { Platform } from "./platform";
import { recordAudit, sealAuditHead, sealAuditRow } from "./record-audit";
import { verifyAudit } from "./verify-audit";

const [OLD, NEW] = [newMasterKey("old"), newMasterKey("new")];
const platform = await testPlatform({ PLATFORM_MASTER_KEYS: OLD });
const withKeys = (...keys: string[]): Platform => ({ ...platform, keyring: readKeyring(keys.join(",")) });

const ENTRY = {
  chain: "acme",
  actor: "user:1",
  action: "listing.create" as const,
  subject: "listing:1",
  details: { z: 1, a: { y: [1, 2], b: null } },
};

async function record(rows: number, by = platform): Promise<void> {
  for (let row = 0; row < rows; row += 1) await by.db.transaction((tx) => recordAudit(tx, by.keyring, ENTRY));
}

/** A trail that someone with write access to the database could forge with this key. */
async function forge(id: string, key: Buffer, rows: number): Promise<void> {
  let previous = "";
  for (let position = 1; position <= rows; position += 1) {
    const row = { ...ENTRY, position, at: new Date() };
    const seal = sealAuditRow({ id, key }, previous, row);
    const headSeal = sealAuditHead({ id, key }, ENTRY.chain, position, seal);
    await insertAuditRow(platform.db, { ...row, seal }, headSeal);
    previous = seal;
  }
}

// Guarantee (P13): an untouched trail verifies.
test("an untouched trail is intact", async () => {
  await record(3);
  expect(await verifyAudit(platform, "acme")).toEqual({ intact: true, rows: 3 });
});

// Guarantee (P13): an edited, deleted or cut trail is detected, and so is a changed, swapped or deleted audit key.
test.each([
  ["a row edited", "update audit set actor = 'user:2' where position = 2"],
  ["details edited", `update audit set details = '{"a": 2}' where position = 1`],
  ["a row deleted in the middle", "delete from audit where position = 2"],
  ["the last row deleted", "delete from audit where position = 3"],
  [
    "the last row deleted and the head moved back",
    "with gone as (delete from audit where position = 3) update audit_heads set position = 2, seal = (select seal from audit where position = 2)",
  ],
  ["all rows deleted", "delete from audit"],
  ["the head deleted", "delete from audit_heads"],
  ["a seal that names another key", "update audit set seal = 'x:' || seal where position = 2"],
  ["the audit key deleted", "delete from audit_keys"],
  ["the audit key changed", "update audit_keys set wrapped = reverse(wrapped)"],
  ["the audit key under another id", "update audit_keys set id = 'audit-2'"],
  ["a data key in the audit key's place", "update audit_keys set wrapped = (select wrapped from data_keys)"],
])("%s is detected", async (_how, statement) => {
  const { organization } = await givenMember(platform, "acme");
  const place = { organizationId: organization.id, installationId: organization.id, name: "apiKey" };
  await sealSetting(platform, platform.db, place, "secret");
  await record(3);
  await platform.pool.query(statement);
  expect(await verifyAudit(platform, "acme")).toMatchObject({ intact: false });
});

// Guarantee (P13): without a master key nobody can write a trail that verifies.
test("a trail sealed with a key of the forger's own is detected, even if the forger swaps the audit key", async () => {
  await record(1);
  await platform.pool.query("delete from audit; delete from audit_heads");
  const own = randomBytes(32);
  await forge("audit-1", own, 2);
  expect(await verifyAudit(platform, "acme")).toMatchObject({ intact: false });
  const { wrapped } = wrapKey(readKeyring(newMasterKey("old")).current, "audit-key", "audit-1", own);
  await platform.pool.query("update audit_keys set wrapped = $1", [wrapped]);
  expect(await verifyAudit(platform, "acme")).toMatchObject({ intact: false, position: 1 });
  await expect(record(1)).rejects.toThrow("the audit key audit-1 does not open");
});

test("rows written at the same time follow each other, including the very first", async () => {
  await Promise.all(Array.from({ length: 10 }, () => record(1)));
  expect(await verifyAudit(platform, "acme")).toEqual({ intact: true, rows: 10 });
  expect((await platform.pool.query("select id from audit_keys")).rows).toEqual([{ id: "audit-1" }]);
});

// Guarantee: what can't be checked is never reported as changed.
test("a missing master key is named", async () => {
  await record(2);
  const reason = "PLATFORM_MASTER_KEYS lacks the key 'old' that wraps the audit key audit-1";
  await expect(verifyAudit(withKeys(NEW), "acme")).rejects.toThrow(reason);
});

// Guarantee: trails that earlier releases sealed with master keys verify, grow, and are still protected.
test("a trail sealed with a master key verifies and continues with the audit key", async () => {
  await forge("old", deriveKey(platform.keyring.current, "audit"), 3);
  expect(await verifyAudit(platform, "acme")).toEqual({ intact: true, rows: 3 });
  await record(2);
  expect(await verifyAudit(withKeys(NEW, OLD), "acme")).toEqual({ intact: true, rows: 5 });
  await platform.pool.query("update audit set actor = 'user:2' where position = 2");
  expect(await verifyAudit(withKeys(NEW, OLD), "acme")).toMatchObject({ intact: false, position: 2 });
});
