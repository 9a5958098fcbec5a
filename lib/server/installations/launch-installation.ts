import { v7 } from "uuid";
import type { LaunchInput } from "@/lib/contract/catalog/configuration";
import type { Terms } from "@/lib/contract/catalog/listing";
import { listSettings } from "@/lib/contract/platform/manifest-terms";
import { Problem } from "@/lib/contract/platform/problem";
import { mayOperate } from "@/lib/domain/calls/installation";
import { askedBy, mergeAnswers, type MergedAnswers } from "@/lib/domain/catalog/configuration";
import { sayHost, scopeOf, viewRights } from "@/lib/domain/catalog/rights";
import { findAskedTerms } from "@/lib/domain/catalog/terms";
import type { Member } from "@/lib/domain/platform/actor";
import { selectPilotVersion } from "../catalog/access-queries";
import { judgeLaunch, refuse } from "../catalog/judge-launch";
import { storeSecret } from "../calls/deliveries/webhook-secrets";
import { type Db, sqlStateOf, UNIQUE_VIOLATION } from "../platform/database/connect";
import { notifyWorker } from "../platform/database/work-channel";
import type { Platform } from "../platform/platform";
import { recordAudit } from "../platform/record-audit";
import { readCarried } from "./carry-settings";
import { recordAcceptance, requireAccepted } from "./accept-terms";
import { refuseMissingFields } from "./configurations/merge-configuration";
import { storeConfiguration } from "./configurations/store-configuration";
import { declaredRoutes } from "./declared-routes";
import { insertInstallation, lockVersion, selectNewestVersion } from "./launch-queries";
import type { Version } from "./read-launch";
import { upsertRoutes } from "./queries";
import { spendApproval } from "./requests/queries";
import { requireApproval } from "./requests/request-launch";
import { lockTenant, type ProductRow, selectProducts, toSchemaDigests } from "./tenants/queries";

/**
 * Launches an app for one of the member's tenants: writes the installation, its first configuration and its routes, all or
 * nothing. A worker then starts the app. Throws NOT_FOUND for what the member may not launch, NOT_ALLOWED, and TERMS_CHANGED.
 */
export async function launchInstallation(
  platform: Platform,
  member: Member,
  input: LaunchInput,
): Promise<{ installationId: string }> {
  const { test, openEndpoints = false, acceptedTerms, ...answers } = input;
  return platform.db.transaction(async (tx) => {
    const prepared = await prepareLaunch(platform, tx, member, { test, ...answers });
    requireComplete(prepared.merged);
    const terms = findAskedTerms(prepared.version, { organizationId: member.organization.id, test });
    requireAccepted(terms, acceptedTerms);
    if (prepared.approvalId !== undefined) await spendApproval(tx, prepared.approvalId);
    const pilot = !test && prepared.version.verifiedAt === null;
    return storeLaunch(platform, tx, member, { ...prepared, test, openEndpoints, terms, pilot });
  });
}

function requireComplete({ issues }: MergedAnswers): void {
  if (issues.length === 0) return;
  throw new Problem("BAD_INPUT", "The configuration is incomplete. Fix the marked fields.", issues);
}

interface Launch {
  version: Pick<Version, "versionId" | "listingId" | "manifest" | "title">;
  tenant: { id: string; name: string };
  products: readonly Pick<ProductRow, "name" | "schemaDigest">[];
  merged: MergedAnswers;
  test: boolean;
  openEndpoints: boolean;
  /** Of the publisher, which the member accepts. */
  terms?: Terms;
  /** Of a version that is not reviewed yet, to which the member agreed. */
  pilot?: boolean;
}

