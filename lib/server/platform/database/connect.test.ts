import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { listings } from "@/drizzle/schema/catalog";
import { instances } from "@/drizzle/schema/runtime";
import { givenListing, givenMember, one, testPlatform } from "@/tests/test-platform";
import { recordAudit } from "../record-audit";
import { verifyAudit } from "../verify-audit";
import { isRefusedValue, runPrepared } from "./connect";

const platform = await testPlatform();

const TERMINATE_ALL =
  "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()";

// Guarantee (P2, in small): connections that are lost at any moment are released; a pool never runs dry.
test("forty lost connections in the middle of transactions leave the pool complete", async () => {
  for (let round = 0; round < 40; round += 1) {
    const work = Array.from({ length: 4 }, () => platform.db.transaction((tx) => tx.execute(sql`select 1`)));
    await Promise.allSettled([...work, platform.pool.query(TERMINATE_ALL)]);
  }
  await expect.poll(() => platform.pool.totalCount - platform.pool.idleCount).toBe(0);
  expect((await platform.db.execute(sql`select 1 as one`)).rows).toEqual([{ one: 1 }]);
});

// Guarantee: a transaction that throws is rolled back, and the caller gets its error.
test("a transaction that throws changes nothing", async () => {
  const failed = platform.db.transaction(async (tx) => {
    await tx.execute(sql`create table planted (id int)`);
    throw new Error("no");
  });
  await expect(failed).rejects.toThrow("no");
  const { rows } = await platform.db.execute(sql`select to_regclass('planted') as found`);
  expect(rows).toEqual([{ found: null }]);
});

// Guarantee: whoever opens a transaction within another one commits nothing of the outer one.
test("an inner transaction is undone alone, and kept only with the outer one", async () => {
  const create = (name: string) => sql`create table ${sql.identifier(name)} (id int)`;
  const found = async (name: string) =>
    (await platform.db.execute(sql`select to_regclass(${name}) as found`)).rows[0]?.found;
  const failed = platform.db.transaction(async (tx) => {
    await tx.execute(create("outer_one"));
    await tx.transaction((inner) => inner.execute(create("inner_one")));
    throw new Error("no");
  });
  await expect(failed).rejects.toThrow("no");
  expect([await found("outer_one"), await found("inner_one")]).toEqual([null, null]);
  await platform.db.transaction(async (tx) => {
    await tx.execute(create("outer_two"));
    const undone = tx.transaction(async (inner) => {
      await inner.execute(create("inner_two"));
      throw new Error("only this");
    });
    await expect(undone).rejects.toThrow("only this");
  });
  expect([await found("outer_two"), await found("inner_two")]).toEqual(["outer_two", null]);
});

const HOSTILE = "a\0b\uD800c\uDC00";
const STORED = "a\uFFFDb\uFFFDc\uFFFD";

// Guarantee: no text from outside fails the statement that it is part of, in whatever way it reaches the database.
test("what PostgreSQL can't store is replaced in texts, lists, JSON and its names", async () => {
  const { listing, version } = await givenListing(platform, await givenMember(platform, "acme"));
  const read = async () => one(await platform.db.select().from(instances));
  await platform.db.insert(instances).values({ versionId: version.id, runtime: HOSTILE, reason: HOSTILE });
  expect(await read()).toMatchObject({ runtime: STORED, reason: STORED });
  await platform.db.transaction((tx) => tx.update(instances).set({ reason: `${HOSTILE}!` }));
  expect(await read()).toMatchObject({ reason: `${STORED}!` });
  await platform.db.update(listings).set({ links: { [HOSTILE]: [HOSTILE] } as never });
  expect(one(await platform.db.select({ links: listings.links }).from(listings)).links).toEqual({
    [STORED]: [STORED],
  });
  const raw = sql`select ${"a\0b"}::text as text, ${sql.param(["\0", "c"])}::text[] as list`;
  expect((await platform.db.execute(raw)).rows).toEqual([{ text: "a\uFFFDb", list: ["\uFFFD", "c"] }]);
  expect((await platform.pool.query({ text: "select $1::text as text", values: ["\0"] })).rows).toEqual([
    { text: "\uFFFD" },
  ]);
  expect(await runPrepared(platform.pool, "hostile", sql`select ${"\0"}::text as text`)).toEqual([
    { text: "\uFFFD" },
  ]);
  expect(listing.id).toBeDefined();
});

// Guarantee: a row of the audit trail is sealed as PostgreSQL returns it, so text from outside never looks like a forgery.
test("an audit row with hostile text verifies", async () => {
  const entry = {
    chain: HOSTILE,
    actor: HOSTILE,
    subject: HOSTILE,
    details: { [HOSTILE]: [HOSTILE, { a: HOSTILE }] },
  };
  await platform.db.transaction((tx) =>
    recordAudit(tx, platform.keyring, { ...entry, action: "listing.create" }),
  );
  await platform.db.transaction((tx) =>
    recordAudit(tx, platform.keyring, { ...entry, action: "listing.scale" }),
  );
  expect(await verifyAudit(platform, STORED)).toEqual({ intact: true, rows: 2 });
});

test("a value that can't be stored is told from a database that is away", async () => {
  const tooLarge = platform.db.execute(sql`select ${String(2 ** 40)}::int`);
  expect(isRefusedValue(await tooLarge.catch((error: unknown) => error))).toBe(true);
  const unknown = platform.db.execute(sql`select nothing`);
  expect(isRefusedValue(await unknown.catch((error: unknown) => error))).toBe(false);
  expect(isRefusedValue(new Error("Connection terminated"))).toBe(false);
});
