import { eq } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { evidence } from "@/drizzle/schema/moderation";
import { configurations } from "@/drizzle/schema/installations-configurations";
import { tenants } from "@/drizzle/schema/installations-tenants";
import { egressDays, egressWatches, instances, isolationChecks } from "@/drizzle/schema/runtime";
import type { Manifest } from "@/lib/contract/catalog/manifest";
import type { Member } from "@/lib/domain/platform/actor";
import {
  givenInstallation,
  givenListing,
  givenMember,
  givenTenant,
  one,
  SAMPLE_MANIFEST,
  testPlatform,
} from "@/tests/test-platform";
import { requireInstallation } from "../installations/queries";
import { readInstallationOverview } from "../installations/read-installation";
import { queueEvidence, readCheckedEgress } from "../moderation/evidence/queue-evidence";
import { submitReview } from "../moderation/submit-review";
import { readAppEgress, readEgress, readProposal, readUsesAll } from "./read-egress";

const platform = await testPlatform();

const readOverview = async (member: Member, id: string, now?: Date) =>
  readInstallationOverview(platform, await requireInstallation(platform.db, member.organization.id, id), now);
const DAY_MS = 24 * 3_600_000;
const dayAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

const manifest: Manifest = {
  ...SAMPLE_MANIFEST,
  app: {
    fields: [...(SAMPLE_MANIFEST.app?.fields ?? []), { name: "endpoint", title: "Endpoint", type: "Text" }],
  },
  core: {
    ...SAMPLE_MANIFEST.core,
    hosts: [
      { host: "api.vin.example", purpose: "Decodes VINs" },
      { host: "old.example", purpose: "Was needed once" },
      { setting: "endpoint", purpose: "Your own" },
    ],
  },
};

let given: Awaited<ReturnType<typeof givenWorld>>;
beforeEach(async () => {
  given = await givenWorld();
});

async function givenWorld() {
  const publisher = await givenMember(platform);
  const { listing, version } = await givenListing(platform, publisher, {
    state: "PUBLIC",
    verified: true,
    manifest,
  });
  const [harbor, alpine] = [await givenMember(platform, "harbor"), await givenMember(platform, "alpine")];
  const install = async (member: typeof harbor) => {
    const { slug } = member.organization;
    const { tenant } = await givenTenant(platform, member);
    await platform.db
      .update(tenants)
      .set({ coreApiUrl: `https://core.${slug}.example/v1` })
      .where(eq(tenants.id, tenant.id));
    const { installation } = await givenInstallation(platform, member, version, tenant.id);
    await platform.db
      .update(configurations)
      .set({ settings: { endpoint: { kind: "plain", value: `https://hooks.${slug}.example/x` } } })
      .where(eq(configurations.installationId, installation.id));
    return installation;
  };
  return {
    ...{ publisher, listing, version, harbor, alpine },
    ofAlpine: await install(alpine),
    ofHarbor: await install(harbor),
  };
}

type Day = Partial<typeof egressDays.$inferInsert>;
async function addDays(...days: Day[]) {
  const common = { versionId: given.version.id, day: dayAgo(0), host: "api.vin.example", connections: 1 };
  const rows = days.map((day) => ({ ...common, firstAt: new Date(), lastAt: new Date(), ...day }));
  await platform.db.insert(egressDays).values(rows);
}
async function watch(days: number, versionId = given.version.id) {
  const rows = Array.from({ length: days }, (_, index) => ({ versionId, day: dayAgo(index) }));
  await platform.db.insert(egressWatches).values(rows);
}
const named = (rows: { host?: string; words?: string }[]) => rows.map(({ host, words }) => host ?? words);

// Guarantee: the days of 90 days are added up, of the whole app for its publisher.
test("a publisher sees all versions of the last 90 days", async () => {
  const first = new Date(Date.now() - 3 * DAY_MS);
  await addDays(
    { bytesOut: 10, bytesIn: 1 },
    { day: dayAgo(3), connections: 4, bytesOut: 5, firstAt: first, lastAt: first },
    { day: dayAgo(5), connections: 0, refused: 1, firstAt: new Date(0), lastAt: new Date(0) },
    { day: dayAgo(91), connections: 100 },
    { host: "x.example", connections: 0, refused: 3, reason: "is not declared", refusedAt: new Date() },
  );
  await watch(5);
  const { view } = (await readAppEgress(platform, given.listing.id)) ?? expect.fail();
  expect(view).toMatchObject({ blindness: null, since: dayAgo(4), left: 0 });
  expect(view.rows[0]).toMatchObject({
    host: "api.vin.example",
    connections: 5,
    bytesOut: 15,
    bytesIn: 1,
    firstUsedAt: first.toISOString(),
  });
  expect(view.rows.at(-1)).toMatchObject({
    host: "x.example",
    refused: 3,
    reason: "is not declared",
    usedAt: null,
  });
});

// Guarantee: nothing is cut silently.
test("hosts beyond those that are read are counted as not shown", async () => {
  const refused = { connections: 0, refused: 1, reason: "is not declared", refusedAt: new Date() };
  await addDays(...Array.from({ length: 1_001 }, (_, at) => ({ host: `h${at}.example`, ...refused })));
  await watch(1);
  const { view } = (await readAppEgress(platform, given.listing.id)) ?? expect.fail();
  // The hosts of the manifest have rows too.
  const declared = view.rows.filter(({ isDeclared }) => isDeclared).length;
  expect(view.rows.length - declared + view.left).toBe(1_001);
});

