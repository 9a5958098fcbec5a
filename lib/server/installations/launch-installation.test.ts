import { v7 } from "uuid";
import { beforeEach, expect, test } from "vitest";
import type { LaunchInput } from "@/lib/contract/catalog/configuration";
import type { Member } from "@/lib/domain/platform/actor";
import {
  givenListing,
  givenMember,
  givenTenant,
  givenVersion,
  one,
  readState,
  SAMPLE_ANSWERS,
  SAMPLE_APP,
  SAMPLE_MANIFEST,
  testPlatform,
} from "@/tests/test-platform";
import { openSetting } from "../platform/data-key";
import type { Platform } from "../platform/platform";
import { sealStateKey } from "../platform/state-key";
import { startInstallation, stopInstallation, uninstallInstallation } from "./command-installation";
import { launchInstallation } from "./launch-installation";
import { listInstalledTenants, readLaunch } from "./read-launch";
import { listInstallations } from "./list-installations";
import { readInstallation } from "./read-installation";

const platform = await testPlatform();
const CANARY = 'canary-"\\ü-7391';

let publisher: Member;
let customer: Member;
let tenantId: string;
beforeEach(async () => {
  publisher = await givenMember(platform, "acme");
  customer = await givenMember(platform, "harbor");
  tenantId = (await givenTenant(platform, customer)).tenant.id;
});

function input(versionId: string, changes: Partial<LaunchInput> = {}): LaunchInput {
  return {
    versionId,
    tenantId,
    test: false,
    settings: { region: { action: "set", value: "eu" }, apiKey: { action: "set", value: CANARY } },
    mappings: SAMPLE_ANSWERS.mappings,
    ...changes,
  };
}
const givenPublic = () => givenListing(platform, publisher, { state: "PUBLIC", verified: true });

async function countRows(): Promise<number[]> {
  const tables = ["installations", "configurations", "routes"];
  const counts = tables.map((table) =>
    platform.pool.query<{ n: number }>(`select count(*)::int as n from ${table}`),
  );
  return (await Promise.all(counts)).map((result) => result.rows[0]?.n ?? -1);
}

// Guarantee: no app is launched with a mapping that finds nothing, unless its customer knows.
test("a mapping to a field that the product lacks is refused until it is confirmed", async () => {
  const { version } = await givenPublic();
  const typo = { mappings: { "Personal Auto": { vin: "$.vim" } } };
  await expect(launchInstallation(platform, customer, input(version.id, typo))).rejects.toMatchObject({
    code: "BAD_INPUT",
    issues: [{ code: "mapping-not-in-schema", pointer: "/mappings/Personal Auto/vin" }],
  });
  expect(await countRows()).toEqual([0, 0, 0]);
  const confirmed = input(version.id, { ...typo, allowMissingFields: true });
  await expect(launchInstallation(platform, customer, confirmed)).resolves.toBeDefined();
});

// Guarantee: a launch stores the installation, its configuration, a route for each declared path, and an audit row.
test("an app is launched", async () => {
  const { version } = await givenPublic();
  const { installationId } = await launchInstallation(platform, customer, input(version.id));
  const view = await readInstallation(platform, customer, installationId);
  expect(view).toMatchObject({
    state: "LAUNCHING",
    name: "acme/vin-lookup",
    version: "1.4.0",
    test: false,
    instance: null,
  });
  expect(view.routes.map(({ kind, path }) => [kind, path]).sort()).toEqual([
    ["autofill", "/autofill"],
    ["lifecycle", "/_app"],
    ["rater", "/rate"],
    ["webhook", "/events"],
  ]);
  expect(view.configuration.mappings).toEqual([{ productName: "Personal Auto", fields: { vin: "$.vin" } }]);
  expect((await listInstallations(platform, customer)).installations).toHaveLength(1);
  const { rows } = await platform.pool.query("select action from audit");
  expect(rows).toEqual([{ action: "installation.launch" }]);
});

