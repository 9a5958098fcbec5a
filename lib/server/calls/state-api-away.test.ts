/** An app whose state nobody serves: its calls fail, and it is not to blame. */
import { beforeEach, expect, test } from "vitest";
import { attempts, breakers, deliveries } from "@/drizzle/schema/calls";
import { instances } from "@/drizzle/schema/runtime";
import { recognizeCore } from "@/lib/server/accounts/credentials/authenticate-core";
import { sendDueDeliveries } from "@/tests/deliver";
import { givenInstance, type Respond } from "@/tests/fake-app";
import { givenCredential, givenInstalledApp, one, testPlatform } from "@/tests/test-platform";
import { selectFailedCalls } from "../insight/health/health-queries";
import { callRoute } from "./call-route";
import { acceptFromCore } from "./deliveries/accept-event";
import { STATE_API_AWAY } from "./state-api-away";

const OWN = "http://172.17.0.1:4001";
const platform = await testPlatform({ PLATFORM_STATE_API_CONTAINER: OWN });
const CREDENTIAL = "pcc_canary-credential-of-a-core";
const CALL = { operation: "newBusiness.create" };
const failing: Respond = (response) => void response.writeHead(500).end();

let world: Awaited<ReturnType<typeof givenWorld>>;
beforeEach(async () => {
  world = await givenWorld();
});

async function givenWorld() {
  const installed = await givenInstalledApp(platform);
  const { app } = await givenInstance(platform, installed.version.id, failing);
  const autofill = installed.route("autofill");
  return { ...installed, app, autofill };
}

/** The address that its instances were started with. */
const startedWith = (stateApi: string | null) => platform.db.update(instances).set({ stateApi });

// Guarantee: a call that fails because nobody serves the app's state is the platform's fault, in the answer and in the record.
test.each([
  ["http://172.17.0.1:4002", failing, "state-api-away"],
  [OWN, failing, "app-response-status"],
  [null, failing, "app-response-status"],
  ["http://172.17.0.1:4002", (response) => void response.destroy(), "state-api-away"],
  // What it does without its state.
  ["http://172.17.0.1:4002", (response) => void response.writeHead(404).end(), "app-response-status"],
  ["http://172.17.0.1:4002", (response) => void response.end("no JSON"), "app-response-not-json"],
] satisfies [string | null, Respond, string][])("started with %s", async (stateApi, respond, fault) => {
  await startedWith(stateApi);
  world.app.respond = respond;
  const { fault: found, failure } = await callRoute(platform, world.autofill.id, CALL);
  expect(found).toBe(fault);
  expect(failure?.includes(STATE_API_AWAY)).toBe(fault === "state-api-away");
  await platform.services.recorder.flush();
  expect(one(await platform.db.select().from(attempts))).toMatchObject({ fault, failure });
});

test("such calls don't count for the app's health", async () => {
  const { id } = world.installation;
  for (const stateApi of [OWN, "http://172.17.0.1:4002"]) {
    await platform.db.delete(attempts);
    await platform.db.delete(instances);
    await givenInstance(platform, world.version.id, failing);
    await platform.pool.query("update instances set ready_at = now() - interval '30 minutes'");
    await startedWith(stateApi);
    await callRoute(platform, world.autofill.id, CALL);
    await platform.services.recorder.flush();
    const failed = await selectFailedCalls(platform.db, [id]);
    expect(failed.map(({ count }) => count)).toEqual(stateApi === OWN ? [1] : []);
  }
});

// Guarantee: no event is lost or given up, and no breaker opens, because the platform served no state.
test("an event that fails so is sent again without using up a try", async () => {
  await startedWith("http://172.17.0.1:4002");
  await givenCredential(platform, world.tenant.id, CREDENTIAL);
  const core = await recognizeCore(platform, `Bearer ${CREDENTIAL}`);
  const event = { id: "e1", type: "policy.issued" };
  await acceptFromCore(platform, core, event, JSON.stringify(event));
  expect(await sendDueDeliveries(platform)).toBe(1);
  expect(one(await platform.db.select().from(deliveries))).toMatchObject({
    state: "PENDING",
    attemptCount: 0,
    interruptions: 1,
  });
  expect((await platform.db.select().from(breakers)).filter(({ failures }) => failures > 0)).toEqual([]);
});
