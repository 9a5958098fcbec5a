import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { createLocalJWKSet, jwtVerify } from "jose";
import { v7 } from "uuid";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { dataKeys, organizations } from "@/drizzle/schema/accounts";
import { listings } from "@/drizzle/schema/catalog";
import { mails, partBeats } from "@/drizzle/schema/platform";
import type { Member } from "@/lib/domain/platform/actor";
import {
  anotherProcess,
  givenListing,
  givenMember,
  givenTenant,
  readState,
  testPlatform,
} from "@/tests/test-platform";
import { launchInstallation } from "../installations/launch-installation";
import { insertAuditRow } from "./audit-queries";
import { replaceWrappedKey, selectKeysToRewrap } from "./key-queries";
import { deriveKey, newMasterKey, readKeyring, wrapKey } from "./keyring";
import { queueMail } from "./notifications/notify";
import { openMail } from "./notifications/render-mail";
import { keepBeating } from "./part-beats";
import type { Platform } from "./platform";
import { recordAudit, sealAuditHead, sealAuditRow } from "./record-audit";
import { describeRotation, isComplete, rotateKeys } from "./rotate-keys";
import { sealStateKey } from "./state-key";
import { verifyAudit } from "./verify-audit";

const [OLD, NEW] = [newMasterKey("old"), newMasterKey("new")];
/** Before the rotation. */
const platform = await testPlatform({ PLATFORM_MASTER_KEYS: OLD });
const withKeys = (...keys: string[]): Platform =>
  anotherProcess(platform, { keyring: readKeyring(keys.join(",")) });
/** The steps of docs/keys.md: the new key is known, it becomes the current one, the old one is removed. */
const first = withKeys(OLD, NEW);
const second = withKeys(NEW, OLD);
const last = withKeys(NEW);

let versionId: string;
beforeEach(async () => {
  const publisher = await givenMember(platform, "acme");
  versionId = (await givenListing(platform, publisher, { state: "PUBLIC", verified: true })).version.id;
});

interface Customer {
  member: Member;
  installationId: string;
  routeId: string;
  secret: string;
}

/** A new organization with an installation: a sealed secret and an audit trail. */
async function givenCustomer(by: Platform): Promise<Customer> {
  const member = await givenMember(platform, `c${v7()}`);
  const { tenant } = await givenTenant(platform, member);
  const secret = `secret ${v7()}`;
  const { installationId } = await launchInstallation(by, member, {
    versionId,
    tenantId: tenant.id,
    test: false,
    settings: { region: { action: "set", value: "eu" }, apiKey: { action: "set", value: secret } },
    mappings: { "Personal Auto": { vin: "$.vin" } },
  });
  await platform.pool.query("update installations set state = 'RUNNING' where id = $1", [installationId]);
  const { rows } = await platform.pool.query<{ id: string }>(
    "select id from routes where installation_id = $1 and kind = 'autofill'",
    [installationId],
  );
  return { member, installationId, routeId: rows[0]?.id ?? "", secret };
}

const givenCustomers = (count: number) =>
  Promise.all(Array.from({ length: count }, () => givenCustomer(platform)));

/** What `reader` returns to an app for a state key that `sealer` made. */
async function readAs(sealer: Platform, reader: Platform, customer: Customer): Promise<string | undefined> {
  const { installationId, routeId } = customer;
  const expiresAt = new Date(Date.now() + 60_000);
  const content = { installationId, routeId, revision: 1, epoch: 0, attemptId: v7(), expiresAt };
  return (await readState(reader, sealStateKey(sealer.keyring, content))).settings.apiKey;
}

async function expectAllOf(part: Platform, customers: readonly Customer[]): Promise<void> {
  for (const customer of customers) {
    expect(await readAs(part, part, customer)).toBe(customer.secret);
    expect(await verifyAudit(part, customer.member.organization.id)).toMatchObject({ intact: true });
  }
}

/** Signed by a new part, because parts cache their signing key. */
const givenToken = () =>
  withKeys(OLD).services.tokens.sign({
    audience: "a",
    organization: "o",
    tenant: "h",
    subject: "s",
    tokenId: "t",
  });

