import { beforeEach, expect, test } from "vitest";
import type { Member } from "@/lib/domain/platform/actor";
import { sendDueDeliveries } from "@/tests/deliver";
import { givenInstance } from "@/tests/fake-app";
import {
  anotherProcess,
  givenListing,
  givenMember,
  givenTenant,
  SAMPLE_APP,
  testPlatform,
} from "@/tests/test-platform";
import { countTry } from "../accounts/count-tries";
import { countInstallations } from "../catalog/listing-queries";
import { selectPeriods } from "../insight/health/history-queries";
import { connectDatabase } from "../platform/database/connect";
import { openEndpoint } from "./change-endpoints";
import { startInstallation, uninstallInstallation } from "./command-installation";
import { launchInstallation } from "./launch-installation";
import { listInstalledTenants, readLaunch } from "./read-launch";
import { readConfiguration } from "./read-configuration";
import { listInstallations } from "./list-installations";
import { readInstallation } from "./read-installation";
import { sendTestCall } from "./send-test-call";
import { listTenants } from "./tenants/read-tenants";
import { endTrials, readTrial, startTrial } from "./trials";

const platform = await testPlatform();
const CANARY = "trial-canary-4711";
const settings = {
  region: { action: "set", value: "us" },
  apiKey: { action: "set", value: CANARY },
} as const;

let publisher: Member;
let customer: Member;
let version: Awaited<ReturnType<typeof givenListing>>["version"];

beforeEach(async () => {
  publisher = await givenMember(platform, "acme");
  customer = await givenMember(platform, "harbor", "operator");
  ({ version } = await givenListing(platform, publisher, { state: "PUBLIC", verified: true }));
});

const start = (member = customer) => startTrial(platform, member, { versionId: version.id, settings });
const query = (text: string, values: unknown[] = []) => platform.pool.query(text, values);
const run = (id: string) => query("update installations set state = 'RUNNING' where id = $1", [id]);
/** What the worker does with an installation that is uninstalled. */
const settle = () => query("update installations set state = 'UNINSTALLED' where state = 'UNINSTALLING'");

async function state(id: string): Promise<string> {
  return (await readInstallation(platform, customer, id)).state;
}

// Guarantee: anyone in an organization tries a public app without a tenant, with products and mappings that the platform made up.
test.each(["owner", "operator", "publisher"] as const)("an %s tries a public app", async (role) => {
  const member = await givenMember(platform, "harbor", role);
  const offer = await readTrial(platform, member, SAMPLE_APP);
  expect(offer).toMatchObject({ title: "VIN lookup", mappingFields: [], tenants: [{ sandbox: true }] });
  const { installationId } = await start(member);
  const view = await readInstallation(platform, member, installationId);
  expect(view).toMatchObject({
    state: "LAUNCHING",
    test: true,
    tenant: { name: "Made-up insurer", sandbox: true },
  });
  expect(Date.parse(view.trialEndsAt ?? "") - Date.now()).toBeCloseTo(24 * 3_600_000, -5);
  expect(view.configuration.mappings).toEqual([
    { productName: "Sample Auto", fields: { vin: "$.vehicle.vin" } },
    { productName: "Sample Home", fields: { vin: expect.stringMatching(/^\$\./) } },
  ]);
  expect(JSON.stringify(view)).not.toContain(CANARY);
});

// Guarantee: a trial is nobody's customer: it is in no figure of the publisher, and its tenant in no list.
test("a trial counts nowhere", async () => {
  const { installationId } = await start();
  await run(installationId);
  expect(await countInstallations(platform.db, version.listingId)).toBe(0);
  expect(await selectPeriods(platform.db, { versionId: version.id })).toEqual([]);
  expect((await listTenants(platform, customer)).tenants).toEqual([]);
  expect(await listInstalledTenants(platform, customer, version.listingId)).toEqual({
    installed: [],
    hasOtherTenant: false,
  });
  expect((await readLaunch(platform, customer, SAMPLE_APP, { test: false })).tenants).toEqual([]);
  const listed = await listInstallations(platform, customer);
  expect(listed.installations).toMatchObject([
    { id: installationId, test: true, trialEndsAt: expect.any(Date) },
  ]);
});