/** Writes a launch. Throws BAD_INPUT for incomplete answers, and WRONG_STATE for a tenant that has the app. */
export async function storeLaunch(
  platform: Platform,
  tx: Db,
  member: Member,
  { version, tenant, products, merged, test, openEndpoints, terms, pilot = false }: Launch,
): Promise<{ installationId: string }> {
  requireComplete(merged);
  const organizationId = member.organization.id;
  const installationId = v7();
  const { listingId, versionId, manifest } = version;
  const row = {
    id: installationId,
    organizationId,
    tenantId: tenant.id,
    listingId,
    versionId,
    test,
    createdBy: member.userId,
  };
  await insertInstallation(tx, row).catch((error: unknown) => {
    if (sqlStateOf(error) !== UNIQUE_VIOLATION) throw error;
    const what = test ? `A Test Launch of ${version.title}` : version.title;
    throw new Problem(
      "WRONG_STATE",
      `${what} is already installed for ${tenant.name}. Open that installation, or uninstall it first.`,
    );
  });
  await storeConfiguration(platform, tx, member, {
    installationId,
    revision: 1,
    versionId,
    cause: "launch",
    declared: listSettings(manifest),
    scope: scopeOf(manifest),
    schemaDigests: toSchemaDigests(products),
    outcomes: merged.outcomes,
    mappings: merged.mappings,
  });
  await storeSecret(platform, tx, { organizationId, installationId });
  await upsertRoutes(tx, installationId, declaredRoutes(manifest, openEndpoints));
  await recordAudit(tx, platform.keyring, {
    chain: organizationId,
    actor: `user:${member.userId}`,
    action: "installation.launch",
    subject: `installation:${installationId}`,
    details: {
      versionId,
      ...(pilot ? { pilot } : {}),
      tenantId: tenant.id,
      test,
      openEndpoints,
      scope: scopeOf(manifest),
      hosts: viewRights(manifest).hosts?.map(sayHost) ?? null,
    },
  });
  if (terms !== undefined) await recordAcceptance(platform, tx, member, { installationId, listingId, terms });
  await notifyWorker(tx);
  return { installationId };
}

/** What a launch needs, without its writes. Throws what the launch throws, except for issues of the answers. */
export async function prepareLaunch(
  platform: Platform,
  tx: Db,
  member: Member,
  input: Omit<LaunchInput, "openEndpoints" | "acceptedTerms">,
) {
  if (!mayOperate(member.organization.role, input.test))
    throw new Problem(
      "NOT_ALLOWED",
      "Publishers can only start Test Launches. Ask an operator or an owner of your organization to launch the app.",
    );
  const version = await requireVersion(tx, member, input);
  const tenant = await lockTenant(tx, member.organization.id, input.tenantId);
  if (tenant === undefined) throw new Problem("NOT_FOUND");
  if (tenant.trialEndsAt !== null)
    throw new Problem("WRONG_STATE", "This tenant belongs to a trial. Choose another tenant.");
  if (tenant.sandbox && !input.test)
    throw new Problem(
      "WRONG_STATE",
      `${tenant.name} is a sandbox, which only runs Test Launches. Choose another tenant.`,
    );
  const { listingId, title } = version;
  const approvalId = input.test
    ? undefined
    : await requireApproval(tx, member, { listingId, title, tenantId: tenant.id });
  const products = await selectProducts(tx, [tenant.id]);
  const carried = await readCarried(platform, tx, member, version, input.carryFrom);
  const stored = { kept: carried.kept, mappings: [], productNames: products.map(({ name }) => name) };
  const { manifest } = version;
  const answered = mergeAnswers(askedBy(manifest), stored, input);
  const merged = refuseMissingFields(manifest, products, { before: [], answers: input }, answered);
  const outcomes = await carried.copy(merged.outcomes);
  return { version, tenant, products, approvalId, merged: { ...merged, outcomes } };
}

/** The version, which must be the newest that the member may launch. Throws NOT_FOUND, NOT_ALLOWED, and WRONG_STATE. */
export async function requireVersion(
  tx: Db,
  member: Member,
  input: Pick<LaunchInput, "versionId" | "test" | "link" | "pilot">,
) {
  const version = await lockVersion(tx, input.versionId);
  if (version === undefined) throw new Problem("NOT_FOUND");
  const { refusal } = await judgeLaunch(tx, member, version, input);
  if (refusal !== undefined) throw refuse(refusal);
  if (input.test) return version;
  const app = { organization: version.publisherSlug, app: version.appName };
  const newest =
    version.verifiedAt === null
      ? await selectPilotVersion(tx, version.listingId)
      : await selectNewestVersion(tx, app, true);
  if (newest?.versionId === version.versionId) return version;
  throw new Problem(
    "WRONG_STATE",
    newest === undefined
      ? `A verified version has replaced ${version.number}. Launch it from the app's page.`
      : `Version ${newest.number} has replaced ${version.number}. Reload the page to launch it.`,
  );
}