async function recordRows(by: Platform, chain: string, rows: number): Promise<void> {
  await platform.db.transaction(async (tx) => {
    const entry = { chain, actor: "worker", action: "route.end", subject: "route:1" } as const;
    for (let row = 0; row < rows; row += 1) await recordAudit(tx, by.keyring, entry);
  });
}

/** Data keys of organizations that have nothing else: enough rows to kill a rotation in the middle. */
async function givenDataKeys(count: number): Promise<void> {
  const ids = Array.from({ length: count }, () => v7());
  await platform.db.insert(organizations).values(ids.map((id) => ({ id, slug: `o${id}`, name: "Many" })));
  const { current } = platform.keyring;
  const keys = ids.map((id) => ({
    organizationId: id,
    ...wrapKey(current, "data-key", id, randomBytes(32)),
  }));
  await platform.db.insert(dataKeys).values(keys);
}

async function dump(): Promise<unknown> {
  const tables = ["data_keys", "signing_keys", "audit_keys", "audit", "audit_heads"];
  const all = tables.map((table) => platform.pool.query(`select * from ${table} t order by t::text`));
  return (await Promise.all(all)).map(({ rows }) => rows);
}

const allOf = (dataKeys: number, signingKeys: number, auditKeys: number) => ({
  "data-key": dataKeys,
  "signing-key": signingKeys,
  "audit-key": auditKeys,
});

// Guarantee: after a rotation the new key alone opens and verifies everything.
test("after a rotation the old key can be removed", async () => {
  const customers = await givenCustomers(3);
  const [customer] = customers;
  if (customer === undefined) throw new Error("no customer");
  const token = await givenToken();
  const rotation = await rotateKeys(second);
  expect(rotation).toMatchObject({ rewrapped: allOf(3, 1, 1), failures: [] });
  expect(isComplete(rotation)).toBe(true);
  await expectAllOf(last, customers);
  expect((await jwtVerify(token, createLocalJWKSet(await last.services.tokens.readJwks()))).payload.sub).toBe(
    "s",
  );
  const lacks = "PLATFORM_MASTER_KEYS lacks the key 'new' that wraps the data key";
  await expect(readAs(platform, platform, customer)).rejects.toThrow(lacks);

  const report = describeRotation(rotation).join("\n");
  expect(report).toContain(
    "Master key 'new' is the current one. It wraps 3 data keys, 1 signing key, 1 audit key.",
  );
  expect(report).toContain("Master key 'old' wraps nothing.");
  expect(report).toContain(rotation.safeAt.toISOString());
  expect(report).toMatch(/^figure keys_rewrapped 5 rows$/m);
});

const NEWS = {
  to: "a@acme.example",
  subject: "Your link",
  text: "https://x/#token",
  html: "<p>Your link</p>",
};

async function openMails(part: Platform) {
  const rows = await platform.db.select().from(mails).orderBy(mails.id);
  return rows.flatMap(({ id, sealed, masterKeyId }) =>
    sealed === null || masterKeyId === null ? [] : [openMail(part.keyring, id, { sealed, masterKeyId })],
  );
}

// Guarantee: removing the old key after a rotation loses no email that waits, such as while the mail server is down.
test("mails that wait are sealed again, and those that were sent stay empty", async () => {
  const { to: _to, ...content } = NEWS;
  for (let mail = 0; mail < 3; mail += 1)
    await platform.db.transaction((tx) => queueMail(tx, platform.keyring, NEWS));
  const [sent] = await platform.db.select().from(mails);
  await platform.db
    .update(mails)
    .set({ state: "SENT", sealed: null, masterKeyId: null, endedAt: new Date() })
    .where(eq(mails.id, sent?.id ?? ""));
  expect(describeRotation(await rotateKeys(second, { dryRun: true })).join("\n")).toContain(
    "Master key 'old' wraps 2 waiting mails.",
  );
  const rotation = await rotateKeys(second);
  expect(rotation).toMatchObject({ rewrapped: { mail: 2 }, failures: [] });
  expect(isComplete(rotation)).toBe(true);
  expect(describeRotation(rotation).join("\n")).toContain("Master key 'old' wraps nothing.");
  expect(await openMails(last)).toEqual([content, content]);
});

