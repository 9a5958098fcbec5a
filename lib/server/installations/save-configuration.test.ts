import { v7 } from "uuid";
import { beforeEach, describe, expect, test } from "vitest";
import { configurationInput, type SettingAction } from "@/lib/contract/catalog/configuration";
import { CLEAR, type ConfiguredWorld, givenConfiguredWorld, KEEP, set } from "@/tests/configured-world";
import { givenMember, readState, testPlatform } from "@/tests/test-platform";
import { readConfiguration } from "./read-configuration";
import { reconfigureInstallation } from "./save-configuration";

const platform = await testPlatform();

let world: ConfiguredWorld;
let id: string;
beforeEach(async () => {
  world = await givenConfiguredWorld(platform);
  id = await world.launch({ note: set("a note") });
});

const stateNow = async () => {
  const { revision } = await world.installation(id);
  return (await readState(platform, await world.keyFor(id, revision))).settings;
};
const problem = (save: Promise<unknown>) =>
  save.then(
    () => "saved",
    (error: unknown) => error,
  );
const count = async (table: string) =>
  (await platform.pool.query<{ n: number }>(`select count(*)::int as n from ${table}`)).rows[0]?.n;

// Guarantee: saving one field changes that field and no secret.
test("a setting that is left out keeps its value", async () => {
  expect(await world.save(id, 1, { note: set("another") })).toEqual({ revision: 2 });
  expect(await stateNow()).toEqual({ region: "eu", apiKey: "first-key", note: "another" });
  expect((await world.stored(id, 2)).settings.apiKey).toEqual((await world.stored(id, 1)).settings.apiKey);
});

describe("an action decides", () => {
  test.each<[string, Record<string, SettingAction>, Record<string, string>]>([
    [
      "asterisks are a value",
      { apiKey: set("********") },
      { region: "eu", apiKey: "********", note: "a note" },
    ],
    ["an empty text is a value", { note: set("") }, { region: "eu", apiKey: "first-key", note: "" }],
    ["cleared is absent", { note: CLEAR }, { region: "eu", apiKey: "first-key" }],
    ["keep keeps", { apiKey: KEEP, note: CLEAR }, { region: "eu", apiKey: "first-key" }],
    [
      "8 KiB is a value",
      { apiKey: set("ü".repeat(4096)) },
      { region: "eu", apiKey: "ü".repeat(4096), note: "a note" },
    ],
  ])("%s", async (_what, settings, expected) => {
    await world.save(id, 1, settings);
    expect(await stateNow()).toEqual(expected);
  });
});

// Guarantee: a problem names the setting, never repeats the entered value, and writes nothing.
test.each<[string, Record<string, SettingAction>, string]>([
  ["more than 8 KiB", { apiKey: set(`canary${"x".repeat(8187)}`) }, "setting-too-long"],
  ["a NUL", { apiKey: set("canary\0") }, "setting-nul"],
  ["a choice that is not offered", { region: set("canary") }, "setting-not-offered"],
  ["a setting that is not declared", { "canary/~": set("canary") }, "setting-unknown"],
  ["an inherited name", { constructor: set("canary") }, "setting-unknown"],
  ["a required one cleared", { apiKey: CLEAR }, "setting-required"],
  ["a required one emptied", { apiKey: set("") }, "setting-required"],
])("%s is refused without its value", async (_what, settings, code) => {
  const error = await problem(world.save(id, 1, settings));
  const name = Object.keys(settings)[0]?.replace("~", "~0").replace("/", "~1") ?? "";
  expect(error).toMatchObject({ code: "BAD_INPUT", issues: [{ code, pointer: `/settings/${name}` }] });
  if (!name.startsWith("canary")) expect(JSON.stringify(error)).not.toContain("canary");
  expect(await count("configurations")).toBe(1);
  expect(await count("audit")).toBe(1);
});

