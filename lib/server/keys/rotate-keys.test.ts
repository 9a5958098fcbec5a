import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { createLocalJWKSet, jwtVerify } from "jose";
import { v7 } from "uuid";
import { beforeEach, describe, expect, test } from "vitest";
import { audit, auditHeads } from "@/drizzle/schema/audit";
import type { Member } from "@/lib/domain/actor";
import { givenListing, givenMember, givenTenant, testPlatform } from "@/tests/test-platform";
import { recordAudit } from "../audit/record-audit";
import { sealAuditHead, sealAuditRow } from "../audit/seal-audit";
import { verifyAudit } from "../audit/verify-audit";
import { launchInstallation } from "../installations/launch-installation";
import type { Platform } from "../platform/platform";
import { readState } from "../state/read-state";
import { newMasterKey, readKeyring } from "../platform/keyring";
import { describeRotation } from "./describe-rotation";
import { isComplete, rotateKeys } from "./rotate-keys";
import { readJwks, signToken } from "./sign-token";
import { sealStateKey } from "./state-key";

const [OLD, NEW] = [newMasterKey("old"), newMasterKey("new")];
/** Before the rotation: seals with the old key. */
const platform = await testPlatform({ PLATFORM_MASTER_KEYS: OLD });
const holding = (...keys: string[]): Platform => ({ ...platform, keyring: readKeyring(keys.join(",")) });
/** The parts on the way: first the new key is there, then it seals, then the old one is gone. */
const first = holding(OLD, NEW);
const second = holding(NEW, OLD);
const last = holding(NEW);

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

/** Launches for a customer of its own, which seals a secret and records the launch. */
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

/** What an app reads by a key that `sealer` made, of the part `reader`. */
async function readAs(sealer: Platform, reader: Platform, customer: Customer): Promise<string | undefined> {
  const { installationId, routeId } = customer;
  const expiresAt = new Date(Date.now() + 60_000);
  const content = { installationId, routeId, revision: 1, epoch: 0, attemptId: v7(), expiresAt };
  return (await readState(reader, sealStateKey(sealer.keyring, content))).settings.apiKey;
}

async function expectAllOf(part: Platform, customers: readonly Customer[]): Promise<void> {
  for (const customer of customers) {
    expect(await readAs(part, part, customer)).toBe(customer.secret);
    const verdict = await verifyAudit(part, customer.member.organization.id);
    expect(verdict).toMatchObject({ intact: true });
  }
}

/** Signed by a part of its own: each remembers its signing key for a while. */
const givenToken = () =>
  signToken(holding(OLD), { audience: "a", organization: "o", tenant: "h", subject: "s", tokenId: "t" });

async function recordRows(by: Platform, chain: string, rows: number): Promise<void> {
  await platform.db.transaction(async (tx) => {
    const entry = { chain, actor: "worker", action: "route.end", subject: "route:1" };
    for (let row = 0; row < rows; row += 1) await recordAudit(tx, by.keyring, entry);
  });
}

/** A chain of many rows that the old key sealed, in two statements. */
async function givenLongTrail(chain: string, length: number): Promise<void> {
  const { current } = platform.keyring;
  const content = {
    chain,
    actor: "worker",
    action: "route.end",
    subject: "route:1",
    details: {},
    at: new Date(),
  };
  let seal = "";
  const rows = Array.from({ length }, (_, index) => {
    const row = { ...content, position: index + 1 };
    seal = sealAuditRow(current, seal, row);
    return { ...row, seal };
  });
  await platform.db.insert(audit).values(rows);
  const headSeal = sealAuditHead(current, chain, length, seal);
  await platform.db.insert(auditHeads).values({ chain, position: length, seal, headSeal });
}

async function dump(): Promise<unknown> {
  const tables = ["data_keys", "signing_keys", "audit", "audit_heads", "audit_resealings"];
  const all = tables.map((table) => platform.pool.query(`select * from ${table} t order by t::text`));
  return (await Promise.all(all)).map(({ rows }) => rows);
}

