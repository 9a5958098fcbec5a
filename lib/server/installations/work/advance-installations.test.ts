import { asc, eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { attempts, deliveries } from "@/drizzle/schema/calls";
import { installations } from "@/drizzle/schema/installations";
import { configurations } from "@/drizzle/schema/installations-configurations";
import { audit } from "@/drizzle/schema/platform";
import type { InstallationState } from "@/lib/contract/catalog/installation-states";
import { Problem } from "@/lib/contract/platform/problem";
import { type Respond, UNREADABLE } from "@/tests/fake-app";
import { fakeRuntimes } from "@/tests/fake-runtime";
import {
  givenInstallation,
  givenListing,
  givenMember,
  givenTenant,
  one,
  testPlatform,
} from "@/tests/test-platform";
import { advanceInstallations, claimMovingInstallations } from "@/tests/work";
import { acceptEvent } from "../../calls/deliveries/accept-event";
import { openStateKey } from "../../platform/state-key";
import { InstanceFailure } from "../../runtime/engines/runtime";
import { readInstallation } from "../read-installation";

const platform = await testPlatform();
const obliging: Respond = (response) => void response.end("ok");
/** Healthy, but one hook answers 500. */
const failing =
  (hook: string): Respond =>
  (response, received) =>
    void (received.url.startsWith(`/_app/${hook}?`)
      ? response.writeHead(500).end("no\u001b licence\nfor you")
      : response.end("ok"));

let world: Awaited<ReturnType<typeof givenWorld>>;
beforeEach(async () => {
  world = await givenWorld();
});
afterEach(() => void vi.restoreAllMocks());

async function givenWorld() {
  const publisher = await givenMember(platform, "acme");
  const { version } = await givenListing(platform, publisher, { state: "PUBLIC", verified: true });
  const { tenant } = await givenTenant(platform, publisher);
  const { installation, route } = await givenInstallation(platform, publisher, version, tenant.id);
  const lifecycle = route("lifecycle");
  return { publisher, version, tenant, installation, lifecycle };
}

const move = (state: InstallationState) =>
  platform.db.update(installations).set({ state, leasedUntil: null });
const theInstallation = async () => one(await platform.db.select().from(installations));
const hooks = async () => {
  const rows = await platform.db
    .select()
    .from(attempts)
    .where(eq(attempts.kind, "lifecycle"))
    .orderBy(asc(attempts.id));
  return rows.map((row) => /_app\/(\w+)/.exec(row.target)?.[1]);
};
const audited = async () =>
  (await platform.db.select().from(audit).orderBy(asc(audit.position))).map((row) => row.action);

// Guarantee: install runs once at the first launch, start at each launch, and only then calls arrive.
test("launch, stop, launch again, uninstall: each hook in its turn, install once", async () => {
  const fake = fakeRuntimes(obliging);
  for (const [state, settled] of [
    ["LAUNCHING", "RUNNING"],
    ["STOPPING", "STOPPED"],
    ["LAUNCHING", "RUNNING"],
    ["UNINSTALLING", "UNINSTALLED"],
  ] as const) {
    await move(state);
    expect(await advanceInstallations(platform, fake.runtimes)).toBe(1);
    expect(await theInstallation()).toMatchObject({ state: settled, reason: null, leasedUntil: null });
    expect(fake.handles()).toHaveLength(settled === "RUNNING" ? 1 : 0);
  }
  expect(await hooks()).toEqual(["install", "start", "stop", "start", "stop", "uninstall"]);
  expect(await audited()).toEqual([
    "installation.run",
    "installation.rest",
    "installation.run",
    "installation.remove",
  ]);
  expect(await advanceInstallations(platform, fake.runtimes)).toBe(0);
});

// Guarantee: a hook that the app accepted succeeded, whatever the body that nobody needs.
test.each(UNREADABLE)("hooks that are answered with 200 and $name succeed", async ({ respond }) => {
  const fake = fakeRuntimes(respond);
  for (const [state, settled] of [
    ["LAUNCHING", "RUNNING"],
    ["STOPPING", "STOPPED"],
    ["UNINSTALLING", "UNINSTALLED"],
  ] as const) {
    await move(state);
    await advanceInstallations(platform, fake.runtimes);
    expect(await theInstallation()).toMatchObject({ state: settled, reason: null });
  }
  expect(await hooks()).toEqual(["install", "start", "stop", "uninstall"]);
  const ended = await platform.db.select({ failure: attempts.failure, fault: attempts.fault }).from(attempts);
  expect(new Set(ended.flatMap((each) => Object.values(each)))).toEqual(new Set([null]));
});

// Guarantee: whatever an engine says of an image, its launch ends once, with a reason, and is not tried again and again.
test.each<[string, InstanceFailure, string]>([
  [
    "that can't be stored as it is",
    new InstanceFailure("COMMAND_NOT_STARTED", "lstat /a\0b: invalid argument"),
    "lstat /a\uFFFDb: invalid argument.",
  ],
  ["whose details PostgreSQL refuses", new InstanceFailure("EXITED", "It exited.", 2 ** 40), "It exited."],
])("a launch with a failure %s ends in ERROR", async (_what, failure, reason) => {
  vi.spyOn(platform.log, "error").mockImplementation(() => undefined);
  const { runtimes } = fakeRuntimes(obliging);
  const start = vi.spyOn(one(runtimes.all), "start").mockRejectedValue(failure);
  await move("LAUNCHING");
  expect(await advanceInstallations(platform, runtimes)).toBe(1);
  expect(await theInstallation()).toMatchObject({ state: "ERROR", reason, leasedUntil: null });
  expect(await advanceInstallations(platform, runtimes)).toBe(0);
  expect(start).toHaveBeenCalledOnce();
});

test("a hook is a GET with the route's address and a key for this installation's state", async () => {
  const fake = fakeRuntimes(obliging);
  await move("LAUNCHING");
  await advanceInstallations(platform, fake.runtimes);
  const install = fake.app().received.find((received) => received.url.startsWith("/_app/install"));
  const route = `${platform.environment.PLATFORM_GATEWAY_URL}/r/${world.installation.routeBase}`;
  expect(install).toMatchObject({ method: "GET", url: `/_app/install?route=${encodeURIComponent(route)}` });
  const opened = openStateKey(platform.keyring, String(install?.headers["x-platform-key"]));
  expect(opened).toMatchObject({ installationId: world.installation.id, routeId: world.lifecycle.id });
});

test.each(["install", "start"])(
  "a failed %s hook ends in ERROR with its status and answer, and may be tried again",
  async (hook) => {
    const fake = fakeRuntimes(failing(hook));
    await move("LAUNCHING");
    await advanceInstallations(platform, fake.runtimes);
    const reason = `The ${hook} hook failed. It returned 500. The app said: no licence for you`;
    expect(await theInstallation()).toMatchObject({ state: "ERROR", reason });
    expect(fake.handles()).toEqual([]);

    fake.respond = obliging;
    await move("LAUNCHING");
    await advanceInstallations(platform, fake.runtimes);
    expect(await theInstallation()).toMatchObject({ state: "RUNNING", reason: null });
    expect((await hooks()).filter((name) => name === "install")).toHaveLength(hook === "install" ? 2 : 1);
  },
);

test("an app that never becomes healthy, and an unavailable engine, end in ERROR with a reason", async () => {
  const fake = fakeRuntimes(obliging);
  const away = {
    ...fake.runtimes,
    forBundle: () => Promise.reject(new Problem("UNAVAILABLE", "No container engine answers.")),
  };
  await move("LAUNCHING");
  await advanceInstallations(platform, away);
  expect(await theInstallation()).toMatchObject({ state: "ERROR", reason: "No container engine answers." });
});

// Guarantee: nothing blocks an uninstall. It also removes the customer's values and pending deliveries.
test("uninstall completes when hooks fail, and removes settings and deliveries", async () => {
  const fake = fakeRuntimes(obliging);
  await move("LAUNCHING");
  await advanceInstallations(platform, fake.runtimes);
  const event = { id: "e1", type: "policy.issued", timestamp: "2026-01-01T00:00:00Z", data: null };
  await acceptEvent(platform, world.tenant.id, event);
  fake.app().respond = failing("uninstall");
  await move("UNINSTALLING");
  await advanceInstallations(platform, fake.runtimes);
  expect(await theInstallation()).toMatchObject({ state: "UNINSTALLED" });
  expect(one(await platform.db.select().from(configurations)).settings).toEqual({});
  expect(one(await platform.db.select().from(deliveries)).state).toBe("ENDED");
});

test("a dead worker's installation is taken over when the lease expires, not earlier", async () => {
  await move("LAUNCHING");
  expect(await claimMovingInstallations(platform, 4)).toHaveLength(1);
  expect(await claimMovingInstallations(platform, 4)).toHaveLength(0);
  await platform.db.update(installations).set({ leasedUntil: new Date(Date.now() - 1000) });
  expect(await claimMovingInstallations(platform, 4)).toHaveLength(1);
});

// Guarantee: the guard is in the UPDATE, so a command in the meantime is not overwritten.
test("a command during the launch wins", async () => {
  const fake = fakeRuntimes(async (response, received) => {
    if (received.url.startsWith("/_app/start?"))
      await platform.db.update(installations).set({ state: "STOPPING" });
    response.end("ok");
  });
  await move("LAUNCHING");
  await advanceInstallations(platform, fake.runtimes);
  expect(await theInstallation()).toMatchObject({ state: "STOPPING", leasedUntil: null });
  await advanceInstallations(platform, fake.runtimes);
  expect(await theInstallation()).toMatchObject({ state: "STOPPED" });
  expect(fake.handles()).toEqual([]);
});

// Guarantee: no matter what a hook responds, the installation settles with a reason that can be stored.
test("a long answer that ends in half an emoji still gives a reason", async () => {
  const said = `${"a".repeat(499)}😀`;
  const fake = fakeRuntimes(
    (response, { url }) =>
      void (url.startsWith("/_app/") ? response.writeHead(500).end(said) : response.end("ok")),
  );
  await move("LAUNCHING");
  await advanceInstallations(platform, fake.runtimes);
  const { state, reason } = await theInstallation();
  expect(state).toBe("ERROR");
  expect(reason).toMatch(/a…$/);
});

// Guarantee: an uninstall during a hook waits for it; then the app gets its uninstall hook, and nothing after it.
test("after an uninstall during the install hook, the app is not started but uninstalled", async () => {
  const claimed: number[] = [];
  const fake = fakeRuntimes(async (response, received) => {
    if (received.url.startsWith("/_app/install?")) {
      await platform.db.update(installations).set({ state: "UNINSTALLING" });
      claimed.push((await claimMovingInstallations(platform, 4)).length);
    }
    response.end("ok");
  });
  await move("LAUNCHING");
  await advanceInstallations(platform, fake.runtimes);
  expect(claimed).toEqual([0]);
  await advanceInstallations(platform, fake.runtimes);
  expect(await theInstallation()).toMatchObject({ state: "UNINSTALLED" });
  expect(await hooks()).toEqual(["install", "uninstall"]);
});

test("an install hook whose worker died counts as done at the uninstall", async () => {
  const { installation, lifecycle } = world;
  await platform.db.insert(attempts).values({
    organizationId: installation.organizationId,
    installationId: installation.id,
    routeId: lifecycle.id,
    kind: "lifecycle",
    hook: "install",
    target: "GET /_app/install?route=x",
  });
  await move("UNINSTALLING");
  await advanceInstallations(platform, fakeRuntimes(obliging).runtimes);
  expect(await hooks()).toEqual(["install", "uninstall"]);
});

test("an engine failure does not block an uninstall, and ends a launch with a reason", async () => {
  const written = vi.spyOn(platform.log, "error").mockImplementation(() => undefined);
  const fake = fakeRuntimes(obliging);
  const broken = { ...fake.runtimes, forBundle: () => Promise.reject(new Error("ENOENT: the archive")) };
  await move("LAUNCHING");
  await advanceInstallations(platform, broken);
  expect(await theInstallation()).toMatchObject({
    state: "ERROR",
    reason: "The platform could not start the app. The platform's log has the cause.",
  });
  await platform.db.update(installations).set({ installedAt: new Date() });
  await move("UNINSTALLING");
  await advanceInstallations(platform, broken);
  expect(await theInstallation()).toMatchObject({ state: "UNINSTALLED" });
  expect(written).toHaveBeenCalledTimes(2);
});

// Guarantee: apps that hang in their hooks delay no other organization.
test("two installations of an organization are advanced at a time, the next when one of them settles", async () => {
  const { publisher, version } = world;
  const other = await givenMember(platform, "alpine");
  for (const [member, name] of [
    [publisher, "Second"],
    [publisher, "Third"],
    [other, "First"],
  ] as const) {
    const { tenant } = await givenTenant(platform, member, `${name}.core.example`, name);
    await givenInstallation(platform, member, version, tenant.id);
  }
  await move("STOPPING");
  const claimed = await claimMovingInstallations(platform, 8);
  const mine = claimed.filter(({ organizationId }) => organizationId === publisher.organization.id);
  expect([mine.length, claimed.length]).toEqual([2, 3]);
  expect(await claimMovingInstallations(platform, 8)).toEqual([]);
  await platform.db
    .update(installations)
    .set({ state: "STOPPED", leasedUntil: null })
    .where(eq(installations.id, mine[0]?.id ?? ""));
  expect(await claimMovingInstallations(platform, 8)).toHaveLength(1);
});

// Guarantee: no installation ends in ERROR because of another customer's call.
test("an instance that another call crashes during a hook is started again, and the launch succeeds", async () => {
  let crashes = 2;
  const fake = fakeRuntimes((response, { url }) => {
    if (url.startsWith("/_app/start?") && crashes > 0) {
      crashes -= 1;
      return fake.crash();
    }
    response.end("ok");
  });
  await move("LAUNCHING");
  await advanceInstallations(platform, fake.runtimes);
  expect(await theInstallation()).toMatchObject({ state: "RUNNING", reason: null });
  // The install hook had succeeded, so it is not called again.
  expect(await hooks()).toEqual(["install", "start", "start", "start"]);
});

test("an app that ends in its own hook each time fails the launch with the hook's reason", async () => {
  const fake = fakeRuntimes((response, { url }) => {
    if (url.startsWith("/_app/start?")) return fake.crash();
    response.end("ok");
  });
  await move("LAUNCHING");
  await advanceInstallations(platform, fake.runtimes);
  expect(await theInstallation()).toMatchObject({
    state: "ERROR",
    reason:
      "The start hook failed. It closed the connection before its response was complete. If it crashed, its log shows why.",
  });
});

test("after a failed hook, the end of the log is kept", async () => {
  const fake = fakeRuntimes(failing("install"));
  await move("LAUNCHING");
  await advanceInstallations(platform, fake.runtimes);
  const page = await readInstallation(platform, world.publisher, world.installation.id);
  expect(page.instance).toMatchObject({ state: "STOPPED", log: { text: "the log's end" } });
});
