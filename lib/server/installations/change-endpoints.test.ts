import { eq } from "drizzle-orm";
import { v7 } from "uuid";
import { beforeEach, expect, test } from "vitest";
import { installations } from "@/drizzle/schema/installations";
import type { Endpoint } from "@/lib/contract/catalog/manifest";
import { givenInstalledApp, givenMember, one, SAMPLE_MANIFEST, testPlatform } from "@/tests/test-platform";
import { selectServedEndpoints } from "../calls/endpoint-queries";
import { openEndpoint, replaceRouteBase } from "./change-endpoints";
import { declaredRoutes } from "./declared-routes";
import { launchInstallation } from "./launch-installation";
import { readLaunch } from "./read-launch";
import { upsertRoutes } from "./queries";
import { readInstallation } from "./read-installation";

const platform = await testPlatform();
const ENDPOINTS: Endpoint[] = [
  { path: "/callbacks/*", methods: ["GET", "POST"], access: "public", title: "Callbacks" },
  { path: "/report", methods: ["GET"], access: "core", title: "Report" },
];
const withEndpoints = (endpoints: Endpoint[]) => ({
  ...SAMPLE_MANIFEST,
  core: { ...SAMPLE_MANIFEST.core, endpoints },
});

let world: Awaited<ReturnType<typeof givenWorld>>;
beforeEach(async () => {
  world = await givenWorld();
});

async function givenWorld() {
  const manifest = withEndpoints(ENDPOINTS);
  const app = await givenInstalledApp(platform, { role: "operator", manifest });
  await upsertRoutes(platform.db, app.installation.id, declaredRoutes(manifest, false));
  return { ...app, id: app.installation.id };
}

const view = () => readInstallation(platform, world.customer, world.id);
const endpointAt = async (path: string) => one((await view()).endpoints.filter((each) => each.path === path));
const actions = async () => {
  const { rows } = await platform.pool.query<{ action: string }>(
    "select action from audit order by position",
  );
  return rows.map(({ action }) => action);
};
const served = async () => {
  const { routeBase } = one(
    await platform.db.select().from(installations).where(eq(installations.id, world.id)),
  );
  return selectServedEndpoints(platform.db, routeBase);
};

// Guarantee: customers see each endpoint with its URL and whether it is open, and change that with an audit row.
test("a public endpoint is opened and closed", async () => {
  const { id, customer } = world;
  const { routeBase } = await view();
  const callbacks = await endpointAt("/callbacks/*");
  expect(callbacks).toMatchObject({
    open: false,
    address: `${routeBase}/callbacks/*`,
    methods: ["GET", "POST"],
  });
  expect(await endpointAt("/report")).toMatchObject({ open: true, access: "core" });
  await openEndpoint(platform, customer, id, callbacks.routeId, { open: true });
  expect(await endpointAt("/callbacks/*")).toMatchObject({ open: true });
  await openEndpoint(platform, customer, id, callbacks.routeId, { open: false });
  expect(await endpointAt("/callbacks/*")).toMatchObject({ open: false });
  expect(await actions()).toEqual(["endpoint.open", "endpoint.close"]);
});