// Guarantee: after a rotation the new key alone opens and proves all that there is.
test("what the old key sealed is the new key's, and the old one can be dropped", async () => {
  const customers = await givenCustomers(3);
  const [customer] = customers;
  if (customer === undefined) throw new Error("no customer");
  const token = await givenToken();
  const rotation = await rotateKeys(second);
  expect(rotation).toMatchObject({ dataKeys: 3, signingKeys: 1, auditRows: 3, chains: 3, faults: [] });
  expect(isComplete(rotation)).toBe(true);
  await expectAllOf(last, customers);
  expect((await jwtVerify(token, createLocalJWKSet(await readJwks(last)))).payload.sub).toBe("s");
  const lacks = "PLATFORM_MASTER_KEYS lacks the key 'new' that wraps a data key";
  await expect(readAs(platform, platform, customer)).rejects.toThrow(lacks);

  const said = describeRotation(rotation).join("\n");
  expect(said).toContain("Key 'new' seals. It holds 3 data keys, 1 signing key, 6 audit seals.");
  expect(said).toContain("Key 'old': nothing that is stored needs it.");
  expect(said).toContain(rotation.safeAt.toISOString());
  expect(said).toMatch(/^figure keys_rewrapped 4 rows$/m);
  expect(said).toMatch(/^figure audit_rows_resealed 3 rows$/m);
});

test("a second rotation finds nothing to do", async () => {
  await givenCustomers(2);
  await rotateKeys(second);
  const before = await dump();
  const again = await rotateKeys(second);
  expect(again).toMatchObject({ dataKeys: 0, signingKeys: 0, auditRows: 0, faults: [] });
  expect(isComplete(again)).toBe(true);
  expect(await dump()).toEqual(before);
});

test("a dry run counts, and writes nothing", async () => {
  await givenCustomers(2);
  const before = await dump();
  const rotation = await rotateKeys(second, { dryRun: true });
  expect(rotation).toMatchObject({ dataKeys: 2, auditRows: 0, faults: [] });
  expect(isComplete(rotation)).toBe(true);
  expect(describeRotation(rotation).join("\n")).toContain(
    "Key 'old' is needed by 2 data keys, 4 audit seals.",
  );
  expect(await dump()).toEqual(before);
});

// Guarantee: ended after any step and started again, it comes to the same end, and nothing fails in between.
test("broken off after each step in turn, and gone on with", async () => {
  const customers = await givenCustomers(3);
  await givenToken();
  await givenLongTrail("platform", 1_100);
  let broken = 0;
  for (let step = 1; ; step += 1) {
    let steps = 0;
    const rotation = await rotateKeys(second, {
      onStep: () => {
        steps += 1;
        if (steps === step) throw new Error("broken off");
      },
    }).catch(() => undefined);
    await expectAllOf(second, customers);
    expect(await verifyAudit(second, "platform")).toEqual({ intact: true, rows: 1_100 });
    if (rotation !== undefined) break;
    broken += 1;
  }
  expect(broken).toBeGreaterThan(2);
  expect(isComplete(await rotateKeys(second))).toBe(true);
  await expectAllOf(last, customers);
}, 60_000);

// Guarantee: the platform serves on: parts of both steps launch, record and read while keys are rotated, twice at once.
test("rotations under load, with no read that fails", async () => {
  const customers = await givenCustomers(6);
  await givenLongTrail("platform", 1_500);
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
    expect(rotations.flatMap(({ faults }) => faults)).toEqual([]);
  })().finally(() => (over = true));
  await Promise.all([...reading, ...writing, rotating]);
  expect(reads).toBeGreaterThan(20);
  expect(writes).toBeGreaterThan(1);

  // Now every part has the new key first.
  expect(isComplete(await rotateKeys(second))).toBe(true);
  await expectAllOf(last, customers);
  expect(await verifyAudit(last, "platform")).toEqual({ intact: true, rows: 1_500 + writes });
}, 90_000);

