/** What the egress guard is told of each version, as it is in the database. */
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { versions } from "@/drizzle/schema/catalog";
import { installations } from "@/drizzle/schema/installations";
import { configurationChecks, configurations } from "@/drizzle/schema/installations-configurations";
import { tenants } from "@/drizzle/schema/installations-tenants";
import { evidence } from "@/drizzle/schema/moderation";
import type { Host, Manifest } from "@/lib/contract/catalog/manifest";
import type { AllowedHosts, HostRule } from "@/lib/contract/runtime/egress";
import { createFinder } from "@/lib/domain/runtime/egress/allowed-hosts";
import { fakeRuntimes } from "@/tests/fake-runtime";
import { givenConfiguredWorld, set } from "@/tests/configured-world";
import {
  givenInstallation,
  givenListing,
  givenMember,
  givenTenant,
  one,
  SAMPLE_MANIFEST,
  testPlatform,
} from "@/tests/test-platform";
import { advanceInstallations } from "@/tests/work";
import { commandInstallation } from "../installations/command-installation";
import { submitReview } from "../moderation/submit-review";
import { createEgressKeeper, guardOptions, readAllowed } from "./egress";
import { ensureInstance } from "./ensure-instance";

const platform = await testPlatform({ PLATFORM_SANDBOX_CORE_URL: "http://10.9.8.7:4010" });
const onlyPublic = { ...platform, environment: { ...platform.environment, PLATFORM_PRIVATE_CORES: false } };

const withHosts = (hosts: Host[] | undefined): Manifest => ({
  ...SAMPLE_MANIFEST,
  core: { ...SAMPLE_MANIFEST.core, hosts },
});

let number = 0;

async function givenApp(hosts: Host[] | undefined) {
  const publisher = await givenMember(platform, "acme");
  number += 1;
  return givenListing(platform, publisher, {
    appName: `app-${number}`,
    state: "PUBLIC",
    verified: true,
    manifest: withHosts(hosts),
  });
}

/** A customer with an installation, whose core is at this address. */
async function givenCustomer(
  version: { id: string; listingId: string; manifest: Manifest },
  slug: string,
  coreApiUrl: string,
  entered: Record<string, string> = {},
) {
  const customer = await givenMember(platform, slug);
  const { tenant } = await givenTenant(platform, customer, `${slug}.core.example`, slug);
  await platform.db.update(tenants).set({ coreApiUrl }).where(eq(tenants.id, tenant.id));
  const { installation } = await givenInstallation(platform, customer, version, tenant.id);
  const settings = Object.fromEntries(
    Object.entries(entered).map(([name, value]) => [name, { kind: "plain" as const, value }]),
  );
  await platform.db
    .update(configurations)
    .set({ settings })
    .where(eq(configurations.installationId, installation.id));
  return { customer, tenant, installation };
}

async function allowedOf(versionId: string, of = platform): Promise<AllowedHosts> {
  const allowed = (await readAllowed(of, [versionId])).get(versionId);
  if (allowed === undefined) throw new Error("nothing is known of the version");
  return allowed;
}

const hostsOf = ({ rules }: AllowedHosts) => rules.map(({ host, port }) => `${host}:${port}`);
const rule = (host: string, port: number, tls = true): HostRule => ({
  ...{ host, port, tls },
  ...{ isCore: false, mayBePrivate: false },
});

test("an automatic check of a version may reach what the version may", async () => {
  const publisher = await givenMember(platform, "acme");
  const manifest = withHosts([{ host: "api.vin.example", purpose: "Decodes VINs" }]);
  const { listing, version } = await givenListing(platform, publisher, { appName: "checked", manifest });
  const order = { versionId: version.id, older: false, note: "" };
  const { reviewId } = await submitReview(platform, publisher, listing.id, order);
  const { id } = one(await platform.db.select().from(evidence).where(eq(evidence.reviewId, reviewId)));
  expect(hostsOf(await allowedOf(id))).toEqual(["api.vin.example:443"]);
});