test("nothing but a public endpoint of this installation can be opened", async () => {
  const { id, customer } = world;
  const other = (await view()).routes[0]?.routeId ?? "";
  const { routeId } = await endpointAt("/report");
  for (const each of [other, routeId, v7(), "x"])
    await expect(openEndpoint(platform, customer, id, each, { open: true })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  expect(await actions()).toEqual([]);
});

// Guarantee: the old URL ends in the same moment; the app's next hook gets the new one.
test("the URL is replaced", async () => {
  const before = await view();
  const old = before.routeBase.split("/").at(-1) ?? "";
  expect(await selectServedEndpoints(platform.db, old)).toHaveLength(2);
  const { routeBase } = await replaceRouteBase(platform, world.customer, world.id);
  const after = await view();
  expect(after.routeBase).toBe(routeBase);
  expect(routeBase).not.toBe(before.routeBase);
  expect(after.endpoints.every(({ address }) => address.startsWith(routeBase))).toBe(true);
  expect(await selectServedEndpoints(platform.db, old)).toEqual([]);
  expect(await served()).toHaveLength(2);
  expect(await actions()).toEqual(["installation.replace-route-base"]);
});

test("strangers, publishers and uninstalled apps are refused", async () => {
  const { id } = world;
  const { routeId } = await endpointAt("/callbacks/*");
  const stranger = await givenMember(platform, "stranger");
  const publisher = await givenMember(platform, "harbor", "publisher");
  const both = (member: typeof stranger) => [
    () => openEndpoint(platform, member, id, routeId, { open: true }),
    () => replaceRouteBase(platform, member, id),
  ];
  for (const each of both(stranger)) await expect(each()).rejects.toMatchObject({ code: "NOT_FOUND" });
  for (const each of both(publisher)) await expect(each()).rejects.toMatchObject({ code: "NOT_ALLOWED" });
  await platform.db.update(installations).set({ state: "UNINSTALLED" });
  for (const each of both(world.customer))
    await expect(each()).rejects.toMatchObject({ code: "WRONG_STATE" });
  expect(await actions()).toEqual([]);
});

// Guarantee: nothing is public before the customer has seen and agreed to it.
test.each([true, false, undefined])("a launch with openEndpoints %s", async (openEndpoints) => {
  const { customer, publisher, version, tenant } = world;
  await platform.db.update(installations).set({ state: "UNINSTALLED" });
  const app = { organization: publisher.organization.slug, app: "vin-lookup" };
  expect((await readLaunch(platform, customer, app, { test: false })).publicEndpoints).toEqual([
    { path: "/callbacks/*", methods: ["GET", "POST"], title: "Callbacks" },
  ]);
  const { installationId } = await launchInstallation(platform, customer, {
    versionId: version.id,
    tenantId: tenant.id,
    test: false,
    settings: { region: { action: "set", value: "eu" }, apiKey: { action: "set", value: "secret" } },
    mappings: { "Personal Auto": { vin: "$.vin" } },
    openEndpoints,
  });
  const { endpoints } = await readInstallation(platform, customer, installationId);
  expect(endpoints.map(({ path, open }) => [path, open])).toEqual([
    ["/callbacks/*", openEndpoints === true],
    ["/report", true],
  ]);
});

// Guarantee: an upgrade opens only what the customer agreed to, and keeps what was open or closed before.
test.each<[string, boolean, boolean, Partial<Endpoint>, boolean]>([
  ["the same", true, false, { title: "Renamed" }, true],
  ["the same, closed", false, true, {}, false],
  ["fewer methods", true, false, { methods: ["GET"] }, true],
  ["more methods, not agreed", true, false, { methods: ["GET", "POST", "DELETE"] }, false],
  ["more methods, agreed", false, true, { methods: ["GET", "POST", "DELETE"] }, true],
])("an endpoint that is %s after a switch", async (_what, opened, agreed, changes, open) => {
  await upsertRoutes(platform.db, world.id, declaredRoutes(withEndpoints([]), false));
  const { routeId } = await endpointAt("/callbacks/*");
  await openEndpoint(platform, world.customer, world.id, routeId, { open: opened });
  const next = ENDPOINTS.map((each) => (each.access === "public" ? { ...each, ...changes } : each));
  await upsertRoutes(platform.db, world.id, declaredRoutes(withEndpoints(next), agreed));
  expect(await endpointAt("/callbacks/*")).toMatchObject({ open, routeId });
});

test.each([true, false])("an endpoint that becomes public opens if agreed: %s", async (agreed) => {
  const next = ENDPOINTS.map((each) => ({ ...each, access: "public" as const }));
  await upsertRoutes(platform.db, world.id, declaredRoutes(withEndpoints(next), agreed));
  expect(await endpointAt("/report")).toMatchObject({ access: "public", open: agreed });
});
