import { expect, test } from "vitest";
import { type ConfiguredWorld, givenConfiguredWorld } from "@/tests/configured-world";
import { testPlatform } from "@/tests/test-platform";
import type { Db } from "../platform/database/connect";
import { lockInstallation } from "./queries";
import { replaceProducts } from "./tenants/product-queries";
import { lockUpgrading } from "./upgrade-queries";

const platform = await testPlatform();

type Lock = (tx: Db, world: ConfiguredWorld, id: string) => Promise<unknown>;

// Guarantee: a save, a switch and a refresh of products block no call and no event, but wait for each other.
test.each<[string, "installations" | "tenants", Lock]>([
  ["a save", "installations", (tx, { customer }, id) => lockInstallation(tx, customer.organization.id, id)],
  ["a switch", "installations", (tx, _world, id) => lockUpgrading(tx, id)],
  ["a refresh of products", "tenants", (tx, { tenant }) => replaceProducts(tx, tenant.id, [])],
])("%s only locks out other changes", async (_what, table, lock) => {
  const world = await givenConfiguredWorld(platform);
  const id = await world.launch();
  const rowId = table === "tenants" ? world.tenant.id : id;
  const tryLock = (strength: string) =>
    platform.pool.query(`select 1 from ${table} where id = $1 for ${strength} nowait`, [rowId]);
  await platform.db.transaction(async (tx) => {
    await lock(tx, world, id);
    // The lock that the foreign key of an attempt, a delivery or an event takes.
    expect((await tryLock("key share")).rowCount).toBe(1);
    await expect(tryLock("no key update")).rejects.toMatchObject({ code: "55P03" });
  });
});
