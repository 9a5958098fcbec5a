import { beforeEach, expect, test, vi } from "vitest";
import type { SettingAction } from "@/lib/contract/catalog/configuration";
import { type ConfiguredWorld, givenConfiguredWorld, KEEP, set } from "@/tests/configured-world";
import { anotherProcess, readState, testPlatform } from "@/tests/test-platform";
import { newMasterKey, readKeyring } from "../../platform/keyring";
import { readUpgrade } from "../read-upgrade";
import { reconfigureInstallation } from "../save-configuration";

const platform = await testPlatform();

let world: ConfiguredWorld;
let id: string;
beforeEach(async () => {
  world = await givenConfiguredWorld(platform);
  id = await world.launch();
});

const ASKED = [{ code: "setting-ask-again", pointer: "/settings/apiKey" }];
const damage = (sealed: string) =>
  platform.pool.query("update configurations set settings = jsonb_set(settings, '{apiKey,sealed}', $1)", [
    JSON.stringify(sealed),
  ]);

// Guarantee: a secret that cannot be opened is asked for again and blocks nothing else; an app never gets it as absent.
test.each<[string, () => Promise<unknown>]>([
  ["a damaged ciphertext", () => damage("A".repeat(80))],
  ["a truncated ciphertext", () => damage("AAAA")],
  ["a lost data key", () => platform.pool.query("delete from data_keys")],
])("%s: the form asks again and saves the answer", async (_what, breakIt) => {
  await breakIt();
  const logged = vi.spyOn(platform.log, "error");
  await expect(readState(platform, await world.keyFor(id, 1))).rejects.toThrow();
  const keeping: Record<string, SettingAction>[] = [{ note: set("x") }, { apiKey: KEEP }];
  for (const settings of keeping)
    await expect(world.save(id, 1, settings)).rejects.toMatchObject({ code: "BAD_INPUT", issues: ASKED });
  expect(logged).toHaveBeenCalledWith(
    expect.objectContaining({ installationId: id, setting: "apiKey" }),
    "a sealed setting cannot be opened",
  );
  logged.mockRestore();
  expect(await world.save(id, 1, { apiKey: set("second-key"), note: set("x") })).toEqual({ revision: 2 });
  expect((await readState(platform, await world.keyFor(id, 2))).settings).toMatchObject({
    apiKey: "second-key",
    note: "x",
  });
});

test("the upgrade page asks again and continues with the answer", async () => {
  await damage("A".repeat(80));
  const second = await world.addVersion("1.5.0", world.fields);
  expect(await readUpgrade(platform, world.customer, id)).toMatchObject({ asks: ASKED });
  await expect(world.upgrade(id, second.id)).rejects.toMatchObject({ code: "BAD_INPUT", issues: ASKED });
  await world.upgrade(id, second.id, { apiKey: set("second-key") });
  expect(await readUpgrade(platform, world.customer, id, world.version.id)).toMatchObject({ asks: [] });
});

test("without the master key, no new data key is created", async () => {
  const other = anotherProcess(platform, { keyring: readKeyring(newMasterKey("other")) });
  const input = { revision: 1, settings: { apiKey: set("second-key") }, mappings: {} };
  await expect(reconfigureInstallation(other, world.customer, id, input)).rejects.toThrow(/lacks the key/);
  expect((await readState(platform, await world.keyFor(id, 1))).settings.apiKey).toBe("first-key");
});
