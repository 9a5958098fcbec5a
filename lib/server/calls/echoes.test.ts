import { randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { attempts } from "@/drizzle/schema/calls";
import { installations } from "@/drizzle/schema/installations";
import {
  configurations,
  secretEvents,
  type StoredSetting,
} from "@/drizzle/schema/installations-configurations";
import { instances } from "@/drizzle/schema/runtime";
import type { Member } from "@/lib/domain/platform/actor";
import { sendDueDeliveries } from "@/tests/deliver";
import { givenInstance, type Respond } from "@/tests/fake-app";
import { fakeRuntimes } from "@/tests/fake-runtime";
import { callRecorded } from "@/tests/recorded-call";
import {
  givenInstallation,
  givenListing,
  givenMember,
  givenTenant,
  givenVersion,
  one,
  testPlatform,
} from "@/tests/test-platform";
import { advanceInstallations } from "@/tests/work";
import { changeSettings } from "../accounts/organization";
import { sealSetting } from "../platform/data-key";
import { checkInstances } from "../runtime/check-instances";
import { ensureInstance } from "../runtime/ensure-instance";
import { acceptEvent } from "./deliveries/accept-event";

const platform = await testPlatform();
const CREATE = { operation: "newBusiness.create" };
const CANARY = 'canary "7391" / ü';
const MARK = "[secret: apiKey]";
const FORMS = [
  CANARY,
  JSON.stringify(CANARY).slice(1, -1),
  encodeURIComponent(CANARY),
  Buffer.from(CANARY).toString("base64"),
  Buffer.from(CANARY).toString("hex"),
];

let world: Awaited<ReturnType<typeof givenWorld>>;
beforeEach(async () => {
  world = await givenWorld();
});

async function givenWorld() {
  const publisher = await givenMember(platform, "acme");
  const customer = await givenMember(platform, "harbor");
  const { version } = await givenListing(platform, publisher, { state: "PUBLIC", verified: true });
  const { tenant, installation, route } = await givenSealed(customer, version);
  const autofill = route("autofill");
  await changeSettings(platform, customer, { recordBodies: true });
  return { publisher, customer, version, tenant, installation, autofill };
}

async function givenSealed(
  customer: Member,
  version: Parameters<typeof givenInstallation>[2],
  value = CANARY,
) {
  const { tenant } = await givenTenant(platform, customer);
  const given = await givenInstallation(platform, customer, version, tenant.id);
  await platform.db
    .update(configurations)
    .set({ settings: await sealedKey(given.installation, value) })
    .where(eq(configurations.installationId, given.installation.id));
  return { tenant, ...given };
}

async function sealedKey({ organizationId, id }: { organizationId: string; id: string }, value: string) {
  const sealed = await sealSetting(
    platform,
    platform.db,
    { organizationId, installationId: id, name: "apiKey" },
    value,
  );
  const origin = { type: "Password" as const, setIn: 1, updatedAt: new Date().toISOString(), by: "x" };
  return { apiKey: { kind: "sealed" as const, sealed, ...origin } };
}

/** Replaces the first revision by a second one; `scrubbed` if no key can read the first one anymore. */
async function givenNextRevision(
  value: string,
  versionId = world.version.id,
  scrubbed = false,
): Promise<void> {
  const { id, createdBy } = world.installation;
  const settings = await sealedKey(world.installation, value);
  await platform.db
    .update(configurations)
    .set({ supersededAt: new Date(), ...(scrubbed ? { settings: {}, scrubbedAt: new Date() } : {}) })
    .where(eq(configurations.installationId, id));
  await platform.db
    .insert(configurations)
    .values({ installationId: id, revision: 2, versionId, settings, mappings: [], createdBy });
  await platform.db.update(installations).set({ revision: 2, versionId }).where(eq(installations.id, id));
}

/** The part of this log that is stored when an instance of the version fails. */
async function storeLog(log: string): Promise<string | null> {
  const fake = fakeRuntimes((response) => void response.end());
  const [runtime] = fake.runtimes.all;
  if (runtime === undefined) throw new Error("no runtime");
  const writtenAt = new Date();
  runtime.logTail = async (_handle, bytes, since) =>
    since !== undefined && since > writtenAt ? "" : Buffer.from(log).subarray(-bytes).toString();
  await ensureInstance(platform, fake.runtimes, world.version.id);
  fake.crash();
  await platform.db.update(instances).set({ checkedAt: null });
  await checkInstances(platform, fake.runtimes);
  const { state, logTail } = one(await platform.db.select().from(instances));
  expect(state).toBe("FAILED");
  return logTail;
}

/** The database contains no form of the secret (ciphertexts cannot contain one). */
async function expectNowhere(): Promise<void> {
  for (const table of ["attempts", "installations", "instances", "audit", "configurations"]) {
    const { rows } = await platform.pool.query(`select row_to_json(t)::text as text from ${table} t`);
    for (const form of FORMS) expect(JSON.stringify(rows)).not.toContain(JSON.stringify(form).slice(1, -1));
    expect(JSON.stringify(rows)).not.toContain("canary");
  }
}

const echo: Respond = (response) => void response.end(JSON.stringify({ error: "bad key", forms: FORMS }));

// Guarantee (P3): the caller gets the app's answer unchanged; what is stored has no secret in any form.
test("an echo in an answer and in a payload is stored without the secret", async () => {
  await givenInstance(platform, world.version.id, echo);
  const result = await callRecorded(platform, world.autofill.id, { ...CREATE, pasted: CANARY });
  expect(JSON.parse(result.answer ?? "")).toEqual({ error: "bad key", forms: FORMS });
  const attempt = one(await platform.db.select().from(attempts));
  expect(attempt.payload).toBe(`{"operation":"newBusiness.create","pasted":"${MARK}"}`);
  expect(JSON.parse(attempt.answer ?? "")).toEqual({ error: "bad key", forms: FORMS.map(() => MARK) });
  await expectNowhere();
});

// Guarantee: a replaced secret that the app read earlier is not stored either, as long as it is sealed anywhere.
test("an echo of the former secret is stored without it", async () => {
  await givenNextRevision("newer-canary-1");
  await givenInstance(
    platform,
    world.version.id,
    (response) => void response.end(JSON.stringify([CANARY, "newer-canary-1"])),
  );
  await callRecorded(platform, world.autofill.id, CREATE);
  expect(one(await platform.db.select().from(attempts)).answer).toBe(JSON.stringify([MARK, MARK]));
  await expectNowhere();
});

test("a failure quotes no header of the app", async () => {
  const encoding = Buffer.from(CANARY).toString("base64");
  await givenInstance(
    platform,
    world.version.id,
    (response) => void response.writeHead(200, { "content-encoding": encoding }).end("x"),
  );
  const { failure } = await callRecorded(platform, world.autofill.id, CREATE);
  expect(failure).toBe(
    "Its content-encoding header names an encoding that the platform doesn't know. Remove the header: a character set belongs in content-type.",
  );
  await expectNowhere();
});

test("an echo in the answer to an event is stored without the secret", async () => {
  await givenInstance(platform, world.version.id, echo);
  const event = {
    id: "e1",
    type: "policy.issued",
    timestamp: "2026-01-01T00:00:00Z",
    data: { note: CANARY },
  };
  await acceptEvent(platform, world.tenant.id, event);
  expect(await sendDueDeliveries(platform)).toBe(1);
  const attempt = one(await platform.db.select().from(attempts));
  expect(attempt.payload).toContain(`"note":"${MARK}"`);
  await expectNowhere();
});

// Guarantee: a reason is searched for secrets after it was put on one line.
test.each([
  ["unchanged", CANARY],
  ["broken into two lines", CANARY.replace(" ", "\n  ")],
])("the hook's answer in the reason of an ERROR has no secret, %s", async (_how, said) => {
  const fake = fakeRuntimes((response, { url }) =>
    url.startsWith("/_app/install")
      ? void response.writeHead(401).end(`'${said}' is not a key`)
      : void response.end(),
  );
  await platform.db.update(installations).set({ state: "LAUNCHING" });
  await advanceInstallations(platform, fake.runtimes);
  const { state, reason } = one(await platform.db.select().from(installations));
  expect({ state, reason }).toEqual({
    state: "ERROR",
    reason: `The install hook failed. It returned 401. The app said: '${MARK}' is not a key`,
  });
  if (said === CANARY) await expectNowhere();
});

// Guarantee: a value that cannot be opened does not block an uninstall.
test("a broken ciphertext does not block a call", async () => {
  await platform.pool.query(
    `update configurations set settings = jsonb_set(settings, '{apiKey,sealed}', '"AAAA"')`,
  );
  await givenInstance(platform, world.version.id, (response) => void response.end("{}"));
  expect(await callRecorded(platform, world.autofill.id, CREATE)).toMatchObject({
    status: 200,
    failure: null,
  });
});

// Guarantee: a publisher can read its app's log, without any customer's secret.
test("the log of a failed instance is stored without the secrets of any customer", async () => {
  const alpine = await givenMember(platform, "alpine");
  await givenSealed(alpine, world.version, "other-canary-99");
  const log = `key ${CANARY}\n${Buffer.from("other-canary-99").toString("base64")}\nbye`;
  expect(await storeLog(log)).toBe(`key ${MARK}\n${MARK}\nbye`);
  await expectNowhere();
});

// Guarantee (P3): a key that an app logs is live for up to 15 minutes. Nobody who reads the log may use it.
test.each([
  ["in a message", (key: string) => `Error: cannot fetch /state/${key}\n    at app.js:7`],
  ["in base64", (key: string) => `headers ${Buffer.from(`x-PLATFORM-key: ${key}`).toString("base64")}`],
  ["of a version without secrets", (key: string) => `key ${key}`],
  ["cut at the start", (key: string) => `${key}\n`.repeat(2000)],
])("the log of a crashed app has no state key and no token, %s", async (how, write) => {
  if (how.includes("without secrets")) await platform.db.update(configurations).set({ settings: {} });
  const key = `psk_${randomBytes(96).toString("base64url")}`;
  const token = `eyJhbGciOiJFZERTQSJ9.${Buffer.from('{"iss":"x","sub":"y"}').toString("base64url")}.${randomBytes(64).toString("base64url")}`;
  const kept = (await storeLog(`${write(token)} and\n${write(key)}`)) ?? "";
  expect(kept).toContain("[state key]");
  for (const secret of [key, token])
    for (const form of [secret, Buffer.from(secret).toString("base64")])
      for (const part of [form.slice(20, 60), form.slice(-40, -3)]) expect(kept).not.toContain(part);
  await expectNowhere();
});

// Guarantee (P3): a token for the core is valid for 15 minutes, and every app gets one with each call.
test("an echoed token is not stored, no matter whom it was issued for", async () => {
  const token = await platform.services.tokens.sign({
    audience: "https://core.example",
    organization: "harbor",
    tenant: "harbor.core.example",
    subject: world.installation.id,
    tokenId: world.autofill.id,
  });
  const foreign = `psk_${randomBytes(96).toString("base64url")}`;
  await givenInstance(
    platform,
    world.version.id,
    (response) =>
      void response
        .writeHead(500)
        .end(JSON.stringify({ token, foreign, hex: Buffer.from(token).toString("hex") })),
  );
  await callRecorded(platform, world.autofill.id, { ...CREATE, pasted: token });
  const { payload, answer } = one(await platform.db.select().from(attempts));
  expect(payload).toBe('{"operation":"newBusiness.create","pasted":"[token]"}');
  expect(answer).toBe('{"token":"[token]","foreign":"[state key]","hex":"[token]"}');
});

// Guarantee: the log of an old instance has no secret of a customer that upgraded to another version.
test.each([
  ["while the former revision is sealed", "newer-canary-1", false],
  ["when only the later version has it", CANARY, true],
])("a customer that upgraded away, %s", async (_when, value, scrubbed) => {
  await givenSealed(await givenMember(platform, "alpine"), world.version, "other-canary-99");
  const later = await givenVersion(platform, world.version, "9.0.0");
  await givenNextRevision(value, later.id, scrubbed);
  expect(await storeLog(`key ${CANARY}\nother-canary-99`)).toBe(`key ${MARK}\n${MARK}`);
  await expectNowhere();
});

// Guarantee (P3): a deleted secret can't be found in a log, so what was written before its deletion is not stored.
test.each([
  ["an uninstall", "removed" as const],
  ["a replaced value that no revision has anymore", undefined],
])("the log from before %s is not stored", async (_what, action) => {
  const { id } = world.installation;
  if (action === undefined) {
    const gone: StoredSetting = { kind: "gone", type: "Password", setIn: 1, updatedAt: "", by: "" };
    const scrubbed = { settings: { apiKey: gone }, scrubbedAt: new Date() };
    await platform.db.update(configurations).set(scrubbed).where(eq(configurations.installationId, id));
  } else {
    await platform.db
      .insert(secretEvents)
      .values({ installationId: id, revision: 1, name: "apiKey", action });
    await platform.db
      .update(configurations)
      .set({ settings: {} })
      .where(eq(configurations.installationId, id));
  }
  expect(await storeLog(`key ${CANARY}`)).toBe("");
  await expectNowhere();
});

test("a log of a failed start that begins within a secret contains none of it", async () => {
  const long = "canary-0123456789".repeat(400);
  await givenSealed(await givenMember(platform, "alpine"), world.version, long);
  const fake = fakeRuntimes((response) => void response.writeHead(500).end());
  const [runtime] = fake.runtimes.all;
  if (runtime === undefined) throw new Error("no runtime");
  const log = `${long}\n`.repeat(5) + "x".repeat(100);
  runtime.logTail = async (_handle, bytes) => Buffer.from(log).subarray(-bytes).toString();
  await expect(ensureInstance(platform, fake.runtimes, world.version.id, 300)).rejects.toMatchObject({
    code: "APP_FAILED",
  });
  const { logTail } = one(await platform.db.select().from(instances));
  expect(logTail).toContain("x".repeat(100));
  expect(logTail).not.toContain("canary");
  expect(logTail).not.toContain("0123456789");
});
