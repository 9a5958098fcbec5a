import { beforeEach, expect, test } from "vitest";
import { type ConfiguredWorld, givenConfiguredWorld, set } from "@/tests/configured-world";
import { readState, testPlatform } from "@/tests/test-platform";
import { readSecretLedger } from "../read-configuration";
import { readUpgrade } from "../read-upgrade";
import { scrubRevisions } from "./earlier-revisions";

const platform = await testPlatform();
const MINUTE = 60_000;
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * MINUTE);

let world: ConfiguredWorld;
let id: string;
beforeEach(async () => {
  world = await givenConfiguredWorld(platform);
  id = await world.launch({ note: set("a note") });
});

const kinds = async (revision: number) => {
  const { settings } = await world.stored(id, revision);
  return Object.fromEntries(Object.entries(settings).map(([name, { kind }]) => [name, kind]));
};
const read = async (revision: number) =>
  (await readState(platform, await world.keyFor(id, revision))).settings;

// Guarantee: a replaced secret is removed from the database, but not before its last key expires.
test("a replaced secret is removed after sixteen minutes; the current one can still be read", async () => {
  await world.save(id, 1, { apiKey: set("second-key") });
  expect(await scrubRevisions(platform, inMinutes(15.9))).toBe(0);
  expect(await read(1)).toMatchObject({ apiKey: "first-key" });

  expect(await scrubRevisions(platform, inMinutes(16.1))).toBe(1);
  expect(await kinds(1)).toEqual({ region: "plain", apiKey: "gone", note: "plain" });
  expect((await world.stored(id, 1)).settings.apiKey).not.toHaveProperty("sealed");
  expect(await read(1)).toEqual({ region: "eu", note: "a note" });
  expect(await read(2)).toEqual({ region: "eu", apiKey: "second-key", note: "a note" });
  expect(await scrubRevisions(platform, inMinutes(60))).toBe(0);
});

test("a secret that was kept and replaced later leaves nothing behind", async () => {
  await world.save(id, 1, { note: set("other") });
  await scrubRevisions(platform, inMinutes(17));
  await world.save(id, 2, { apiKey: set("second-key") });
  expect(await scrubRevisions(platform, inMinutes(17))).toBe(1);
  expect([await kinds(1), await kinds(2), await kinds(3)].map((each) => each.apiKey)).toEqual([
    "gone",
    "gone",
    "sealed",
  ]);
  expect(await readSecretLedger(platform, world.customer, id)).toMatchObject([
    { name: "apiKey", configured: true },
  ]);
});

test("the revision for a rollback is spared until no rollback is possible", async () => {
  await world.save(id, 1, { note: set("last of the first") });
  const fields = world.fields.filter(({ name }) => name !== "apiKey");
  const second = await world.addVersion("1.5.0", fields);
  await world.upgrade(id, second.id);
  await world.save(id, 3, { note: set("x") });
  await scrubRevisions(platform, inMinutes(17));
  expect((await kinds(1)).apiKey).toBe("gone");
  expect((await kinds(2)).apiKey).toBe("sealed");

  const third = await world.addVersion("1.6.0", fields);
  await world.upgrade(id, third.id);
  await scrubRevisions(platform, inMinutes(17));
  expect((await kinds(2)).apiKey).toBe("gone");
});

// Guarantee: a rollback restores secrets; a second one asks for them, as docs/secrets.md says.
test("a second rollback asks for removed secrets and restores plain values", async () => {
  const rest = world.fields.filter(({ name }) => name === "region");
  const second = await world.addVersion("1.5.0", rest);
  const third = await world.addVersion("1.6.0", rest);
  await world.upgrade(id, second.id);
  const back = () => readUpgrade(platform, world.customer, id, world.version.id);
  await scrubRevisions(platform, inMinutes(17));
  expect(await back()).toMatchObject({ rollback: true, asks: [] });
  await world.upgrade(id, third.id);
  await scrubRevisions(platform, inMinutes(17));
  await world.upgrade(id, second.id);
  expect(await back()).toMatchObject({ rollback: true, asks: [{ pointer: "/settings/apiKey" }] });
  await world.upgrade(id, world.version.id, { apiKey: set("second-key") });
  const { revision } = await world.installation(id);
  expect(await read(revision)).toEqual({ region: "eu", apiKey: "second-key", note: "a note" });
});

test("after a rollback, the secrets of the newer version are removed", async () => {
  const second = await world.addVersion("1.5.0", [
    ...world.fields,
    { name: "token", title: "Token", type: "Password" },
  ]);
  await world.upgrade(id, second.id, { token: set("canary-token") });
  await world.upgrade(id, world.version.id);
  await scrubRevisions(platform, inMinutes(17));
  expect(await kinds(2)).toMatchObject({ token: "gone", apiKey: "gone" });
  expect(await read(3)).toMatchObject({ apiKey: "first-key" });
});

test("a failed upgrade's revision is kept for a retry until something newer is saved", async () => {
  const second = await world.addVersion("1.5.0", [
    ...world.fields,
    { name: "token", title: "Token", type: "Password" },
  ]);
  await (await world.beginRunning(id, second.id, { token: set("canary-token") })).end();
  await scrubRevisions(platform, inMinutes(17));
  expect((await kinds(2)).token).toBe("sealed");

  await (await world.beginRunning(id, second.id, { token: set("canary-newer") })).end();
  await scrubRevisions(platform, inMinutes(17));
  expect([(await kinds(2)).token, (await kinds(3)).token]).toEqual(["gone", "sealed"]);
  expect((await kinds(1)).apiKey).toBe("sealed");

  await world.save(id, 1, { note: set("x") });
  await scrubRevisions(platform, inMinutes(17));
  expect([(await kinds(1)).apiKey, (await kinds(3)).token]).toEqual(["gone", "gone"]);
  expect(await read(4)).toMatchObject({ apiKey: "first-key" });
});

test("concurrent workers scrub each revision once", async () => {
  for (let revision = 1; revision <= 30; revision += 1)
    await world.save(id, revision, { apiKey: set(`key ${revision}`) });
  const counts = await Promise.all([1, 2, 3].map(() => scrubRevisions(platform, inMinutes(17), 4)));
  expect(counts.reduce((sum, each) => sum + each, 0)).toBe(30);
  const { rows } = await platform.pool.query<{ n: number }>(
    "select count(*)::int as n from configurations where settings::text like '%\"sealed\"%'",
  );
  expect(rows).toEqual([{ n: 1 }]);
});
