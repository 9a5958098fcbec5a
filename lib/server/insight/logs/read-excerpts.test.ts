import { sql } from "drizzle-orm";
import { v7 } from "uuid";
import { beforeEach, expect, test } from "vitest";
import { attempts } from "@/drizzle/schema/calls";
import { logExcerpts } from "@/drizzle/schema/insight";
import { installations } from "@/drizzle/schema/installations";
import { configurations } from "@/drizzle/schema/installations-configurations";
import { instances } from "@/drizzle/schema/runtime";
import { workOnce } from "@/tests/deliver";
import { fakeRuntimes } from "@/tests/fake-runtime";
import { callRecorded } from "@/tests/recorded-call";
import {
  givenInstallation,
  givenListing,
  givenMember,
  givenTenant,
  one,
  testPlatform,
} from "@/tests/test-platform";
import { sealSetting } from "../../platform/data-key";
import { sealStateKey } from "../../platform/state-key";
import { ensureInstance } from "../../runtime/ensure-instance";
import { requestExcerpt } from "../call-log/read-call";
import { excerptPool, fileFailures } from "./read-excerpts";

const platform = await testPlatform();
const CANARY = "canary-7391-of-another-customer";

let world: Awaited<ReturnType<typeof givenWorld>>;
beforeEach(async () => {
  world = await givenWorld();
});

/** A publisher that uses its own app, whose instance also serves a customer. `log`: what the app wrote. */
async function givenWorld() {
  const publisher = await givenMember(platform, "acme");
  const customer = await givenMember(platform, "harbor");
  const { version } = await givenListing(platform, publisher, { state: "PUBLIC", verified: true });
  const own = await givenInstallation(
    platform,
    publisher,
    version,
    (await givenTenant(platform, publisher)).tenant.id,
  );
  const other = await givenInstallation(
    platform,
    customer,
    version,
    (await givenTenant(platform, customer)).tenant.id,
  );
  const fake = fakeRuntimes(
    (response, { url }) => void response.writeHead(url === "/health" ? 200 : 500).end(),
  );
  const [runtime] = fake.runtimes.all;
  if (runtime === undefined) throw new Error("no runtime");
  const app = { log: "one\ntwo\n", asked: { since: new Date(0), until: new Date(0) } };
  runtime.logTail = async (_handle, bytes, since = new Date(0), until = new Date(0)) => {
    app.asked = { since, until };
    return Buffer.from(app.log).subarray(-bytes).toString();
  };
  await ensureInstance(platform, fake.runtimes, version.id);
  await platform.db.update(instances).set({ createdAt: sql`now() - interval '1 hour'` });
  return { publisher, customer, version, own, other, fake, app };
}

type Given = Awaited<ReturnType<typeof givenInstallation>>;

/** A call that ended ten seconds ago. */
async function givenCall({ route }: Given = world.own): Promise<string> {
  const autofill = route("autofill");
  const { attemptId } = await callRecorded(platform, autofill.id, { operation: "newBusiness.create" });
  await platform.db.update(attempts).set({
    startedAt: sql`now() - interval '12 seconds'`,
    endedAt: sql`now() - interval '10 seconds'`,
    durationMs: 2_000,
  });
  return attemptId;
}

const readAll = () => workOnce(excerptPool(platform, world.fake.runtimes), 10);

const stored = async () => one(await platform.db.select().from(logExcerpts));

// Guarantee: the page shows what the app wrote during the call, with a second on either side, and nothing of other times.
test("the log between a call's start and end is read once and stored", async () => {
  const attemptId = await givenCall();
  const request = () => requestExcerpt(platform, world.publisher, attemptId);
  await Promise.all([request(), request()]);
  await readAll();
  expect(await stored()).toMatchObject({ attemptId, state: "READ", text: "one\ntwo\n", cut: false });
  const { since, until } = world.app.asked;
  expect((until.getTime() - since.getTime()) / 1_000).toBeCloseTo(4, 1);
  expect((Date.now() - since.getTime()) / 1_000).toBeGreaterThan(12.9);
  world.app.log = "later";
  await request();
  expect(await readAll()).toBe(0);
});

