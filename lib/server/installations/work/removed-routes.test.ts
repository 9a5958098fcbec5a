import { beforeEach, describe, expect, test } from "vitest";
import { deliveries } from "@/drizzle/schema/calls";
import { one, readState, testPlatform } from "@/tests/test-platform";
import { answering, CREATE, givenUpgradeWorld, keyOf, SECOND } from "@/tests/upgrade-world";
import { callRoute } from "../../calls/call-route";
import { acceptEvent } from "../../calls/deliveries/accept-event";
import { readInstallation } from "../read-installation";
import { sendTestCall } from "../send-test-call";

const platform = await testPlatform();

let world: Awaited<ReturnType<typeof givenUpgradeWorld>>;
beforeEach(async () => {
  world = await givenUpgradeWorld(platform);
});

describe("a route that the new version does not declare", () => {
  const event = (id: string) => ({
    id,
    type: "policy.issued",
    timestamp: "2026-01-01T00:00:00Z",
    data: null,
  });

  test("gets no calls or events, and its pending deliveries end", async () => {
    const id = await world.launch();
    const { tenantId } = await world.installation(id);
    const webhook = await world.routeOf(id, "/events");
    expect(await acceptEvent(platform, tenantId, event("before"))).toMatchObject({ deliveries: 1 });
    await world.begin(id);
    await world.step();
    expect(one(await platform.db.select().from(deliveries))).toMatchObject({ state: "ENDED" });
    expect(await acceptEvent(platform, tenantId, event("after"))).toMatchObject({ deliveries: 0 });
    const input = { routeId: webhook, text: '{"type":"policy.issued"}' };
    await expect(sendTestCall(platform, world.customer, id, input)).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    const view = await readInstallation(platform, world.customer, id);
    expect(view.routes.map((route) => route.path).sort()).toEqual([
      "/_app",
      "/autofill",
      "/mileage",
      "/rate",
    ]);
  });

  test("drops an event from just before the switch, and no delivery waits forever", async () => {
    const id = await world.launch();
    const { tenantId } = await world.installation(id);
    await world.begin(id);
    await world.step();
    // Like a transaction that read the routes before the switch and commits after it.
    await platform.db.update(deliveries).set({ state: "ENDED" });
    const routeId = await world.routeOf(id, "/events");
    const { eventId } = await acceptEvent(platform, tenantId, event("late"));
    await platform.db.insert(deliveries).values({ eventId, routeId, installationId: id });
    await world.hurry();
    await world.step();
    expect(one(await platform.db.select().from(deliveries))).toMatchObject({ state: "ENDED" });
  });

  test("is not called, but an earlier call can read its state until it finishes", async () => {
    const id = await world.launch();
    const routeId = await world.routeOf(id, "/rate");
    let state: unknown;
    const third = await world.addVersion({
      ...SECOND,
      version: "3.0.0",
      core: { fields: SECOND.core?.fields },
    });
    world.fake.app().respond = async (response, received) => {
      world.fake.respond = answering("third");
      await world.begin(id, { versionId: third.id });
      await world.step();
      state = await readState(platform, keyOf(received));
      response.end("{}");
    };
    expect(await world.answerOf(routeId)).toBe("{}");
    expect(state).toMatchObject({ settings: { apiKey: "the-secret" } });
    await expect(callRoute(platform, routeId, CREATE)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});
