import { setTimeout } from "node:timers/promises";
import { createLocalJWKSet, decodeJwt, jwtVerify } from "jose";
import { v7 } from "uuid";
import { beforeEach, expect, test } from "vitest";
import { stateRecord } from "@/lib/contract/catalog/configuration";
import type { RouteKind } from "@/lib/contract/catalog/installation-states";
import { CLEAR, givenConfiguredWorld, set } from "@/tests/configured-world";
import {
  givenInstallation,
  givenListing,
  givenMember,
  givenTenant,
  readState,
  testPlatform,
} from "@/tests/test-platform";
import { scrubRevisions } from "../installations/configurations/earlier-revisions";
import { sealSetting } from "../platform/data-key";
import { sealStateKey } from "../platform/state-key";

const platform = await testPlatform();

let given: Awaited<ReturnType<typeof givenRunning>>;
beforeEach(async () => {
  given = await givenRunning("harbor");
});

async function givenRunning(slug: string) {
  const publisher = await givenMember(platform, "acme");
  const customer = await givenMember(platform, slug);
  const { version } = await givenListing(platform, publisher, {
    appName: `app-${slug}`,
    state: "PUBLIC",
    verified: true,
  });
  const { tenant } = await givenTenant(platform, customer);
  const { installation, route } = await givenInstallation(platform, customer, version, tenant.id);
  const keyFor = (kind: RouteKind, attemptId = v7()) =>
    sealStateKey(platform.keyring, {
      installationId: installation.id,
      routeId: route(kind).id,
      attemptId,
      revision: 1,
      epoch: 0,
      expiresAt: new Date(Date.now() + 60_000),
    });
  return { customer, tenant, installation, route, keyFor };
}

async function setState(state: string): Promise<void> {
  await platform.pool.query("update installations set state = $1 where id = $2", [
    state,
    given.installation.id,
  ]);
}

// Guarantee: the record has exactly the contract's five members, with strings for values.
test("a key returns its customer's record and nothing else", async () => {
  const record = await readState(platform, given.keyFor("autofill"));
  expect(stateRecord.parse(record)).toEqual(record);
  expect(record).toMatchObject({
    settings: { region: "eu" },
    mappings: [{ productName: "Personal Auto", fields: { vin: "$.vin" } }],
    coreApiUrl: given.tenant.coreApiUrl,
    tenantHostName: "harbor.core.example",
  });
});

// Guarantee: sensitive values leave the platform only in the state record.
test("a sealed setting is opened for the app", async () => {
  const place = {
    organizationId: given.customer.organization.id,
    installationId: given.installation.id,
    name: "apiKey",
  };
  const sealed = await sealSetting(platform, platform.db, place, "p4ss");
  const settings = { apiKey: { kind: "sealed", sealed, updatedAt: new Date().toISOString(), by: "x" } };
  await platform.pool.query("update configurations set settings = $1 where installation_id = $2", [
    JSON.stringify(settings),
    given.installation.id,
  ]);
  expect((await readState(platform, given.keyFor("autofill"))).settings).toEqual({ apiKey: "p4ss" });
});

// Guarantee: the token verifies against the published keys and names core, organization, tenant, installation and attempt.
test("the token verifies against the JWKS", async () => {
  const attemptId = v7();
  const { token } = await readState(platform, given.keyFor("rater", attemptId));
  const { payload, protectedHeader } = await jwtVerify(
    token,
    createLocalJWKSet(await platform.services.tokens.readJwks()),
    {
      audience: given.tenant.coreApiUrl,
      algorithms: ["EdDSA"],
    },
  );
  expect(protectedHeader.alg).toBe("EdDSA");
  const speaksFor = { org: "harbor", tenant: "harbor.core.example" };
  expect(payload).toMatchObject({ ...speaksFor, sub: given.installation.id, jti: attemptId });
  // From 30 s before it was signed, because the core's clock may be behind, until 15 minutes after.
  expect(payload.nbf).toBe(payload.iat);
  expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(930);
  const now = Date.now() / 1_000;
  expect(now - (payload.iat ?? 0)).toBeGreaterThanOrEqual(30);
  expect((payload.exp ?? 0) - now).toBeLessThanOrEqual(900);
});

test("the token has the scope that was agreed to at its revision, and none if the app lists no permissions", async () => {
  const scope = async () => {
    const { token } = await readState(platform, given.keyFor("autofill"));
    return decodeJwt(token).scope;
  };
  expect(await scope()).toBeUndefined();
  for (const agreed of ["policies:read claims:write", ""]) {
    await platform.pool.query("update configurations set scope = $1", [agreed]);
    expect(await scope()).toBe(agreed);
  }
});

// Guarantee: two customers of one app each get their own state.
test("a key never shows another customer's state", async () => {
  const alpine = await givenRunning("alpine");
  expect((await readState(platform, alpine.keyFor("autofill"))).tenantHostName).toBe("alpine.core.example");
  const crossed = sealStateKey(platform.keyring, {
    installationId: given.installation.id,
    routeId: alpine.route("autofill").id,
    attemptId: v7(),
    revision: 1,
    epoch: 0,
    expiresAt: new Date(Date.now() + 60_000),
  });
  await expect(readState(platform, crossed)).rejects.toMatchObject({ code: "NOT_FOUND" });
});