// Guarantee: an app that only reacts to the core needs no `app` in its manifest, and reads empty settings.
test("an app without settings is launched", async () => {
  const { app: _none, ...manifest } = SAMPLE_MANIFEST;
  const { version } = await givenListing(platform, publisher, { state: "PUBLIC", verified: true, manifest });
  expect((await readLaunch(platform, customer, SAMPLE_APP, { test: false })).settings).toEqual([]);
  const launch = input(version.id, { settings: {} });
  const { installationId } = await launchInstallation(platform, customer, launch);
  const { configuration, routes } = await readInstallation(platform, customer, installationId);
  expect(configuration.settings).toEqual([]);
  await platform.pool.query("update installations set state = 'RUNNING'");
  const key = sealStateKey(platform.keyring, {
    installationId,
    routeId: routes.find(({ kind }) => kind === "autofill")?.routeId ?? "",
    attemptId: v7(),
    revision: 1,
    epoch: 0,
    expiresAt: new Date(Date.now() + 60_000),
  });
  expect((await readState(platform, key))?.settings).toEqual({});
});

// Guarantee: the app receives a mapping in its own path dialect as the customer entered it.
test("a mapping of another dialect than JSONPath is stored unchanged", async () => {
  const { version } = await givenPublic();
  const vin = "policyholder.fields[?(@.name=='vin')]";
  const launch = input(version.id, { mappings: { "Personal Auto": { vin } } });
  const { installationId } = await launchInstallation(platform, customer, launch);
  const { configuration } = await readInstallation(platform, customer, installationId);
  expect(configuration.mappings).toEqual([{ productName: "Personal Auto", fields: { vin } }]);
});

// Guarantee: a sensitive value is sealed at rest, and no page shows it.
test("a secret is nowhere in the database or on a page", async () => {
  const { version } = await givenPublic();
  const { installationId } = await launchInstallation(platform, customer, input(version.id));
  const stored = await platform.pool.query<{ settings: Record<string, { sealed?: string }> }>(
    "select * from configurations",
  );
  const audit = await platform.pool.query("select * from audit");
  for (const form of [
    CANARY,
    JSON.stringify(CANARY).slice(1, -1),
    Buffer.from(CANARY).toString("base64"),
    Buffer.from(CANARY).toString("hex"),
  ]) {
    expect(JSON.stringify([stored.rows, audit.rows])).not.toContain(form);
  }
  const view = await readInstallation(platform, customer, installationId);
  expect(JSON.stringify(view)).not.toContain("canary");
  expect(view.configuration.settings.map(({ name, configured, shown }) => [name, configured, shown])).toEqual(
    [
      ["region", true, "Europe"],
      ["apiKey", true, undefined],
      ["note", false, undefined],
    ],
  );
  const place = { organizationId: customer.organization.id, installationId, name: "apiKey" };
  expect(await openSetting(platform, platform.db, place, stored.rows[0]?.settings.apiKey?.sealed ?? "")).toBe(
    CANARY,
  );
  const elsewhere = openSetting(
    platform,
    platform.db,
    { ...place, name: "region" },
    stored.rows[0]?.settings.apiKey?.sealed ?? "",
  );
  await expect(elsewhere).rejects.toThrow();
});

