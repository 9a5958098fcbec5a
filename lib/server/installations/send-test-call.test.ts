import { beforeEach, expect, test } from "vitest";
import type { RouteKind } from "@/lib/contract/catalog/installation-states";
import type { Role } from "@/lib/contract/platform/role";
import { sendDueDeliveries } from "@/tests/deliver";
import { givenInstance } from "@/tests/fake-app";
import { callRecorded } from "@/tests/recorded-call";
import {
  givenInstallation,
  givenInstalledApp,
  givenListing,
  givenMember,
  testPlatform,
} from "@/tests/test-platform";
import { acceptEvent } from "../calls/deliveries/accept-event";
import { listRecipients, sendTestCall } from "./send-test-call";

const platform = await testPlatform();
let world: Awaited<ReturnType<typeof givenRunning>>;

beforeEach(async () => {
  world = await givenRunning();
});

async function givenRunning() {
  const installed = await givenInstalledApp(platform);
  const { version } = installed;
  const app = await givenInstance(platform, version.id, (response) => void response.end('{"made":"Honda"}'));
  return { ...installed, app };
}

async function auditedCalls() {
  const { rows } = await platform.pool.query(
    "select from audit where action = 'installation.send-test-call'",
  );
  return rows;
}

// Guarantee: a test call is what the core would send, with its own key.
test("an autofill call reaches the app, and its attempt is recorded", async () => {
  const { customer, installation, app, route } = world;
  const sent = await sendTestCall(platform, customer, installation.id, {
    routeId: route("autofill").id,
    text: JSON.stringify({ operation: "newBusiness.create", vin: "1" }),
  });
  expect(sent.sent).toBe("call");
  expect(app.received).toHaveLength(1);
  expect(app.received[0]).toMatchObject({
    method: "POST",
    url: "/autofill",
    body: '{"operation":"newBusiness.create","vin":"1"}',
  });
  expect(app.received[0]?.headers["x-platform-key"]).toMatch(/^psk_/);
});

// Guarantee: an event from the console is stored like any other; a payload that is not an event is refused.
test("a webhook's event is accepted with its delivery", async () => {
  const { customer, installation, route } = world;
  const payload = { type: "policy.issued", data: { policyLocator: "POL-1" } };
  const sent = await sendTestCall(platform, customer, installation.id, {
    routeId: route("webhook").id,
    text: JSON.stringify(payload),
  });
  expect(sent).toMatchObject({ sent: "event", deliveries: 1 });
  const invalid = sendTestCall(platform, customer, installation.id, {
    routeId: route("webhook").id,
    text: '"text"',
  });
  await expect(invalid).rejects.toMatchObject({ code: "BAD_INPUT" });
  expect(await auditedCalls()).toHaveLength(1);
});

// Guarantee: a test event has every member that events of the core have, and what the person wrote counts.
test("a test event looks like the core's, with an id of its own", async () => {
  const { customer, installation, app, route } = world;
  const send = (payload: unknown) =>
    sendTestCall(platform, customer, installation.id, {
      routeId: route("webhook").id,
      text: JSON.stringify(payload),
    });
  await send({ type: "policy.issued", data: { policyLocator: "POL-1" } });
  const own = { timestamp: 1767225600000, transactionId: "T-1", username: "jane", region: { code: "x" } };
  await send({ id: "core-1", type: "policy.issued", data: null, ...own });
  await sendDueDeliveries(platform);
  const [first, second] = app.received
    .map(({ body }): Record<string, unknown> => JSON.parse(body))
    .sort((one) => (one.data === null ? 1 : -1));
  expect(first).toEqual({
    id: expect.stringMatching(/^console-/),
    type: "policy.issued",
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    transactionId: expect.stringMatching(/^console-/),
    username: customer.name,
    data: { policyLocator: "POL-1" },
  });
  expect(second).toEqual({
    ...own,
    id: expect.stringMatching(/^console-/),
    type: "policy.issued",
    data: null,
  });
});

const EXACT = '"n": 9007199254740993, "d": 1.10, "z": -0, "e": 1e400, "a": 1, "a": 2';