// Guarantee: no customer learns who else uses the app, and nobody sees another organization's installation.
test("a customer sees its own hosts, and neither it nor the publisher sees others", async () => {
  await addDays(
    ...["api.vin.example", "core.harbor.example", "core.alpine.example"].map((host) => ({ host })),
    ...["hooks.alpine.example", "hooks.harbor.example"].map((host) => ({ host })),
  );
  await watch(1);
  const { harbor, alpine, ofHarbor } = given;
  const { egress: view } = await readOverview(harbor, ofHarbor.id);
  expect(named(view.rows).sort()).toEqual([
    ...["Your core", "api.vin.example", "hooks.harbor.example", "old.example"],
  ]);
  expect(JSON.stringify(view)).not.toContain("alpine");
  const { view: published } = (await readAppEgress(platform, given.listing.id)) ?? expect.fail();
  expect(JSON.stringify(published)).not.toMatch(/harbor|alpine/);
  await expect(readOverview(alpine, ofHarbor.id)).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});

test("a smaller manifest is proposed once the app was watched long enough", async () => {
  await addDays({});
  await watch(13);
  expect(await readProposal(platform, given.listing.id)).toBeUndefined();
  await platform.db.insert(egressWatches).values({ versionId: given.version.id, day: dayAgo(40) });
  expect(await readProposal(platform, given.listing.id)).toEqual({
    declared: 2,
    used: 1,
    unused: ["old.example"],
  });
  await addDays({ host: "old.example", connections: 0, refused: 1 });
  expect((await readAppEgress(platform, given.listing.id))?.proposal).toBeUndefined();
});

test("an app asks for nothing that it doesn't use, if it used all that it declares", async () => {
  const check = () => readUsesAll(platform, given.listing.id, manifest);
  await addDays({}, { host: "old.example", day: dayAgo(60) });
  expect(await check()).toBe(false);
  await watch(2);
  // Nobody has said that the guard is there.
  expect(await check()).toBe(false);
  await platform.db.insert(isolationChecks).values({ egress: { way: "guard" } });
  expect(await check()).toBe(true);
  expect(await readUsesAll(platform, given.listing.id, SAMPLE_MANIFEST)).toBe(false);
  await platform.db
    .update(isolationChecks)
    .set({ egress: { way: "open", why: "The operator turned it off." } });
  expect(await check()).toBe(false);
  await platform.db.update(isolationChecks).set({ egress: { way: "guard" } });
  await platform.db
    .insert(instances)
    .values({ versionId: given.version.id, runtime: "process", state: "READY" });
  expect(await check()).toBe(false);
  await platform.db.delete(isolationChecks);
});

test("a review shows what the checks tried, and forgets it when they run again", async () => {
  const { publisher } = given;
  const draft = await givenListing(platform, publisher, { appName: "rater", manifest });
  const { reviewId } = await submitReview(platform, publisher, draft.listing.id, {
    ...{ versionId: draft.version.id, older: false, note: "" },
  });
  const { id } = one(await platform.db.select().from(evidence));
  await watch(1, id);
  await addDays(
    { versionId: id },
    { versionId: id, host: "x.example", connections: 0, refused: 2, reason: "is not declared" },
  );
  const read = () => readCheckedEgress(platform, reviewId, manifest);
  const view = (await read()) ?? expect.fail();
  expect(named(view.rows)[0]).toBe("x.example");
  await platform.db.update(evidence).set({ state: "DONE" });
  await platform.db.transaction((tx) => queueEvidence(tx, reviewId));
  expect(await read()).toMatchObject({ since: null });
});

test("where nothing is observed, the view says why", async () => {
  await platform.db
    .insert(isolationChecks)
    .values({ egress: { way: "open", why: "The operator turned it off." } })
    .onConflictDoNothing();
  const query = { which: { versionId: given.version.id }, reader: "publisher" as const, manifest, cores: [] };
  expect(await readEgress(platform, query)).toMatchObject({ blindness: "open", since: null });
  await platform.db
    .insert(instances)
    .values({ versionId: given.version.id, runtime: "process", state: "READY" });
  expect((await readEgress(platform, query)).blindness).toBe("process");
  // Days of a guard that is gone propose nothing.
  await addDays({});
  await watch(20);
  expect(await readAppEgress(platform, given.listing.id)).toMatchObject({
    view: { since: null },
    proposal: undefined,
  });
  await platform.db.delete(isolationChecks);
});

test("a page reads it in few statements, however many days and hosts there are", async () => {
  await platform.pool.query(
    `insert into egress_days (version_id, day, host, connections, first_at, last_at)
     select $1, current_date - d, 'h' || h || '.example', 1, now(), now() from generate_series(0, 89) d, generate_series(1, 200) h`,
    [given.version.id],
  );
  const statements = vi.spyOn(platform.pool, "query");
  const { view } = (await readAppEgress(platform, given.listing.id)) ?? expect.fail();
  expect(statements.mock.calls.length).toBeLessThanOrEqual(6);
  expect(view.rows.length).toBeLessThanOrEqual(25);
  statements.mockRestore();
});
