import { beforeEach, expect, test } from "vitest";
import { configurations, secretEvents } from "@/drizzle/schema/installations-configurations";
import { type ConfiguredWorld, givenConfiguredWorld, set } from "@/tests/configured-world";
import { fakeRuntimes } from "@/tests/fake-runtime";
import { readState, testPlatform } from "@/tests/test-platform";
import { advanceInstallations } from "@/tests/work";
import { uninstallInstallation } from "./command-installation";
import { readSecretLedger } from "./read-configuration";

const platform = await testPlatform();

let world: ConfiguredWorld;
let id: string;
beforeEach(async () => {
  world = await givenConfiguredWorld(platform);
  id = await world.launch();
});

const selectRows = async (table: string) =>
  (await platform.pool.query(`select * from ${table} order by id`)).rows;

// Guarantee (P11): every earlier key is dead when the command returns, including those of hooks.
test("no key opens anything once the command returns", async () => {
  const keys = { webhook: "", autofill: "", rater: "", lifecycle: "" };
  for (const kind of ["webhook", "autofill", "rater", "lifecycle"] as const) {
    keys[kind] = await world.keyFor(id, 1, kind);
    expect((await readState(platform, keys[kind])).settings).toEqual({ region: "eu", apiKey: "first-key" });
  }
  await uninstallInstallation(platform, world.customer, id);
  for (const key of Object.values(keys))
    await expect(readState(platform, key)).rejects.toMatchObject({ code: "NOT_FOUND" });

  const hooks = await world.keyFor(id, 1, "lifecycle");
  expect((await readState(platform, hooks)).settings).toMatchObject({ apiKey: "first-key" });
  await advanceInstallations(platform, fakeRuntimes((response) => void response.end()).runtimes);
  expect(await world.installation(id)).toMatchObject({ state: "UNINSTALLED" });
  await expect(readState(platform, hooks)).rejects.toMatchObject({ code: "NOT_FOUND" });
});

// Guarantee: the customer's values are removed from every revision; ledger, audit and tenant stay.
test("settings and secrets are removed at the end; ledger and audit stay", async () => {
  const second = await world.addVersion("1.5.0", [
    ...world.fields,
    { name: "token", title: "Token", type: "Password" },
  ]);
  await world.save(id, 1, { note: set("canary-note") });
  await (await world.beginRunning(id, second.id, { token: set("canary-token") })).end();
  const before = { tenants: await selectRows("tenants"), products: await selectRows("products") };
  await uninstallInstallation(platform, world.customer, id);
  await advanceInstallations(platform, fakeRuntimes((response) => void response.end()).runtimes);

  const revisions = await platform.db.select().from(configurations);
  expect(revisions.map(({ revision, settings }) => [revision, settings])).toEqual(
    expect.arrayContaining([
      [1, {}],
      [2, {}],
      [3, {}],
    ]),
  );
  const [apiKey, ...others] = await readSecretLedger(platform, world.customer, id);
  expect(others).toEqual([]);
  expect(apiKey).toMatchObject({ name: "apiKey", configured: false, lastReadAt: null });
  expect(apiKey?.entries[0]).toMatchObject({ action: "removed", by: null });
  expect(
    (await platform.db.select().from(secretEvents)).filter(({ action }) => action === "removed"),
  ).toHaveLength(1);
  expect({ tenants: await selectRows("tenants"), products: await selectRows("products") }).toEqual(before);
  const { rows } = await platform.pool.query("select action from audit order by position");
  expect(rows.map(({ action }: { action: string }) => action)).toEqual([
    "installation.launch",
    "installation.configure",
    "installation.upgrade",
    "installation.uninstall",
    "installation.remove",
  ]);
});

test("a hook reads what was saved while the app was starting", async () => {
  await world.move(id, "LAUNCHING");
  const fake = fakeRuntimes(async (response, { url }) => {
    if (url === "/health" && (await world.installation(id)).revision === 1)
      await world.save(id, 1, { apiKey: set("second-key") });
    response.end();
  });
  await advanceInstallations(platform, fake.runtimes);
  const keys = fake
    .app()
    .received.flatMap(({ url, headers }) =>
      url.startsWith("/_app/") ? [String(headers["x-platform-key"])] : [],
    );
  expect(keys).toHaveLength(2);
  for (const key of keys)
    expect((await readState(platform, key)).settings).toMatchObject({ apiKey: "second-key" });
});