// Guarantee: an event that is sent in a trial reaches that trial alone, and production never.
test("sample calls stay in the trial", async () => {
  const { tenant } = await givenTenant(platform, customer);
  const input = { versionId: version.id, tenantId: tenant.id, test: false, settings };
  const real = await launchInstallation(platform, customer, {
    ...input,
    mappings: { "Personal Auto": { vin: "$.vin" } },
  });
  const trial = await start();
  const other = await start();
  for (const { installationId } of [real, trial, other]) await run(installationId);
  const received = await givenInstance(platform, version.id, (response) => void response.end());
  const { routes } = await readInstallation(platform, customer, trial.installationId);
  const routeId = routes.find(({ kind }) => kind === "webhook")?.routeId ?? "";
  const text = JSON.stringify({ type: "policy.issued", data: {} });
  const sent = await sendTestCall(platform, customer, trial.installationId, { routeId, text });
  expect(sent).toMatchObject({ sent: "event", deliveries: 1 });
  await sendDueDeliveries(platform);
  expect(received.received).toHaveLength(1);
  const { rows } = await query("select distinct installation_id as id, test from attempts");
  expect(rows).toEqual([{ id: trial.installationId, test: true }]);
});

// Guarantee: strangers can't reach an app through somebody's trial.
test("public endpoints stay closed", async () => {
  const { installationId } = await start();
  await expect(
    openEndpoint(platform, customer, installationId, installationId, { open: true }),
  ).rejects.toMatchObject({ code: "WRONG_STATE", detail: /stay closed in a trial/ });
});

// Guarantee: a trial ends by itself after a day, with its tenant and its secrets.
test("a trial is over after a day", async () => {
  const { installationId } = await start();
  await run(installationId);
  await endTrials(platform);
  expect(await state(installationId)).toBe("RUNNING");
  await query("update tenants set trial_ends_at = now() - interval '1 second'");
  await endTrials(platform);
  expect(await state(installationId)).toBe("UNINSTALLING");
  await settle();
  await endTrials(platform);
  const { rows } = await query("select disconnected_at is null as open from tenants");
  expect(rows).toEqual([{ open: false }]);
  const audited = await query("select action, actor from audit where actor = 'worker' order by position");
  expect(audited.rows.map(({ action }) => action)).toEqual(["installation.uninstall", "tenant.disconnect"]);
});

// Guarantee: the trial of an app that was suspended or retired meanwhile ends, and none starts.
test.each(["SUSPENDED", "RETIRED"])("of an app that is %s, trials end", async (listingState) => {
  const { installationId } = await start();
  await run(installationId);
  await query("update listings set state = $1", [listingState]);
  await expect(start()).rejects.toMatchObject({ code: "NOT_FOUND" });
  await query("update installations set state = 'STOPPED'");
  await expect(startInstallation(platform, customer, installationId)).rejects.toMatchObject({
    code: "WRONG_STATE",
    detail: /trial is over/,
  });
  await endTrials(platform);
  expect(await state(installationId)).toBe("UNINSTALLING");
});

// Guarantee: a person has three trials at most, also with simultaneous requests. Ending one makes room for another.
test("a person can't flood the platform with trials", async () => {
  const results = await Promise.allSettled([1, 2, 3, 4, 5].map(() => start()));
  const started = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  expect(started).toHaveLength(3);
  await expect(start()).rejects.toMatchObject({ code: "WRONG_STATE", detail: /already have 3 trials/ });
  await expect(start(await givenMember(platform, "harbor"))).resolves.toBeDefined();
  await uninstallInstallation(platform, customer, started[0]?.installationId ?? "");
  await settle();
  await endTrials(platform);
  await expect(start()).resolves.toBeDefined();
});

