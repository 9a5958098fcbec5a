import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { listings } from "@/drizzle/schema/catalog";
import { installations } from "@/drizzle/schema/installations";
import { configurations } from "@/drizzle/schema/installations-configurations";
import { audit } from "@/drizzle/schema/platform";
import { givenMember, one, testPlatform } from "@/tests/test-platform";
import { FIRST, givenUpgradeWorld, SECOND } from "@/tests/upgrade-world";
import { advanceInstallations } from "@/tests/work";
import { startInstallation, stopInstallation } from "./command-installation";
import { retryUpgrade } from "./upgrade-installation";

const platform = await testPlatform();

let world: Awaited<ReturnType<typeof givenUpgradeWorld>>;
beforeEach(async () => {
  world = await givenUpgradeWorld(platform);
});

const stopped = async (id: string) => {
  await stopInstallation(platform, world.customer, id);
  await advanceInstallations(platform, world.fake.runtimes);
};
const settingsOf = async (id: string, revision: number) =>
  one(
    (await platform.db.select().from(configurations).where(eq(configurations.installationId, id))).filter(
      (row) => row.revision === revision,
    ),
  );

// Guarantee: nothing moves before the new version is up; its configuration is stored next to the current one.
test("starting the upgrade of a running installation does not change what is running", async () => {
  const id = await world.launch();
  await world.begin(id);
  expect(await world.installation(id)).toMatchObject({
    state: "RUNNING",
    versionId: world.first.id,
    otherVersionId: world.second.id,
    revision: 1,
  });
  expect(await world.upgrade(id)).toMatchObject({
    state: "STARTING",
    fromVersionId: world.first.id,
    toVersionId: world.second.id,
    fromRevision: 1,
    toRevision: 2,
    rollback: false,
  });
  const pending = await settingsOf(id, 2);
  expect(pending).toMatchObject({ cause: "upgrade", versionId: world.second.id, supersededAt: null });
  expect(Object.keys(pending.settings).sort()).toEqual(["label", "note", "region"]);
  const rows = await platform.db.select().from(audit).where(eq(audit.action, "installation.upgrade"));
  expect(rows).toHaveLength(1);
});

test("a stopped one moves immediately, and starts with the new version", async () => {
  const id = await world.launch();
  await stopped(id);
  await world.begin(id);
  expect(await world.installation(id)).toMatchObject({
    state: "STOPPED",
    versionId: world.second.id,
    otherVersionId: null,
    revision: 2,
  });
  expect(await world.upgrade(id)).toMatchObject({ state: "DONE", reason: null });
  expect((await settingsOf(id, 1)).supersededAt).not.toBeNull();
  await startInstallation(platform, world.customer, id);
  await advanceInstallations(platform, world.fake.runtimes);
  expect(await world.running()).toEqual([world.second.id]);
});

test("a failed one moves immediately and is launched", async () => {
  const id = await world.launch();
  await platform.db.update(installations).set({ state: "ERROR", reason: "It broke." });
  await world.begin(id);
  expect(await world.installation(id)).toMatchObject({ state: "LAUNCHING", reason: null, revision: 2 });
  await advanceInstallations(platform, world.fake.runtimes);
  expect(await world.installation(id)).toMatchObject({ state: "RUNNING", versionId: world.second.id });
});

// Guarantee: a route with the same kind and path keeps its routeId in every upgrade, even if it was removed in between.
test("routes are kept, added, removed, and restored with their ids", async () => {
  const id = await world.launch();
  await stopped(id);
  const before = new Map((await world.routes(id)).map((route) => [`${route.kind} ${route.path}`, route]));
  await platform.pool.query("update routes set ended_at = now() where kind = 'webhook'");
  await world.begin(id);
  const after = await world.routes(id);
  for (const route of after)
    if (before.has(`${route.kind} ${route.path}`))
      expect(route.id).toBe(before.get(`${route.kind} ${route.path}`)?.id);
  const present = after.filter((route) => route.removedAt === null);
  expect(present.map((route) => `${route.kind} ${route.path}`).sort()).toEqual([
    "autofill /autofill",
    "lifecycle /_app",
    "rater /mileage",
    "rater /rate",
  ]);
  expect(present.find((route) => route.kind === "autofill")?.patterns).toEqual([
    "newBusiness.*",
    "endorsement.*",
  ]);
  await world.begin(id, { versionId: world.first.id, settings: {} });
  const back = await world.routes(id);
  expect(back.find((route) => route.kind === "webhook")).toMatchObject({
    id: before.get("webhook /events")?.id,
    removedAt: null,
    endedAt: null,
  });
  expect(back.find((route) => route.path === "/mileage")?.removedAt).not.toBeNull();
});

