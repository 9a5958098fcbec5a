import { v7 } from "uuid";
import { beforeEach, expect, test } from "vitest";
import { deliveries } from "@/drizzle/schema/calls";
import { products } from "@/drizzle/schema/installations-tenants";
import type { RouteKind } from "@/lib/contract/catalog/installation-states";
import { sendDueDeliveries } from "@/tests/deliver";
import { givenInstance } from "@/tests/fake-app";
import { givenInstalledApp, testPlatform } from "@/tests/test-platform";
import { callRoute } from "../../calls/call-route";
import { readProductSamples } from "../../installations/read-installation";
import { sendTestCall } from "../../installations/send-test-call";
import { listSentCalls } from "./read-call";

const platform = await testPlatform();

let world: Awaited<ReturnType<typeof givenWorld>>;
beforeEach(async () => {
  world = await givenWorld();
});

async function givenWorld() {
  const app = await givenInstalledApp(platform);
  await givenInstance(platform, app.version.id, (response) => void response.writeHead(500).end());
  return app;
}

// Guarantee: the history has what was sent from the console, once each, and nothing that the core sent.
test("test calls are listed newest first, each delivery once, and no calls of the core", async () => {
  const { customer, installation, route } = world;
  const send = (kind: RouteKind, payload: object) =>
    sendTestCall(platform, customer, installation.id, {
      routeId: route(kind).id,
      text: JSON.stringify(payload),
    });
  await send("autofill", { operation: "newBusiness.quote" });
  await send("webhook", { type: "policy.issued" });
  await sendDueDeliveries(platform);
  await platform.db.update(deliveries).set({ nextAttemptAt: new Date(Date.now() - 1_000) });
  await sendDueDeliveries(platform);
  await callRoute(platform, route("autofill").id, { operation: "newBusiness.create" });
  const { calls } = await listSentCalls(platform, customer, installation.id);
  expect(calls.map(({ kind, eventType, status }) => ({ kind, eventType, status }))).toEqual([
    { kind: "webhook", eventType: "policy.issued", status: 500 },
    { kind: "autofill", eventType: "newBusiness.quote", status: 500 },
  ]);
});

test("of more test calls than are listed, the console says that there are older ones", async () => {
  const { customer, installation, route } = world;
  for (let at = 0; at < 13; at += 1) {
    const { calls, more } = await listSentCalls(platform, customer, installation.id);
    expect([calls.length, more]).toEqual([at, false]);
    const input = { routeId: route("rater").id, text: "{}" };
    await sendTestCall(platform, customer, installation.id, input);
  }
  const { calls, more } = await listSentCalls(platform, customer, installation.id);
  expect([calls.length, more]).toEqual([12, true]);
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
