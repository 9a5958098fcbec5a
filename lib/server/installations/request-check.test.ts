import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { attempts } from "@/drizzle/schema/calls";
import { versions } from "@/drizzle/schema/catalog";
import { installations } from "@/drizzle/schema/installations";
import { configurationChecks } from "@/drizzle/schema/installations-configurations";
import { suspensions } from "@/drizzle/schema/moderation";
import { instances } from "@/drizzle/schema/runtime";
import type {
  ConfigurationCheckInput,
  SettingAction,
  StateRecord,
} from "@/lib/contract/catalog/configuration";
import type { Manifest } from "@/lib/contract/catalog/manifest";
import { listSettings } from "@/lib/contract/platform/manifest-terms";
import type { Member } from "@/lib/domain/platform/actor";
import type { Respond } from "@/tests/fake-app";
import { fakeRuntimes } from "@/tests/fake-runtime";
import {
  givenInstallation,
  givenMember,
  givenOfferedApp,
  givenVersion,
  one,
  readState,
  SAMPLE_MANIFEST,
  testPlatform,
} from "@/tests/test-platform";
import { makeChecks } from "@/tests/work";
import { serveWebhookSecrets } from "../calls/deliveries/webhook-secrets";
import { stopUnneeded } from "../runtime/reconcile-instances";
import { removeOldRecords } from "../surface/remove-old-records";
import { cancelCheck, readCheck, requestCheck } from "./request-check";
import { reconfigureInstallation } from "./save-configuration";

const platform = await testPlatform();
const CHECKED: Manifest = { ...SAMPLE_MANIFEST, core: { ...SAMPLE_MANIFEST.core, configurationCheck: true } };
const set = (value: string): SettingAction => ({ action: "set", value });
const SECRET = "unsaved-canary-7f3a";

let world: Awaited<ReturnType<typeof givenWorld>>;
beforeEach(async () => {
  world = await givenWorld();
});

async function givenWorld() {
  const { customer, ...given } = await givenOfferedApp(platform, { role: "operator", manifest: CHECKED });
  const colleague = await givenMember(platform, "harbor", "operator");
  return { ...given, operator: customer, colleague };
}

const launchInput = (settings: Record<string, SettingAction> = {}) => ({
  for: "launch" as const,
  versionId: world.version.id,
  tenantId: world.tenant.id,
  test: false,
  settings: { region: set("eu"), apiKey: set(SECRET), ...settings },
  mappings: {},
});

/** An app that is healthy, and answers checks with this. `check` gets the check's state key. */
function answering(check: (key: string) => unknown): Respond {
  return async (response, { url, headers }) => {
    if (url !== "/_app/check") return void response.end("ok");
    const answer = await check(String(headers["x-platform-key"]));
    response.end(typeof answer === "string" ? answer : JSON.stringify(answer));
  };
}

/** Asks for a check, makes it, and reads it. */
async function check(
  respond: Respond,
  input: ConfigurationCheckInput = launchInput(),
  member: Member = world.operator,
) {
  const fake = fakeRuntimes(respond);
  const { checkId } = await requestCheck(platform, member, input);
  expect(await makeChecks(platform, fake.runtimes)).toBe(1);
  const view = await readCheck(platform, member, checkId);
  expect(view.state).toBe("ENDED");
  return view.result;
}

const theCheck = async () => one(await platform.db.select().from(configurationChecks));

// Guarantee: before a launch, an app that doesn't run yet sees exactly the unsaved answers, and only while it checks.
test("the app is started and reads the unsaved answers of a launch; then its key and the answers are gone", async () => {
  let key = "";
  let state: StateRecord | undefined;
  const result = await check(
    answering(async (sent) => {
      key = sent;
      state = await readState(platform, key);
      await expect(serveWebhookSecrets(platform, key)).rejects.toMatchObject({ code: "NOT_FOUND" });
      expect(JSON.stringify(await theCheck())).not.toContain(SECRET);
      return { ok: false, issues: [{ setting: "apiKey", message: "The provider refused this key." }] };
    }),
  );
  expect(result).toEqual({
    outcome: "ISSUES",
    issues: [
      {
        code: "configuration-check",
        pointer: "/settings/apiKey",
        message: "The provider refused this key.",
      },
    ],
  });
  expect(Object.keys(state ?? {}).sort()).toEqual([
    "coreApiUrl",
    "mappings",
    "settings",
    "tenantHostName",
    "token",
  ]);
  expect(state).toMatchObject({
    settings: { region: "eu", apiKey: SECRET },
    mappings: [{ productName: "Personal Auto", fields: {} }],
    tenantHostName: world.tenant.hostName,
  });
  await expect(readState(platform, key)).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await theCheck()).toMatchObject({
    state: "ENDED",
    settings: null,
    mappings: null,
    leasedUntil: null,
  });
  expect(await platform.db.select().from(attempts)).toEqual([]);
});