// Guarantee: an email that is sent while it is sealed again stays sent, and its text stays deleted.
test("a mail that ends during the rotation is left alone", async () => {
  await platform.db.transaction((tx) => queueMail(tx, platform.keyring, NEWS));
  const [read] = await selectKeysToRewrap(platform.db, "mail", "new", "", 10);
  if (read === undefined) throw new Error("no mail waits");
  await platform.db.update(mails).set({ state: "SENT", sealed: null, masterKeyId: null });
  expect(await replaceWrappedKey(platform.db, "mail", read, { wrapped: "x", masterKeyId: "new" })).toBe(
    false,
  );
  expect(await openMails(last)).toEqual([]);
});

// Guarantee: the audit trail's rows and seals are not touched.
test("a rotation leaves the trails as they are, and trails sealed by earlier releases verify after it", async () => {
  const master = platform.keyring.current;
  const row = { chain: "platform", actor: "worker", action: "a", subject: "b", details: {}, position: 1 };
  const legacy = { id: master.id, key: deriveKey(master, "audit") };
  const at = new Date();
  const seal = sealAuditRow(legacy, "", { ...row, at });
  await insertAuditRow(platform.db, { ...row, at, seal }, sealAuditHead(legacy, "platform", 1, seal));
  const trails = async () =>
    (await platform.pool.query("select * from audit a join audit_heads h using (chain)")).rows;
  const before = await trails();
  expect(isComplete(await rotateKeys(second))).toBe(true);
  expect(await trails()).toEqual(before);
  await recordRows(last, "platform", 2);
  expect(await verifyAudit(last, "platform")).toEqual({ intact: true, rows: 3 });
});

test("a second rotation finds nothing to do", async () => {
  await givenCustomers(2);
  await rotateKeys(second);
  const before = await dump();
  const again = await rotateKeys(second);
  expect(again).toMatchObject({ rewrapped: allOf(0, 0, 0), failures: [] });
  expect(isComplete(again)).toBe(true);
  expect(await dump()).toEqual(before);
});

test("a dry run counts and writes nothing", async () => {
  await givenCustomers(2);
  const before = await dump();
  const rotation = await rotateKeys(second, { dryRun: true });
  expect(rotation).toMatchObject({ rewrapped: allOf(2, 0, 1), failures: [] });
  expect(isComplete(rotation)).toBe(true);
  expect(describeRotation(rotation)).toContain("Master key 'old' wraps 2 data keys, 1 audit key.");
  expect(await dump()).toEqual(before);
});

// Guarantee: stopped after any key and started again, a rotation ends the same, and nothing fails in between.
test("a rotation that stops after each key in turn can be continued", async () => {
  const customers = await givenCustomers(3);
  await givenToken();
  let stops = 0;
  for (let rotation; rotation === undefined;) {
    rotation = await rotateKeys(second, {
      onKey: () => {
        throw new Error("stopped");
      },
    }).catch(() => undefined);
    if (rotation === undefined) stops += 1;
    await expectAllOf(second, customers);
    await recordRows(second, "platform", 1);
    expect(await verifyAudit(second, "platform")).toMatchObject({ intact: true });
  }
  expect(stops).toBe(5);
  expect(isComplete(await rotateKeys(second))).toBe(true);
  await expectAllOf(last, customers);
  expect(await verifyAudit(last, "platform")).toEqual({ intact: true, rows: 7 });
});

// Guarantee: the platform keeps running: parts of both steps launch, record and read during concurrent rotations.
test("no read fails during rotations under load", async () => {
  const customers = await givenCustomers(6);
  await givenDataKeys(500);
  let over = false;
  let reads = 0;
  let writes = 0;
  const reading = [first, second].map(async (part, index) => {
    const other = [second, first][index] ?? part;
    while (!over)
      for (const customer of [...customers]) {
        expect(await readAs(other, part, customer)).toBe(customer.secret);
        reads += 1;
      }
  });
  const writing = [first, second].map(async (part) => {
    while (!over) {
      customers.push(await givenCustomer(part));
      await recordRows(part, "platform", 1);
      writes += 1;
    }
  });
  const rotating = (async () => {
    await Promise.all([rotateKeys(second), rotateKeys(second)]);
    await sleep(100);
    const rotations = await Promise.all([rotateKeys(second), rotateKeys(second)]);
    expect(rotations.flatMap(({ failures }) => failures)).toEqual([]);
  })().finally(() => (over = true));
  await Promise.all([...reading, ...writing, rotating]);
  expect(reads).toBeGreaterThan(20);
  expect(writes).toBeGreaterThan(1);

  // Now every part has the new key first.
  expect(isComplete(await rotateKeys(second))).toBe(true);
  await expectAllOf(last, customers);
  expect(await verifyAudit(last, "platform")).toEqual({ intact: true, rows: writes + 1 });
});