// Guarantee: an app that a member may not launch looks absent.
test("drafts, foreign Test Launches and foreign tenants are not found", async () => {
  const { version } = await givenListing(platform, publisher);
  const hidden = await givenListing(platform, publisher, { appName: "hidden", state: "PUBLIC" });
  const suspended = await givenListing(platform, publisher, {
    appName: "gone",
    state: "SUSPENDED",
    verified: true,
  });
  const open = await givenListing(platform, publisher, { appName: "open", state: "PUBLIC", verified: true });
  const foreign = (await givenTenant(platform, publisher)).tenant.id;
  const attempts = [
    input(version.id),
    input(version.id, { test: true }),
    input(hidden.version.id),
    input(suspended.version.id),
    input(open.version.id, { test: true }),
    input(open.version.id, { tenantId: foreign }),
    input(v7()),
  ];
  const problems = await Promise.all(
    attempts.map((each) => launchInstallation(platform, customer, each).catch((error: unknown) => error)),
  );
  for (const problem of problems) expect(problem).toMatchObject({ code: "NOT_FOUND" });
  expect(new Set(problems.map(String)).size).toBe(1);
  await expect(readLaunch(platform, customer, SAMPLE_APP, { test: false })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  await expect(readLaunch(platform, customer, SAMPLE_APP, { test: true })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  expect(await countRows()).toEqual([0, 0, 0]);
});

// Guarantee: only the publishing organization can Test Launch a draft.
test("a publisher Test Launches a draft", async () => {
  const { version } = await givenListing(platform, publisher);
  const own = (await givenTenant(platform, publisher)).tenant.id;
  expect(await readLaunch(platform, publisher, SAMPLE_APP, { test: true })).toMatchObject({
    versionId: version.id,
  });
  const { installationId } = await launchInstallation(
    platform,
    publisher,
    input(version.id, { test: true, tenantId: own }),
  );
  expect(await readInstallation(platform, publisher, installationId)).toMatchObject({ test: true });
  await expect(readInstallation(platform, customer, installationId)).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  await expect(stopInstallation(platform, customer, installationId)).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});

// Guarantee: a launch is all or nothing, and reports every issue of the form at once, without its value.
test("an incomplete launch writes nothing", async () => {
  const { version } = await givenPublic();
  const broken = input(version.id, {
    settings: { region: { action: "set", value: CANARY }, apiKey: { action: "set", value: "" } },
    mappings: { "Personal Auto": { vin: "" } },
  });
  const problem = await launchInstallation(platform, customer, broken).catch((error: unknown) => error);
  expect(problem).toMatchObject({
    code: "BAD_INPUT",
    issues: [
      { pointer: "/settings/region" },
      { pointer: "/settings/apiKey" },
      { pointer: "/mappings/Personal Auto/vin" },
    ],
  });
  expect(JSON.stringify(problem)).not.toContain("canary");
  await expect(launchInstallation(withoutRoutes(), customer, input(version.id))).rejects.toThrow();
  expect(await countRows()).toEqual([0, 0, 0]);
});

/** A platform whose audit fails at the end of the transaction. */
function withoutRoutes(): Platform {
  return { ...platform, keyring: { ...platform.keyring, current: { id: "broken", key: Buffer.alloc(0) } } };
}

// Guarantee: a tenant can install an app once; a second launch says what to do; after an uninstall it works again.
test("an app is launched once per tenant", async () => {
  const { version } = await givenPublic();
  const { installationId } = await launchInstallation(platform, customer, input(version.id));
  await expect(launchInstallation(platform, customer, input(version.id))).rejects.toMatchObject({
    code: "WRONG_STATE",
  });
  await platform.pool.query("update installations set state = 'UNINSTALLED' where id = $1", [installationId]);
  await launchInstallation(platform, customer, input(version.id));
  expect((await listInstallations(platform, customer)).installations).toHaveLength(1);
  expect((await listInstallations(platform, customer, { state: "UNINSTALLED" })).installations).toHaveLength(
    1,
  );
  expect((await listInstallations(platform, customer, { search: "100%" })).installations).toHaveLength(0);
  expect((await listInstallations(platform, customer, { search: "vin-LOOK" })).installations).toHaveLength(1);
});

// Guarantee: a listing's page knows where the app is installed, and whether there is a tenant left to launch it for.
test("the tenants that have an app, and whether there are others", async () => {
  const { listing, version } = await givenPublic();
  const list = (member: Member) => listInstalledTenants(platform, member, listing.id);
  expect(await list(customer)).toEqual({ installed: [], hasOtherTenant: true });
  const { installationId: id } = await launchInstallation(platform, customer, input(version.id));
  expect(await list(customer)).toEqual({ installed: [{ id }], hasOtherTenant: false });
  await givenTenant(platform, customer, "staging.core.example", "Staging");
  expect(await list(customer)).toEqual({ installed: [{ id }], hasOtherTenant: true });
  expect(await list(publisher)).toEqual({ installed: [], hasOtherTenant: false });
});

// Guarantee: a page with many tenants stays small, and every tenant can still be chosen.
test("of many tenants, the page has some, those that a search finds, and the one that its address names", async () => {
  const { version } = await givenPublic();
  const read = async (query: { typed?: string; tenantId?: string } = {}) => {
    const { tenants, tenantSearch } = await readLaunch(platform, customer, SAMPLE_APP, {
      test: false,
      ...query,
    });
    return { names: tenants.map(({ name }) => name), counts: tenantSearch, tenants };
  };
  for (let at = 1; at <= 6; at += 1)
    await givenTenant(platform, customer, `branch-${at}.core.example`, `Branch ${at}`);
  const few = await read();
  expect([few.names.length, few.counts]).toEqual([7, undefined]);
  for (let at = 7; at <= 12; at += 1)
    await givenTenant(platform, customer, `branch-${at}.core.example`, `Zürich branch ${at}`);
  await launchInstallation(platform, customer, input(version.id));
  const many = await read();
  expect(many.names).toEqual([1, 2, 3, 4, 5, 6].map((at) => `Branch ${at}`).concat("Zürich branch 10"));
  expect(many.counts).toEqual({ typed: "", free: 12, found: 12, installed: 1, foundInstalled: 1 });
  expect((await read({ typed: "zurich 12" })).names).toEqual(["Zürich branch 12"]);
  expect((await read({ typed: "branch-9.core" })).names).toEqual(["Zürich branch 9"]);
  expect(await read({ typed: "nowhere" })).toMatchObject({ names: [], counts: { free: 12, found: 0 } });
  const chosen = one((await read({ typed: "zurich 12" })).tenants);
  expect((await read({ tenantId: chosen.id })).names).toEqual([
    "Zürich branch 12",
    ...[1, 2, 3, 4, 5, 6].map((at) => `Branch ${at}`),
  ]);
  const [installed] = (await read({ typed: "harbor" })).tenants;
  expect(installed?.installedAs).toBeDefined();
  // Neither another organization's tenant, nor one that can't get the app.
  const foreign = await givenTenant(platform, publisher, "acme.core.example");
  for (const tenantId of [foreign.tenant.id, installed?.id, "x"])
    expect((await read({ tenantId })).names).toEqual(many.names);
});

// Guarantee: customers get the verified version with the highest number, compared as numbers.
test("an older version cannot be launched", async () => {
  const { version } = await givenPublic();
  await givenVersion(platform, version, "1.10.0");
  expect((await readLaunch(platform, customer, SAMPLE_APP, { test: false })).number).toBe("1.10.0");
  await expect(launchInstallation(platform, customer, input(version.id))).rejects.toMatchObject({
    code: "WRONG_STATE",
    detail: /1\.10\.0/,
  });
});

// Guarantee: a publisher can only Test Launch.
test("a publisher cannot launch for a tenant", async () => {
  const { version } = await givenPublic();
  const member = await givenMember(platform, "harbor", "publisher");
  await expect(launchInstallation(platform, member, input(version.id))).rejects.toMatchObject({
    code: "NOT_ALLOWED",
  });
});

// Guarantee: commands move the state as the table allows, once, with an audit row.
test("stop, start and uninstall", async () => {
  const { version } = await givenPublic();
  const { installationId } = await launchInstallation(platform, customer, input(version.id));
  const is = (state: string) =>
    platform.pool.query("update installations set state = $1 where id = $2", [state, installationId]);
  await expect(stopInstallation(platform, customer, installationId)).rejects.toMatchObject({
    code: "WRONG_STATE",
  });
  await is("RUNNING");
  const both = await Promise.allSettled(
    [1, 2].map(() => stopInstallation(platform, customer, installationId)),
  );
  expect(both.map((result) => result.status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(await readInstallation(platform, customer, installationId)).toMatchObject({ state: "STOPPING" });
  await is("STOPPED");
  await startInstallation(platform, customer, installationId);
  expect(await readInstallation(platform, customer, installationId)).toMatchObject({
    state: "LAUNCHING",
    reason: null,
  });
  await uninstallInstallation(platform, customer, installationId);
  await expect(startInstallation(platform, customer, "not-an-id")).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  const { rows } = await platform.pool.query("select action from audit order by chain, position");
  expect(rows.map((row: { action: string }) => row.action)).toEqual([
    "installation.launch",
    "installation.stop",
    "installation.start",
    "installation.uninstall",
  ]);
});
