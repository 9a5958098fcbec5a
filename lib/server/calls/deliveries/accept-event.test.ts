import { createHash } from "node:crypto";
import { asc, eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { deliveries, events, routes } from "@/drizzle/schema/calls";
import { installations } from "@/drizzle/schema/installations";
import { matchesAny } from "@/lib/domain/calls/events";
import {
  anotherProcess,
  givenCredential,
  givenInstallation,
  givenListing,
  givenMember,
  givenTenant,
  one,
  testPlatform,
} from "@/tests/test-platform";
import { recognizeCore } from "../../accounts/credentials/authenticate-core";
import { revokeCoreCredential } from "../../installations/tenants/credentials";
import { readTenant } from "../../installations/tenants/read-tenants";
import { acceptFromCore } from "./accept-event";

const platform = await testPlatform();
const CREDENTIAL = "pcc_test-credential-of-a-core";

let world: Awaited<ReturnType<typeof givenWorld>>;
beforeEach(async () => {
  world = await givenWorld("harbor", CREDENTIAL);
});

async function givenWorld(slug: string, credential: string) {
  const customer = await givenMember(platform, slug);
  const { tenant } = await givenTenant(platform, customer);
  await givenCredential(platform, tenant.id, credential);
  const { version } = await givenListing(platform, customer, { state: "PUBLIC", verified: true });
  const { installation } = await givenInstallation(platform, customer, version, tenant.id);
  const core = await recognizeCore(platform, `Bearer ${credential}`);
  const accept = (id: string, { type = "policy.issued", data = {} as unknown } = {}) =>
    acceptFromCore(platform, core, { id, type }, JSON.stringify({ id, type, data }));
  return { customer, tenant, installation, core, accept };
}

const allEvents = () => platform.db.select().from(events).orderBy(asc(events.id));
const allDeliveries = () => platform.db.select().from(deliveries).orderBy(asc(deliveries.id));
const setPatterns = (patterns: string[]) =>
  platform.db.update(routes).set({ patterns }).where(eq(routes.kind, "webhook"));

// Guarantee: what is answered is stored, with a delivery for each subscriber, exactly as the core sent it.
test("an accepted event is stored with its deliveries", async () => {
  const accepted = await world.accept("e1", { data: "ü \\u0000 \n" });
  expect(accepted).toEqual({ eventId: expect.any(String), deliveries: 1, duplicate: false });
  const stored = one(await allEvents());
  expect(stored).toMatchObject({ id: accepted.eventId, eventId: "e1", type: "policy.issued", test: false });
  expect(stored.body).toBe(JSON.stringify({ id: "e1", type: "policy.issued", data: "ü \\u0000 \n" }));
  expect(stored.bodyHash).toBe(createHash("sha256").update(stored.body).digest("hex"));
  const delivery = one(await allDeliveries());
  expect(delivery).toMatchObject({
    eventId: accepted.eventId,
    installationId: world.installation.id,
    state: "PENDING",
    attemptCount: 0,
  });
  // It sorts by creation like every other id.
  expect(delivery.id.slice(0, 15)).toBe(accepted.eventId.slice(0, 15));
});

// Guarantee: however often and however concurrently a core sends an event, there is one event and one set of deliveries.
test("the same event again gets the first result, even concurrently", async () => {
  const all = await Promise.all(Array.from({ length: 40 }, () => world.accept("e1")));
  all.push(await world.accept("e1"));
  expect(all.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
  expect(new Set(all.map(({ eventId, deliveries: count }) => `${eventId} ${count}`)).size).toBe(1);
  expect(await allDeliveries()).toHaveLength(1);
});

// Guarantee: an id never identifies two events. The first one is kept, even after its body is deleted.
test.each(["kept", "emptied"])(
  "the same id with another body is refused (the first body is %s)",
  async (state) => {
    const first = await world.accept("e1", { data: 1 });
    if (state === "emptied") await platform.pool.query("update events set body = ''");
    const refused = { code: "EVENT_ID_REUSED", status: 409, detail: /own id.*exactly the same text/ };
    await expect(world.accept("e1", { data: 2 })).rejects.toMatchObject(refused);
    await expect(world.accept("e1", { data: 1, type: "policy.changed" })).rejects.toMatchObject(refused);
    expect(await world.accept("e1", { data: 1 })).toEqual({ ...first, duplicate: true });
    expect(await allEvents()).toHaveLength(1);
  },
);

test("of concurrent events with one id and different bodies, one is accepted and the others are refused", async () => {
  const all = await Promise.allSettled(Array.from({ length: 8 }, (_, data) => world.accept("e1", { data })));
  expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  for (const each of all)
    if (each.status === "rejected") expect(each.reason).toMatchObject({ code: "EVENT_ID_REUSED" });
  expect(await allEvents()).toHaveLength(1);
});

test("another tenant's event with the same id is another event", async () => {
  const other = await givenWorld("alpine", "pcc_test-credential-of-another");
  const [mine, theirs] = await Promise.all([
    world.accept("e1", { data: 1 }),
    other.accept("e1", { data: 2 }),
  ]);
  expect(mine.duplicate || theirs.duplicate).toBe(false);
  expect((await allDeliveries()).map(({ installationId }) => installationId).sort()).toEqual(
    [world.installation.id, other.installation.id].sort(),
  );
});

// Guarantee: the statement finds the subscribers that the rule of lib/domain/calls/events.ts names.
test.each([
  ["policy.issued"],
  ["policy.*"],
  ["*.issued"],
  ["*"],
  ["policy"],
  ["policy.*.late"],
  ["POLICY.issued"],
  ["polic_.issued"],
])("a webhook for %s", async (pattern) => {
  await setPatterns(["claim.opened", pattern]);
  const types = ["policy.issued", "policy.issued.late", "policy", "claim.opened", "policyXissued", "a-b.c_d"];
  for (const type of types)
    expect((await world.accept(`e-${type}`, { type })).deliveries, type).toBe(
      matchesAny(["claim.opened", pattern], type) ? 1 : 0,
    );
});

test("the longest type that is accepted finds its subscribers", async () => {
  await setPatterns([Array.from({ length: 50 }, () => "*").join(".")]);
  const type = Array.from({ length: 50 }, () => "a").join(".");
  expect(await world.accept("e1", { type })).toMatchObject({ deliveries: 1 });
});

// Guarantee: a change of who subscribes applies to the next event.
test("stopped installations, ended and removed routes get nothing from that moment on", async () => {
  const changes = [
    () => platform.db.update(installations).set({ state: "STOPPED" }),
    () => platform.db.update(installations).set({ state: "RUNNING" }),
    () => platform.db.update(routes).set({ endedAt: new Date() }),
    () => platform.db.update(routes).set({ endedAt: null, removedAt: new Date() }),
    () => platform.db.update(routes).set({ removedAt: null }),
  ];
  const counts: number[] = [];
  for (const [at, change] of changes.entries()) {
    await change();
    counts.push((await world.accept(`e${at}`)).deliveries);
  }
  expect(counts).toEqual([0, 1, 0, 0, 1]);
});

// Guarantee: a credential that was revoked or expired accepts nothing more, although this process recognized it before.
test.each(["revoked", "expired"])("an event with a credential that is %s is refused", async (how) => {
  await world.accept("e1");
  const { coreCredentials } = await readTenant(platform, world.customer, world.tenant.id);
  if (how === "revoked")
    await revokeCoreCredential(platform, world.customer, world.tenant.id, coreCredentials[0]?.id ?? "");
  else await platform.pool.query("update core_credentials set expires_at = now()");
  await expect(world.accept("e2")).rejects.toMatchObject({ code: "WRONG_CREDENTIALS" });
  await expect(world.accept("e1")).rejects.toMatchObject({ code: "WRONG_CREDENTIALS" });
  expect(await allEvents()).toHaveLength(1);
});

// Guarantee: one event that the database refuses fails alone, with all that was sent at the same time stored.
test("a bad event does not fail its neighbors", async () => {
  const bad = acceptFromCore(platform, world.core, { id: "bad\0", type: "policy.issued" }, "{}");
  const others = Array.from({ length: 10 }, (_, n) => world.accept(`e${n}`));
  await expect(bad).rejects.toThrow();
  expect((await Promise.all(others)).every(({ duplicate }) => !duplicate)).toBe(true);
  expect(await allEvents()).toHaveLength(10);
});

test("an event that is too large is refused with a reason", async () => {
  const data = "x".repeat(1024 * 1024);
  await expect(world.accept("e1", { data })).rejects.toMatchObject({ code: "TOO_LARGE" });
});

// Guarantee: two processes that receive the same events in different orders wait for each other, and none fails.
test("concurrent groups with the same events in other orders never deadlock", async () => {
  const second = anotherProcess(platform);
  const ids = Array.from({ length: 60 }, (_, n) => `e${n}`);
  const send = (through: typeof platform, order: string[]) =>
    Promise.all(
      order.map((id) =>
        acceptFromCore(through, world.core, { id, type: "policy.issued" }, JSON.stringify({ id })),
      ),
    );
  const all = (await Promise.all([send(platform, ids), send(second, ids.toReversed())])).flat();
  expect(all.filter(({ duplicate }) => !duplicate)).toHaveLength(60);
  expect(await allDeliveries()).toHaveLength(60);
});
