import { eq, sql } from "drizzle-orm";
import { v7 } from "uuid";
import { beforeEach, describe, expect, test } from "vitest";
import { tenants } from "@/drizzle/schema/installations-tenants";
import { mails, notifications } from "@/drizzle/schema/platform";
import { egressCounters, egressDays, egressWatches, instances, logLines } from "@/drizzle/schema/runtime";
import type { EgressCount } from "@/lib/contract/runtime/egress";
import { OTHER_HOSTS } from "@/lib/domain/runtime/egress/egress-limits";
import {
  anotherProcess,
  givenInstallation,
  givenListing,
  givenMember,
  givenTenant,
  one,
  SAMPLE_MANIFEST,
  testPlatform,
} from "@/tests/test-platform";
import { createEgressRecorder, recordEgress } from "./record-egress";

const platform = await testPlatform();
const NOW = Date.now();
const DAY_MS = 24 * 3_600_000;

let versionId = "";
let publisher: Awaited<ReturnType<typeof givenMember>>;
let given: Awaited<ReturnType<typeof givenListing>>;
beforeEach(async () => {
  publisher = await givenMember(platform, "acme", "publisher");
  const core = { ...SAMPLE_MANIFEST.core, hosts: [{ host: "api.vin.example", purpose: "Decodes VINs" }] };
  given = await givenListing(platform, publisher, {
    ...{ state: "PUBLIC", verified: true, manifest: { ...SAMPLE_MANIFEST, core } },
  });
  versionId = given.version.id;
});

const count = (host: string, changed: Partial<EgressCount> = {}): EgressCount => ({
  ...{
    id: "platform-vin-1",
    versionId,
    host,
    port: 443,
    connections: 0,
    bytesOut: 0,
    bytesIn: 0,
    refused: 0,
  },
  ...{ reason: "", firstAt: NOW, lastAt: NOW },
  ...changed,
});
const refusal = (host: string, refused: number, changed: Partial<EgressCount> = {}) =>
  count(host, { port: 53, refused, reason: "is not a host that the app may connect to", ...changed });
const record = (...counts: EgressCount[]) => recordEgress(platform, counts);
const stored = () => platform.db.select().from(egressDays).orderBy(egressDays.day, egressDays.host);
const row = async () => one(await stored());

describe("totals of the guard", () => {
  // Guarantee: what is shown is what the app did, however often and to however many workers it was reported.
  test("are added once, also if several workers get the same reports in another order", async () => {
    const other = anotherProcess(platform);
    const totals = [1, 2, 3, 4].map((connections) =>
      count("api.vin.example", {
        connections,
        bytesOut: connections * 100,
        bytesIn: connections * 10,
        lastAt: NOW + connections,
      }),
    );
    const [first, second, third, fourth] = totals as [EgressCount, EgressCount, EgressCount, EgressCount];
    await Promise.all([record(first), recordEgress(other, [first])]);
    await record(third);
    await Promise.all([recordEgress(other, [second]), record(third), recordEgress(other, [third])]);
    await recordEgress(other, [fourth]);
    expect(await row()).toMatchObject({
      ...{
        versionId,
        host: "api.vin.example",
        connections: 4,
        bytesOut: 400,
        bytesIn: 40,
        refused: 0,
        reason: null,
      },
      ...{ firstAt: new Date(NOW), lastAt: new Date(NOW + 4) },
    });
  });

  test("of several ports and replicas are one host", async () => {
    await record(
      count("api.vin.example", { connections: 1 }),
      count("api.vin.example", { connections: 2, port: 8443 }),
      count("api.vin.example", { connections: 4, id: "platform-vin-2" }),
    );
    expect((await row()).connections).toBe(7);
  });

  test("count from zero after a restart, and an older report is ignored then", async () => {
    const before = count("api.vin.example", { connections: 9 });
    await record(before);
    await record(count("api.vin.example", { connections: 2, firstAt: NOW + 60_000, lastAt: NOW + 60_000 }));
    await record({ ...before, connections: 10 });
    expect((await row()).connections).toBe(11);
  });

  test("are divided by days in UTC", async () => {
    const midnight = Math.floor(NOW / DAY_MS) * DAY_MS;
    const firstAt = midnight - 3_600_000;
    await record(count("a.example", { connections: 3, firstAt, lastAt: midnight - 1 }));
    await record(count("a.example", { connections: 5, firstAt, lastAt: midnight }));
    expect((await stored()).map((each) => [each.day, each.connections, each.firstAt.getTime()])).toEqual([
      [new Date(firstAt).toISOString().slice(0, 10), 3, firstAt],
      [new Date(midnight).toISOString().slice(0, 10), 2, midnight],
    ]);
  });

  test("whose last report was forgotten count as one more", async () => {
    const long = NOW - 10 * DAY_MS;
    await record(count("a.example", { connections: 500, bytesOut: 9_000, firstAt: long }));
    expect(await row()).toMatchObject({ connections: 1, bytesOut: 0, firstAt: new Date(NOW) });
    await record(count("a.example", { connections: 501, bytesOut: 9_100, firstAt: long }));
    expect(await row()).toMatchObject({ connections: 2, bytesOut: 100 });
  });

  test("of what is not a version or not a name are harmless", async () => {
    await record(
      count("Api.VIN.example."),
      count("Api.VIN.example.", { connections: 1, id: "x" }),
      count(`evil\u202e\u0000\n<script> ${"x".repeat(900)}`, {
        refused: 1,
        reason: `is\n${"y".repeat(900)}`,
      }),
      count("a.example", { versionId: "'; drop table egress_days", connections: 1 }),
    );
    const rows = await stored();
    expect(rows.map(({ host }) => host)).toEqual([
      "api.vin.example",
      expect.stringMatching(/^evil<script>x+…$/),
    ]);
    expect(rows[1]?.reason?.length).toBeLessThanOrEqual(300);
  });
});