// Guarantee: what a person typed is what the app gets, to the last character.
test("numbers, repeated members and spaces of a test call stay as they were typed", async () => {
  const { customer, installation, app, route } = world;
  const send = (kind: RouteKind, text: string) =>
    sendTestCall(platform, customer, installation.id, { routeId: route(kind).id, text });
  const call = `{ "operation": "newBusiness.create",\n  ${EXACT} }`;
  await send("autofill", call);
  expect(app.received[0]?.body).toBe(call);
  await send("webhook", `{"type": "policy.issued", "data": {${EXACT}}}`);
  await sendDueDeliveries(platform);
  expect(app.received[1]?.body).toContain(`"data": {${EXACT}}`);
  expect(JSON.parse(app.received[1]?.body ?? "")).toMatchObject({ id: expect.stringMatching(/^console-/) });
  const marked = `\uFEFF${call}`;
  await send("autofill", marked);
  expect(app.received[2]?.body).toBe(marked);
  await send("webhook", `\uFEFF{"type": "policy.issued", "data": {${EXACT}}}`);
  await sendDueDeliveries(platform);
  expect(app.received[3]?.body).toMatch(/^\uFEFF\{"type": "policy\.issued", /);
  await expect(send("autofill", "{")).rejects.toMatchObject({ code: "BAD_INPUT" });
});

// Guarantee: the record tells a person's test call from a call of the core, whatever its kind.
test("test calls and test events are marked, and those of the core are not", async () => {
  const { customer, installation, tenant, route } = world;
  const send = (kind: RouteKind, payload: unknown) =>
    sendTestCall(platform, customer, installation.id, {
      routeId: route(kind).id,
      text: JSON.stringify(payload),
    });
  await send("autofill", { operation: "newBusiness.create", vin: "1" });
  await send("webhook", { type: "policy.issued" });
  await callRecorded(platform, route("autofill").id, { operation: "newBusiness.create", vin: "2" });
  const event = { id: "core-1", type: "policy.issued", timestamp: "2026-01-01T00:00:00Z", data: null };
  await acceptEvent(platform, tenant.id, event);
  await sendDueDeliveries(platform);
  const { rows } = await platform.pool.query("select kind, test from attempts order by kind, test");
  expect(rows).toEqual([
    { kind: "webhook", test: false },
    { kind: "webhook", test: true },
    { kind: "autofill", test: false },
    { kind: "autofill", test: true },
  ]);
});

// Guarantee: there is no call without an audit row, and no audit row without a call.
test("a call whose audit row cannot be written is not sent", async () => {
  const { customer, installation, app, route } = world;
  await platform.pool.query("alter table audit rename to audit_away");
  const payload = { operation: "newBusiness.create", type: "policy.issued", data: {} };
  for (const kind of ["autofill", "webhook"] as const) {
    const sent = sendTestCall(platform, customer, installation.id, {
      routeId: route(kind).id,
      text: JSON.stringify(payload),
    });
    await expect(sent, kind).rejects.toThrow();
  }
  await platform.pool.query("alter table audit_away rename to audit");
  expect(app.received).toHaveLength(0);
  for (const table of ["attempts", "events", "deliveries", "audit"]) {
    const { rowCount } = await platform.pool.query(`select from ${table}`);
    expect(rowCount, table).toBe(0);
  }
});

// Guarantee: nothing is sent for other organizations, to a hook's route, or to a stopped app.
test("foreign, lifecycle and stopped are refused, and the app gets no call", async () => {
  const { customer, installation, app, route } = world;
  const send = (who: typeof customer, kind: RouteKind) =>
    sendTestCall(platform, who, installation.id, { routeId: route(kind).id, text: "{}" });
  await expect(send(await givenMember(platform, "stranger"), "autofill")).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  await expect(send(customer, "lifecycle")).rejects.toMatchObject({ code: "BAD_INPUT" });
  await platform.pool.query("update installations set state = 'STOPPED'");
  await expect(send(customer, "autofill")).rejects.toMatchObject({ code: "WRONG_STATE" });
  expect(app.received).toHaveLength(0);
});

/** A Test Launch for the same tenant as a regular installation. */
async function givenTestLaunch() {
  const { customer, version, tenant } = world;
  await platform.pool.query("update installations set test = true");
  const regular = await givenInstallation(platform, customer, version, tenant.id);
  return { test: world, regular };
}

// Guarantee: someone who may not stop an installation may not call it either, in any way.
test("a publisher can only send test calls to a Test Launch", async () => {
  const { test: trial, regular } = await givenTestLaunch();
  const publisher = await givenMember(platform, "harbor", "publisher");
  for (const { id: routeId, kind } of regular.routes) {
    const sent = sendTestCall(platform, publisher, regular.installation.id, {
      routeId,
      text: '{"type":"policy.issued"}',
    });
    await expect(sent, kind).rejects.toMatchObject({ code: "NOT_ALLOWED" });
  }
  expect(trial.app.received).toHaveLength(0);
  expect(await auditedCalls()).toHaveLength(0);
  const payload = { operation: "newBusiness.create", vin: "1" };
  const sent = await sendTestCall(platform, publisher, trial.installation.id, {
    routeId: trial.route("autofill").id,
    text: JSON.stringify(payload),
  });
  expect(sent.sent).toBe("call");
});

// Guarantee: a publisher's event never reaches a regular installation of the same tenant.
test("a publisher's event goes to the tenant's Test Launches, an operator's to all", async () => {
  const { test: trial } = await givenTestLaunch();
  const input = { routeId: trial.route("webhook").id, text: '{"type":"policy.issued"}' };
  const receivers = async (role: Role) => {
    await platform.pool.query("delete from deliveries");
    const member = await givenMember(platform, "harbor", role);
    const { recipients } = await listRecipients(platform, member, trial.installation.id, "policy.issued");
    const shown = recipients.map(({ routeId }) => routeId);
    const sent = await sendTestCall(platform, member, trial.installation.id, { ...input, recipients: shown });
    const { rows } = await platform.pool.query<{ test: boolean }>(
      "select i.test from deliveries d join installations i on i.id = d.installation_id order by i.test",
    );
    expect(sent).toMatchObject({ deliveries: rows.length });
    return rows.map((row) => row.test);
  };
  expect(await receivers("publisher")).toEqual([true]);
  expect(await receivers("operator")).toEqual([false, true]);
  expect(await receivers("owner")).toEqual([false, true]);
});

// Guarantee: a test event reaches no app that its sender was not shown, and the audit trail says whom it was meant for.
test("a test event reaches only the apps that were named, by default the one on the page", async () => {
  const { customer, installation, tenant, route } = world;
  const other = await givenListing(platform, await givenMember(platform, "acme"), {
    appName: "letters",
    state: "PUBLIC",
    verified: true,
  });
  const neighbor = await givenInstallation(platform, customer, other.version, tenant.id);
  const { recipients } = await listRecipients(platform, customer, installation.id, "policy.issued");
  expect(recipients.map(({ installationId, title }) => ({ installationId, titled: title !== "" }))).toEqual([
    { installationId: installation.id, titled: true },
    { installationId: neighbor.installation.id, titled: true },
  ]);
  expect(await listRecipients(platform, customer, installation.id, "claim.opened")).toEqual({
    recipients: [],
  });

  const send = (shown?: string[]) =>
    sendTestCall(platform, customer, installation.id, {
      routeId: route("webhook").id,
      text: '{"type":"policy.issued"}',
      recipients: shown,
    });
  expect(await send()).toMatchObject({ deliveries: 1, deliveryId: expect.any(String) });
  expect(await send(recipients.map((recipient) => recipient.routeId))).toMatchObject({ deliveries: 2 });
  // It subscribed after the sender looked.
  expect(await send([route("webhook").id, route("autofill").id])).toMatchObject({ deliveries: 1 });
  const { rows } = await platform.pool.query(
    "select jsonb_array_length(details -> 'recipients') as n from audit where action = 'installation.send-test-call'",
  );
  expect(rows.map(({ n }) => n)).toEqual([1, 2, 2]);
  await expect(
    listRecipients(platform, await givenMember(platform, "stranger"), installation.id, "policy.issued"),
  ).rejects.toMatchObject({ code: "NOT_FOUND" });
});