// Guarantee (P11): the first read after a stop or an uninstall is refused.
test.each(["LAUNCHING", "ERROR", "STOPPING", "STOPPED", "UNINSTALLING", "UNINSTALLED"])(
  "a call's key is dead while the installation is %s",
  async (state) => {
    const key = given.keyFor("autofill");
    await setState(state);
    await expect(readState(platform, key)).rejects.toMatchObject({ code: "NOT_FOUND" });
  },
);

test.each(["LAUNCHING", "RUNNING", "STOPPING", "UNINSTALLING"])(
  "a hook's key lives while the installation is %s",
  async (state) => {
    await setState(state);
    expect((await readState(platform, given.keyFor("lifecycle"))).settings).toEqual({ region: "eu" });
  },
);

// Guarantee: unknown, malformed and revoked keys get the same answer.
test("all refusals look alike", async () => {
  await setState("STOPPED");
  const refusals = await Promise.all(
    ["", "nonsense", "psk_AAAA", "../../etc", given.keyFor("autofill")].map((key) =>
      readState(platform, key).then(
        () => "an answer",
        (error: unknown) => JSON.stringify(error),
      ),
    ),
  );
  expect(new Set(refusals).size).toBe(1);
});

// Guarantee: the console shows that an attempt read its state, without a write before the answer, and also if the
// attempt itself is recorded later.
test("reads are noted for the attempt, before its own row exists", async () => {
  const attemptId = v7();
  await readState(platform, given.keyFor("autofill", attemptId));
  await readState(platform, given.keyFor("autofill", attemptId));
  await platform.services.stateReads.flush();
  const { rows } = await platform.pool.query(
    "select count, revision, first_read_at <= last_read_at as ordered from attempt_state_reads where attempt_id = $1",
    [attemptId],
  );
  expect(rows).toEqual([{ count: 2, revision: 1, ordered: true }]);
});

// Guarantee: a process that ends has written the reads that a timer had begun to write.
test("a flush waits for one in progress", async () => {
  const attemptId = v7();
  await readState(platform, given.keyFor("autofill", attemptId));
  const client = await platform.pool.connect();
  await client.query("begin; lock table attempt_state_reads");
  void platform.services.stateReads.flush();
  const second = platform.services.stateReads.flush().then(() => "ended");
  expect(await Promise.race([second, setTimeout(100, "waits")])).toBe("waits");
  await client.query("commit");
  client.release();
  await second;
  const read = "select count from attempt_state_reads where attempt_id = $1";
  expect((await platform.pool.query(read, [attemptId])).rows).toEqual([{ count: 1 }]);
});

// Guarantee: a call reads one revision from start to finish; the next call reads the next one.
test("a key still reads its revision after another one was saved", async () => {
  const world = await givenConfiguredWorld(platform, "alpine");
  const id = await world.launch({ note: set("old") });
  const earlier = await world.keyFor(id, 1);
  expect((await readState(platform, earlier)).settings).toMatchObject({ apiKey: "first-key", note: "old" });
  await world.save(
    id,
    1,
    { apiKey: set("second-key"), note: CLEAR },
    { "Personal Auto": { vin: "$.other" } },
  );
  const later = await world.keyFor(id, 2);
  expect(await readState(platform, earlier)).toMatchObject({
    settings: { region: "eu", apiKey: "first-key", note: "old" },
    mappings: [{ productName: "Personal Auto", fields: { vin: "$.vin" } }],
  });
  expect(await readState(platform, later)).toMatchObject({
    settings: { region: "eu", apiKey: "second-key" },
    mappings: [{ productName: "Personal Auto", fields: { vin: "$.other" } }],
  });
  await expect(readState(platform, await world.keyFor(id, 3))).rejects.toMatchObject({ code: "NOT_FOUND" });

  await scrubRevisions(platform, new Date(Date.now() + 17 * 60_000));
  expect((await readState(platform, earlier)).settings).toEqual({ region: "eu", note: "old" });
  await platform.services.stateReads.flush();
  await readState(platform, later);
  await platform.services.stateReads.flush();
  const { rows } = await platform.pool.query(
    "select revision, last_read_at > now() - interval '1 minute' as lately from state_reads where installation_id = $1 order by 1",
    [id],
  );
  expect(rows).toEqual([
    { revision: 1, lately: true },
    { revision: 2, lately: true },
  ]);
});

// Guarantee: a product that the tenant added after the launch appears without fields.
test("mappings have one entry for each product of the tenant", async () => {
  await platform.pool.query(
    "insert into products (id, tenant_id, name, schema) values ($1, $2, 'Home', '{}')",
    [v7(), given.tenant.id],
  );
  expect((await readState(platform, given.keyFor("autofill"))).mappings).toEqual([
    { productName: "Home", fields: {} },
    { productName: "Personal Auto", fields: { vin: "$.vin" } },
  ]);
});