describe("many hosts", () => {
  const many = (prefix: string, length: number, changed: Partial<EgressCount>) =>
    Array.from({ length }, (_, index) =>
      count(`${prefix}${index}.example`, { firstAt: NOW + index, ...changed }),
    );
  const summary = async () => {
    const rows = await stored();
    const others = rows.filter(({ host }) => host === OTHER_HOSTS);
    return {
      named: rows.length - others.length,
      others: others.map(({ connections, refused }) => ({ connections, refused })),
    };
  };

  // Guarantee: a version takes a bounded part of the table, and its totals stay right.
  test("are at most 200 a day, and the rest is one row", async () => {
    await record(
      ...many("used", 150, { connections: 1 }),
      ...many("tried", 150, { refused: 2, reason: "x" }),
    );
    expect(await summary()).toEqual({ named: 200, others: [{ connections: 50, refused: 100 }] });
    await record(
      ...many("more", 30, { connections: 1, bytesOut: 5 }),
      count("used3.example", { connections: 4, firstAt: NOW + 3 }),
    );
    expect(await summary()).toEqual({ named: 200, others: [{ connections: 80, refused: 100 }] });
    const [known] = await platform.db.select().from(egressDays).where(eq(egressDays.host, "used3.example"));
    expect(known?.connections).toBe(4);
  });

  // Guarantee: trying many names hides none of those that are used.
  test("that were only tried leave room for those that are used", async () => {
    await record(...many("tried", 1_000, { refused: 1, reason: "x" }));
    await record(count("api.vin.example", { connections: 1 }));
    expect(await summary()).toEqual({ named: 101, others: [{ connections: 0, refused: 900 }] });
    expect((await stored()).map(({ host }) => host)).toContain("api.vin.example");
  });
});

