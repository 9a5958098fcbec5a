import { v7 } from "uuid";
import { beforeEach, describe, expect, test } from "vitest";
import { secretEvents } from "@/drizzle/schema/installations-configurations";
import type { Setting } from "@/lib/contract/catalog/manifest";
import { CLEAR, type ConfiguredWorld, givenConfiguredWorld, set } from "@/tests/configured-world";
import { givenMember, readState, testPlatform } from "@/tests/test-platform";
import { countRevisions, listRevisions, readSecretLedger } from "./read-configuration";

const platform = await testPlatform();

let world: ConfiguredWorld;
let id: string;
beforeEach(async () => {
  world = await givenConfiguredWorld(platform);
  id = await world.launch({ note: set("canary-plain") });
});

const changed = (name: string, changes: Partial<Setting>) =>
  world.fields.map((field) => (field.name === name ? { ...field, ...changes } : field));
const changes = async () => {
  const { revisions } = await listRevisions(platform, world.customer, id);
  return Object.fromEntries(revisions.map((each) => [each.revision, each.changes]));
};
const ledger = async () => {
  const secrets = await readSecretLedger(platform, world.customer, id);
  return Object.fromEntries(secrets.map(({ name, ...rest }) => [name, rest]));
};
const actions = async (name: string) => (await ledger())[name]?.entries.map(({ action }) => action).reverse();

