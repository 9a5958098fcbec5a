import { beforeEach, expect, test } from "vitest";
import { attempts } from "@/drizzle/schema/calls";
import { installations } from "@/drizzle/schema/installations";
import { sendDueDeliveries } from "@/tests/deliver";
import { givenInstance, type Respond } from "@/tests/fake-app";
import { callRecorded } from "@/tests/recorded-call";
import { givenInstalledApp, givenMember, one, testPlatform } from "@/tests/test-platform";
import { changeSettings } from "../accounts/organization";
import { sendTestCall } from "../installations/send-test-call";
import { acceptEvent } from "./deliveries/accept-event";

const platform = await testPlatform();
const PAYLOAD = { operation: "newBusiness.quote", vin: "YV1" };
const ANSWER = '{"make":"Volvo"}';

let world: Awaited<ReturnType<typeof givenWorld>>;
beforeEach(async () => {
  world = await givenWorld();
});

async function givenWorld() {
  const installed = await givenInstalledApp(platform);
  const answerWith = (respond: Respond) => givenInstance(platform, installed.version.id, respond);
  return { ...installed, answerWith };
}

const answer: Respond = (response) => void response.end(ANSWER);
const callAutofill = () => callRecorded(platform, world.route("autofill").id, PAYLOAD);
const theAttempt = async () => one(await platform.db.select().from(attempts));

const STORED = { recorded: true, payload: JSON.stringify(PAYLOAD), answer: ANSWER };
const NOT_STORED = { recorded: false, payload: null, answer: null };
const ALWAYS = { status: 200, failure: null, payloadBytes: 45, answerBytes: 16 };

// Guarantee: the payload and response of a production call are not stored with its attempt, unless an owner turned that on.
test("a production call is recorded without payload and answer", async () => {
  await world.answerWith(answer);
  expect(await callAutofill()).toMatchObject({ answer: ANSWER });
  const attempt = await theAttempt();
  expect(attempt).toMatchObject({ ...NOT_STORED, ...ALWAYS, test: false });
  expect(attempt.durationMs).not.toBeNull();
});

test("an event of the core is delivered, and its attempt recorded without payload and answer", async () => {
  await world.answerWith(answer);
  const at = "2026-01-01T00:00:00Z";
  await acceptEvent(platform, world.tenant.id, { id: "e1", type: "policy.issued", timestamp: at, data: {} });
  await sendDueDeliveries(platform);
  expect(await theAttempt()).toMatchObject({ ...NOT_STORED, status: 200, answerBytes: 16, test: false });
});

test("a production call that fails is recorded with its reason, without the answer", async () => {
  await world.answerWith((response) => void response.writeHead(500).end("at line 7"));
  await callAutofill();
  const failed = { status: 500, failure: "It returned 500.", answerBytes: 9 };
  expect(await theAttempt()).toMatchObject({ ...NOT_STORED, ...failed });
});

test("once an owner turned it on, payload and answer are recorded, for this organization alone", async () => {
  await world.answerWith(answer);
  await changeSettings(platform, await givenMember(platform, "alpine"), { recordBodies: true });
  await callAutofill();
  expect(await theAttempt()).toMatchObject(NOT_STORED);
  await platform.db.delete(attempts);
  await changeSettings(platform, world.customer, { recordBodies: true });
  await callAutofill();
  expect(await theAttempt()).toMatchObject({ ...STORED, ...ALWAYS });
});

test("calls of a Test Launch are recorded", async () => {
  await world.answerWith(answer);
  await platform.db.update(installations).set({ test: true });
  await callAutofill();
  expect(await theAttempt()).toMatchObject({ ...STORED, ...ALWAYS, test: false });
});

// Guarantee: whoever sends a test call sees what was sent and answered, also on a production installation.
test.each([
  ["autofill", PAYLOAD],
  ["webhook", { type: "policy.issued", data: { vin: "YV1" } }],
] as const)("a test call of the %s route is recorded, and marked as a test", async (kind, payload) => {
  const { customer, installation, route } = world;
  await world.answerWith(answer);
  await sendTestCall(platform, customer, installation.id, {
    routeId: route(kind).id,
    text: JSON.stringify(payload),
  });
  await sendDueDeliveries(platform);
  const attempt = await theAttempt();
  expect(attempt).toMatchObject({ recorded: true, test: true, answer: ANSWER });
  expect(attempt.payload).toContain("YV1");
});