test("request validation does not repeat a value either", () => {
  for (const value of [`canary${"x".repeat(8187)}`, "canary\0"]) {
    const parsed = configurationInput.safeParse({
      revision: 1,
      settings: { apiKey: set(value) },
      mappings: {},
    });
    expect(parsed.success).toBe(false);
    expect(JSON.stringify(parsed.error?.issues)).not.toContain("canary");
  }
});

test("keep is refused if there is nothing to keep", async () => {
  await world.save(id, 1, { note: CLEAR });
  const error = await problem(world.save(id, 2, { note: KEEP }));
  expect(error).toMatchObject({ code: "BAD_INPUT", issues: [{ code: "setting-nothing-to-keep" }] });
});

test("emptying a required mapping is refused", async () => {
  const error = await problem(world.save(id, 1, {}, { "Personal Auto": { vin: "" } }));
  expect(error).toMatchObject({ code: "BAD_INPUT", issues: [{ pointer: "/mappings/Personal Auto/vin" }] });
});

// Guarantee: a typing error in a mapping is not saved by accident; what was saved before is no obstacle.
test("a new mapping to a field that the product lacks is refused until it is confirmed", async () => {
  const mappings = { "Personal Auto": { vin: "$.vim" } };
  const input = { revision: 1, settings: {}, mappings };
  await expect(reconfigureInstallation(platform, world.customer, id, input)).rejects.toMatchObject({
    code: "BAD_INPUT",
    issues: [{ code: "mapping-not-in-schema", pointer: "/mappings/Personal Auto/vin" }],
  });
  const confirmed = { ...input, allowMissingFields: true };
  expect(await reconfigureInstallation(platform, world.customer, id, confirmed)).toEqual({ revision: 2 });
  const again = { revision: 2, settings: { note: set("other") }, mappings };
  expect(await reconfigureInstallation(platform, world.customer, id, again)).toEqual({ revision: 3 });
});

// Guarantee: a save without changes writes nothing, but never reveals whether a guessed secret is the stored one.
test("a save without changes writes no revision; an entered secret always does", async () => {
  const same = { region: set("eu"), note: set("a note"), apiKey: KEEP };
  expect(await world.save(id, 1, same, { "Personal Auto": { vin: "$.vin" } })).toEqual({ revision: 1 });
  expect(await count("audit")).toBe(1);
  expect(await world.save(id, 1, { apiKey: set("first-key") })).toEqual({ revision: 2 });
});

// Guarantee: the notice that a product changed stays until somebody maps it again or confirms the mapping.
test("a save without mappings keeps the notice; saving the same path again ends it", async () => {
  await platform.pool.query("update configurations set schema_digests = $1", [{ "Personal Auto": "old" }]);
  await platform.pool.query("update products set schema_digest = 'new'");
  const isChanged = async () => (await readConfiguration(platform, world.customer, id)).products[0];
  expect(await world.save(id, 1, {})).toEqual({ revision: 1 });
  expect(await world.save(id, 1, { apiKey: set("second-key") })).toEqual({ revision: 2 });
  expect(await isChanged()).toMatchObject({ changedSinceMapped: true });
  const second = await world.addVersion("1.5.0", world.fields);
  await world.upgrade(id, second.id);
  expect(await isChanged()).toMatchObject({ changedSinceMapped: true });
  expect(await world.save(id, 3, {}, { "Personal Auto": { vin: "$.vin" } })).toEqual({ revision: 4 });
  expect(await isChanged()).toMatchObject({ changedSinceMapped: false });
  expect((await world.stored(id, 4)).schemaDigests).toEqual({ "Personal Auto": "new" });
  expect(await world.save(id, 4, {}, { "Personal Auto": { vin: "$.vin" } })).toEqual({ revision: 4 });
});