describe("the history", () => {
  test("changes newest first; of secrets only that they changed", async () => {
    await world.save(id, 1, { region: set("us"), apiKey: set("canary-second") });
    await world.save(id, 2, { note: CLEAR }, { "Personal Auto": { vin: "$.v" } });
    const { revisions, next } = await listRevisions(platform, world.customer, id);
    expect(next).toBeUndefined();
    expect(revisions.map((each) => [each.revision, each.current, each.cause, each.version])).toEqual([
      [3, true, "configure", "1.4.0"],
      [2, false, "configure", "1.4.0"],
      [1, false, "launch", "1.4.0"],
    ]);
    expect(await changes()).toEqual({
      1: [],
      2: [
        { kind: "setting", name: "region", title: "Region", before: "Europe", after: "America" },
        { kind: "secret", name: "apiKey", title: "Provider key", change: "replaced" },
      ],
      3: [
        { kind: "setting", name: "note", title: "Note", before: "canary-plain", after: undefined },
        {
          kind: "mapping",
          productName: "Personal Auto",
          name: "vin",
          title: "VIN field",
          before: "$.vin",
          after: "$.v",
        },
      ],
    });
    expect(JSON.stringify(revisions)).not.toContain("canary-second");
  });

  // Guarantee: a value that is secret now is hidden in earlier revisions too, on the page and in the database, and sealing is not a change.
  test("a plain setting that a version made sensitive is hidden throughout", async () => {
    await world.save(id, 1, { region: set("us") });
    await world.save(id, 2, { note: set("canary-newer") });
    const second = await world.addVersion("1.5.0", changed("note", { type: "Password" }));
    await world.upgrade(id, second.id);
    const history = await changes();
    expect(history[2]).toEqual([expect.objectContaining({ kind: "setting", name: "region" })]);
    expect(history[3]).toEqual([{ kind: "secret", name: "note", title: "Note", change: "replaced" }]);
    expect(history[4]).toEqual([{ kind: "version", before: "1.4.0", after: "1.5.0" }]);
    expect(JSON.stringify(history)).not.toContain("canary");
    const { rows } = await platform.pool.query("select * from configurations");
    expect(JSON.stringify(rows)).not.toContain("canary");
    expect(await actions("note")).toEqual(["kept"]);
    // Calls of each revision still read the same.
    for (const [revision, note] of [
      [1, "canary-plain"],
      [3, "canary-newer"],
      [4, "canary-newer"],
    ] as const)
      expect((await readState(platform, await world.keyFor(id, revision))).settings.note).toBe(note);
    // With its new type, it is kept like any secret.
    expect(await world.save(id, 4, { region: set("eu") })).toEqual({ revision: 5 });
  });

  test("a failed upgrade hides no current setting", async () => {
    const second = await world.addVersion("1.5.0", changed("note", { sensitive: true }));
    await (await world.beginRunning(id, second.id)).end();
    expect((await world.stored(id, 1)).settings.note).toEqual({ kind: "plain", value: "canary-plain" });
    expect(JSON.stringify((await world.stored(id, 2)).settings)).not.toContain("canary");
    await world.save(id, 1, { note: set("seen") });
    const history = await changes();
    expect(Object.keys(history)).toEqual(["1", "3"]);
    expect(history[3]).toEqual([
      { kind: "setting", name: "note", title: "Note", before: "canary-plain", after: "seen" },
    ]);
    expect((await ledger()).note).toBeUndefined();
    expect(await actions("apiKey")).toEqual(["set", "kept"]);
  });

  test("a Select shows the texts of its version", async () => {
    const values = [
      { text: "European Union", value: "eu" },
      { text: "Asia", value: "as" },
    ];
    const second = await world.addVersion("1.5.0", changed("region", { values }));
    await world.upgrade(id, second.id, { region: set("as") });
    expect((await changes())[2]).toEqual([
      { kind: "version", before: "1.4.0", after: "1.5.0" },
      { kind: "setting", name: "region", title: "Region", before: "Europe", after: "Asia" },
    ]);
  });

  // Guarantee: however much a revision changed, the page stays small and shows how much it leaves out.
  test("at most two hundred changes of a revision are listed, settings first", async () => {
    const products = Array.from({ length: 260 }, (_, index) => `Product ${index}`);
    await platform.pool.query(
      "insert into products (id, tenant_id, name, schema) select gen_random_uuid(), $1, name, '{}' from unnest($2::text[]) name",
      [world.tenant.id, products],
    );
    const mappings = Object.fromEntries(products.map((name) => [name, { vin: "$.vin" }]));
    await world.save(id, 1, { note: set("other") }, mappings);
    const { revisions } = await listRevisions(platform, world.customer, id);
    expect(revisions.map((each) => [each.changes.length, each.moreChanges])).toEqual([
      [200, 61],
      [0, 0],
    ]);
    expect(revisions[0]?.changes[0]).toMatchObject({ kind: "setting", name: "note" });
  });

  test("pages of twenty, by revision number", async () => {
    for (let revision = 1; revision <= 42; revision += 1)
      await world.save(id, revision, { note: set(`note ${revision}`) });
    const pages = [];
    let next: string | undefined;
    let previous: string | undefined;
    do {
      const page = await listRevisions(platform, world.customer, id, next);
      pages.push(page.revisions.map(({ revision, changes: each }) => [revision, each.length]));
      ({ next, previous } = page);
    } while (next !== undefined);
    const back = await listRevisions(platform, world.customer, id, previous);
    expect(back.revisions.map(({ revision, changes: each }) => [revision, each.length])).toEqual(pages[1]);
    const first = await listRevisions(platform, world.customer, id, back.previous);
    expect([first.isFirst, first.revisions[0]?.revision]).toEqual([true, 43]);
    expect(await countRevisions(platform, world.customer, id)).toBe(pages.flat().length);
    expect(pages.map((page) => page.length)).toEqual([20, 20, 3]);
    expect(pages.flat()).toEqual(
      Array.from({ length: 43 }, (_, index) => [43 - index, index === 42 ? 0 : 1]),
    );
    for (const cursor of ["0", "-1", "x", "1e3", "99999999999", "before:", "before:0"])
      await expect(listRevisions(platform, world.customer, id, cursor)).rejects.toMatchObject({
        code: "BAD_INPUT",
      });
    expect((await listRevisions(platform, world.customer, id, "1")).revisions).toEqual([]);
  });
});