test("a person starts 20 trials a day at most; refused ones don't count", async () => {
  for (let times = 0; times < 25; times += 1)
    await expect(
      startTrial(platform, customer, { versionId: version.id, settings: {} }),
    ).rejects.toMatchObject({ code: "BAD_INPUT" });
  for (let times = 0; times < 20; times += 1) {
    await start();
    await query("update tenants set disconnected_at = now()");
  }
  await expect(start()).rejects.toMatchObject({
    code: "TOO_MANY_REQUESTS",
    detail: /started 20 trials in a day/,
  });
});

test("calls to trials are limited per person", async () => {
  const { installationId } = await start();
  await run(installationId);
  await givenInstance(platform, version.id, (response) => void response.end("{}"));
  const { routes } = await readInstallation(platform, customer, installationId);
  const routeId = routes.find(({ kind }) => kind === "rater")?.routeId ?? "";
  const send = () => sendTestCall(platform, customer, installationId, { routeId, text: "{}" });
  for (let times = 0; times < 30; times += 1) await send();
  await expect(send()).rejects.toMatchObject({ code: "TOO_MANY_REQUESTS", detail: /30 calls to trials/ });
});

/** Another process with the same database: it also remembers for itself that a limit was used up. */
const other = anotherProcess(
  platform,
  connectDatabase(platform.environment.DATABASE_URL, () => {}),
);

// Guarantee: many people together can't flood the platform, either.
test("at most 200 trials run at the same time, whoever started them", async () => {
  await start();
  await query(
    `insert into tenants select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(), 'host_name', 'trial-' || n, 'name', 'Trial ' || n))).*
       from tenants t, generate_series(1, 198) n`,
  );
  const [last, tooLate] = [await givenMember(platform, "alpine"), await givenMember(platform, "beacon")];
  await start(last);
  await expect(start(tooLate)).rejects.toMatchObject({
    code: "WRONG_STATE",
    detail: /Too many trials are running on this platform/,
  });
  expect((await readTrial(platform, tooLate, SAMPLE_APP)).trialLimit).toMatchObject({
    detail: /Too many trials are running/,
    trials: [],
  });
});

test("500 trials start in an hour and 300 calls to them in a minute at most, from all people together", async () => {
  const spend = (name: "trial-all" | "trial-call-all", times: number) =>
    Promise.all(Array.from({ length: times }, () => countTry(platform, [[name]])));
  const { installationId } = await start();
  await run(installationId);
  await givenInstance(platform, version.id, (response) => void response.end("{}"));
  await spend("trial-all", 499);
  await expect(
    startTrial(other, await givenMember(platform, "alpine"), { versionId: version.id, settings }),
  ).rejects.toMatchObject({
    code: "TOO_MANY_REQUESTS",
    detail: /Too many trials were started on this platform/,
  });
  const { routes } = await readInstallation(platform, customer, installationId);
  const routeId = routes.find(({ kind }) => kind === "rater")?.routeId ?? "";
  await spend("trial-call-all", 300);
  await expect(sendTestCall(other, customer, installationId, { routeId, text: "{}" })).rejects.toMatchObject({
    code: "TOO_MANY_REQUESTS",
    detail: /Too many calls are being sent to trials/,
  });
});

/** The launch of somebody who leaves all settings as they were in the trial. */
const carryingLaunch = (tenantId: string, carryFrom: string) => ({
  versionId: version.id,
  tenantId,
  test: false,
  settings: {},
  mappings: { "Personal Auto": { vin: "$.vin" } },
  carryFrom,
});

// Guarantee: who has no trial left learns it before the form is filled in, and which trials to end.
test("the form of a trial names those that are in the way", async () => {
  expect((await readTrial(platform, customer, SAMPLE_APP)).trialLimit).toBeUndefined();
  const { installationId: first } = await start();
  const { installationId: second } = await start();
  const elsewhere = { ...customer, organization: (await givenMember(platform, "alpine")).organization };
  const { installationId: third } = await start(elsewhere);
  await run(first);
  await uninstallInstallation(platform, customer, first, { comment: "" });
  const { trialLimit } = await readTrial(platform, customer, SAMPLE_APP);
  const name = elsewhere.organization.name;
  expect(trialLimit).toEqual({
    detail: "You already have 3 trials. End one of them to start another.",
    trials: [
      { id: third, title: "VIN lookup", organizationName: name, isEnding: false },
      { id: second, title: "VIN lookup", isEnding: false },
      { id: first, title: "VIN lookup", isEnding: true },
    ],
  });
  await expect(start()).rejects.toMatchObject({ code: "WRONG_STATE", detail: trialLimit?.detail });
});