async function givenConfigured() {
  const { operator, version, tenant } = world;
  const { installation } = await givenInstallation(platform, operator, version, tenant.id);
  const mappings = { "Personal Auto": { vin: "$.vin" } };
  const input = { revision: 1, settings: { apiKey: set("kept-secret-value") }, mappings };
  const { revision } = await reconfigureInstallation(platform, operator, installation.id, input);
  return { id: installation.id, revision };
}

// Guarantee: a secret that the customer left alone is checked as it is stored, and never comes back in a message.
test("a configuration's kept secret is checked, and redacted from what the app answers", async () => {
  const { id, revision } = await givenConfigured();
  const input: ConfigurationCheckInput = {
    for: "installation",
    installationId: id,
    revision,
    mappings: {},
    settings: { note: set("changed") },
  };
  let state: StateRecord | undefined;
  const result = await check(
    answering(async (key) => {
      state = await readState(platform, key);
      const message = `bad: ${state.settings.apiKey}\u202e\n${key}`;
      return { ok: false, issues: [{ setting: "nowhere", message }, { message: "x".repeat(5_000) }] };
    }),
    input,
  );
  expect(state?.settings).toEqual({ region: "eu", apiKey: "kept-secret-value", note: "changed" });
  expect(state?.mappings).toEqual([{ productName: "Personal Auto", fields: { vin: "$.vin" } }]);
  expect(result).toEqual({
    outcome: "ISSUES",
    issues: [
      { code: "configuration-check", pointer: "", message: "bad: [secret: apiKey] [state key]" },
      { code: "configuration-check", pointer: "", message: `${"x".repeat(499)}…` },
    ],
  });
  // Nothing was saved.
  expect(one(await platform.db.select().from(installations)).revision).toBe(revision);
});

// Guarantee: no version runs with rights that nobody agreed to, not even to check settings.
test("a version that asks for more is not started for a check until the customer agrees", async () => {
  const { id, revision } = await givenConfigured();
  const permissions = [{ name: "claims:read", purpose: "Reads claims" }];
  const next = await givenVersion(platform, world.version, "2.0.0", {
    manifest: { ...CHECKED, version: "2.0.0", core: { ...CHECKED.core, permissions } },
  });
  const input = { installationId: id, revision, versionId: next.id, settings: {}, mappings: {} };
  const request = (agree?: boolean) =>
    requestCheck(platform, world.operator, { for: "installation", ...input, agree });
  for (const agree of [undefined, false])
    await expect(request(agree)).rejects.toMatchObject({
      code: "BAD_INPUT",
      issues: [{ code: "rights-agree", pointer: "/agree" }],
    });
  await request(true);
  expect(await theCheck()).toMatchObject({ versionId: next.id, scope: "claims:read" });
});

// Guarantee: an upgrade's answers are checked by the version that will receive them.
test("an upgrade is checked by the new version, with the answers that it carries over", async () => {
  const { id, revision } = await givenConfigured();
  const label = { name: "label", title: "Label", type: "Text", required: true } as const;
  const manifest = { ...CHECKED, version: "2.0.0", app: { fields: [...listSettings(CHECKED), label] } };
  const next = await givenVersion(platform, world.version, "2.0.0", { manifest });
  const input = {
    for: "installation" as const,
    installationId: id,
    revision,
    versionId: next.id,
    settings: {},
    mappings: {},
  };
  await expect(requestCheck(platform, world.operator, input)).rejects.toMatchObject({
    code: "BAD_INPUT",
    issues: [{ pointer: "/settings/label" }],
  });
  const fake = fakeRuntimes(
    answering(async (key) => {
      const { settings } = await readState(platform, key);
      expect(settings).toEqual({ region: "eu", apiKey: "kept-secret-value", label: "new" });
      return { ok: true };
    }),
  );
  const answered = { ...input, settings: { label: set("new") } };
  const { checkId } = await requestCheck(platform, world.operator, answered);
  await makeChecks(platform, fake.runtimes);
  expect(await readCheck(platform, world.operator, checkId)).toMatchObject({
    result: { outcome: "PASSED" },
  });
  expect(one(fake.orders).versionId).toBe(next.id);
  expect(one(await platform.db.select().from(installations)).otherVersionId).toBeNull();
});