describe("what a manifest declares", () => {
  test("no list is any host, an empty list is none, and a list is what it says", async () => {
    const [any, none, some] = [
      await givenApp(undefined),
      await givenApp([]),
      await givenApp([
        { host: "api.example.com", purpose: "p" },
        { host: "*.maps.example", ports: [80, 8443], purpose: "p" },
      ]),
    ];
    const ids = [any, none, some].map(({ version }) => version.id);
    const allowed = await readAllowed(platform, ids);
    expect(ids.map((id) => allowed.get(id))).toEqual([
      { anyHost: true, rules: [] },
      { anyHost: false, rules: [] },
      {
        anyHost: false,
        rules: [
          rule("api.example.com", 443),
          rule("*.maps.example", 80, false),
          rule("*.maps.example", 8443),
        ],
      },
    ]);
    // A version that is unknown is left out, so that the guard closes it.
    const unknown = "0192f7a0-0000-7000-8000-000000000000";
    expect((await readAllowed(platform, [unknown])).has(unknown)).toBe(false);
  });

  test("a setting's host is what each customer entered, and nothing of other settings or versions", async () => {
    const app = await givenApp([{ setting: "note", purpose: "p" }]);
    const other = await givenApp([{ setting: "note", purpose: "p" }]);
    await givenCustomer(app.version, "harbor", "https://core.one.example", {
      note: "https://hook.one.example/path",
      region: "https://region.example",
    });
    await givenCustomer(app.version, "alpine", "https://core.two.example", { note: "hook.two.example:8443" });
    await givenCustomer(other.version, "quiet", "https://core.three.example", { note: "three.example" });
    expect(hostsOf(await allowedOf(app.version.id))).toEqual([
      "hook.two.example:8443",
      "hook.one.example:443",
      "core.one.example:443",
      "core.two.example:443",
    ]);
    expect(hostsOf(await allowedOf(other.version.id))).toEqual([
      "three.example:443",
      "core.three.example:443",
    ]);
  });

  test("a sealed value never becomes a host", async () => {
    const { version } = await givenApp([{ setting: "apiKey", purpose: "p" }]);
    const { installation } = await givenCustomer(version, "harbor", "https://core.example");
    const sealed = { sealed: "secret.example", type: "Password", setIn: 1, updatedAt: "", by: "x" } as const;
    await platform.db
      .update(configurations)
      .set({ settings: { apiKey: { kind: "sealed", ...sealed } } })
      .where(eq(configurations.installationId, installation.id));
    expect(hostsOf(await allowedOf(version.id))).toEqual(["core.example:443"]);
  });
});

describe("cores", () => {
  test("of each tenant that has an installation of the version, and of nobody else", async () => {
    const { version } = await givenApp([]);
    const other = await givenApp([]);
    await givenCustomer(version, "harbor", "https://core.one.example/api");
    const left = await givenCustomer(version, "alpine", "http://core.two.example:4010");
    await givenCustomer(other.version, "quiet", "https://core.three.example");
    expect(hostsOf(await allowedOf(version.id))).toEqual(["core.two.example:4010", "core.one.example:443"]);
    await platform.db
      .update(tenants)
      .set({ disconnectedAt: new Date() })
      .where(eq(tenants.id, left.tenant.id));
    expect(hostsOf(await allowedOf(version.id))).toEqual(["core.one.example:443"]);
  });

  test("an address has a name of its own, which leads exactly there, and nobody else can have that name", async () => {
    const { version } = await givenApp([]);
    await givenCustomer(version, "harbor", "http://172.17.0.1:4010/tenants/harbor");
    await givenCustomer(version, "alpine", "http://172-17-0-1.core.internal:4010");
    expect((await allowedOf(version.id)).rules).toEqual([
      {
        ...{ host: "172-17-0-1.core.internal", port: 4010, tls: false },
        ...{ isCore: true, mayBePrivate: true, address: "172.17.0.1" },
      },
    ]);
  });

  test("with HTTPS, the guard speaks TLS to the address", async () => {
    const { version } = await givenApp([]);
    await givenCustomer(version, "harbor", "https://10.1.2.3:8443/tenants/harbor");
    expect((await allowedOf(version.id)).rules).toEqual([
      {
        ...{ host: "tls-10-1-2-3.core.internal", port: 8443, tls: false, isSecured: true },
        ...{ isCore: true, mayBePrivate: true, address: "10.1.2.3" },
      },
    ]);
  });

  test("what is not the address of a core is no rule, and what no container reaches is one, so that the guard says so", async () => {
    const { version } = await givenApp([]);
    for (const [index, url] of ["ftp://core.example", "nonsense"].entries())
      await givenCustomer(version, `customer-${index}`, url);
    expect((await allowedOf(version.id)).rules).toEqual([]);
    await givenCustomer(version, "six", "http://[fd00::1]:4010");
    await givenCustomer(version, "here", "http://localhost:9000");
    expect((await allowedOf(version.id)).rules.map(({ host, address }) => [host, address])).toEqual([
      ["fd00-0-0-0-0-0-0-1.core.internal", "fd00:0:0:0:0:0:0:1"],
      ["127-0-0-1.core.internal", "127.0.0.1"],
    ]);
  });

  test("only those may be private to which the platform itself would connect there", async () => {
    const { version } = await givenApp([]);
    await givenCustomer(version, "harbor", "http://core.internal:4010");
    const sandbox = await givenCustomer(version, "acme", "http://10.9.8.7:4010/tenants/acme.sandbox");
    await givenCustomer(version, "sly", "http://10.9.8.7:4011");
    const marked = (rules: HostRule[]) =>
      rules.map(({ host, port, mayBePrivate }) => [host, port, mayBePrivate]);
    const isSandbox = async (value: boolean) =>
      platform.db.update(tenants).set({ sandbox: value }).where(eq(tenants.id, sandbox.tenant.id));
    await isSandbox(true);
    expect(marked((await allowedOf(version.id, onlyPublic)).rules)).toEqual([
      ["10-9-8-7.core.internal", 4010, true],
      ["10-9-8-7.core.internal", 4011, false],
      ["core.internal", 4010, false],
    ]);
    // The same address as an ordinary customer's core is not the platform's own.
    await isSandbox(false);
    expect((await allowedOf(version.id, onlyPublic)).rules.map(({ mayBePrivate }) => mayBePrivate)).toEqual([
      false,
      false,
      false,
    ]);
    expect((await allowedOf(version.id)).rules.map(({ mayBePrivate }) => mayBePrivate)).toEqual([
      true,
      true,
      true,
    ]);
  });
});