// Guarantee: "Use it for real" launches with the trial's settings. A secret is sealed again, and no page shows it.
test("settings are carried over into an ordinary launch", async () => {
  const owner = await givenMember(platform, "harbor");
  const { tenant } = await givenTenant(platform, customer);
  const { installationId: carryFrom } = await start();
  const offer = await readLaunch(platform, owner, SAMPLE_APP, { test: false, carryFrom });
  expect(offer.carried).toMatchObject({
    installationId: carryFrom,
    settings: [
      { name: "region", value: "us" },
      { name: "apiKey", sensitive: true, configured: true },
    ],
  });
  expect(JSON.stringify(offer)).not.toContain(CANARY);
  const input = carryingLaunch(tenant.id, carryFrom);
  const { installationId } = await launchInstallation(platform, owner, input);
  const { rows } = await query("select installation_id as id, settings from configurations");
  const stored = new Map(rows.map(({ id, settings: values }) => [id, values]));
  expect(stored.get(installationId)).toMatchObject({
    region: { kind: "plain", value: "us" },
    apiKey: { kind: "sealed", setIn: 1 },
  });
  expect(stored.get(installationId).apiKey.sealed).not.toBe(stored.get(carryFrom).apiKey.sealed);
  expect((await readConfiguration(platform, owner, installationId)).settings).toMatchObject([
    { value: "us" },
    { configured: true },
    {},
  ]);
});

// Guarantee: who used a trial for real finds the installation on the trial's page.
test("a trial knows where its app is used", async () => {
  const { installationId: trial } = await start();
  const used = async () => (await readInstallation(platform, customer, trial)).used;
  expect(await used()).toEqual({ installed: [], hasOtherTenant: false });
  const { tenant } = await givenTenant(platform, customer);
  expect(await used()).toEqual({ installed: [], hasOtherTenant: true });
  const { installationId: id } = await launchInstallation(
    platform,
    customer,
    carryingLaunch(tenant.id, trial),
  );
  expect(await used()).toEqual({ installed: [{ id }], hasOtherTenant: false });
  expect((await readInstallation(platform, customer, id)).used).toBeNull();
});

// Guarantee: nobody carries over the settings of another organization, of another app, or of a trial that has ended.
test("only an open trial of the same app and organization is carried over", async () => {
  const { installationId: carryFrom } = await start();
  const stranger = await givenMember(platform, "alpine");
  const read = (member: Member, from?: string) =>
    readLaunch(platform, member, SAMPLE_APP, { test: false, carryFrom: from });
  expect(await read(stranger, carryFrom)).not.toHaveProperty("carried");
  // It may be running: nobody is told that a trial of somebody else has ended.
  expect(await read(stranger, carryFrom)).toMatchObject({ lostTrial: "unknown" });
  expect(await read(customer, "no-id")).toMatchObject({ lostTrial: "unknown" });
  expect(await read(customer)).not.toHaveProperty("lostTrial");
  const { tenant } = await givenTenant(platform, stranger);
  const input = carryingLaunch(tenant.id, carryFrom);
  await expect(launchInstallation(platform, stranger, input)).rejects.toMatchObject({
    code: "NOT_FOUND",
    detail: /doesn't have this trial/,
  });
  await query("update installations set state = 'UNINSTALLED'");
  expect(await read(customer, carryFrom)).toMatchObject({ lostTrial: "ended" });
  expect(await read(customer, carryFrom)).not.toHaveProperty("carried");
  const own = carryingLaunch((await givenTenant(platform, customer)).tenant.id, carryFrom);
  await expect(launchInstallation(platform, customer, own)).rejects.toMatchObject({
    code: "WRONG_STATE",
    detail: /has ended/,
  });
});
