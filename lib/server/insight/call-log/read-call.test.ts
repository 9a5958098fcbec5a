import { eq } from "drizzle-orm";
import { v7 } from "uuid";
import { beforeEach, expect, test } from "vitest";
import { attempts } from "@/drizzle/schema/calls";
import { logExcerpts } from "@/drizzle/schema/insight";
import { installations } from "@/drizzle/schema/installations";
import { instances } from "@/drizzle/schema/runtime";
import { callView } from "@/lib/contract/insight/call";
import { sendDueDeliveries } from "@/tests/deliver";
import { givenInstance } from "@/tests/fake-app";
import {
  givenInstallation,
  givenInstalledApp,
  givenListing,
  givenMember,
  one,
  testPlatform,
} from "@/tests/test-platform";
import { acceptEvent } from "../../calls/deliveries/accept-event";
import { sendTestCall } from "../../installations/send-test-call";
import { readCall } from "./read-call";

const platform = await testPlatform();

let world: Awaited<ReturnType<typeof givenWorld>>;
beforeEach(async () => {
  world = await givenWorld();
});

async function givenWorld() {
  const installed = await givenInstalledApp(platform);
  const { version } = installed;
  const app = await givenInstance(platform, version.id, (response) => void response.end('{"make":"Volvo"}'));
  return { ...installed, app };
}

async function callAutofill(): Promise<string> {
  const { customer, installation, route } = world;
  const payload = { operation: "newBusiness.create", vin: "YV1" };
  const sent = await sendTestCall(platform, customer, installation.id, {
    routeId: route("autofill").id,
    text: JSON.stringify(payload),
  });
  if (sent.sent !== "call") throw new Error("not a call");
  return sent.attemptId;
}

async function deliverEvent(): Promise<string> {
  const at = "2026-01-01T00:00:00Z";
  const event = { id: "core-1", type: "policy.issued", timestamp: at, data: {} };
  await acceptEvent(platform, world.tenant.id, event);
  await sendDueDeliveries(platform);
  return one(await platform.db.select().from(attempts)).id;
}

const read = (attemptId: string, member = world.customer) => readCall(platform, member, attemptId);

test("a test call has its payload, its answer, its times, and where the core sends such calls", async () => {
  const call = callView.parse(await read(await callAutofill()));
  expect(call).toMatchObject({
    kind: "autofill",
    test: true,
    eventType: "newBusiness.create",
    status: 200,
    recorded: true,
    payload: '{"operation":"newBusiness.create","vin":"YV1"}',
    answer: '{"make":"Volvo"}',
    installation: {
      title: "VIN lookup",
      tenantName: "Production",
      revision: 1,
      instance: { state: "READY" },
    },
    stateSettings: ["region"],
    delivery: null,
    event: null,
  });
  expect(call.platformMs).not.toBeNull();
  expect(call.address).toMatch(new RegExp(`/r/${world.route("autofill").id}$`));
});

test("a delivery's call has all of its attempts, and the event with everybody who gets it", async () => {
  const neighbor = await givenListing(platform, await givenMember(platform, "acme"), {
    appName: "letters",
    state: "PUBLIC",
    verified: true,
  });
  const other = await givenInstallation(platform, world.customer, neighbor.version, world.tenant.id);
  const call = callView.parse(await read(await deliverEvent()));
  expect(call).toMatchObject({
    kind: "webhook",
    eventType: "policy.issued",
    delivery: { state: "DELIVERED", attempts: [{ id: call.id, status: 200 }] },
    event: { coreId: "core-1", type: "policy.issued", test: false },
  });
  expect(call.address).toMatch(/\/core\/v1\/events$/);
  expect(
    call.event?.deliveries.map(({ installationId, attemptId, state }) => ({
      installationId,
      attemptId,
      state,
    })),
  ).toEqual([
    { installationId: world.installation.id, attemptId: call.id, state: "DELIVERED" },
    { installationId: other.installation.id, attemptId: null, state: "PENDING" },
  ]);
});

// Guarantee: a call of another organization looks like one that does not exist, also to the app's publisher.
test("foreign and absent calls are not found", async () => {
  const attemptId = await callAutofill();
  for (const who of [world.publisher, await givenMember(platform, "stranger")])
    await expect(read(attemptId, who)).rejects.toMatchObject({ code: "NOT_FOUND" });
  for (const id of [v7(), "", "x' or 1=1"])
    await expect(read(id)).rejects.toMatchObject({ code: "NOT_FOUND" });
});

// Guarantee: nobody reads in an app's log what the app does for other customers.
test("only owners and publishers of the app's organization see the log of a call", async () => {
  const attemptId = await callAutofill();
  await platform.db
    .insert(logExcerpts)
    .values({ attemptId, state: "READ", text: "line of the app", cut: false });
  expect((await read(attemptId)).log).toEqual({ state: "hidden" });
  const { id: organizationId } = world.publisher.organization;
  await platform.db.update(installations).set({ organizationId });
  await platform.db.update(attempts).set({ organizationId });
  const shown = { state: "read", text: "line of the app", cut: false };
  expect((await read(attemptId, world.publisher)).log).toEqual(shown);
  expect((await read(attemptId, await givenMember(platform, "acme", "publisher"))).log).toEqual(shown);
  expect((await read(attemptId, await givenMember(platform, "acme", "operator"))).log).toEqual({
    state: "hidden",
  });
});

test("a log that is gone shows the kept end of its instance's log", async () => {
  const attemptId = await callAutofill();
  const { id: organizationId } = world.publisher.organization;
  await platform.db.update(installations).set({ organizationId });
  await platform.db.update(attempts).set({ organizationId });
  const log = async () => (await read(attemptId, world.publisher)).log;
  expect(await log()).toEqual({ state: "unread" });
  const instance = one(await platform.db.select().from(instances));
  await platform.db.insert(logExcerpts).values({ attemptId, instanceId: instance.id });
  expect(await log()).toEqual({ state: "waiting" });
  await platform.db.update(logExcerpts).set({ state: "GONE" });
  expect(await log()).toEqual({ state: "gone", tail: null });
  const endedAt = new Date("2026-01-01T00:00:00Z");
  await platform.db
    .update(instances)
    .set({ state: "FAILED", endedAt, logTail: "last words" })
    .where(eq(instances.id, instance.id));
  expect(await log()).toEqual({ state: "gone", tail: { at: endedAt.toISOString(), text: "last words" } });
});
