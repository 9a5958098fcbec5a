import { v7 } from "uuid";
import { beforeEach, expect, test } from "vitest";
import { CLEAR, type ConfiguredWorld, givenConfiguredWorld, set } from "@/tests/configured-world";
import { givenMember, readState, testPlatform } from "@/tests/test-platform";
import { listRevisions } from "./read-configuration";
import { restoreConfiguration } from "./save-configuration";

const platform = await testPlatform();

let world: ConfiguredWorld;
let id: string;
beforeEach(async () => {
  world = await givenConfiguredWorld(platform);
  id = await world.launch({ note: set("a note") });
});

const restore = (revision: number | string, current: number) =>
  restoreConfiguration(platform, world.customer, id, String(revision), { revision: current });
const recordNow = async () => {
  const { revision } = await world.installation(id);
  return readState(platform, await world.keyFor(id, revision));
};

// Guarantee: plain settings and mappings are restored; secrets stay as they are now.
test("an earlier revision becomes a new one, with the current secrets", async () => {
  await world.save(
    id,
    1,
    { note: CLEAR, region: set("us"), apiKey: set("second-key") },
    { "Personal Auto": { vin: "$.other" } },
  );
  expect(await restore(1, 2)).toEqual({ revision: 3 });
  expect(await recordNow()).toMatchObject({
    settings: { region: "eu", note: "a note", apiKey: "second-key" },
    mappings: [{ productName: "Personal Auto", fields: { vin: "$.vin" } }],
  });
  expect(await world.stored(id, 3)).toMatchObject({ cause: "restore", restoredFrom: 1, supersededAt: null });
  const { rows } = await platform.pool.query<{ details: unknown }>(
    "select details from audit where action = 'installation.restore'",
  );
  expect(rows).toEqual([
    {
      details: {
        revision: 3,
        restoredFrom: 1,
        set: ["region", "note"],
        cleared: [],
        mapped: ["Personal Auto"],
      },
    },
  ]);
});

test("a setting that was absent is cleared, and a product added since keeps its mapping", async () => {
  await world.save(id, 1, { note: CLEAR });
  await platform.pool.query(
    "insert into products (id, tenant_id, name, schema) values ($1, $2, 'Home', '{}')",
    [v7(), world.tenant.id],
  );
  await world.save(id, 2, { note: set("back") }, { Home: { vin: "$.home" } });
  await restore(2, 3);
  const record = await recordNow();
  expect(record.settings).toEqual({ region: "eu", apiKey: "first-key" });
  expect(record.mappings).toEqual([
    { productName: "Home", fields: { vin: "$.home" } },
    { productName: "Personal Auto", fields: { vin: "$.vin" } },
  ]);
});

test("a removed product is left out", async () => {
  await world.save(id, 1, { note: set("x") });
  await platform.pool.query("update products set name = 'Renamed'");
  await world.save(id, 2, {}, { Renamed: { vin: "$.r" } });
  expect(await restore(1, 3)).toEqual({ revision: 4 });
  expect((await recordNow()).mappings).toEqual([{ productName: "Renamed", fields: { vin: "$.r" } }]);
});

test("values that are not valid anymore are reported, issue by issue", async () => {
  await world.save(id, 1, { note: set("x") });
  await platform.pool.query(
    `update configurations set mappings = '[{"productName": "Personal Auto", "fields": {"vin": "vin\\u0007"}}]',
            settings = settings - 'region' where revision = 1`,
  );
  await expect(restore(1, 2)).rejects.toMatchObject({
    code: "BAD_INPUT",
    issues: [
      { pointer: "/settings/region", code: "setting-required" },
      { pointer: "/mappings/Personal Auto/vin", code: "mapping-characters" },
    ],
  });
});

test("restoring the same values changes nothing", async () => {
  await world.save(id, 1, { apiKey: set("second-key") });
  expect(await restore(1, 2)).toEqual({ revision: 2 });
  expect(await restore(2, 2)).toEqual({ revision: 2 });
});

test("only revisions of the running version can be restored, and pages know which", async () => {
  const second = await world.addVersion("1.5.0", world.fields);
  await world.upgrade(id, second.id);
  await expect(restore(1, 2)).rejects.toMatchObject({
    code: "WRONG_STATE",
    detail: /saved for version 1\.4\.0, and 1\.5\.0 runs now/,
  });
  await world.save(id, 2, { note: set("x") });
  const { revisions } = await listRevisions(platform, world.customer, id);
  expect(revisions.map(({ revision, restorable }) => [revision, restorable])).toEqual([
    [3, false],
    [2, true],
    [1, false],
  ]);
});

// Guarantee: the revision of a failed upgrade never served, so it cannot be restored.
test("stale, foreign, absent and malformed are refused", async () => {
  const upgrade = await world.beginRunning(id, (await world.addVersion("1.5.0", world.fields)).id);
  await expect(restore(1, 1)).rejects.toMatchObject({ code: "WRONG_STATE" });
  await upgrade.end();
  await world.save(id, 1, { note: set("x") });
  await expect(restore(1, 1)).rejects.toMatchObject({ code: "STALE_REVISION" });
  for (const revision of [2, 99, 0, "-1", "1.5", "01", "1e0", "9999999999", "", "x"])
    await expect(restore(revision, 3)).rejects.toMatchObject({ code: "NOT_FOUND" });
  const stranger = await givenMember(platform, "stranger");
  for (const each of [id, v7(), "nonsense"])
    await expect(restoreConfiguration(platform, stranger, each, "1", { revision: 3 })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
});

// Guarantee: a restored mapping still belongs to the schema it was made for.
test("a restored mapping shows again that its product changed since", async () => {
  const digest = (value: string) => platform.pool.query("update products set schema_digest = $1", [value]);
  const toSchemaDigests = async (revision: number) => (await world.stored(id, revision)).schemaDigests;
  await platform.pool.query("update configurations set schema_digests = $1", [{ "Personal Auto": "old" }]);
  await digest("new");
  await world.save(id, 1, { note: CLEAR }, { "Personal Auto": { vin: "$.other" } });
  expect(await toSchemaDigests(2)).toEqual({ "Personal Auto": "new" });
  await restore(1, 2);
  expect(await toSchemaDigests(3)).toEqual({ "Personal Auto": "old" });
  await world.save(id, 3, {}, { "Personal Auto": { vin: "$.vin" } });
  await world.save(id, 4, { note: set("x") });
  await digest("newest");
  await restore(1, 5);
  expect(await toSchemaDigests(6)).toEqual({ "Personal Auto": "new" });
});