// Guarantee: one of several concurrent saves wins; the others are refused, and nothing is lost.
test("eight concurrent saves: one revision, seven stale", async () => {
  const saves = await Promise.all(
    Array.from({ length: 8 }, (_, index) => problem(world.save(id, 1, { note: set(`note ${index}`) }))),
  );
  expect(saves.filter((result) => result === "saved")).toHaveLength(1);
  const stale = saves.filter((result) => result instanceof Error);
  expect(stale).toHaveLength(7);
  for (const error of stale) expect(error).toMatchObject({ code: "STALE_REVISION", status: 409 });
  expect(await count("configurations")).toBe(2);
  expect(await count("audit")).toBe(2);
});

// Guarantee: a save that waited for an upgrade's switch still finds its installation, and is stale.
test("a save that waits while the installation moves to another version is stale, not lost", async () => {
  const second = await world.addVersion("1.5.0", world.fields);
  const client = await platform.pool.connect();
  await client.query("begin");
  await client.query("update installations set version_id = $1, revision = 7 where id = $2", [second.id, id]);
  const waiting = problem(world.save(id, 1, { note: set("late") }));
  await new Promise((resolve) => setTimeout(resolve, 200));
  await client.query("commit");
  client.release();
  expect(await waiting).toMatchObject({ code: "STALE_REVISION" });
});

test("a save is refused during an upgrade's start and after the uninstall", async () => {
  const second = await world.addVersion("1.5.0", world.fields);
  const upgrade = await world.beginRunning(id, second.id);
  expect(await problem(world.save(id, 1, { note: set("x") }))).toMatchObject({ code: "WRONG_STATE" });
  await upgrade.end();
  // The failed upgrade's revision number is used up, but it never served.
  expect(await world.save(id, 1, { note: set("x") })).toEqual({ revision: 3 });
  expect((await world.stored(id, 2)).supersededAt).not.toBeNull();
  for (const state of ["UNINSTALLING", "UNINSTALLED"] as const) {
    await world.move(id, state);
    expect(await problem(world.save(id, 3, { note: set("y") }))).toMatchObject({ code: "WRONG_STATE" });
  }
});

// Guarantee: foreign and absent installations look the same.
test("a foreign installation is not found", async () => {
  const stranger = await givenMember(platform, "stranger");
  const input = { revision: 1, settings: {}, mappings: {} };
  const errors = await Promise.all(
    [id, v7(), "not-an-id"].map((each) => problem(reconfigureInstallation(platform, stranger, each, input))),
  );
  for (const error of errors) expect(error).toMatchObject({ code: "NOT_FOUND" });
  expect(new Set(errors.map((error) => JSON.stringify(error))).size).toBe(1);
});

test("a publisher can only configure Test Launches", async () => {
  const member = await givenMember(platform, "harbor", "publisher");
  const input = { revision: 1, settings: { note: set("x") }, mappings: {} };
  expect(await problem(reconfigureInstallation(platform, member, id, input))).toMatchObject({
    code: "NOT_ALLOWED",
  });
  const own = await world.launch({}, true);
  const publisher = await givenMember(platform, "acme", "publisher");
  expect(await reconfigureInstallation(platform, publisher, own, input)).toEqual({ revision: 2 });
});

// Guarantee (P13): the audit names what was set and cleared, in the save's transaction, without values.
test("the audit shows which settings changed", async () => {
  await world.save(id, 1, { apiKey: set("canary-1"), region: set("us"), note: CLEAR });
  const { rows } = await platform.pool.query<{ details: unknown }>(
    "select details from audit where action = 'installation.configure'",
  );
  expect(rows).toEqual([
    { details: { revision: 2, set: ["region", "apiKey"], cleared: ["note"], mapped: [] } },
  ]);
  await platform.pool.query("alter table audit add constraint full_now check (false) not valid");
  expect(await problem(world.save(id, 2, { note: set("x") }))).toBeInstanceOf(Error);
  await platform.pool.query("alter table audit drop constraint full_now");
  expect((await readConfiguration(platform, world.customer, id)).revision).toBe(2);
});