test.each([
  ["not JSON", "<html>", /is not valid JSON/],
  ["another shape", { fine: true }, /\/ok: Send true or false/],
  ["issues although it is ok", { ok: true, issues: [{ message: "no" }] }, /\/issues: Send issues if/],
  ["no issues although it is not ok", { ok: false }, /\/issues: Send issues if/],
  ["too many issues", { ok: false, issues: Array(101).fill({ message: "no" }) }, /at most 100 issues/],
])("an answer with %s is the app's fault, and says so", async (_name, answer, reason) => {
  const result = await check(answering(() => answer));
  expect(result).toMatchObject({ outcome: "FAILED", reason: expect.stringMatching(reason) });
  expect(result).toMatchObject({ reason: expect.stringMatching(/^The app failed to check the settings\. /) });
});

test("a status other than 2xx, and an app that doesn't start, are named", async () => {
  const refusing: Respond = (response, { url }) =>
    void response.writeHead(url === "/_app/check" ? 404 : 200).end("{}");
  expect(await check(refusing)).toMatchObject({ reason: expect.stringContaining("It returned 404.") });
  await platform.db.delete(configurationChecks);
  await platform.db.update(instances).set({ state: "STOPPED" });
  const fake = fakeRuntimes(answering(() => ({ ok: true })));
  const runtimes = {
    ...fake.runtimes,
    forBundle: async () => {
      const [runtime] = fake.runtimes.all;
      if (runtime === undefined) throw new Error("no runtime");
      return {
        ...runtime,
        inspect: async () =>
          ({ running: false, code: "EXITED", reason: "exited with code 3", exitCode: 3 }) as const,
      };
    },
  };
  const { checkId } = await requestCheck(platform, world.operator, launchInput());
  await makeChecks(platform, runtimes);
  expect(await readCheck(platform, world.operator, checkId)).toEqual({
    state: "ENDED",
    result: {
      outcome: "FAILED",
      reason: "The app exited with code 3 before GET /health returned 200.",
    },
  });
});

test("a canceled check ends its key at once, and leaves nothing", async () => {
  const fake = fakeRuntimes(
    answering(async (key) => {
      await readState(platform, key);
      await cancelCheck(platform, world.operator, (await theCheck()).id);
      await expect(readState(platform, key)).rejects.toMatchObject({ code: "NOT_FOUND" });
      expect(await theCheck()).toMatchObject({ state: "CANCELED", settings: null, mappings: null });
      return { ok: true };
    }),
  );
  await requestCheck(platform, world.operator, launchInput());
  await makeChecks(platform, fake.runtimes);
  expect(await platform.db.select().from(configurationChecks)).toEqual([]);
});

test("an uninstall ends the key of a check", async () => {
  const { id, revision } = await givenConfigured();
  const input: ConfigurationCheckInput = {
    for: "installation",
    installationId: id,
    revision,
    settings: {},
    mappings: {},
  };
  await check(
    answering(async (key) => {
      await readState(platform, key);
      await platform.db.update(installations).set({ state: "UNINSTALLING" });
      await expect(readState(platform, key)).rejects.toMatchObject({ code: "NOT_FOUND" });
      return { ok: true };
    }),
    input,
  );
});

