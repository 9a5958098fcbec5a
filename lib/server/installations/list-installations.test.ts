import { eq } from "drizzle-orm";
import { v7 } from "uuid";
import { expect, test, vi } from "vitest";
import { listings } from "@/drizzle/schema/catalog";
import { installations } from "@/drizzle/schema/installations";
import { LISTING_STATES, type ListingState } from "@/lib/contract/catalog/listing";
import { INSTALLATION_STATUSES } from "@/lib/contract/insight/health";
import type { Member } from "@/lib/domain/platform/actor";
import { givenInstallation, givenInstalledApp, givenTenant, testPlatform } from "@/tests/test-platform";
import { givenUpgradeWorld, SECOND } from "@/tests/upgrade-world";
import { listInstallations } from "./list-installations";
import { requireInstallation } from "./queries";
import { readInstallation, readInstallationOverview, viewInstallation } from "./read-installation";

const platform = await testPlatform();

// Guarantee: the list marks an upgrade exactly when the installation's page offers one.
test("the list and the page offer the same version", async () => {
  const world = await givenUpgradeWorld(platform);
  const { listing, customer, publisher } = world;
  const id = await world.launch();
  const trial = await world.launch(publisher, true, false);
  const offered = async (member: Member, installation: string) => {
    const { installations: listed } = await listInstallations(platform, member);
    const row = listed.find((each) => each.id === installation);
    const page = await readInstallation(platform, member, installation);
    expect(row?.upgradeTo).toBe(page.upgradeTo?.number ?? null);
    return row?.upgradeTo;
  };
  const move = (state: ListingState) =>
    platform.db.update(listings).set({ state }).where(eq(listings.id, listing.id));

  expect(await offered(customer, id)).toBe("2.0.0");
  // Ten is more than two, and only the publisher can use a version that is not verified.
  await world.addVersion({ ...SECOND, version: "10.0.0" }, false);
  expect(await offered(customer, id)).toBe("2.0.0");
  expect(await offered(publisher, trial)).toBe("10.0.0");
  for (const state of LISTING_STATES) {
    await move(state);
    expect(await offered(customer, id), state).toBe(state === "PUBLIC" ? "2.0.0" : null);
    expect(await offered(publisher, trial), state).toBe(state === "RETIRED" ? null : "10.0.0");
  }
});

// Guarantee: the pages of a list that is filtered by health are whole too, on the way there and back.
test.each([
  ["", "newest"],
  ["DOWN", "newest"],
  ["", "urgency"],
  ["", "name"],
  ["DOWN", "tenant"],
])("pages of installations in the state “%s” by %s, forward and back", async (state, sort) => {
  const { customer, installation } = await givenInstalledApp(platform);
  await platform.pool.query(
    `with added as (
       insert into tenants (id, organization_id, name, host_name, core_api_url)
       select n::uuid, $1, 'T' || n, n || '.core.example', 'http://core.example' from unnest($2::text[]) n returning id)
     insert into installations (id, organization_id, tenant_id, listing_id, version_id, state, created_by)
     select added.id, organization_id, added.id, listing_id, version_id, 'RUNNING', created_by
       from added, installations where installations.id = $3`,
    [customer.organization.id, Array.from({ length: 69 }, () => v7()), installation.id],
  );
  const read = (after?: string) => listInstallations(platform, customer, { state, sort, after });
  const first = await read();
  const second = await read(first.next);
  const third = await read(second.next);
  const ids = (page: typeof first) => page.installations.map(({ id }) => id);
  expect([ids(first).length, ids(second).length, ids(third).length]).toEqual([30, 30, 10]);
  expect(new Set([...ids(first), ...ids(second), ...ids(third)]).size).toBe(70);
  expect(ids(await read(third.previous))).toEqual(ids(second));
  expect(ids(await read(second.previous))).toEqual(ids(first));
});

// Guarantee: a number beside a state is how many rows a click on it shows, of the same search.
test("installations are counted by state, in one statement more", async () => {
  const { customer, version } = await givenInstalledApp(platform);
  const states = ["RUNNING", "RUNNING", "ERROR", "STOPPED", "STOPPED", "UNINSTALLED"] as const;
  for (const [place, state] of states.entries()) {
    const { tenant } = await givenTenant(platform, customer, `${place}.example`, `North ${place}`);
    const { installation } = await givenInstallation(platform, customer, version, tenant.id);
    await platform.db.update(installations).set({ state }).where(eq(installations.id, installation.id));
  }
  const statements = vi.spyOn(platform.pool, "query");
  const { counts, total } = await listInstallations(platform, customer, { search: "north" });
  // The states with what decides their health, and the page.
  expect(statements.mock.calls.length).toBeLessThanOrEqual(8);
  statements.mockRestore();
  // Nothing was started yet.
  expect(counts).toMatchObject({ RUNNING: 0, DOWN: 2, ERROR: 1, STOPPED: 2, UNINSTALLED: 1, LAUNCHING: 0 });
  expect(total).toBe(5);
  const all = await listInstallations(platform, customer);
  expect([all.total, all.installations.length]).toEqual([6, 6]);
  for (const state of INSTALLATION_STATUSES) {
    const list = await listInstallations(platform, customer, { search: "north", state });
    expect([list.installations.length, list.shown], state).toEqual([counts[state], counts[state]]);
  }
});

// Guarantee: each order of the URL is that of all pages, there and back, and nonsense means the newest first.
test("installations are sorted by urgency, app and tenant", async () => {
  const { customer, version, installation } = await givenInstalledApp(platform);
  // Nothing was started, so that what runs is down.
  const states = ["STOPPED", "RUNNING", "ERROR"] as const;
  const found = [installation.id];
  for (const [place, state] of states.entries()) {
    const { tenant } = await givenTenant(platform, customer, `${place}.example`, `Zone ${3 - place}`);
    const added = await givenInstallation(platform, customer, version, tenant.id);
    await platform.db.update(installations).set({ state }).where(eq(installations.id, added.installation.id));
    found.push(added.installation.id);
  }
  await platform.pool.query("update installations set state = 'LAUNCHING' where id = $1", [installation.id]);
  const [launching, stopped, down, failed] = found;
  const list = async (sort?: string) =>
    (await listInstallations(platform, customer, { sort })).installations.map(({ id }) => id);
  expect(await list()).toEqual([failed, down, stopped, launching]);
  expect(await list("__proto__")).toEqual([failed, down, stopped, launching]);
  await platform.pool.query("update installations set created_at = now() + interval '1 hour' where id = $1", [
    stopped,
  ]);
  expect(await list("newest")).toEqual([stopped, failed, down, launching]);
  expect((await list("urgency")).slice(0, 2)).toEqual([failed, down]);
  expect((await list("tenant")).slice(-3)).toEqual([failed, down, stopped]);
  expect(await list("name")).toHaveLength(4);
});

// Guarantee: with its session and frame, the overview stays within the 20 statements that a page may take.
test("what an overview shows is read in few statements", async () => {
  const { customer, installation } = await givenInstalledApp(platform);
  const statements = vi.spyOn(platform.pool, "query");
  const found = await requireInstallation(platform.db, customer.organization.id, installation.id);
  await Promise.all([viewInstallation(platform, customer, found), readInstallationOverview(platform, found)]);
  expect(statements.mock.calls.length).toBeLessThanOrEqual(18);
  statements.mockRestore();
});