describe("what can't be rotated", () => {
  // Guarantee: a rotation never makes a broken trail verify.
  test("a tampered chain is still detected after a rotation", async () => {
    await recordRows(platform, "platform", 3);
    await platform.pool.query("update audit set actor = 'user:2' where position = 2");
    expect(isComplete(await rotateKeys(second))).toBe(true);
    const issue = { intact: false, position: 2, reason: "the row was changed" };
    expect(await verifyAudit(last, "platform")).toEqual(issue);
  });

  test("without the old key nothing is changed, and the report asks for it", async () => {
    const customers = await givenCustomers(1);
    const before = await dump();
    const rotation = await rotateKeys(last);
    expect(await dump()).toEqual(before);
    expect(isComplete(rotation)).toBe(false);
    const report = describeRotation(rotation).join("\n");
    expect(report).toContain("FAILED: PLATFORM_MASTER_KEYS lacks the key 'old' that wraps the data key");
    expect(report).toContain(
      "Master key 'old' wraps 1 data key, 1 audit key, but PLATFORM_MASTER_KEYS lacks it.",
    );
    await expectAllOf(platform, customers);
  });

  test("a different key under the old one's id opens nothing and changes nothing", async () => {
    await givenCustomers(1);
    await givenToken();
    const before = await dump();
    const rotation = await rotateKeys(withKeys(NEW, newMasterKey("old")));
    expect(rotation.failures).toHaveLength(3);
    expect(isComplete(await rotateKeys(withKeys(NEW, newMasterKey("old")), { dryRun: true }))).toBe(false);
    expect(await dump()).toEqual(before);
  });

  // Guarantee: a part that was not restarted yet is noticed by the keys that it wraps.
  test("a part that still wraps with the old key keeps it from being removed", async () => {
    await givenCustomers(1);
    const late: Promise<Customer>[] = [];
    await rotateKeys(second, {
      onKey: (purpose) => void (purpose === "audit-key" && late.push(givenCustomer(first))),
    });
    const customers = await Promise.all(late);
    expect(customers).toHaveLength(1);
    const report = describeRotation(await rotateKeys(second, { dryRun: true })).join("\n");
    expect(report).toContain("Master key 'old' wraps 1 data key.");
    expect(isComplete(await rotateKeys(second))).toBe(true);
    await expectAllOf(last, customers);
  });
});

// Guarantee: a rotation never takes from a running part what it needs.
describe("running parts", () => {
  beforeEach(() => platform.db.delete(partBeats));
  const countBeats = () => platform.db.$count(partBeats);
  async function runPart(part: Platform): Promise<void> {
    const beats = await countBeats();
    const beating = keepBeating(part, "gateway");
    onTestFinished(beating.stop);
    await expect.poll(countBeats).toBe(beats + 1);
  }
  async function expectRefused(): Promise<void> {
    const before = await dump();
    const message = `don't have the master key 'new', or have another value for it: gateway on ${hostname()}.\nNothing was changed. Restart them`;
    for (const dryRun of [false, true]) await expect(rotateKeys(second, { dryRun })).rejects.toThrow(message);
    expect(await dump()).toEqual(before);
  }

  test("a running part without the new key, or with another value under its id, refuses the rotation", async () => {
    const customers = await givenCustomers(1);
    await runPart(second);
    await runPart(platform);
    await expectRefused();
    await expectAllOf(platform, customers);
    await platform.db.delete(partBeats);
    await runPart(withKeys(OLD, newMasterKey("new")));
    await expectRefused();
  });

  test("parts that have the key, ended, went away or are of an earlier release don't", async () => {
    await givenCustomers(1);
    await runPart(first);
    const [masterKeys, seenAt] = [["old:0"], new Date(Date.now() - 60_000)];
    await platform.db.insert(partBeats).values([
      { id: v7(), part: "web", masterKeys, endedAt: new Date() },
      { id: v7(), part: "worker", masterKeys, seenAt },
      { id: v7(), part: "gateway" },
    ]);
    expect(isComplete(await rotateKeys(second))).toBe(true);
  });
});

