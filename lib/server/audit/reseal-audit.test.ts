import { expect, test } from "vitest";
import { audit, auditHeads } from "@/drizzle/schema/audit";
import { testPlatform } from "@/tests/test-platform";
import { newMasterKey, readKeyring } from "../platform/keyring";
import type { Platform } from "../platform/platform";
import { recordAudit } from "./record-audit";
import { resealAudit } from "./reseal-audit";
import { sealAuditHead, sealAuditRow } from "./seal-audit";
import { verifyAudit } from "./verify-audit";

const [OLD, NEW, NEXT] = [newMasterKey("old"), newMasterKey("new"), newMasterKey("next")];
const platform = await testPlatform({ PLATFORM_MASTER_KEYS: OLD });
const holding = (...keys: string[]): Platform => ({ ...platform, keyring: readKeyring(keys.join(",")) });
/** More than two batches. */
const LONG = 1_234;

async function record(by: Platform, rows: number, chain = "acme"): Promise<void> {
  await by.db.transaction(async (tx) => {
    for (let row = 0; row < rows; row += 1) {
      const details = { z: 1, a: { y: [1, 2], b: null } };
      const entry = { chain, actor: "user:1", action: "listing.create", subject: `listing:${row}`, details };
      await recordAudit(tx, by.keyring, entry);
    }
  });
}

/** As `record` makes it, row by row, in two statements. */
async function givenLongTrail(): Promise<void> {
  const { current } = platform.keyring;
  const at = new Date();
  let seal = "";
  const rows = Array.from({ length: LONG }, (_, index) => {
    const content = {
      chain: "acme",
      actor: "user:1",
      action: "listing.create",
      details: { z: 1, a: [1, 2] },
    };
    const row = { ...content, position: index + 1, subject: `listing:${index}`, at };
    seal = sealAuditRow(current, seal, row);
    return { ...row, seal };
  });
  await platform.db.insert(audit).values(rows);
  const headSeal = sealAuditHead(current, "acme", LONG, seal);
  await platform.db.insert(auditHeads).values({ chain: "acme", position: LONG, seal, headSeal });
}

/** Seals anew and breaks off after so many batches. */
async function resealSome(by: Platform, batches: number): Promise<void> {
  let done = 0;
  const breakOff = () => {
    done += 1;
    if (done === batches) throw new Error("broken off");
  };
  await expect(resealAudit(by, "acme", breakOff)).rejects.toThrow("broken off");
}

const trail = async () =>
  (
    await platform.pool.query(
      "select a.*, h.head_seal from audit a join audit_heads h using (chain) order by 2, 3",
    )
  ).rows;

// Guarantee: after a rotation the trail proves itself with the new key alone, and says what it said before.
test("a trail is sealed anew with the current key, and nothing else of it changes", async () => {
  await givenLongTrail();
  const contents =
    "select chain, position, actor, action, subject, details, created_at from audit order by position";
  const before = await platform.pool.query(contents);
  expect(await resealAudit(holding(NEW, OLD), "acme")).toEqual({ rows: LONG });
  expect((await platform.pool.query(contents)).rows).toEqual(before.rows);
  expect(await verifyAudit(holding(NEW), "acme")).toEqual({ intact: true, rows: LONG });
  expect(await verifyAudit(holding(OLD), "acme")).toMatchObject({ intact: false, position: 1 });
});

test("a second time there is nothing left to seal", async () => {
  await record(platform, 3);
  await resealAudit(holding(NEW, OLD), "acme");
  const before = await trail();
  expect(await resealAudit(holding(NEW, OLD), "acme")).toEqual({ rows: 0 });
  expect(await resealAudit(holding(NEW), "nobody's")).toEqual({ rows: 0 });
  expect(await trail()).toEqual(before);
});

test("only what comes after the first row of another key is sealed anew", async () => {
  await record(holding(NEW, OLD), 5);
  await record(platform, 2);
  await record(holding(NEW, OLD), 3);
  expect(await resealAudit(holding(NEW, OLD), "acme")).toEqual({ rows: 5 });
  expect(await verifyAudit(holding(NEW), "acme")).toEqual({ intact: true, rows: 10 });
});

// Guarantee: broken off after any batch the trail verifies, takes new rows, and is gone on with.
test("a trail that is sealed anew in part verifies, grows, and is finished later", async () => {
  await givenLongTrail();
  for (const batches of [1, 1]) {
    await resealSome(holding(NEW, OLD), batches);
    expect(await verifyAudit(holding(NEW, OLD), "acme")).toMatchObject({ intact: true });
    await record(holding(NEW, OLD), 1);
    await record(platform, 1);
  }
  expect(await verifyAudit(holding(NEW, OLD), "acme")).toEqual({ intact: true, rows: LONG + 4 });
  expect(await resealAudit(holding(NEW, OLD), "acme")).toEqual({ rows: LONG + 4 - 1_000 });
  expect(await verifyAudit(holding(NEW), "acme")).toEqual({ intact: true, rows: LONG + 4 });
});

