import { expect, test } from "vitest";
import type { Db } from "@/lib/server/database/connect";
import { givenConfiguredWorld, type ConfiguredWorld } from "@/tests/configured-world";
import { testPlatform } from "@/tests/test-platform";
import { replaceProducts } from "../../tenants/product-queries";
import { holdMoving } from "../../upgrades/queries";
import { holdInstallation } from "./queries";

const platform = await testPlatform();

type Hold = (tx: Db, world: ConfiguredWorld, id: string) => Promise<unknown>;

// Guarantee: a save, a switch and a refresh hold up no call and no event, and still wait for one another.
test.each<[string, "installations" | "tenants", Hold]>([
  ["a save", "installations", (tx, { customer }, id) => holdInstallation(tx, customer.organization.id, id)],
  ["a switch", "installations", (tx, _world, id) => holdMoving(tx, id)],
  ["a refresh of products", "tenants", (tx, { tenant }) => replaceProducts(tx, tenant.id, [])],
])("%s holds against changes alone", async (_what, table, hold) => {
  const world = await givenConfiguredWorld(platform);
  const id = await world.launch();
  const rowId = table === "tenants" ? world.tenant.id : id;
  const lock = (strength: string) =>
    platform.pool.query(`select 1 from ${table} where id = $1 for ${strength} nowait`, [rowId]);
  await platform.db.transaction(async (tx) => {
    await hold(tx, world, id);
    // What the foreign key of an attempt, a delivery or an event takes.
    expect((await lock("key share")).rowCount).toBe(1);
    await expect(lock("no key update")).rejects.toMatchObject({ code: "55P03" });
  });
});