describe("who may check, and how much at once", () => {
  // Guarantee: a check reaches a stranger's code no more often than a user waits for it.
  test("a user has one check at a time, and an organization two", async () => {
    const third = await givenMember(platform, "harbor", "owner");
    const { runtimes } = fakeRuntimes(answering(() => ({ ok: true })));
    const first = await requestCheck(platform, world.operator, launchInput());
    const second = await requestCheck(platform, world.operator, launchInput());
    await expect(readCheck(platform, world.operator, first.checkId)).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await requestCheck(platform, world.colleague, launchInput());
    await requestCheck(platform, third, launchInput());
    expect(await makeChecks(platform, runtimes)).toBe(2);
    expect(await makeChecks(platform, runtimes)).toBe(1);
    expect(await readCheck(platform, world.operator, second.checkId)).toMatchObject({ state: "ENDED" });
  });

  test("a user's next check waits until the app answered the canceled one", async () => {
    let began = 0;
    const inner: Respond = answering(async () => {
      began += 1;
      if (began > 1) return { ok: true };
      await requestCheck(platform, world.operator, launchInput());
      expect(await makeChecks(platform, runtimes)).toBe(0);
      return { ok: true };
    });
    const { runtimes } = fakeRuntimes(inner);
    await requestCheck(platform, world.operator, launchInput());
    expect(await makeChecks(platform, runtimes)).toBe(1);
    expect(await makeChecks(platform, runtimes)).toBe(1);
    expect(began).toBe(2);
  });

  test("a colleague and a stranger find no such check", async () => {
    const { checkId } = await requestCheck(platform, world.operator, launchInput());
    for (const member of [world.colleague, world.publisher]) {
      await expect(readCheck(platform, member, checkId)).rejects.toMatchObject({ code: "NOT_FOUND" });
      await expect(cancelCheck(platform, member, checkId)).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
    expect(await readCheck(platform, world.operator, checkId)).toEqual({ state: "QUEUED", result: null });
  });

  test("what may not be saved or launched is not checked", async () => {
    const refused = (input: ConfigurationCheckInput, member: Member = world.operator) =>
      requestCheck(platform, member, input).catch((error: unknown) => error);
    const publisher = await givenMember(platform, "harbor", "publisher");
    expect(await refused(launchInput(), publisher)).toMatchObject({ code: "NOT_ALLOWED" });
    expect(await refused({ ...launchInput(), tenantId: world.version.id })).toMatchObject({
      code: "NOT_FOUND",
    });
    expect(await refused(launchInput({ region: set("nowhere") }))).toMatchObject({
      code: "BAD_INPUT",
      issues: [{ pointer: "/settings/region" }],
    });
    const { id, revision } = await givenConfigured();
    const input: ConfigurationCheckInput = {
      for: "installation",
      installationId: id,
      revision: revision - 1,
      settings: {},
      mappings: {},
    };
    expect(await refused(input)).toMatchObject({ code: "STALE_REVISION" });
    expect(await refused({ ...input, revision }, world.publisher)).toMatchObject({ code: "NOT_FOUND" });
    await platform.db.insert(suspensions).values({
      listingId: world.listing.id,
      reason: "malware",
      suspendedBy: world.publisher.userId,
      stopsInstallations: true,
    });
    expect(await refused({ ...input, revision })).toMatchObject({ code: "WRONG_STATE" });
    expect(await platform.db.select().from(configurationChecks)).toEqual([]);
  });

  test("an app that declares no check is not called", async () => {
    await platform.db.update(versions).set({ manifest: SAMPLE_MANIFEST });
    await expect(requestCheck(platform, world.operator, launchInput())).rejects.toMatchObject({
      code: "WRONG_STATE",
    });
  });
});

// Guarantee: an app that was only started for a check doesn't run forever, and isn't started anew for each one.
test("the app stays for the next check, and is stopped when nobody needs it", async () => {
  const fake = fakeRuntimes(answering(() => ({ ok: true })));
  await requestCheck(platform, world.operator, launchInput());
  await makeChecks(platform, fake.runtimes);
  await stopUnneeded(platform, fake.runtimes);
  expect(fake.handles()).toHaveLength(1);
  await requestCheck(platform, world.operator, launchInput());
  await makeChecks(platform, fake.runtimes);
  expect(fake.orders).toHaveLength(1);
  await platform.db
    .update(configurationChecks)
    .set({ endedAt: new Date(Date.now() - 6 * 60_000) })
    .where(eq(configurationChecks.userId, world.operator.userId));
  await stopUnneeded(platform, fake.runtimes);
  expect(fake.handles()).toEqual([]);
});

test("what a dead worker leaves behind expires, and retention deletes it", async () => {
  const { checkId } = await requestCheck(platform, world.operator, launchInput());
  await platform.db.update(configurationChecks).set({ createdAt: new Date(Date.now() - 3 * 60_000) });
  expect(await readCheck(platform, world.operator, checkId)).toMatchObject({ result: { outcome: "FAILED" } });
  const { runtimes } = fakeRuntimes(answering(() => ({ ok: true })));
  expect(await makeChecks(platform, runtimes)).toBe(0);
  expect(await removeOldRecords(platform)).toMatchObject({ configurationChecks: 0 });
  const later = new Date(Date.now() + 16 * 60_000);
  expect(await removeOldRecords(platform, { now: later })).toMatchObject({ configurationChecks: 1 });
  expect(await platform.db.select().from(configurationChecks)).toEqual([]);
});