describe("refused attempts", () => {
  const lines = () => platform.db.select().from(logLines).orderBy(logLines.id);
  const hourPasses = () =>
    platform.db.execute(sql`update egress_days set logged_at = logged_at - interval '61 minutes',
      refused_since = refused_since - interval '61 minutes', refused_at = refused_at - interval '61 minutes'`);

  async function givenCustomer() {
    const operator = await givenMember(platform, "harbor", "operator");
    const { tenant } = await givenTenant(platform, operator);
    await givenInstallation(platform, operator, given.version, tenant.id);
    const instance = { versionId, runtime: "docker", handle: "h", state: "READY" as const };
    return one(await platform.db.insert(instances).values(instance).returning());
  }

  test("are in the app's log with the line of the manifest that would allow them, once an hour", async () => {
    const instance = await givenCustomer();
    await record(refusal("pay.example", 1));
    await record(refusal("pay.example", 2), count("api.vin.example", { connections: 1 }));
    expect(await lines()).toMatchObject([
      {
        ...{ versionId, instanceId: instance.id, stream: "platform", level: null },
        text: 'A connection to pay.example was refused: it is not a host that the app may connect to. To allow it, add this to core.hosts of the manifest: {"host":"pay.example","purpose":"Why the app needs it"}',
      },
    ]);
    await hourPasses();
    await record(count("pay.example", { port: 53, refused: 2, connections: 0 }));
    expect(await lines()).toHaveLength(1);
    await record(refusal("pay.example", 3));
    expect(await lines()).toHaveLength(2);
  });

  test("notify the publisher once for each host and day, from the third within an hour on", async () => {
    await givenCustomer();
    await record(refusal("pay.example", 2));
    await hourPasses();
    await record(refusal("pay.example", 4));
    expect(await platform.db.$count(notifications)).toBe(0);
    await record(refusal("pay.example", 5), refusal("log.example", 7));
    await record(refusal("pay.example", 50), refusal("log.example", 70));
    const told = await platform.db.select().from(notifications).orderBy(notifications.title);
    expect(told.map(({ title, count: times }) => [title, times])).toEqual([
      ["VIN lookup 1.4.0 can't connect to log.example", 1],
      ["VIN lookup 1.4.0 can't connect to pay.example", 1],
    ]);
    expect(told[0]).toMatchObject({
      ...{ kind: "refused-host", userId: publisher.userId, href: "/publish/vin-lookup/metrics#egress" },
      body: expect.stringMatching(/^7 attempts within an hour\. A connection to log\.example was refused/),
    });
    expect(await platform.db.$count(mails)).toBe(0);
  });

  // Guarantee: a publisher doesn't learn who its customers are.
  test("of customers' cores don't name them", async () => {
    await givenCustomer();
    await platform.db.update(tenants).set({ coreApiUrl: "https://core.harbor.example/v1" });
    await record(refusal("core.harbor.example", 5, { reason: "has an address that apps can't reach" }));
    const told = [
      ...(await lines()).map(({ text }) => text),
      ...(await platform.db.select().from(notifications)).flatMap(({ title, body }) => [title, body]),
    ];
    expect(told).toHaveLength(3);
    for (const text of told) expect(text).not.toContain("harbor");
    expect(told[0]).toBe(
      "A connection to a customer's own host was refused: it has an address that apps can't reach.",
    );
  });

  test("of an app without customers, and of automatic checks, notify nobody", async () => {
    await record(refusal("pay.example", 9), refusal("pay.example", 9, { versionId: v7(), id: "checks" }));
    expect(await platform.db.$count(notifications)).toBe(0);
    expect(await platform.db.$count(egressDays)).toBe(2);
  });
});

describe("the recorder", () => {
  test("stores the last totals, and the days on which a version was watched, once each", async () => {
    const recorder = createEgressRecorder(platform);
    for (let connections = 1; connections <= 40; connections += 1)
      recorder.note([count("api.vin.example", { connections })]);
    recorder.watch([versionId]);
    recorder.watch([versionId, ""]);
    await expect.poll(async () => (await stored())[0]?.connections).toBe(40);
    await expect
      .poll(() => platform.db.select().from(egressWatches))
      .toEqual([{ versionId, day: new Date().toISOString().slice(0, 10) }]);
  });

  // Guarantee: what is counted while the database is away is stored when it is back.
  test("tries again", async () => {
    let isAway = true;
    const transaction = ((work: never, ...rest: never[]) =>
      isAway
        ? Promise.reject(new Error("away"))
        : platform.db.transaction(work, ...rest)) as typeof platform.db.transaction;
    const db = Object.assign(Object.create(platform.db) as typeof platform.db, { transaction });
    const recorder = createEgressRecorder({ db, log: platform.log });
    recorder.note([count("api.vin.example", { connections: 3 })]);
    await new Promise((resolve) => setTimeout(resolve, 200));
    isAway = false;
    recorder.note([count("api.vin.example", { connections: 5 })]);
    await expect.poll(async () => (await stored())[0]?.connections, { timeout: 5_000 }).toBe(5);
    expect(await platform.db.$count(egressCounters)).toBe(1);
  });
});