describe("what cannot be done", () => {
  // Guarantee: a broken trail is named and not washed clean, and keeps nothing else from being rotated.
  test("a tampered chain is refused by name", async () => {
    const [customer] = await givenCustomers(2);
    const chain = customer?.member.organization.id;
    await recordRows(platform, chain ?? "", 2);
    await platform.pool.query("update audit set actor = 'user:2' where chain = $1 and position = 2", [chain]);
    const rotation = await rotateKeys(second);
    const fault = `The audit chain ${chain} does not verify at row 2: the row was changed.`;
    expect(rotation).toMatchObject({ dataKeys: 2, auditRows: 1, faults: [fault] });
    expect(isComplete(rotation)).toBe(false);
    expect(isComplete(await rotateKeys(second, { dryRun: true }))).toBe(false);
    expect(describeRotation(rotation)).toContain(`NOT DONE: ${fault}`);
    expect(describeRotation(rotation).join("\n")).toContain("Key 'old' is still needed by 4 audit seals.");
  });

  test("without the old key nothing is changed, and it is asked for", async () => {
    const customers = await givenCustomers(1);
    const before = await dump();
    const rotation = await rotateKeys(last);
    expect(await dump()).toEqual(before);
    expect(isComplete(rotation)).toBe(false);
    const said = describeRotation(rotation).join("\n");
    expect(said).toContain("PLATFORM_MASTER_KEYS lacks the key 'old' that wraps a data key");
    expect(said).toContain(
      "Key 'old' is not in PLATFORM_MASTER_KEYS, and this needs it: 1 data key, 2 audit seals.",
    );
    await expectAllOf(platform, customers);
  });

  test("another key under the old one's id opens nothing, and changes nothing", async () => {
    await givenCustomers(1);
    await givenToken();
    const before = await dump();
    const rotation = await rotateKeys(holding(NEW, newMasterKey("old")));
    expect(rotation.faults).toHaveLength(3);
    expect(await dump()).toEqual(before);
  });

  // Guarantee: a part that was not restarted yet is noticed by what it seals.
  test("a part that still seals with the old key keeps it from being retired", async () => {
    await givenCustomers(1);
    const late: Promise<Customer>[] = [];
    await rotateKeys(second, {
      onStep: ({ what }) => void (what === "signing keys" && late.push(givenCustomer(first))),
    });
    const customers = await Promise.all(late);
    expect(customers).toHaveLength(1);
    // Sealed after the data keys' turn, and perhaps after the rotation had counted what is left.
    const said = describeRotation(await rotateKeys(second, { dryRun: true })).join("\n");
    expect(said).toMatch(/Key 'old' is (still )?needed by 1 data key/);
    expect(isComplete(await rotateKeys(second))).toBe(true);
    await expectAllOf(last, customers);
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

  const mark = async () =>
    (await platform.pool.query<{ position: number }>("select position from audit_resealings")).rows[0]
      ?.position ?? 0;

  // Guarantee: kill -9 in the middle leaves all open and intact, and the next run goes on from there.
  test("killed again and again, it gets done", async () => {
    const customers = await givenCustomers(2);
    await givenLongTrail("platform", 4_000);
    let reached = 0;
    for (let kill = 0; kill < 3; kill += 1) {
      const { child } = start("rotate-keys");
      const exit = once(child, "exit");
      await expect.poll(mark, { timeout: 30_000, interval: 5 }).toBeGreaterThan(reached);
      child.kill("SIGKILL");
      await exit;
      reached = await mark();
      if (reached === 0) break;
      await expectAllOf(second, customers);
      expect(await verifyAudit(second, "platform")).toEqual({ intact: true, rows: 4_000 });
    }
    expect(reached).toBeGreaterThan(0);
    const { child, output } = start("rotate-keys");
    expect(await once(child, "exit")).toEqual([0, null]);
    expect(output()).toContain("The rotation is complete.");
    await expectAllOf(last, customers);
    expect(await verifyAudit(last, "platform")).toEqual({ intact: true, rows: 4_000 });

    const verifying = start("verify-audit");
    expect(await once(verifying.child, "exit")).toEqual([0, null]);
    expect(verifying.output()).toContain("figure audit_rows_verified 4002 rows");
    await platform.pool.query("update audit set actor = 'x' where chain = 'platform' and position = 9");
    const failing = start("verify-audit");
    expect(await once(failing.child, "exit")).toEqual([1, null]);
    expect(failing.output()).toContain("BROKEN  platform  at row 9: the row was changed");
  }, 180_000);
});
