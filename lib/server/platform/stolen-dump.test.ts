/** P12: a stolen dump reveals no plaintext, and a ciphertext moved within the database fails closed. */
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { installations } from "@/drizzle/schema/installations";
import { tenants } from "@/drizzle/schema/installations-tenants";
import { CLEAR, type ConfiguredWorld, givenConfiguredWorld, set } from "@/tests/configured-world";
import { givenInstance } from "@/tests/fake-app";
import { type Canary, findCanaries } from "@/tests/secrets/find-canaries";
import { callRecorded } from "@/tests/recorded-call";
import { readState, testPlatform } from "@/tests/test-platform";
import { restoreConfiguration } from "../installations/save-configuration";
import { sealCredential } from "../installations/tenants/credentials";

const platform = await testPlatform();

/** Every row of every table, as `pg_dump` would write it. */
async function dump(): Promise<Buffer> {
  const { rows: tables } = await platform.pool.query<{ name: string }>(
    "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')",
  );
  const texts = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await platform.pool.query<{ plain: string; json: string }>(
        `select t::text as plain, row_to_json(t)::text as json from ${name} t`,
      );
      return rows.map(({ plain, json }) => `${plain}\n${json}`).join("\n");
    }),
  );
  return Buffer.from(texts.join("\n"));
}

let made = 0;
const canaries: Canary[] = [];
/** A unique secret with characters that encodings treat differently. */
function canary(name: string): string {
  made += 1;
  const value = `canary: "${made}" \\ ü/+%&<${name}>`;
  canaries.push({ name, value, kind: "typed" });
  return value;
}

/** Forms in which an app may repeat a secret. */
function encodeAll(value: string): string[] {
  return [
    value,
    JSON.stringify({ key: value }),
    new URLSearchParams({ key: value }).toString(),
    `https://provider.example/?key=${encodeURIComponent(value)}`,
    `Basic ${Buffer.from(`user:${value}`).toString("base64")}`,
    Buffer.from(value).toString("base64url"),
    Buffer.from(value).toString("hex"),
  ];
}

beforeEach(() => {
  canaries.length = 0;
});

// Guarantee: no secret is in the database in plain text, wherever it was entered, kept, echoed or removed.
test("a dump contains no secret in any form", async () => {
  const world = await givenConfiguredWorld(platform);
  const { customer, fields } = world;
  const later = canary("plain until a version made it sensitive");
  const id = await world.launch({ apiKey: set(canary("at the launch")), note: set(later) });
  await world.save(id, 1, { apiKey: set(canary("replaced")) });
  const withToken = fields.map((field) => (field.name === "note" ? { ...field, sensitive: true } : field));
  const second = await world.addVersion("1.5.0", [
    ...withToken,
    { name: "token", title: "Token", type: "Password" },
    {
      name: "plan",
      title: "Plan",
      type: "Select",
      sensitive: true,
      values: [{ text: "Gold", value: "plan-gold-7391" }],
    },
  ]);
  await (await world.beginRunning(id, second.id, { token: set(canary("of an upgrade that failed")) })).end();
  await world.upgrade(id, second.id, { token: set(canary("of an upgrade")) });
  const { revision } = await world.installation(id);
  await world.save(id, revision, { token: CLEAR });
  const current = (await world.installation(id)).revision;
  await restoreConfiguration(platform, customer, id, String(revision), { revision: current });
  await platform.db.transaction(async (tx) => {
    const credential = await sealCredential(platform, tx, customer, world.tenant.id, canary("of the core"));
    await tx.update(tenants).set({ credential }).where(eq(tenants.id, world.tenant.id));
  });
  const { rows: routes } = await platform.pool.query<{ id: string }>(
    "select id from routes where kind = 'rater'",
  );
  const counting = canaries.filter(({ name }) => name === "replaced" || name.startsWith("plain"));
  const echoes = counting.flatMap(({ value }) => encodeAll(value));
  await givenInstance(platform, second.id, (response) => void response.end(JSON.stringify(echoes)));
  const called = await callRecorded(platform, routes[0]?.id ?? "", { pasted: echoes });
  expect(JSON.parse(called.answer ?? "")).toEqual(echoes);
  await expect(
    world.save(id, (await world.installation(id)).revision, { plan: set(canary("refused")) }),
  ).rejects.toThrow();

  const bytes = await dump();
  expect(canaries.length).toBeGreaterThan(6);
  expect(findCanaries(bytes, canaries)).toEqual([]);
  // The search finds one if it is there.
  expect(findCanaries(Buffer.concat([bytes, Buffer.from(echoes[0] ?? "")]), canaries)).toHaveLength(1);
});

