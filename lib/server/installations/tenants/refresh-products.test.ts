import { expect, test } from "vitest";
import { fakeCore, productsListing } from "@/tests/fake-core";
import { givenInstalledApp, givenMember, testPlatform } from "@/tests/test-platform";
import { SAMPLE_BYTES } from "../../platform/requests/try-core";
import { connectTenant } from "./connect-tenant";
import { schemaDigest } from "./product-queries";
import { readTenant } from "./read-tenants";
import { refreshProducts } from "./test-connection";

const platform = await testPlatform();
const core = fakeCore();
const input = () => ({ name: "Production", hostName: "harbor.core.example", coreApiUrl: core.coreApiUrl });
const listing = (schema: object, sample?: unknown) => ({
  body: JSON.stringify({ products: [{ name: "Auto", schema, sample }] }),
});

test("a refresh returns what was added, removed, and changed", async () => {
  const owner = await givenMember(platform, "harbor");
  core.answer = { body: productsListing("Auto", "Boat") };
  const { tenantId } = await connectTenant(platform, owner, input());
  core.answer = {
    body: JSON.stringify({
      products: [
        { name: "Auto", schema: { type: "object" } },
        { name: "Home", schema: {} },
      ],
    }),
  };
  const read = { products: ["Auto", "Home"], added: ["Home"], removed: ["Boat"], changed: ["Auto"] };
  expect(await refreshProducts(platform, owner, tenantId)).toEqual(read);
  const nothing = { products: ["Auto", "Home"], added: [], removed: [], changed: [] };
  expect(await refreshProducts(platform, owner, tenantId)).toEqual(nothing);
  core.answer = { body: '{"products":[]}' };
  expect(await refreshProducts(platform, owner, tenantId)).toMatchObject({ removed: ["Auto", "Home"] });
});

// Guarantee: 'changed' means that the schema differs, not that it was read again or has its keys in another order.
test("only a different schema updates changedAt", async () => {
  const owner = await givenMember(platform, "harbor");
  core.answer = listing({ type: "object", title: "Auto" });
  const { tenantId } = await connectTenant(platform, owner, input());
  const product = async () => (await readTenant(platform, owner, tenantId)).products[0];
  const first = await product();
  core.answer = listing({ title: "Auto", type: "object" }, { vin: "1" });
  expect(await refreshProducts(platform, owner, tenantId)).toMatchObject({ changed: [] });
  const second = await product();
  expect(second?.changedAt).toBe(first?.changedAt);
  expect(second?.refreshedAt).not.toBe(first?.refreshedAt);
  expect(second?.sample).toEqual({ vin: "1" });
  core.answer = listing({ title: "Car", type: "object" }, "x".repeat(SAMPLE_BYTES));
  expect(await refreshProducts(platform, owner, tenantId)).toMatchObject({ changed: ["Auto"] });
  const third = await product();
  expect(third?.changedAt).not.toBe(first?.changedAt);
  expect(third?.sample).toBeNull();
});

// Guarantee: products stored before schemas had digests get one without being reported.
test("a product without a digest gets one and counts as unchanged", async () => {
  const owner = await givenMember(platform, "harbor");
  core.answer = listing({ type: "object" });
  const { tenantId } = await connectTenant(platform, owner, input());
  await platform.pool.query("update products set schema_digest = '', changed_at = '2020-01-01'");
  core.answer = listing({ type: "object", title: "Auto" });
  expect(await refreshProducts(platform, owner, tenantId)).toMatchObject({ changed: [] });
  const { rows } = await platform.pool.query(
    "select schema_digest as digest, changed_at as at from products",
  );
  const digest = schemaDigest({ type: "object", title: "Auto" });
  expect(rows).toEqual([{ digest, at: new Date("2020-01-01") }]);
});

test("a failed refresh keeps the products and stores the failed test", async () => {
  const owner = await givenMember(platform, "harbor");
  const { tenantId } = await connectTenant(platform, owner, input());
  core.answer = { status: 500 };
  await expect(refreshProducts(platform, owner, tenantId)).rejects.toMatchObject({ code: "CORE_FAILED" });
  const { connection, products } = await readTenant(platform, owner, tenantId);
  expect(products).toMatchObject([{ name: "Auto" }]);
  expect(connection).toMatchObject({ ok: false, steps: [{}, {}, {}, { step: "products", ok: false }] });
});

test("two simultaneous refreshes succeed, and one reports the change", async () => {
  const owner = await givenMember(platform, "harbor");
  const { tenantId } = await connectTenant(platform, owner, input());
  core.answer = { body: productsListing("Boat") };
  const reads = await Promise.all([1, 2].map(() => refreshProducts(platform, owner, tenantId)));
  expect(reads.filter((read) => read.added.length > 0)).toHaveLength(1);
});

test("the tenant's page lists its installations without uninstalled ones", async () => {
  const { customer: owner, tenant, installation } = await givenInstalledApp(platform);
  expect((await readTenant(platform, owner, tenant.id)).installations).toEqual([
    {
      id: installation.id,
      title: "VIN lookup",
      version: "1.4.0",
      state: "RUNNING",
      test: false,
      health: expect.objectContaining({ status: "DOWN" }),
    },
  ]);
  await platform.pool.query("update installations set state = 'UNINSTALLED'");
  expect((await readTenant(platform, owner, tenant.id)).installations).toEqual([]);
});
