import { eq } from "drizzle-orm";
import { decodeJwt } from "jose";
import { v7 } from "uuid";
import { beforeEach, expect, test } from "vitest";
import { versions } from "@/drizzle/schema/catalog";
import { isolationChecks } from "@/drizzle/schema/runtime";
import { installations } from "@/drizzle/schema/installations";
import type { Host } from "@/lib/contract/catalog/manifest";
import { givenConfiguredWorld } from "@/tests/configured-world";
import {
  givenInstallation,
  givenMember,
  givenTenant,
  readState,
  SAMPLE_MANIFEST,
  testPlatform,
} from "@/tests/test-platform";
import { sealStateKey } from "../platform/state-key";
import { readAllowed } from "../runtime/egress";
import { requireInstallation } from "./queries";
import { readInstallationOverview } from "./read-installation";
import { readUpgrade } from "./read-upgrade";
import { refuseHost } from "./refuse-host";
import { beginUpgrade, failUpgrade, retryUpgrade } from "./upgrade-installation";

const platform = await testPlatform();

const VIN: Host = { host: "api.vin.example", purpose: "Decodes VINs" };
const MAPS: Host = { host: "*.maps.example", purpose: "Map tiles", optional: true };
const NEWS: Host = { host: "news.example", purpose: "News", optional: true };

let world: Awaited<ReturnType<typeof givenWorld>>;
beforeEach(async () => {
  world = await givenWorld();
});

async function declare(versionId: string, hosts: Host[]) {
  const manifest = { ...SAMPLE_MANIFEST, name: world.name, core: { ...SAMPLE_MANIFEST.core, hosts } };
  await platform.db.update(versions).set({ manifest }).where(eq(versions.id, versionId));
}

async function givenWorld() {
  const publisher = await givenMember(platform, "acme");
  const given = await givenConfiguredWorld(platform);
  const manifest = {
    ...given.version.manifest,
    core: { ...given.version.manifest.core, hosts: [VIN, MAPS, NEWS] },
  };
  await platform.db.update(versions).set({ manifest }).where(eq(versions.id, given.version.id));
  const version = { ...given.version, manifest };
  const id = await given.launch({});
  return { ...given, name: manifest.name, publisher, version, id };
}

const refuse = (host: string, refused = true) =>
  refuseHost(platform, world.customer, world.id, { host, refused });

const openHosts = async (versionId = world.version.id) =>
  (await readAllowed(platform, [versionId]))
    .get(versionId)
    ?.rules.flatMap(({ host, isCore }) => (isCore ? [] : [host]));

/** The claim of the token that the app gets with a call for this installation. */
async function told(installationId = world.id): Promise<unknown> {
  const { rows } = await platform.pool.query<{ id: string; revision: number; epoch: number }>(
    `select r.id, i.revision, i.key_epoch as epoch from routes r join installations i on i.id = r.installation_id
      where i.id = $1 and r.kind = 'webhook'`,
    [installationId],
  );
  const [route] = rows;
  if (route === undefined) throw new Error("no route");
  await platform.pool.query("update installations set state = 'RUNNING' where id = $1", [installationId]);
  const { token } = await readState(
    platform,
    sealStateKey(platform.keyring, {
      ...{ installationId, routeId: route.id, attemptId: v7() },
      ...{ revision: route.revision, epoch: route.epoch, expiresAt: new Date(Date.now() + 60_000) },
    }),
  );
  return decodeJwt(token).refused_hosts;
}

test("an owner refuses an optional host, and the app is told, until it is allowed again", async () => {
  expect(await told()).toBeUndefined();
  await refuse("news.example");
  await refuse("*.maps.example");
  await refuse("*.maps.example");
  expect(await told()).toEqual(["*.maps.example", "news.example"]);
  const { optionalHosts } = await readInstallationOverview(
    platform,
    await requireInstallation(platform.db, world.customer.organization.id, world.id),
  );
  expect(optionalHosts).toMatchObject([
    { host: "*.maps.example", purpose: "Map tiles", refused: { by: world.customer.name } },
    { host: "news.example", refused: { by: world.customer.name } },
  ]);
  await refuse("news.example", false);
  expect(await told()).toEqual(["*.maps.example"]);
  const { rows } = await platform.pool.query(
    "select action, details ->> 'host' as host from audit where action like 'host.%' and details ->> 'installationId' = $1 order by position",
    [world.id],
  );
  expect(rows).toEqual([
    { action: "host.refuse", host: "news.example" },
    { action: "host.refuse", host: "*.maps.example" },
    { action: "host.allow", host: "news.example" },
  ]);
});

test.each(["api.vin.example", "other.example", "", "a.maps.example"])(
  "a host without which the app doesn't work, or that it doesn't name, can't be refused: %s",
  async (host) => {
    await expect(refuse(host)).rejects.toMatchObject({ code: "BAD_INPUT" });
  },
);