describe("a rollback", () => {
  // Guarantee: a rollback does not ask again for secrets that the newer version dropped.
  test("restores what the newer version dropped, and keeps later changes", async () => {
    const id = await world.launch();
    await stopped(id);
    await world.begin(id, {
      settings: { label: { action: "set", value: "x" }, note: { action: "set", value: "changed" } },
    });
    const first = await settingsOf(id, 1);
    await world.begin(id, { versionId: world.first.id, settings: {} });
    expect(await world.upgrade(id)).toMatchObject({ rollback: true, state: "DONE", toRevision: 3 });
    const back = await settingsOf(id, 3);
    expect(back).toMatchObject({ cause: "rollback", versionId: world.first.id });
    expect(back.settings.apiKey).toEqual(first.settings.apiKey);
    expect(back.settings.note).toEqual({ kind: "plain", value: "changed" });
    expect(Object.keys(back.settings).sort()).toEqual(["apiKey", "note", "region"]);
  });

  // Guarantee: a cleared value stays cleared; only values that could not be cleared come back.
  test("does not restore cleared values", async () => {
    const id = await world.launch();
    await stopped(id);
    await world.begin(id, {
      settings: { label: { action: "set", value: "x" }, note: { action: "clear" } },
    });
    await world.begin(id, { versionId: world.first.id, settings: {} });
    expect(Object.keys((await settingsOf(id, 3)).settings).sort()).toEqual(["apiKey", "region"]);
  });

  test("is possible while the listing is suspended; no other version is available", async () => {
    const id = await world.launch();
    await stopped(id);
    await world.begin(id);
    const third = await world.addVersion({ ...SECOND, version: "3.0.0" });
    await platform.db.update(listings).set({ state: "SUSPENDED" });
    await expect(world.begin(id, { versionId: third.id })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await world.begin(id, { versionId: world.first.id, settings: {} });
    expect(await world.installation(id)).toMatchObject({ versionId: world.first.id });
  });
});

describe("is refused", () => {
  test("without required answers, all issues at once and without a value", async () => {
    const id = await world.launch();
    const answers = { note: { action: "set", value: "nul\0canary" } } as const;
    const refusal = await world.begin(id, { settings: answers }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      code: "BAD_INPUT",
      issues: [{ pointer: "/settings/note" }, { pointer: "/settings/label" }],
    });
    expect(JSON.stringify(refusal)).not.toContain("canary");
    expect(await world.upgrade(id)).toBeUndefined();
  });

  test("from a stale revision, and for a foreign or an absent installation", async () => {
    const id = await world.launch();
    await expect(world.begin(id, { revision: 7 })).rejects.toMatchObject({ code: "STALE_REVISION" });
    const other = await givenMember(platform, "alpine");
    await expect(world.begin(id, {}, other)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(retryUpgrade(platform, other, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test.each(["LAUNCHING", "STOPPING", "UNINSTALLING", "UNINSTALLED"] as const)("while %s", async (state) => {
    const id = await world.launch();
    await platform.db.update(installations).set({ state });
    await expect(world.begin(id)).rejects.toMatchObject({ code: "WRONG_STATE" });
  });

  test("to a version that is not verified, older and never run, current, or of another app", async () => {
    const old = await world.addVersion({ ...FIRST, version: "0.9.0" });
    const unverified = await world.addVersion({ ...SECOND, version: "3.0.0" }, false);
    const id = await world.launch();
    for (const { id: versionId } of [old, unverified])
      await expect(world.begin(id, { versionId })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(world.begin(id, { versionId: world.first.id })).rejects.toMatchObject({
      code: "WRONG_STATE",
    });
    await expect(world.begin(id, { versionId: id })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("for a publisher, except for a Test Launch, which may move anywhere", async () => {
    const publisher = await givenMember(platform, "harbor", "publisher");
    const id = await world.launch();
    await expect(world.begin(id, {}, publisher)).rejects.toMatchObject({ code: "NOT_ALLOWED" });

    const old = await world.addVersion({ ...FIRST, version: "0.9.0" }, false);
    const own = await givenMember(platform, "acme", "publisher");
    const trial = await world.launch(own, true);
    await world.begin(trial, { versionId: old.id, settings: {} }, own);
    expect(await world.upgrade(trial)).toMatchObject({ state: "STARTING", rollback: false });
  });

  // Guarantee: one of two concurrent upgrades wins, and the other is refused.
  test("while another is in progress, even if both start at the same moment", async () => {
    const id = await world.launch();
    const results = await Promise.allSettled([world.begin(id), world.begin(id), world.begin(id)]);
    expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
    for (const result of results)
      if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "WRONG_STATE" });
    await world.step();
    await expect(world.begin(id, { versionId: world.first.id, settings: {} })).rejects.toMatchObject({
      code: "WRONG_STATE",
    });
  });
});

describe("again", () => {
  const fail = async (id: string) => {
    world.fake.respond = (response) => void response.writeHead(500).end();
    await world.begin(id);
    await world.step(300);
    expect(await world.upgrade(id)).toMatchObject({ state: "FAILED" });
    world.fake.respond = (response) => void response.end("{}");
  };

  test("a failed upgrade is retried with its answers", async () => {
    const id = await world.launch();
    await fail(id);
    await retryUpgrade(platform, world.customer, id);
    expect(await world.upgrade(id)).toMatchObject({ state: "STARTING", toRevision: 2 });
    await world.step();
    expect(await world.installation(id)).toMatchObject({ versionId: world.second.id, revision: 2 });
    await expect(retryUpgrade(platform, world.customer, id)).rejects.toMatchObject({ code: "WRONG_STATE" });
  });

  test("after a failed one, a new upgrade gets its own revision", async () => {
    const id = await world.launch();
    await fail(id);
    await world.begin(id);
    expect(await world.upgrade(id)).toMatchObject({ fromRevision: 1, toRevision: 3 });
  });

  test("not if something was saved since", async () => {
    const id = await world.launch();
    await fail(id);
    await platform.db.update(installations).set({ revision: 5 });
    await expect(retryUpgrade(platform, world.customer, id)).rejects.toMatchObject({ code: "WRONG_STATE" });
  });

  test("only by members who may operate it", async () => {
    const id = await world.launch();
    await fail(id);
    const publisher = await givenMember(platform, "harbor", "publisher");
    await expect(retryUpgrade(platform, publisher, id)).rejects.toMatchObject({ code: "NOT_ALLOWED" });
  });
});

// Guarantee: what an app may do grows only if a person agrees, and each token has what was agreed to at its revision.
test("a version that asks for more is refused until the customer agrees", async () => {
  const id = await world.launch();
  await stopped(id);
  const permissions = [{ name: "claims:read", purpose: "Reads claims" }];
  const hosts = [{ host: "api.vin.example", purpose: "Decodes VINs" }];
  const limited = await world.addVersion({
    ...SECOND,
    version: "3.0.0",
    core: { ...SECOND.core, hosts, permissions },
  });
  await expect(world.begin(id, { versionId: limited.id })).rejects.toMatchObject({
    code: "BAD_INPUT",
    issues: [{ code: "rights-agree", pointer: "/agree" }],
  });
  await world.begin(id, { versionId: limited.id, agree: true });
  expect((await settingsOf(id, 1)).scope).toBeNull();
  expect((await settingsOf(id, 2)).scope).toBe("claims:read");
  const open = await world.addVersion({ ...SECOND, version: "4.0.0", core: { ...SECOND.core, permissions } });
  await expect(world.begin(id, { versionId: open.id, agree: false })).rejects.toMatchObject({
    code: "BAD_INPUT",
  });
  const fewer = await world.addVersion({
    ...SECOND,
    version: "5.0.0",
    core: { ...SECOND.core, hosts: [], permissions: [] },
  });
  await world.begin(id, { versionId: fewer.id });
  expect((await settingsOf(id, 3)).scope).toBe("");
});
