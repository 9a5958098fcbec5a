import { randomBytes } from "node:crypto";
import { v7 } from "uuid";
import type { StoredSetting } from "@/drizzle/schema/installations-configurations";
import type { Manifest } from "@/lib/contract/catalog/manifest";
import { listSettings } from "@/lib/contract/platform/manifest-terms";
import type { Mapping } from "@/lib/domain/catalog/mapping/check-mappings";
import { inventMappings } from "@/lib/domain/catalog/mapping/suggest-paths";
import { scopeOf } from "@/lib/domain/catalog/rights";
import { type InventedSetting, inventSetting } from "@/lib/domain/moderation/plan-evidence";
import { storeSecret } from "../../calls/deliveries/webhook-secrets";
import { declaredRoutes } from "../../installations/declared-routes";
import { insertInstallation } from "../../installations/launch-queries";
import { upsertRoutes } from "../../installations/queries";
import { launchedCoreUrl, putSandbox, SANDBOX_CONTENT } from "../../installations/tenants/connect-sandbox";
import { replaceProducts } from "../../installations/tenants/product-queries";
import { settingSealer } from "../../platform/data-key";
import type { Db } from "../../platform/database/connect";
import type { Platform } from "../../platform/platform";
import * as queries from "./customer-queries";

/** A made-up customer with its own organization, sandbox tenant, answers and secrets. */
export interface Customer {
  installationId: string;
  routeBase: string;
  routes: { id: string; kind: string; path: string }[];
  settings: InventedSetting[];
  mappings: Mapping[];
  marker: string;
  /** Texts that occur in what this customer sends and reads, and nowhere else. */
  markers: string[];
}

interface Checked {
  evidenceId: string;
  listingId: string;
  versionId: string;
  submittedBy: string;
  manifest: Manifest;
}

/** Nobody can sign up with such a slug. */
const SLUGS = ["~customer-1", "~customer-2"] as const;
const PRODUCTS = SANDBOX_CONTENT.products;

/**
 * Two installations of the version for made-up customers. Pages of customers never show them, because nobody is a member of their
 * organizations. Removes what earlier checks of the listing left.
 */
export async function openCustomers(platform: Platform, checked: Checked): Promise<Customer[]> {
  await platform.db.transaction((tx) => queries.deleteEndedInstallations(tx));
  const cores = await Promise.all(SLUGS.map((slug) => openCore(platform, slug)));
  return platform.db.transaction(async (tx) => {
    await queries.endInstallations(tx, await queries.selectLeft(tx, checked.listingId));
    const customers: Customer[] = [];
    for (const [index, core] of cores.entries())
      customers.push(await openCustomer(platform, tx, checked, index, core));
    return customers;
  });
}

/** Ends their state keys at once. Leaves alone those of a worker that took the checks over. */
export async function closeCustomers(platform: Platform, customers: readonly Customer[]): Promise<void> {
  const ids = customers.map(({ installationId }) => installationId);
  await platform.db.transaction((tx) => queries.endInstallations(tx, ids));
}

interface Core {
  slug: string;
  hostName: string;
  coreApiUrl: string;
}

/** The tenant on the platform's own core, if there is one: an app may call it with its token. */
async function openCore({ environment }: Platform, slug: string): Promise<Core> {
  const platformCore = environment.PLATFORM_SANDBOX_CORE_URL;
  const hostName = `${slug.slice(1)}.evidence.sandbox`;
  if (platformCore === "") return { slug, hostName, coreApiUrl: `https://${hostName}` };
  await putSandbox(platformCore, hostName, { ...SANDBOX_CONTENT, organization: slug });
  return { slug, hostName, coreApiUrl: launchedCoreUrl(platformCore, hostName) };
}

async function openCustomer(
  platform: Platform,
  tx: Db,
  { evidenceId, listingId, versionId, submittedBy, manifest }: Checked,
  index: number,
  { slug, hostName, coreApiUrl }: Core,
): Promise<Customer> {
  const organizationId = await queries.upsertOrganization(tx, slug, `Made-up customer ${index + 1}`);
  const tenantId = await queries.upsertTenant(tx, { organizationId, hostName, coreApiUrl });
  await replaceProducts(tx, tenantId, PRODUCTS);
  const installationId = v7();
  const routeBase = v7();
  const marker = `c${index + 1}x${randomBytes(8).toString("hex")}`;
  const secret = randomBytes(16).toString("hex");
  const settings = listSettings(manifest).map((setting) => inventSetting(setting, index, { marker, secret }));
  const mappings = inventMappings(manifest.core?.fields ?? [], PRODUCTS, `sample-${marker}`);
  await insertInstallation(tx, {
    id: installationId,
    organizationId,
    tenantId,
    listingId,
    versionId,
    evidenceId,
    routeBase,
    test: true,
    state: "RUNNING",
    createdBy: submittedBy,
  });
  await queries.insertConfiguration(tx, {
    installationId,
    revision: 1,
    versionId,
    scope: scopeOf(manifest),
    settings: await storeSettings(platform, tx, { organizationId, installationId }, manifest, settings),
    mappings,
    createdBy: submittedBy,
  });
  await storeSecret(platform, tx, { organizationId, installationId });
  await upsertRoutes(tx, installationId, declaredRoutes(manifest, true));
  const routes = await queries.selectRoutes(tx, installationId);
  return {
    installationId,
    routeBase,
    routes,
    settings,
    mappings,
    marker,
    markers: [marker, hostName, ...settings.filter((each) => each.secret).map(({ value }) => value)],
  };
}

async function storeSettings(
  platform: Platform,
  tx: Db,
  { organizationId, installationId }: { organizationId: string; installationId: string },
  manifest: Manifest,
  settings: readonly InventedSetting[],
): Promise<Record<string, StoredSetting>> {
  const sealWith = await settingSealer(platform, tx, organizationId);
  const types = new Map(listSettings(manifest).map(({ name, type }) => [name, type]));
  const updatedAt = new Date().toISOString();
  return Object.fromEntries(
    settings.map(({ name, value, secret }): [string, StoredSetting] => {
      if (!secret) return [name, { kind: "plain", value }];
      const sealed = sealWith({ installationId, name }, value);
      const type = types.get(name) ?? "Password";
      return [name, { kind: "sealed", sealed, type, setIn: 1, updatedAt, by: "Automatic checks" }];
    }),
  );
}