describe("moved ciphertexts", () => {
  let harbor: ConfiguredWorld;
  let alpine: ConfiguredWorld;
  let own: string;
  let second: string;
  let foreign: string;

  beforeEach(async () => {
    harbor = await givenConfiguredWorld(platform, "harbor");
    alpine = await givenConfiguredWorld(platform, "alpine");
    own = await harbor.launch({ apiKey: set(canary("harbor")) });
    foreign = await alpine.launch({ apiKey: set(canary("alpine")) });
    // A second installation of the same organization.
    const elsewhere = await givenConfiguredWorld(platform, "elsewhere");
    second = await elsewhere.launch({ apiKey: set(canary("second")) });
    const organizationId = harbor.customer.organization.id;
    await platform.db.update(installations).set({ organizationId }).where(eq(installations.id, second));
  });

  const put = (id: string, name: string, value: unknown) =>
    platform.pool.query(
      "update configurations set settings = jsonb_set(settings, array[$2], $3::jsonb) where installation_id = $1",
      [id, name, JSON.stringify(value)],
    );
  const sealedOf = async (world: ConfiguredWorld, id: string) => (await world.stored(id, 1)).settings.apiKey;

  /** No record, and no part of a value in the error. */
  async function expectClosed(): Promise<void> {
    const error: unknown = await readState(platform, await harbor.keyFor(own, 1)).then(
      () => "a record",
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(Error);
    const words = Buffer.from(`${String(error)} ${JSON.stringify(error)}`);
    expect(findCanaries(words, canaries)).toEqual([]);
  }

  test("opens in its own place", async () => {
    expect((await readState(platform, await harbor.keyFor(own, 1))).settings).toMatchObject({
      apiKey: canaries[0]?.value,
    });
  });

  test("another field of the same installation", async () => {
    await put(own, "note", await sealedOf(harbor, own));
    await expectClosed();
  });

  test("another installation of the same organization", async () => {
    await put(own, "apiKey", await sealedOf(harbor, second));
    await expectClosed();
  });

  test("another organization", async () => {
    await put(own, "apiKey", await sealedOf(alpine, foreign));
    await expectClosed();
  });

  test("another organization, with its data key", async () => {
    await put(own, "apiKey", await sealedOf(alpine, foreign));
    await platform.pool.query(
      `update data_keys set (wrapped, master_key_id) = (select wrapped, master_key_id from data_keys where organization_id = $2)
        where organization_id = $1`,
      [harbor.customer.organization.id, alpine.customer.organization.id],
    );
    await expectClosed();
  });

  test("two swapped data keys", async () => {
    const pair = [harbor.customer.organization.id, alpine.customer.organization.id];
    await platform.pool.query(
      `update data_keys d set wrapped = o.wrapped from data_keys o
        where d.organization_id = any($1) and o.organization_id = any($1) and d.organization_id <> o.organization_id`,
      [pair],
    );
    await expectClosed();
    await expect(readState(platform, await alpine.keyFor(foreign, 1))).rejects.toThrow();
  });

  test("the installation in another organization", async () => {
    await platform.db
      .update(installations)
      .set({ organizationId: alpine.customer.organization.id })
      .where(eq(installations.id, own));
    await expectClosed();
  });

  test.each<[string, (sealed: string) => string]>([
    ["a changed character", (sealed) => (sealed.startsWith("A") ? "B" : "A") + sealed.slice(1)],
    ["a truncated value", (sealed) => sealed.slice(0, -4)],
    ["an empty value", () => ""],
    ["not base64", () => "%%%"],
  ])("%s", async (_what, change) => {
    const found = await sealedOf(harbor, own);
    if (found?.kind !== "sealed") throw new Error("nothing is sealed");
    await put(own, "apiKey", { ...found, sealed: change(found.sealed) });
    await expectClosed();
  });

  test("a missing data key", async () => {
    await platform.pool.query("delete from data_keys");
    await expectClosed();
  });
});