describe("changes", () => {
  async function givenWorld() {
    const world = await givenConfiguredWorld(platform);
    const hosts = [{ setting: "note", purpose: "p" }];
    const manifest = { ...withHosts(hosts), name: world.version.manifest.name };
    await platform.db.update(versions).set({ manifest }).where(eq(versions.id, world.version.id));
    await platform.db.update(tenants).set({ coreApiUrl: "https://core.example" });
    const id = await world.launch({ note: set("first.example") });
    return { ...world, id };
  }
  const declare = ({ id, manifest }: { id: string; manifest: Manifest }, hosts: Host[]) =>
    platform.db
      .update(versions)
      .set({ manifest: { ...manifest, core: { ...manifest.core, hosts } } })
      .where(eq(versions.id, id));
  /** As if a minute had passed since. */
  const later = () =>
    platform.pool.query("update configurations set superseded_at = superseded_at - interval '61 seconds'");

  test("of a configuration: calls in progress keep their host for a minute, then only the new one is open", async () => {
    const { id, save, version } = await givenWorld();
    expect(hostsOf(await allowedOf(version.id))).toEqual(["first.example:443", "core.example:443"]);
    await save(id, 1, { note: set("second.example") });
    expect(hostsOf(await allowedOf(version.id))).toEqual([
      "first.example:443",
      "second.example:443",
      "core.example:443",
    ]);
    await later();
    expect(hostsOf(await allowedOf(version.id))).toEqual(["second.example:443", "core.example:443"]);
  });

  test("of the version: during an upgrade, both versions have their own, and a failed one leaves nothing", async () => {
    const { id, addVersion, beginRunning, version } = await givenWorld();
    const next = await addVersion("2.0.0", [
      { name: "note", title: "Note", type: "Text" },
      { name: "label", title: "Label", type: "Text", required: true },
    ]);
    await declare(next, []);
    expect(hostsOf(await allowedOf(next.id))).toEqual([]);
    const upgrade = await beginRunning(id, next.id, { label: set("third.example") });
    // As if the customer had agreed to it: that question has tests of its own.
    await declare(next, [{ setting: "label", purpose: "p" }]);
    expect(hostsOf(await allowedOf(next.id))).toEqual(["third.example:443", "core.example:443"]);
    expect(hostsOf(await allowedOf(version.id))).toEqual(["first.example:443", "core.example:443"]);
    await upgrade.end();
    expect(hostsOf(await allowedOf(next.id))).not.toContain("core.example:443");
    expect(hostsOf(await allowedOf(version.id))).toEqual(["first.example:443", "core.example:443"]);
  });

  test("an upgrade that is done takes everything from the old version", async () => {
    const { id, addVersion, upgrade, version } = await givenWorld();
    const next = await addVersion("2.0.0", [{ name: "note", title: "Note", type: "Text" }]);
    await declare(next, [{ setting: "note", purpose: "p" }]);
    await upgrade(id, next.id);
    await later();
    expect((await allowedOf(version.id)).rules).toEqual([]);
    expect(hostsOf(await allowedOf(next.id))).toContain("core.example:443");
  });

  test("an uninstall ends both, after its hooks", async () => {
    const { id, customer, version } = await givenWorld();
    const { runtimes } = fakeRuntimes((response) => void response.end("{}"));
    await commandInstallation(platform, customer, id, "uninstall");
    // Its hooks may still tell the core.
    expect(hostsOf(await allowedOf(version.id))).toContain("core.example:443");
    await advanceInstallations(platform, runtimes);
    expect(one(await platform.db.select().from(installations)).state).toBe("UNINSTALLED");
    expect((await allowedOf(version.id)).rules).toEqual([]);
  });

  test("answers that are being checked are open as long as the check is", async () => {
    const { customer, tenant, version } = await givenWorld();
    await platform.db.update(installations).set({ state: "UNINSTALLED" });
    const check = one(
      await platform.db
        .insert(configurationChecks)
        .values({
          ...{ organizationId: customer.organization.id, userId: customer.userId },
          ...{ tenantId: tenant.id, versionId: version.id, state: "CALLING" },
          settings: { note: { kind: "plain", value: "checked.example" } },
        })
        .returning(),
    );
    expect(hostsOf(await allowedOf(version.id))).toEqual(["checked.example:443", "core.example:443"]);
    await platform.db
      .update(configurationChecks)
      .set({ state: "ENDED", settings: null, endedAt: new Date() })
      .where(eq(configurationChecks.id, check.id));
    expect((await allowedOf(version.id)).rules).toEqual([]);
  });

  test("a customer of an app that runs is known to the guard before the app is called", async () => {
    const { version } = await givenWorld();
    const { runtimes } = fakeRuntimes((response) => void response.end("{}"));
    const refreshed: string[][] = [];
    const [runtime] = runtimes.all;
    if (runtime === undefined) throw new Error("no runtime");
    const refreshEgress = async () => void refreshed.push(hostsOf(await allowedOf(version.id)));
    const guarding = { ...runtime, refreshEgress };
    const guarded = { ...runtimes, all: [guarding], findIsolating: async () => guarding };
    await ensureInstance(platform, guarded, version.id);
    await givenCustomer(version, "alpine", "https://new.example");
    await ensureInstance(platform, guarded, version.id);
    expect(refreshed.at(-1)).toContain("new.example:443");
    // A guard that is away keeps nobody from the app: its own job says so.
    const away = { ...guarded, findIsolating: () => Promise.reject(new Error("away")) };
    expect((await ensureInstance(platform, away, version.id)).state).toBe("READY");
  });
});