describe("as a command", () => {
  function start(...args: string[]): { child: ChildProcess; output: () => string } {
    const env = {
      ...process.env,
      NODE_ENV: "test" as const,
      DATABASE_URL: platform.environment.DATABASE_URL,
      PLATFORM_MASTER_KEYS: `${NEW},${OLD}`,
    };
    const child = spawn(process.execPath, ["upkeep/run.mjs", ...args], { env, stdio: "pipe" });
    let output = "";
    child.stdout.on("data", (chunk) => (output += String(chunk)));
    child.stderr.on("data", (chunk) => (output += String(chunk)));
    return { child, output: () => output };
  }

  test("refused, it exits with 1 and says what to do", async () => {
    const running = { id: v7(), part: "web" as const, host: "web-1", masterKeys: ["old:0"] };
    await platform.db.insert(partBeats).values(running);
    onTestFinished(async () => void (await platform.db.delete(partBeats)));
    const { child, output } = start("rotate-keys");
    expect(await once(child, "close")).toEqual([1, null]);
    expect(output()).toMatch(
      /'new'.*: web on web-1\.\nNothing was changed\. Restart them .*rotate again\.\n$/,
    );
  });

  const countDone = () => platform.db.$count(dataKeys, eq(dataKeys.masterKeyId, "new"));

  // Guarantee: kill -9 in the middle loses nothing, and the next run continues.
  test("killed again and again, a rotation completes", async () => {
    const customers = await givenCustomers(2);
    await givenDataKeys(4_000);
    await recordRows(platform, "platform", 10);
    // The publisher's organization has a listing, so a trail is expected of it.
    const publishers = await platform.db
      .select({ id: organizations.id })
      .from(listings)
      .innerJoin(organizations, eq(organizations.id, listings.organizationId));
    for (const { id } of publishers) await recordRows(platform, id, 1);
    let done = 0;
    for (let kill = 0; kill < 2; kill += 1) {
      const { child } = start("rotate-keys");
      const exit = once(child, "exit");
      await expect.poll(countDone, { interval: 5 }).toBeGreaterThan(done);
      child.kill("SIGKILL");
      await exit;
      done = await countDone();
      expect(done).toBeLessThan(4_002);
      await expectAllOf(second, customers);
      expect(await verifyAudit(second, "platform")).toEqual({ intact: true, rows: 11 });
    }
    const { child, output } = start("rotate-keys");
    expect(await once(child, "exit")).toEqual([0, null]);
    expect(output()).toContain("The rotation is complete.");
    await expectAllOf(last, customers);

    const verifying = start("verify-audit");
    expect(await once(verifying.child, "exit"), verifying.output()).toEqual([0, null]);
    expect(verifying.output()).toContain("figure audit_rows_verified 14 rows");
    await platform.pool.query("update audit set actor = 'x' where chain = 'platform' and position = 9");
    const failing = start("verify-audit");
    expect(await once(failing.child, "exit")).toEqual([1, null]);
    expect(failing.output()).toContain("BROKEN  platform  at row 9: the row was changed");
  }, 180_000);
});

// Guarantee (P13): who looks at the audit trail sees that the master keys were rotated, and when.
test("a rotation has an audit row before the first key, and one that changes nothing has none", async () => {
  await givenCustomer(platform);
  const rows = async () =>
    (
      await platform.pool.query<{ actor: string; subject: string; details: unknown }>(
        "select actor, subject, details from audit where action = 'master-key.rotate' order by position",
      )
    ).rows;
  const before = (await rows()).length;
  await rotateKeys(second, { dryRun: true });
  expect(await rows()).toHaveLength(before);
  const stop = () => {
    throw new Error("killed");
  };
  await expect(rotateKeys(second, { onKey: stop })).rejects.toThrow("killed");
  expect((await rows()).slice(before)).toEqual([
    { actor: "operator:command", subject: "master-key:new", details: { from: ["old"] } },
  ]);
  await rotateKeys(second);
  const after = (await rows()).length;
  await rotateKeys(second);
  expect(await rows()).toHaveLength(after);
  expect(await verifyAudit(second, "platform")).toMatchObject({ intact: true });
});