describe("the ledger", () => {
  test("set, kept, replaced, cleared, by whom and when", async () => {
    const second = await world.addVersion("1.5.0", [
      ...world.fields,
      { name: "token", title: "Token", type: "Text", sensitive: true },
    ]);
    await world.upgrade(id, second.id, { token: set("canary-token") });
    await world.save(id, 2, { token: set("canary-other") });
    await world.save(id, 3, { token: CLEAR, note: set("x") });
    const { apiKey, token } = await ledger();
    expect(apiKey?.entries.map(({ action, revision, by }) => [action, revision, by])).toEqual([
      ["kept", 4, "owner of harbor"],
      ["kept", 3, "owner of harbor"],
      ["kept", 2, "owner of harbor"],
      ["set", 1, "owner of harbor"],
    ]);
    expect(token).toMatchObject({ title: "Token", configured: false, lastReadAt: null });
    expect(await actions("token")).toEqual(["set", "replaced", "cleared"]);
    expect(JSON.stringify([apiKey, token])).not.toContain("canary");
    expect(await readSecretLedger(platform, world.customer, id)).not.toContainEqual(
      expect.objectContaining({ name: "note" }),
    );
  });

  // Guarantee: nothing is cut silently.
  test("of very many entries, the newest are listed and the others are counted", async () => {
    const event = { installationId: id, revision: 1, name: "apiKey", action: "kept" as const };
    await platform.db.insert(secretEvents).values(Array.from({ length: 50 }, () => event));
    const { apiKey } = await ledger();
    expect(apiKey?.entries).toHaveLength(50);
    expect(apiKey?.moreEntries).toBe(1);
  });

  test("a dropped secret stays in the ledger and comes back with a rollback", async () => {
    const second = await world.addVersion(
      "1.5.0",
      world.fields.filter(({ name }) => name !== "apiKey"),
    );
    await world.upgrade(id, second.id);
    expect((await ledger()).apiKey).toMatchObject({ title: "Provider key", configured: false });
    expect((await changes())[2]).toContainEqual(
      expect.objectContaining({ kind: "secret", change: "cleared" }),
    );
    await world.upgrade(id, world.version.id);
    expect((await ledger()).apiKey).toMatchObject({ configured: true });
    expect(await actions("apiKey")).toEqual(["set", "dropped", "kept"]);
    expect((await readState(platform, await world.keyFor(id, 3))).settings.apiKey).toBe("first-key");
  });

  test("a secret replaced by a plain value is cleared", async () => {
    const second = await world.addVersion("1.5.0", changed("apiKey", { type: "Text" }));
    await world.upgrade(id, second.id, { apiKey: set("in the open") });
    expect(await actions("apiKey")).toEqual(["set", "cleared"]);
    expect((await ledger()).apiKey).toMatchObject({ configured: false });
    expect((await changes())[2]).toContainEqual(
      expect.objectContaining({ kind: "secret", name: "apiKey", change: "replaced" }),
    );
  });

  // Guarantee: a read counts for the value that it saw, in all revisions that keep it, and for no later value.
  test("when an app last read the current value", async () => {
    expect((await ledger()).apiKey?.lastReadAt).toBeNull();
    const before = Date.now();
    await readState(platform, await world.keyFor(id, 1));
    await platform.services.stateReads.flush();
    await world.save(id, 1, { note: set("other") });
    const { lastReadAt } = (await ledger()).apiKey ?? {};
    expect(Date.parse(lastReadAt ?? "")).toBeGreaterThanOrEqual(before - 1);
    await world.save(id, 2, { apiKey: set("second-key") });
    expect((await ledger()).apiKey?.lastReadAt).toBeNull();
  });
});

// Guarantee: foreign and absent installations look the same.
test("history and ledger of a foreign installation are not found", async () => {
  const stranger = await givenMember(platform, "stranger");
  for (const each of [id, v7(), "nonsense"]) {
    await expect(listRevisions(platform, stranger, each)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(readSecretLedger(platform, stranger, each)).rejects.toMatchObject({ code: "NOT_FOUND" });
  }
});
