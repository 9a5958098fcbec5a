import { beforeEach, describe, expect, test } from "vitest";
import { listings } from "@/drizzle/schema/catalog";
import { configurations } from "@/drizzle/schema/installations-configurations";
import { products, tenants } from "@/drizzle/schema/installations-tenants";
import { givenMember, givenTenant, SAMPLE_APP, testPlatform } from "@/tests/test-platform";
import { FIRST, givenUpgradeWorld, SECOND } from "@/tests/upgrade-world";
import { advanceInstallations } from "@/tests/work";
import { stopInstallation, uninstallInstallation } from "./command-installation";
import { launchInstallation } from "./launch-installation";
import { readLaunch } from "./read-launch";
import { readInstallation } from "./read-installation";
import { readUpgrade } from "./read-upgrade";
import { readQuickUpgrade } from "./upgrade-installation";

const platform = await testPlatform();

let world: Awaited<ReturnType<typeof givenUpgradeWorld>>;
beforeEach(async () => {
  world = await givenUpgradeWorld(platform);
});

const read = (id: string, to?: string) => readUpgrade(platform, world.customer, id, to);
const stopped = async () => {
  const id = await world.launch();
  await stopInstallation(platform, world.customer, id);
  await advanceInstallations(platform, world.fake.runtimes);
  return id;
};

// Guarantee: before anything moves, the page shows what changes, what is asked, and what is dropped.
test("an offer shows the changes and asks for exactly what is missing, without a secret", async () => {
  const id = await world.launch();
  const offer = await read(id);
  expect(offer).toMatchObject({
    revision: 1,
    rollback: false,
    from: { versionId: world.first.id, number: "1.0.0" },
    to: { versionId: world.second.id, number: "2.0.0" },
    targets: [{ number: "2.0.0" }],
    asks: [{ pointer: "/settings/label", code: "setting-required" }],
    offers: [],
    dropped: ["Provider key"],
    mappings: [{ productName: "Personal Auto", fields: { vin: "$.vin" } }],
  });
  expect(offer.changes.map(({ change, kind, name }) => `${change} ${kind} ${name}`).sort()).toEqual([
    "added rater /mileage",
    "added setting label",
    "changed autofill /autofill",
    "removed setting apiKey",
    "removed webhook /events",
  ]);
  expect(offer.settings).toEqual([
    { name: "region", sensitive: false, value: "eu" },
    { name: "note", sensitive: false, value: "hello" },
    { name: "label", sensitive: false, value: undefined },
  ]);
  expect(JSON.stringify(offer)).not.toContain("the-secret");
});

test("the answers that it asks for are enough to start the upgrade", async () => {
  const id = await world.launch();
  const { asks: issues } = await read(id);
  await expect(world.begin(id, { settings: {} })).rejects.toMatchObject({ code: "BAD_INPUT", issues });
  await world.begin(id, { settings: { label: { action: "set", value: "x" } } });
});

test("a rollback is offered by version, shows what it restores, and asks for nothing", async () => {
  const id = await stopped();
  await world.begin(id);
  const back = await read(id, world.first.id);
  expect(back).toMatchObject({ rollback: true, to: { number: "1.0.0" }, asks: [], dropped: ["Label"] });
  expect(back.settings.find(({ name }) => name === "apiKey")).toMatchObject({
    sensitive: true,
    configured: true,
  });
  expect(await readInstallation(platform, world.customer, id)).toMatchObject({
    upgradeTo: null,
    rollbackTo: { versionId: world.first.id, number: "1.0.0" },
    upgrade: { state: "DONE", from: "1.0.0", to: "2.0.0", rollback: false, retryable: false },
  });
  await world.begin(id, { versionId: world.first.id, settings: {} });
  expect(await readInstallation(platform, world.customer, id)).toMatchObject({
    upgradeTo: { versionId: world.second.id },
    rollbackTo: null,
    upgrade: { rollback: true },
  });
});

test("the newest verified version is offered; the others can be chosen", async () => {
  const id = await world.launch();
  const third = await world.addVersion({ ...SECOND, version: "10.0.0" });
  await world.addVersion({ ...SECOND, version: "11.0.0" }, false);
  expect((await read(id)).to.versionId).toBe(third.id);
  expect((await read(id)).targets.map((target) => target.number)).toEqual(["10.0.0", "2.0.0"]);
  expect((await read(id, world.second.id)).to.number).toBe("2.0.0");
});

