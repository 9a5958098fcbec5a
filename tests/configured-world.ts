import { and, eq } from "drizzle-orm";
import { v7 } from "uuid";
import { installations, upgrades } from "@/drizzle/schema/installations";
import { configurations } from "@/drizzle/schema/installations-configurations";
import type { SettingAction } from "@/lib/contract/catalog/configuration";
import type { InstallationState, RouteKind } from "@/lib/contract/catalog/installation-states";
import type { Manifest, Setting } from "@/lib/contract/catalog/manifest";
import { listSettings } from "@/lib/contract/platform/manifest-terms";
import { launchInstallation } from "@/lib/server/installations/launch-installation";
import { reconfigureInstallation } from "@/lib/server/installations/save-configuration";
import { beginUpgrade } from "@/lib/server/installations/upgrade-installation";
import type { Platform } from "@/lib/server/platform/platform";
import { sealStateKey } from "@/lib/server/platform/state-key";
import { givenListing, givenMember, givenTenant, givenVersion, one, SAMPLE_MANIFEST } from "./test-platform";

type Actions = Record<string, SettingAction>;
type Paths = Record<string, Record<string, string>>;

export const set = (value: string): SettingAction => ({ action: "set", value });
export const CLEAR: SettingAction = { action: "clear" };
export const KEEP: SettingAction = { action: "keep" };

/** An app with a Select, a Password and a Text, and a customer that launches it. */
export async function givenConfiguredWorld(platform: Platform, slug = "harbor") {
  const publisher = await givenMember(platform, "acme");
  const customer = await givenMember(platform, slug);
  const { listing, version } = await givenListing(platform, publisher, {
    appName: `app-${slug}`,
    state: "PUBLIC",
    verified: true,
  });
  const { tenant, product } = await givenTenant(platform, customer);

  const move = (id: string, state: InstallationState) =>
    platform.db.update(installations).set({ state }).where(eq(installations.id, id));

  async function launch(settings: Actions = {}, test = false): Promise<string> {
    const member = test ? publisher : customer;
    const tenantId = test ? (await givenTenant(platform, publisher)).tenant.id : tenant.id;
    const { installationId } = await launchInstallation(platform, member, {
      versionId: version.id,
      tenantId,
      test,
      settings: { region: set("eu"), apiKey: set("first-key"), ...settings },
      mappings: { "Personal Auto": { vin: "$.vin" } },
    });
    await move(installationId, "RUNNING");
    return installationId;
  }

  const save = (id: string, revision: number, settings: Actions, mappings: Paths = {}) =>
    reconfigureInstallation(platform, customer, id, {
      ...{ revision, settings, mappings },
      allowMissingFields: true,
    });

  /** A copy of the first version, with other settings. */
  function addVersion(number: string, fields: Setting[]) {
    const manifest: Manifest = {
      ...SAMPLE_MANIFEST,
      name: version.manifest.name,
      version: number,
      app: { fields },
    };
    return givenVersion(platform, version, number, { manifest, verifiedAt: new Date() });
  }

  /** Upgrades a stopped installation, which moves at once. */
  async function upgrade(id: string, versionId: string, settings: Actions = {}): Promise<void> {
    await move(id, "STOPPED");
    const { revision } = await installation(id);
    await beginUpgrade(platform, customer, id, { revision, versionId, settings, mappings: {} });
    await move(id, "RUNNING");
  }

  /** An upgrade in progress; `end` makes it fail. */
  async function beginRunning(id: string, versionId: string, settings: Actions = {}) {
    const { revision } = await installation(id);
    await beginUpgrade(platform, customer, id, { revision, versionId, settings, mappings: {} });
    return {
      end: async () => {
        await platform.db
          .update(upgrades)
          .set({ state: "FAILED", endedAt: new Date() })
          .where(and(eq(upgrades.installationId, id), eq(upgrades.state, "STARTING")));
        await platform.db.update(installations).set({ otherVersionId: null }).where(eq(installations.id, id));
      },
    };
  }

  const installation = async (id: string) =>
    one(await platform.db.select().from(installations).where(eq(installations.id, id)));

  const stored = async (id: string, revision: number) =>
    one(
      await platform.db
        .select()
        .from(configurations)
        .where(and(eq(configurations.installationId, id), eq(configurations.revision, revision))),
    );

  async function keyFor(id: string, revision: number, kind: RouteKind = "autofill"): Promise<string> {
    const { rows } = await platform.pool.query<{ id: string }>(
      "select id from routes where installation_id = $1 and kind = $2",
      [id, kind],
    );
    const { keyEpoch: epoch } = await installation(id);
    const expiresAt = new Date(Date.now() + 60_000);
    const content = {
      installationId: id,
      routeId: one(rows).id,
      revision,
      epoch,
      attemptId: v7(),
      expiresAt,
    };
    return sealStateKey(platform.keyring, content);
  }

  const fields = listSettings(SAMPLE_MANIFEST);
  const members = { publisher, customer };
  const app = { listing, version, fields, tenant, product };
  return {
    ...members,
    ...app,
    launch,
    save,
    addVersion,
    upgrade,
    beginRunning,
    move,
    installation,
    stored,
    keyFor,
  };
}

export type ConfiguredWorld = Awaited<ReturnType<typeof givenConfiguredWorld>>;