// One container serves all customers, so the network can't tell whose connection it is.
test("a host is closed once every customer of the version refused it", async () => {
  const other = await givenMember(platform, `other-${v7().slice(-6)}`);
  const { tenant } = await givenTenant(platform, other);
  const { installation } = await givenInstallation(platform, other, world.version, tenant.id);
  await refuse("news.example");
  expect(await openHosts()).toContain("news.example");
  expect(await told(installation.id)).toBeUndefined();
  await refuseHost(platform, other, installation.id, { host: "news.example", refused: true });
  expect(await openHosts()).toEqual(["api.vin.example", "*.maps.example"]);
  await refuseHost(platform, other, installation.id, { host: "news.example", refused: false });
  expect(await openHosts()).toContain("news.example");
  await platform.db
    .update(installations)
    .set({ state: "UNINSTALLED" })
    .where(eq(installations.id, installation.id));
  expect(await openHosts()).not.toContain("news.example");
});

// Guarantee: the page says that a host is blocked only if the guard blocks it.
test("a customer sees whether a refused host is blocked, or the app is only told", async () => {
  const readBlocked = async () =>
    (
      await readInstallationOverview(
        platform,
        await requireInstallation(platform.db, world.customer.organization.id, world.id),
      )
    ).optionalHosts.flatMap(({ host, refused }) => (refused?.isBlocked === true ? [host] : []));
  await refuse("news.example");
  expect(await readBlocked()).toEqual(["news.example"]);
  const other = await givenMember(platform, `other-${v7().slice(-6)}`);
  const { tenant } = await givenTenant(platform, other);
  await givenInstallation(platform, other, world.version, tenant.id);
  expect(await readBlocked()).toEqual([]);
  await platform.db
    .update(installations)
    .set({ state: "UNINSTALLED" })
    .where(eq(installations.tenantId, tenant.id));
  expect(await readBlocked()).toEqual(["news.example"]);
  await declare(world.version.id, [{ ...NEWS, host: "*.news.example", optional: false }, MAPS, NEWS]);
  expect(await readBlocked()).toEqual(["news.example"]);
  await refuse("*.maps.example");
  await declare(world.version.id, [{ ...NEWS, host: "*.maps.example", optional: false }, MAPS, NEWS]);
  expect(await readBlocked()).toEqual(["news.example"]);
  await platform.db
    .insert(isolationChecks)
    .values({ egress: { way: "open", why: "The operator turned it off." } });
  expect(await readBlocked()).toEqual([]);
  await platform.db.delete(isolationChecks);
});

test("a version that needs a refused host asks first, and then has it", async () => {
  await refuse("news.example");
  await refuse("*.maps.example");
  const next = await world.addVersion("2.0.0", SAMPLE_MANIFEST.app?.fields ?? []);
  await declare(next.id, [VIN, MAPS, { ...NEWS, optional: false }]);
  const { rights } = await readUpgrade(platform, world.customer, world.id, next.id);
  expect(rights.added.hosts?.map(({ host }) => host)).toEqual(["news.example"]);
  expect(rights.isMore).toBe(true);
  const input = { versionId: next.id, revision: 1, settings: {}, mappings: {} };
  await expect(beginUpgrade(platform, world.customer, world.id, input)).rejects.toMatchObject({
    issues: [{ code: "rights-agree" }],
  });
  // As if the upgrade had been agreed to and was done.
  await platform.db.update(installations).set({ versionId: next.id }).where(eq(installations.id, world.id));
  await platform.pool.query("update configurations set version_id = $1 where installation_id = $2", [
    next.id,
    world.id,
  ]);
  expect(await told()).toEqual(["*.maps.example"]);
  expect(await openHosts(next.id)).toEqual(["api.vin.example", "news.example"]);
});

// Guarantee: nobody's refusal is lost to an upgrade that was agreed to before it.
test("a failed upgrade that needs a host refused since isn't retried without asking", async () => {
  const next = await world.addVersion("2.0.0", SAMPLE_MANIFEST.app?.fields ?? []);
  await declare(next.id, [VIN, MAPS, { ...NEWS, optional: false }]);
  await platform.db.update(installations).set({ state: "RUNNING" }).where(eq(installations.id, world.id));
  const input = { versionId: next.id, revision: 1, settings: {}, mappings: {} };
  await beginUpgrade(platform, world.customer, world.id, input);
  const { id: organizationId } = world.customer.organization;
  await failUpgrade(platform, platform.db, { id: world.id, organizationId }, "It broke.");
  await refuse("news.example");
  await expect(retryUpgrade(platform, world.customer, world.id)).rejects.toMatchObject({
    code: "WRONG_STATE",
    detail: expect.stringContaining("refused a host"),
  });
  await refuse("news.example", false);
  await retryUpgrade(platform, world.customer, world.id);
});

test("a version that still works without a refused host asks nothing, and the refusal stays", async () => {
  await refuse("news.example");
  const next = await world.addVersion("2.0.0", SAMPLE_MANIFEST.app?.fields ?? []);
  await declare(next.id, [VIN, MAPS, NEWS]);
  expect((await readUpgrade(platform, world.customer, world.id, next.id)).rights.isMore).toBe(false);
});
