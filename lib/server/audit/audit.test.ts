import { expect, test } from "vitest";
import { testPlatform } from "@/tests/test-platform";
import { recordAudit } from "./record-audit";
import { verifyAudit } from "./verify-audit";

const platform = await testPlatform();

async function givenTrail(rows: number): Promise<void> {
  for (let row = 1; row <= rows; row += 1) {
    await platform.db.transaction((tx) =>
      recordAudit(tx, platform.keyring, {
        chain: "acme",
        actor: "user:1",
        action: "listing.create",
        subject: `listing:${row}`,
        details: { z: 1, a: { y: [1, 2], b: null } },
      }),
    );
  }
}

// Guarantee (P13): an untouched trail verifies.
test("an untouched trail is intact", async () => {
  await givenTrail(3);
  expect(await verifyAudit(platform, "acme")).toEqual({ intact: true, rows: 3 });
});

// Guarantee (P13): an edited, deleted or cut trail is detected.
test.each([
  ["edited", "update audit set actor = 'user:2' where position = 2"],
  ["edited details", `update audit set details = '{"a": 2}' where position = 1`],
  ["deleted in the middle", "delete from audit where position = 2"],
  ["cut at the end", "delete from audit where position = 3"],
  [
    "cut with its head",
    "with gone as (delete from audit where position = 3) update audit_heads set position = 2, seal = (select seal from audit where position = 2)",
  ],
  ["emptied", "delete from audit"],
  ["headless", "delete from audit_heads"],
])("a trail that was %s is not", async (_how, statement) => {
  await givenTrail(3);
  await platform.pool.query(statement);
  expect(await verifyAudit(platform, "acme")).toMatchObject({ intact: false });
});

// Guarantee: rows written at once follow each other.
test("ten writers at once make one chain", async () => {
  await Promise.all(Array.from({ length: 10 }, () => givenTrail(1)));
  expect(await verifyAudit(platform, "acme")).toEqual({ intact: true, rows: 10 });
});