// Guarantee (P3): no state key and no secret of any customer of the version is stored with a call.
test("secrets of every customer and state keys are removed", async () => {
  const { installation } = world.other;
  const place = {
    organizationId: installation.organizationId,
    installationId: installation.id,
    name: "apiKey",
  };
  const sealed = await sealSetting(platform, platform.db, place, CANARY);
  const origin = { type: "Password" as const, setIn: 1, updatedAt: new Date().toISOString(), by: "x" };
  await platform.db
    .update(configurations)
    .set({ settings: { apiKey: { kind: "sealed", sealed, ...origin } } });
  const key = sealStateKey(platform.keyring, {
    installationId: installation.id,
    routeId: v7(),
    attemptId: v7(),
    revision: 1,
    epoch: 0,
    expiresAt: new Date(),
  });
  world.app.log = `calls with ${CANARY}\n${Buffer.from(CANARY).toString("base64")} again\nkey ${key}\nrest\n`;
  await requestExcerpt(platform, world.publisher, await givenCall());
  await readAll();
  const { text } = await stored();
  expect(text).not.toContain("canary");
  expect(text).not.toContain(key.slice(0, 40));
  expect(text).toMatch(/^calls with \[secret: apiKey\].* again\nkey \[state key\]\nrest\n$/s);
});

test("a flood is cut to its last 200 lines and 32 KiB", async () => {
  world.app.log = Array.from({ length: 1_000 }, (_, line) => `line ${line}\n`).join("");
  await requestExcerpt(platform, world.publisher, await givenCall());
  await readAll();
  const few = await stored();
  expect(few.cut).toBe(true);
  expect(few.text?.startsWith("line 800\n")).toBe(true);
  expect(few.text?.split("\n")).toHaveLength(201);
  await platform.db.delete(logExcerpts);
  world.app.log = `${"x".repeat(1_000)}\n`.repeat(1_000);
  await requestExcerpt(platform, world.publisher, await givenCall());
  await readAll();
  const { text, cut } = await stored();
  expect(cut).toBe(true);
  expect(Buffer.byteLength(text ?? "")).toBeLessThanOrEqual(32 * 1024);
});

test("the log of an instance that is gone is gone, and its instance is known", async () => {
  const attemptId = await givenCall();
  const [handle = ""] = world.fake.handles();
  await world.fake.runtimes.byName().stop(handle, 0);
  await requestExcerpt(platform, world.publisher, attemptId);
  await readAll();
  const { id } = one(await platform.db.select().from(instances));
  expect(await stored()).toMatchObject({ state: "GONE", text: null, instanceId: id });
});

test("a call from before the instance, which names none, has no log", async () => {
  const attemptId = await givenCall();
  await platform.db.update(attempts).set({ instanceId: null });
  await platform.db.update(instances).set({ createdAt: sql`now()` });
  await requestExcerpt(platform, world.publisher, attemptId);
  await readAll();
  expect(await stored()).toMatchObject({ state: "GONE", instanceId: null });
});

// Guarantee: nobody reads in an app's log what the app does for other customers.
test("customers, operators and strangers can't ask for a log, and a call in progress has none yet", async () => {
  const [mine, theirs] = [await givenCall(), await givenCall(world.other)];
  const ask = (who: typeof world.publisher, id: string) => requestExcerpt(platform, who, id);
  const notFound = { code: "NOT_FOUND" };
  await expect(ask(world.customer, theirs)).rejects.toMatchObject(notFound);
  await expect(ask(world.publisher, theirs)).rejects.toMatchObject(notFound);
  await expect(ask(await givenMember(platform, "acme", "operator"), mine)).rejects.toMatchObject(notFound);
  for (const id of [v7(), "x"]) await expect(ask(world.publisher, id)).rejects.toMatchObject(notFound);
  await platform.db.update(attempts).set({ durationMs: null, endedAt: null });
  await expect(ask(world.publisher, mine)).rejects.toMatchObject({ code: "WRONG_STATE" });
  expect(await platform.db.$count(logExcerpts)).toBe(0);
});

// Guarantee: the log of a call that failed is still there when somebody looks, also after the app crashed.
test("the logs of calls that failed are filed by themselves, if somebody may read them", async () => {
  const failed = await givenCall();
  await givenCall(world.other);
  await fileFailures(platform);
  await fileFailures(platform);
  await readAll();
  expect(await stored()).toMatchObject({ attemptId: failed, state: "READ" });
  await platform.db.delete(logExcerpts);
  await platform.db.update(attempts).set({ failure: null });
  await fileFailures(platform);
  expect(await platform.db.$count(logExcerpts)).toBe(0);
});

test("an excerpt is not read before its period is over, and is removed with its call", async () => {
  const attemptId = await givenCall();
  await requestExcerpt(platform, world.publisher, attemptId);
  await platform.db.update(attempts).set({ endedAt: sql`now()` });
  expect(await readAll()).toBe(0);
  await platform.db.delete(attempts);
  expect(await platform.db.$count(logExcerpts)).toBe(0);
  expect(await platform.db.$count(installations)).toBe(2);
});