test("a rotation that was broken off is overtaken by the next one", async () => {
  await givenLongTrail();
  await resealSome(holding(NEW, OLD), 2);
  expect(await resealAudit(holding(NEXT, NEW, OLD), "acme")).toMatchObject({ rows: LONG - 1_000 + LONG });
  expect(await verifyAudit(holding(NEXT), "acme")).toEqual({ intact: true, rows: LONG });
});

// Guarantee: a write that fails in the middle of a batch leaves no part of it.
test.each(["audit", "audit_resealings", "audit_heads"])(
  "a fault while %s is written undoes the batch",
  async (table) => {
    await givenLongTrail();
    await platform.pool.query(`
      create or replace function fail() returns trigger language plpgsql as $$ begin raise exception 'planted'; end $$;
      create trigger planted before insert or update on ${table} for each statement execute function fail()`);
    await expect(resealAudit(holding(NEW, OLD), "acme")).rejects.toMatchObject({
      cause: { message: "planted" },
    });
    await platform.pool.query(`drop trigger planted on ${table}`);
    expect(await verifyAudit(holding(NEW, OLD), "acme")).toEqual({ intact: true, rows: LONG });
    await resealAudit(holding(NEW, OLD), "acme");
    expect(await verifyAudit(holding(NEW), "acme")).toEqual({ intact: true, rows: LONG });
  },
);

// Guarantee: no rotation washes a broken trail clean.
test.each([
  ["edited", "update audit set actor = 'user:2' where position = 700", 700],
  ["deleted in the middle", "delete from audit where position = 700", 700],
  ["cut at the end", `delete from audit where position = ${LONG}`, LONG - 1],
  ["headless", "delete from audit_heads", LONG],
  ["sealed by nobody's key", "update audit set seal = 'x:' || seal where position = 700", 700],
])("a trail that was %s is refused, and left as it is", async (_how, statement, position) => {
  await givenLongTrail();
  await platform.pool.query(statement);
  const before = await trail();
  expect(await resealAudit(holding(NEW, OLD), "acme")).toMatchObject({ rows: 0, fault: { position } });
  expect(await trail()).toEqual(before);
});

test.each([
  ["mark removed", "delete from audit_resealings"],
  ["mark moved", "update audit_resealings set position = 400"],
  ["mark moved past the end", "update audit_resealings set position = 4000"],
  ["mark's link changed", "update audit_resealings set before = (select seal from audit where position = 3)"],
  ["row changed before the mark", "update audit set actor = 'user:2' where position = 3"],
  ["row changed behind the mark", "update audit set actor = 'user:2' where position = 1000"],
  ["row removed behind the mark", "delete from audit where position = 501"],
  ["rest cut off", "delete from audit where position > 500"],
  ["rest and head cut off", "with gone as (delete from audit where position > 500) delete from audit_heads"],
  ["all but the head cut off", "delete from audit"],
])("in the middle of a rotation: %s", async (_how, statement) => {
  await givenLongTrail();
  await resealSome(holding(NEW, OLD), 1);
  await platform.pool.query(statement);
  expect(await verifyAudit(holding(NEW, OLD), "acme")).toMatchObject({ intact: false });
  expect(await resealAudit(holding(NEW, OLD), "acme")).toMatchObject({ rows: 0, fault: expect.anything() });
});

// Guarantee: a key that is missing is told from a row that was changed.
test("a trail whose key is not there does not verify, and says which key", async () => {
  await record(platform, 2);
  const reason = "PLATFORM_MASTER_KEYS lacks the key 'old' that seals the row";
  expect(await verifyAudit(holding(NEW), "acme")).toEqual({ intact: false, position: 1, reason });
});

// Guarantee: rotations and writers at once make one chain, under one key where all writers have it.
test("three rotations and four writers at once", async () => {
  await givenLongTrail();
  const rotations = Array.from({ length: 3 }, () => resealAudit(holding(NEW, OLD), "acme"));
  const writers = Array.from({ length: 4 }, async () => {
    for (let row = 0; row < 25; row += 1) await record(holding(NEW, OLD), 1);
  });
  const walks: boolean[] = [];
  const walking = (async () => {
    for (let walk = 0; walk < 10; walk += 1)
      walks.push((await verifyAudit(holding(NEW, OLD), "acme")).intact);
  })();
  const [resealed] = await Promise.all([Promise.all(rotations), ...writers, walking]);
  expect(resealed.map(({ fault }) => fault)).toEqual([undefined, undefined, undefined]);
  expect(walks).not.toContain(false);
  expect(await verifyAudit(holding(NEW), "acme")).toEqual({ intact: true, rows: LONG + 100 });
});
