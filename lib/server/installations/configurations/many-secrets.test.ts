import pg from "pg";
import { expect, test, vi } from "vitest";
import type { Setting } from "@/lib/contract/catalog/manifest";
import { givenConfiguredWorld, set } from "@/tests/configured-world";
import { readState, testPlatform } from "@/tests/test-platform";
import { readUpgrade } from "../read-upgrade";
import { selectPlain } from "./secret-queries";

const platform = await testPlatform();

async function dataKeyReads(work: () => Promise<unknown>): Promise<number> {
  const query = vi.spyOn(pg.Client.prototype, "query");
  await work();
  const texts = query.mock.calls.map((call) => JSON.stringify(call[0] ?? ""));
  query.mockRestore();
  expect(texts.length).toBeGreaterThan(0);
  return texts.filter((text) => text.includes("data_keys")).length;
}

// Guarantee: the number of data key reads does not grow with the secrets.
test("a save and a rollback offer read the data key a few times for forty secrets", async () => {
  const world = await givenConfiguredWorld(platform);
  const id = await world.launch();
  const names = Array.from({ length: 40 }, (_, index) => `secret${index}`);
  const more = names.map((name): Setting => ({ name, title: name, type: "Password", required: true }));
  const all = (value: string) => Object.fromEntries(names.map((name) => [name, set(value)]));
  const second = await world.addVersion("1.5.0", [...world.fields, ...more]);
  await world.upgrade(id, second.id, all("one"));
  expect(await dataKeyReads(() => world.save(id, 2, all("two")))).toBeLessThanOrEqual(2);
  const third = await world.addVersion("1.6.0", world.fields);
  await world.upgrade(id, third.id);
  const offer = () => readUpgrade(platform, world.customer, id, second.id);
  expect(await dataKeyReads(offer)).toBeLessThanOrEqual(3);
  expect(await offer()).toMatchObject({ rollback: true, asks: [] });
});

// Guarantee: a value that becomes a secret is sealed in all earlier revisions, and only such values are read, page by page.
test("a plain value over more than a page of revisions becomes one secret, set when it was entered", async () => {
  const world = await givenConfiguredWorld(platform);
  const id = await world.launch({ note: set("canary-old") });
  for (let revision = 1; revision <= 5; revision += 1)
    await world.save(id, revision, { region: set(revision % 2 === 0 ? "eu" : "us") });
  await world.save(id, 6, { note: set("canary-new") });
  for (let revision = 7; revision <= 44; revision += 1)
    await world.save(id, revision, { region: set(revision % 2 === 0 ? "us" : "eu") });
  const page = { after: 0, before: 46, limit: 20 };
  const rows = await selectPlain(platform.db, id, page, ["note"]);
  expect(rows.map(({ plain }) => plain)).toEqual(
    rows.map(({ revision }) => ({ note: revision <= 6 ? "canary-old" : "canary-new" })),
  );
  expect(rows).toHaveLength(20);
  expect(Object.keys(rows[0] ?? {})).not.toContain("manifest");

  const fields = world.fields.map((field) => (field.name === "note" ? { ...field, sensitive: true } : field));
  const second = await world.addVersion("1.5.0", fields);
  await world.upgrade(id, second.id);
  const { rows: dump } = await platform.pool.query("select * from configurations");
  expect(dump).toHaveLength(46);
  expect(JSON.stringify(dump)).not.toContain("canary");
  const noteOf = async (revision: number) => (await world.stored(id, revision)).settings.note;
  expect(await noteOf(6)).toMatchObject({ kind: "sealed", type: "Text", setIn: 1 });
  for (const revision of [7, 20, 21, 40, 41, 45, 46])
    expect(await noteOf(revision)).toMatchObject({ kind: "sealed", type: "Text", setIn: 7 });
  const read = async (revision: number) =>
    (await readState(platform, await world.keyFor(id, revision))).settings;
  expect(await read(6)).toMatchObject({ note: "canary-old", apiKey: "first-key" });
  expect(await read(45)).toMatchObject({ note: "canary-new", apiKey: "first-key" });
});