describe("bad input", () => {
  test("a thousand hosts, and a thousand customers with a host each, take a moment", async () => {
    const declared = Array.from({ length: 1_000 }, (_, index) => ({
      host: `h${index}.example`,
      purpose: "p",
    }));
    const { version } = await givenApp([...declared, { setting: "note", purpose: "p" }]);
    const { installation } = await givenCustomer(version, "harbor", "https://core.example");
    // One organization stands for all: only what was entered differs.
    await platform.pool.query(
      `insert into tenants (id, organization_id, name, host_name, core_api_url)
       select gen_random_uuid(), organization_id, 't' || n, 't' || n || '.example', 'https://core' || n % 10 || '.example'
         from installations, generate_series(1, 1000) n where id = $1`,
      [installation.id],
    );
    await platform.pool.query(
      `insert into installations (id, organization_id, tenant_id, listing_id, version_id, state, created_by)
       select gen_random_uuid(), i.organization_id, t.id, i.listing_id, i.version_id, 'RUNNING', i.created_by
         from installations i join tenants t on t.id <> i.tenant_id where i.id = $1`,
      [installation.id],
    );
    await platform.pool.query(
      `insert into configurations (id, installation_id, revision, version_id, settings, mappings, created_by)
       select gen_random_uuid(), i.id, 1, i.version_id,
              jsonb_build_object('note', jsonb_build_object('kind', 'plain', 'value', 'https://' || t.host_name),
                                 'region', jsonb_build_object('kind', 'plain', 'value', repeat('x', 4000))), '[]', i.created_by
         from installations i join tenants t on t.id = i.tenant_id where i.id <> $1`,
      [installation.id],
    );
    const allowed = await allowedOf(version.id);
    // Cores that many have in common are one rule.
    expect(allowed.rules).toHaveLength(1_000 + 1_000 + 11);
    const { find } = createFinder(allowed);
    expect([find("h999.example", 443, true), find("t1000.example", 443, true)]).toEqual([
      rule("h999.example", 443),
      rule("t1000.example", 443),
    ]);
    expect(find("t1001.example", 443, true)).toBeUndefined();
  });

  test("hostile text opens nothing", async () => {
    const hostile = [
      "",
      " ",
      "https://",
      "*",
      "*.example.com",
      "https://*.example.com",
      "https://*.com",
      "localhost",
      "http://localhost:5432",
      "https://127.0.0.1",
      "https://2130706433",
      "https://0x7f.1",
      "https://[::1]",
      "https://[::ffff:127.0.0.1]",
      "http://169.254.169.254/latest/meta-data",
      "https://metadata.google.internal",
      "https://172-17-0-1.core.internal",
      "https://good.example@169.254.169.254/",
      "https://good.example:99999",
      "ftp://good.example",
      "file:///etc/passwd",
      "javascript:alert(1)",
      "data:text/html,x",
      "https://a b.example",
      "https://good.example%00.evil.example",
      "intranet",
      `https://${"a".repeat(64)}.example`,
      `https://${"a.".repeat(200)}example`,
      "a".repeat(8_000),
      "https://xn--a.example",
      "'; drop table versions; --",
      '","rules":[{"host":"evil.example"}]',
    ];
    const { version } = await givenApp([{ setting: "note", purpose: "p" }]);
    for (const [index, note] of hostile.entries())
      await givenCustomer(version, `customer-${index}`, "https://core.example", { note });
    expect(hostsOf(await allowedOf(version.id))).toEqual(["core.example:443"]);
    // What a customer may mean is read as a browser reads it.
    const meant = {
      "HTTPS://API.Example.COM./x": "api.example.com:443",
      "  hook.example  ": "hook.example:443",
      "https://user:word@named.example/": "named.example:443",
      "https://escaped%2Eexample": "escaped.example:443",
      "https://bücher.example": "xn--bcher-kva.example:443",
      "http://plain.example": "plain.example:80",
      "line\u2028.example": undefined,
    };
    for (const [index, note] of Object.keys(meant).entries())
      await givenCustomer(version, `meant-${index}`, "https://core.example", { note });
    const expected = Object.values(meant).filter((host) => host !== undefined);
    expect(hostsOf(await allowedOf(version.id)).sort()).toEqual([...expected, "core.example:443"].sort());
  });

  test("the guard is told the platform's own listeners as their URLs name them", () => {
    const environment = {
      ...platform.environment,
      PLATFORM_WEB_URL: "https://Pages.example./",
      PLATFORM_GATEWAY_URL: "http://api.example:8080",
      PLATFORM_REGISTRY_URL: "",
    };
    expect(guardOptions({ ...platform, environment })?.places).toEqual([
      { host: "pages.example", port: 443 },
      { host: "api.example", port: 8_080 },
    ]);
  });

  test("a manifest's names of settings are only names", async () => {
    const { version } = await givenApp([
      { setting: "note", purpose: "p" },
      { setting: "'), (select 1", purpose: "p" },
      { setting: "__proto__", purpose: "p" },
    ]);
    await givenCustomer(version, "harbor", "https://core.example", { note: "one.example" });
    expect(hostsOf(await allowedOf(version.id))).toEqual(["one.example:443", "core.example:443"]);
  });
});

// Guarantee: operators are told of a guard that is away before customers tell them.
test("the metrics say whether a guard could be told what apps may reach", async () => {
  const { runtimes } = fakeRuntimes((response) => void response.end());
  let isAway = false;
  const refreshEgress = () => (isAway ? Promise.reject(new Error("no guard responds")) : Promise.resolve());
  const guarded = { ...one(runtimes.all), refreshEgress };
  const keep = createEgressKeeper(platform, {
    ...runtimes,
    all: [guarded],
    findIsolating: async () => guarded,
  });
  const read = () => platform.metrics.readAll("platform_egress_guard_up").map(({ value }) => value);
  expect(read()).toEqual([]);
  await keep();
  expect(read()).toEqual([1]);
  isAway = true;
  await expect(keep()).rejects.toThrow("no guard responds");
  expect(read()).toEqual([0]);
});
