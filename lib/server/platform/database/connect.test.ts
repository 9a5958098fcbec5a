import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { testPlatform } from "@/tests/test-platform";

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
