import { v7 } from "uuid";
import { beforeEach, expect, test } from "vitest";
import { instanceEvents } from "@/drizzle/schema/runtime";
import { installations, upgrades } from "@/drizzle/schema/installations";
import type { HealthStrip } from "@/lib/contract/insight/health";
import type { ReasonCode } from "@/lib/contract/runtime/instance-reasons";
import type { Member } from "@/lib/domain/platform/actor";
import {
  givenInstallation,
  givenListing,
  givenMember,
  givenTenant,
  givenVersion,
  testPlatform,
} from "@/tests/test-platform";
import { requireInstallation } from "../../installations/queries";
import { readInstallationOverview } from "../../installations/read-installation";
import { noteUnneeded } from "../../runtime/instance-state-queries";
import { readAppHistory } from "./read-history";

const platform = await testPlatform();

const readOverview = async (member: Member, id: string, now?: Date) =>
  readInstallationOverview(platform, await requireInstallation(platform.db, member.organization.id, id), now);
/** A quarter to an hour. */
const NOW = new Date("2026-11-20T11:45:00Z");
const HOUR = 3_600_000;

let world: Awaited<ReturnType<typeof givenWorld>>;
beforeEach(async () => {
  world = await givenWorld();
});

/** A customer who moved to the second version five hours ago. */
async function givenWorld() {
  const publisher = await givenMember(platform, "acme");
  const { version: first } = await givenListing(platform, publisher, { state: "PUBLIC", verified: true });
  const second = await givenVersion(platform, first, "2.0.0");
  const customer = await givenMember(platform, "harbor");
  const { tenant } = await givenTenant(platform, customer);
  const { installation } = await givenInstallation(platform, customer, second, tenant.id);
  await platform.db.update(installations).set({ createdAt: hoursAgo(20) });
  await platform.db.insert(upgrades).values({
    installationId: installation.id,
    fromVersionId: first.id,
    toVersionId: second.id,
    state: "DONE",
    fromRevision: 1,
    toRevision: 2,
    switchedAt: hoursAgo(5),
    createdBy: customer.userId,
  });
  return { publisher, customer, first, second, installation };
}

function hoursAgo(hours: number): Date {
  return new Date(NOW.getTime() - hours * HOUR);
}

async function happened(
  versionId: string,
  hours: number,
  kind: "ready" | "failed" | "failing",
  code?: ReasonCode,
) {
  const reason = code === undefined ? null : `Because of ${code}.`;
  const event = { versionId, instanceId: versionId, at: hoursAgo(hours), kind, reasonCode: code, reason };
  await platform.db.insert(instanceEvents).values(event);
}

/** The states of a strip, each once until it changes. */
const states = ({ segments }: HealthStrip) =>
  segments.map(({ state }) => state).filter((state, index, all) => state !== all[index - 1]);

// Guarantee: a customer sees the health of the versions that it used, and nothing of others.
test("an installation has the health of the version that it used at each time", async () => {
  const { customer, first, second, installation } = world;
  await happened(first.id, 30, "ready");
  await happened(first.id, 8, "failing", "HEALTH_NOT_200");
  await happened(first.id, 3, "failed", "EXITED");
  await happened(second.id, 10, "failed", "OOM_KILLED");
  await happened(second.id, 6, "ready");
  const { history } = await readOverview(customer, installation.id, NOW);
  const { day, month } = history;
  expect(states(day)).toEqual(["UNKNOWN", "UP", "DEGRADED", "UP"]);
  expect(day.segments.flatMap(({ reasons }) => reasons)).toEqual(
    Array(day.segments.filter(({ state }) => state === "DEGRADED").length).fill("Because of HEALTH_NOT_200."),
  );
  expect(states(month)).toEqual(["UNKNOWN", "DEGRADED"]);
  expect(day.healthy).toBeCloseTo((17 / 20) * 100, 5);
});

test("a publisher sees each version that ran, the running one first", async () => {
  const { publisher, first, second } = world;
  await happened(first.id, 3, "ready");
  await happened(second.id, 2, "ready");
  await happened(second.id, 1, "failed", "EXITED");
  const { versions: shown, more } = await readAppHistory(platform, publisher, first.listingId, NOW);
  expect(more).toBe(0);
  expect(shown.map(({ number }) => number)).toEqual(["2.0.0", first.number]);
  expect(shown.map(({ history }) => states(history.day).at(-1))).toEqual(["DOWN", "UP"]);
  expect(shown[1]?.history.month.healthy).toBe(100);
});

// Guarantee: nothing is cut silently.
test("of very many versions, the newest are shown and the others are counted", async () => {
  const { publisher, first } = world;
  for (const major of [3, 4, 5, 6, 7, 8])
    await happened((await givenVersion(platform, first, `${major}.0.0`)).id, 3, "ready");
  const shown = await readAppHistory(platform, publisher, first.listingId, NOW);
  expect(shown.versions).toHaveLength(5);
  expect(shown.more).toBeGreaterThanOrEqual(1);
});

// Guarantee: a version that failed and that nobody needs anymore is not an outage that never ends.
test("what nobody needs anymore is not down", async () => {
  const { publisher, first, second } = world;
  await happened(first.id, 3, "failed", "EXITED");
  await happened(second.id, 3, "failed", "EXITED");
  await noteUnneeded(platform.db);
  await noteUnneeded(platform.db);
  const events = await platform.db.select().from(instanceEvents);
  // The customer still needs the second.
  expect(events.filter(({ kind }) => kind === "stopped")).toMatchObject([
    { versionId: first.id, reasonCode: "NOT_NEEDED", reason: "No installation needs it anymore." },
  ]);
  const { versions: shown } = await readAppHistory(platform, publisher, first.listingId);
  expect(shown.map(({ number }) => number)).toContain(first.number);
});

test("another organization's listing or installation is not found", async () => {
  const { publisher, customer, first, installation } = world;
  const missing = { code: "NOT_FOUND" };
  await expect(readAppHistory(platform, customer, first.listingId)).rejects.toMatchObject(missing);
  const own = readOverview(publisher, installation.id);
  await expect(own).rejects.toMatchObject(missing);
  await expect(readOverview(customer, v7())).rejects.toMatchObject(missing);
});
