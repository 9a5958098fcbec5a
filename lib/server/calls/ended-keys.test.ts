import { beforeEach, expect, test } from "vitest";
import { type ConfiguredWorld, givenConfiguredWorld } from "@/tests/configured-world";
import { fakeRuntimes } from "@/tests/fake-runtime";
import { readState, testPlatform } from "@/tests/test-platform";
import { advanceInstallations } from "@/tests/work";
import { commandInstallation } from "../installations/command-installation";

const platform = await testPlatform();

const SETTINGS = { region: "eu", apiKey: "first-key" };
const KINDS = ["webhook", "autofill", "rater", "lifecycle"] as const;

let world: ConfiguredWorld;
let id: string;
let fake: ReturnType<typeof fakeRuntimes>;
/** The state that each hook read with its key. */
let readByHook: Map<string, unknown>;
/** The keys of hooks. */
let hookKeys: Map<string, string>;

beforeEach(async () => {
  world = await givenConfiguredWorld(platform);
  id = await world.launch();
  readByHook = new Map();
  hookKeys = new Map();
  fake = fakeRuntimes(async (response, { url, headers }) => {
    const hook = /^\/_app\/(\w+)/.exec(url)?.[1];
    if (hook !== undefined) {
      const key = String(headers["x-platform-key"]);
      hookKeys.set(hook, key);
      readByHook.set(hook, await settingsOf(key));
    }
    response.end("{}");
  });
});

const command = (what: "stop" | "start" | "uninstall") =>
  commandInstallation(platform, world.customer, id, what);
const advance = () => advanceInstallations(platform, fake.runtimes);
const keysOfEachKind = () => Promise.all(KINDS.map((kind) => world.keyFor(id, 1, kind)));

const settingsOf = (key: string) =>
  readState(platform, key).then(
    ({ settings }) => settings,
    (error: unknown) => error,
  );

async function expectDead(keys: Iterable<string>): Promise<void> {
  for (const key of keys) expect(await settingsOf(key)).toMatchObject({ code: "NOT_FOUND" });
}

async function launchAnew(): Promise<void> {
  await world.move(id, "LAUNCHING");
  await advance();
  expect(await world.installation(id)).toMatchObject({ state: "RUNNING" });
}

// Guarantee (P11): a key that a stop ended never works again, even when the installation is running again.
test("a key from before a stop reads nothing while stopping, stopped, starting and running again", async () => {
  await launchAnew();
  const keys = [...(await keysOfEachKind()), ...hookKeys.values()];
  expect(keys).toHaveLength(6);
  for (const key of keys) expect(await settingsOf(key)).toEqual(SETTINGS);
  await command("stop");
  await expectDead(keys);
  await advance();
  await expectDead(keys);
  await command("start");
  await expectDead(keys);
  await advance();
  expect(await world.installation(id)).toMatchObject({ state: "RUNNING" });
  await expectDead(keys);
  for (const key of await keysOfEachKind()) expect(await settingsOf(key)).toEqual(SETTINGS);
});

// Guarantee: the hooks of a command read the state with their own keys, which the next command ends.
test("the hooks of stop, start and uninstall read their state; a stop hook's key is dead at the next start", async () => {
  await launchAnew();
  await command("stop");
  await advance();
  expect(readByHook.get("stop")).toEqual(SETTINGS);
  readByHook.clear();
  await command("start");
  await expectDead([hookKeys.get("stop") ?? ""]);
  await advance();
  await command("uninstall");
  await expectDead(hookKeys.values());
  await advance();
  expect(Object.fromEntries(readByHook)).toEqual({ start: SETTINGS, stop: SETTINGS, uninstall: SETTINGS });
  await expectDead(hookKeys.values());
});

// Guarantee (P11): if an uninstall comes during a launch, the launch's keys stop working.
test("a running hook loses its key when the installation is uninstalled", async () => {
  const during: unknown[] = [];
  fake.respond = async (response, { url, headers }) => {
    if (url.startsWith("/_app/install")) {
      const key = String(headers["x-platform-key"]);
      during.push(await settingsOf(key));
      await command("uninstall");
      during.push(await settingsOf(key));
    }
    response.end("{}");
  };
  await world.move(id, "LAUNCHING");
  await advance();
  expect(during).toEqual([SETTINGS, expect.objectContaining({ code: "NOT_FOUND" })]);
});

// Guarantee: a refused command ends no key.
test("keys survive a command that does not apply", async () => {
  const keys = await keysOfEachKind();
  await expect(command("start")).rejects.toMatchObject({ code: "WRONG_STATE" });
  for (const key of keys) expect(await settingsOf(key)).toEqual(SETTINGS);
});
