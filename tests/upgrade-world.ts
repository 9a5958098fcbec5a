import { eq, isNotNull, ne } from "drizzle-orm";
import { routes } from "@/drizzle/schema/calls";
import { versions } from "@/drizzle/schema/catalog";
import { installations, upgrades } from "@/drizzle/schema/installations";
import { instances } from "@/drizzle/schema/runtime";
import type { UpgradeInput } from "@/lib/contract/catalog/configuration";
import type { Manifest } from "@/lib/contract/catalog/manifest";
import { listSettings } from "@/lib/contract/platform/manifest-terms";
import type { Member } from "@/lib/domain/platform/actor";
import { callRoute } from "@/lib/server/calls/call-route";
import { launchInstallation } from "@/lib/server/installations/launch-installation";
import { beginUpgrade } from "@/lib/server/installations/upgrade-installation";
import type { Platform } from "@/lib/server/platform/platform";
import type { Received, Respond } from "./fake-app";
import { fakeRuntimes } from "./fake-runtime";
import { givenListing, givenMember, givenTenant, givenVersion, one, SAMPLE_MANIFEST } from "./test-platform";
import { advanceInstallations, advanceUpgrades } from "./work";

/** An app that answers every request with its name. */
export function answering(name: string): Respond {
  return (response) => void response.end(JSON.stringify({ from: name }));
}

export const keyOf = ({ headers }: Received) => String(headers["x-platform-key"]);

/** A call that the autofill of both versions accepts. */
export const CREATE = { operation: "newBusiness.create" };

export const FIRST: Manifest = {
  ...SAMPLE_MANIFEST,
  version: "1.0.0",
  core: { ...SAMPLE_MANIFEST.core, lifecycle: ["start"] },
};

/** Drops the secret and the webhook, asks for a text, and has another rater. */
export const SECOND: Manifest = {
  ...FIRST,
  version: "2.0.0",
  app: {
    fields: [
      ...listSettings(FIRST).filter((setting) => setting.name !== "apiKey"),
      { name: "label", title: "Label", type: "Text", required: true },
    ],
  },
  core: {
    ...FIRST.core,
    webhooks: [],
    autofill: [{ path: "/autofill", operations: ["newBusiness.*", "endorsement.*"] }],
    externalRaters: [
      { name: "Telematics", path: "/rate" },
      { name: "Mileage", path: "/mileage" },
    ],
  },
};

/** A public app with two verified versions, a customer, and functions to launch and upgrade it in this process. */
export async function givenUpgradeWorld(platform: Platform) {
  const publisher = await givenMember(platform, "acme");
  const customer = await givenMember(platform, "harbor", "operator");
  const { listing, version: first } = await givenListing(platform, publisher, {
    state: "PUBLIC",
    verified: true,
    manifest: FIRST,
  });
  const fake = fakeRuntimes(answering("first"));

  async function addVersion(manifest: Manifest, verified = true) {
    return givenVersion(platform, first, manifest.version, {
      manifest: { ...manifest, name: first.manifest.name },
      imageDigest: `sha256:${"c".repeat(64)}`,
      archiveDigest: `sha256:${"d".repeat(64)}`,
      verifiedAt: verified ? new Date() : null,
    });
  }

  const launch = async (member: Member = customer, test = false, advance = true) => {
    const { tenant } = await givenTenant(platform, member);
    // As if launched before there was a newer version.
    const verified = await platform.db.select().from(versions).where(isNotNull(versions.verifiedAt));
    await platform.db.update(versions).set({ verifiedAt: null }).where(ne(versions.id, first.id));
    const { installationId } = await launchInstallation(platform, member, {
      versionId: first.id,
      tenantId: tenant.id,
      test,
      settings: {
        region: { action: "set", value: "eu" },
        apiKey: { action: "set", value: "the-secret" },
        note: { action: "set", value: "hello" },
      },
      mappings: { "Personal Auto": { vin: "$.vin" } },
    });
    for (const { id, verifiedAt } of verified)
      await platform.db.update(versions).set({ verifiedAt }).where(eq(versions.id, id));
    if (advance) await advanceInstallations(platform, fake.runtimes);
    return installationId;
  };

  const second = await addVersion(SECOND);
  const installation = async (id: string) =>
    one(await platform.db.select().from(installations).where(eq(installations.id, id)));
  const listRoutes = (id: string) => platform.db.select().from(routes).where(eq(routes.installationId, id));
  return {
    publisher,
    customer,
    listing,
    first,
    second,
    fake,
    addVersion,
    launch,
    installation,
    /** To the second version by default, with all answers that it asks for. */
    begin: async (id: string, changes: Partial<UpgradeInput> = {}, member: Member = customer) =>
      beginUpgrade(platform, member, id, {
        versionId: second.id,
        revision: (await installation(id)).revision,
        settings: { label: { action: "set", value: "new" } },
        mappings: {},
        ...changes,
      }),
    /** Takes each due upgrade one step further, as a worker does. */
    step: (readyWithinMs = 2_000) => advanceUpgrades(platform, fake.runtimes, readyWithinMs),
    /** Lets the slack and the lease of a drain expire now. */
    hurry: () =>
      platform.pool.query(
        "update upgrades set leased_until = null, switched_at = switched_at - interval '20 seconds' where state = 'DRAINING'",
      ),
    upgrade: async (id: string) =>
      (
        await platform.db.select().from(upgrades).where(eq(upgrades.installationId, id)).orderBy(upgrades.id)
      ).at(-1),
    routes: listRoutes,
    routeOf: async (id: string, path: string) => {
      const found = (await listRoutes(id)).find((route) => route.path === path);
      if (found === undefined) throw new Error(`no route ${path}`);
      return found.id;
    },
    /** What a call of the route is answered, or why it failed. */
    answerOf: async (routeId: string) => {
      const { answer, failure } = await callRoute(platform, routeId, CREATE);
      return failure ?? answer;
    },
    /** Versions with a ready instance. */
    running: async () =>
      (await platform.db.select().from(instances).where(eq(instances.state, "READY"))).map(
        (instance) => instance.versionId,
      ),
  };
}
