import { beforeEach, expect, test } from "vitest";
import { v7 } from "uuid";
import { deliveries } from "@/drizzle/schema/deliveries";
import { products } from "@/drizzle/schema/tenants";
import { givenInstance } from "@/tests/fake-app";
import {
  givenInstallation,
  givenListing,
  givenMember,
  givenTenant,
  testPlatform,
} from "@/tests/test-platform";
import { callRoute } from "../calls/call-route";
import { sendDueDeliveries } from "@/tests/deliver";
import { readProductSamples } from "../installations/read-product-samples";
import { sendTestCall } from "../installations/send-test-call";
import { listSentCalls } from "./list-sent-calls";

const platform = await testPlatform();

let world: Awaited<ReturnType<typeof givenWorld>>;
beforeEach(async () => {
  world = await givenWorld();
});

async function givenWorld() {
  const publisher = await givenMember(platform, "acme");
  const customer = await givenMember(platform, "harbor");
  const { version } = await givenListing(platform, publisher, { state: "PUBLIC", verified: true });
  const { tenant } = await givenTenant(platform, customer);
  const { installation, routes } = await givenInstallation(platform, customer, version, tenant.id);
  const routeId = (kind: string) => routes.find((route) => route.kind === kind)?.id ?? "";
  await givenInstance(platform, version.id, (response) => void response.writeHead(500).end());
  return { publisher, customer, tenant, installation, routeId };
}

// Guarantee: the history has what was sent from the console, once each, and nothing that the core sent.
test("test calls are listed newest first, each delivery once, and no calls of the core", async () => {
  const { customer, installation, routeId } = world;
  const send = (kind: string, payload: object) =>
    sendTestCall(platform, customer, installation.id, { routeId: routeId(kind), payload: { ...payload } });
  await send("autofill", { operation: "newBusiness.quote" });
  await send("webhook", { type: "policy.issued" });
  await sendDueDeliveries(platform);
  await platform.db.update(deliveries).set({ nextAttemptAt: new Date(Date.now() - 1_000) });
  await sendDueDeliveries(platform);
  await callRoute(platform, routeId("autofill"), { operation: "newBusiness.create" });
  const { calls } = await listSentCalls(platform, customer, installation.id);
  expect(calls.map(({ kind, eventType, status }) => ({ kind, eventType, status }))).toEqual([
    { kind: "webhook", eventType: "policy.issued", status: 500 },
    { kind: "autofill", eventType: "newBusiness.quote", status: 500 },
  ]);
});

test("samples are of the tenant's own products: the core's, or made up from the schema", async () => {
  const { customer, installation, tenant } = world;
  const sample = { vin: "from the core" };
  await platform.db.insert(products).values({ tenantId: tenant.id, name: "Boat", schema: {}, sample });
  expect(await readProductSamples(platform, customer, installation.id)).toEqual({
    products: [
      { name: "Boat", data: sample, given: true },
      { name: "Personal Auto", data: { vin: "text" }, given: false },
    ],
  });
});

test("nobody reads what other organizations sent, or their products", async () => {
  const { installation, publisher } = world;
  for (const read of [listSentCalls, readProductSamples]) {
    await expect(read(platform, publisher, installation.id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    for (const id of [v7(), "x"])
      await expect(read(platform, world.customer, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
  }
});