test("a Test Launch is offered any version, the newest first", async () => {
  const id = await world.launch(world.publisher, true);
  const old = await world.addVersion({ ...FIRST, version: "0.9.0" }, false);
  await world.addVersion({ ...SECOND, version: "3.0.0" }, false);
  const offer = await readUpgrade(platform, world.publisher, id);
  expect(offer.targets.map((target) => target.number)).toEqual(["3.0.0", "2.0.0", "0.9.0"]);
  expect((await readUpgrade(platform, world.publisher, id, old.id)).rollback).toBe(false);
  expect(await readInstallation(platform, world.publisher, id)).toMatchObject({
    upgradeTo: { number: "3.0.0" },
    rollbackTo: null,
  });
  await platform.db.update(listings).set({ state: "RETIRED" });
  await expect(readUpgrade(platform, world.publisher, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
});

// Guarantee: an upgrade of many at once answers no question for anybody.
test("an upgrade is quick if it asks nothing, and says otherwise why not", async () => {
  const id = await world.launch();
  const quick = (member = world.customer) => readQuickUpgrade(platform, member, id);
  expect(await quick()).toMatchObject({ ready: null, why: expect.stringContaining("asks for 1 answer") });
  const third = await world.addVersion({ ...FIRST, version: "3.0.0" });
  expect(await quick()).toEqual({ ready: { versionId: third.id, revision: 1, to: "3.0.0" }, why: null });
  const terms = { url: "https://acme.example/terms", version: "2026-11" };
  await platform.db.update(listings).set({ terms });
  expect((await quick()).why).toContain("The publisher has new terms to accept.");
  await platform.db.update(listings).set({ terms: { url: "", version: "" } });
  const publisher = {
    ...world.customer,
    organization: { ...world.customer.organization, role: "publisher" as const },
  };
  expect((await quick(publisher)).why).toContain("Publishers can only upgrade a Test Launch.");
  await expect(quick(await givenMember(platform, "alpine"))).rejects.toMatchObject({ code: "NOT_FOUND" });
  await uninstallInstallation(platform, world.customer, id);
  expect((await quick()).ready).toBeNull();
});

describe("NOT_FOUND", () => {
  test("for a foreign installation, without a version to move to, and for other versions", async () => {
    const id = await world.launch();
    const other = await givenMember(platform, "alpine");
    for (const known of [id, "nonsense", world.first.id])
      await expect(readUpgrade(platform, other, known)).rejects.toMatchObject({ code: "NOT_FOUND" });
    for (const to of [world.first.id, id, "nonsense\0"])
      await expect(read(id, to)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await platform.db.update(listings).set({ state: "SUSPENDED" });
    await expect(read(id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await readInstallation(platform, world.customer, id)).toMatchObject({ upgradeTo: null });
  });

  test("for an uninstalled app", async () => {
    const id = await world.launch();
    await uninstallInstallation(platform, world.customer, id);
    await expect(read(id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await readInstallation(platform, world.customer, id)).toMatchObject({ upgradeTo: null });
  });
});

// Guarantee: a customer sees which mapping a changed product broke; unknown schemas do not count as changed.
test("changed products are listed with the fields they lost", async () => {
  const id = await world.launch();
  const changed = async () => (await readInstallation(platform, world.customer, id)).changedProducts;
  expect(await changed()).toEqual([]);
  const schema = {
    type: "object",
    properties: { chassis: { type: "string" } },
    additionalProperties: false,
  };
  await platform.db.update(products).set({ schema, schemaDigest: "b" });
  await platform.db.update(configurations).set({ schemaDigests: { "Personal Auto": "" } });
  expect(await changed()).toEqual([]);
  await platform.db.update(configurations).set({ schemaDigests: { "Personal Auto": "a" } });
  expect(await changed()).toMatchObject([{ name: "Personal Auto", missing: ["VIN field"] }]);
});

describe("the launch page of a Test Launch", () => {
  test("offers every version, and a sandbox; a launch offers neither", async () => {
    await world.addVersion({ ...SECOND, version: "3.0.0" }, false);
    await world.launch(world.publisher, true);
    await platform.pool.query("update tenants set sandbox = true");
    const trial = await readLaunch(platform, world.publisher, SAMPLE_APP, {
      test: true,
      versionId: world.first.id,
    });
    expect(trial).toMatchObject({
      number: "1.0.0",
      versions: [
        { number: "3.0.0", verified: false },
        { number: "2.0.0", verified: true },
        { number: "1.0.0", verified: true },
      ],
      tenants: [{ sandbox: true, products: [{ name: "Personal Auto", schema: { type: "object" } }] }],
    });
    expect((await readLaunch(platform, world.publisher, SAMPLE_APP, { test: true })).number).toBe("3.0.0");
    const launch = await readLaunch(platform, world.publisher, SAMPLE_APP, {
      test: false,
      versionId: world.second.id,
    });
    expect(launch).toMatchObject({ number: "2.0.0", versions: [], tenants: [] });
    for (const [test, versionId] of [
      [true, world.listing.id],
      [false, world.first.id],
    ] as const)
      await expect(
        readLaunch(platform, world.publisher, SAMPLE_APP, { test, versionId }),
      ).rejects.toMatchObject({
        code: "NOT_FOUND",
      });
  });

  test("a sandbox refuses a launch", async () => {
    const { tenant } = await givenTenant(platform, world.customer);
    await platform.db.update(tenants).set({ sandbox: true });
    const answers = { settings: { region: { action: "set", value: "eu" } }, mappings: {} } as const;
    const input = { versionId: world.second.id, tenantId: tenant.id, test: false, ...answers };
    await expect(launchInstallation(platform, world.customer, input)).rejects.toMatchObject({
      code: "WRONG_STATE",
      detail: expect.stringContaining("sandbox"),
    });
  });
});
