import { listSettings } from "@/lib/contract/manifest-terms";
import { v7 } from "uuid";
import type { LaunchInput } from "@/lib/contract/installation";
import type { ListingState } from "@/lib/contract/listing";
import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import { askedBy, mergeAnswers } from "@/lib/domain/configuration-answers";
import { mayOperate } from "@/lib/domain/installation";
import { recordAudit } from "../../audit/record-audit";
import { storeConfiguration } from "../../configurations/store-configuration";
import { sqlStateOf, UNIQUE_VIOLATION, type Db } from "../../database/connect";
import { notifyWorker } from "../../database/work-channel";
import type { Platform } from "../../platform/platform";
import { lockTenant, selectProducts, toSchemaDigests } from "../../tenants/queries";
import { storeSecret } from "../../webhook-secrets/store-secret";
import { declaredRoutes } from "../declared-routes";
import { upsertRoutes } from "../queries";
import { insertInstallation, lockVersion, selectNewestVersion } from "./queries";

/**
 * Launches an app for one of the member's tenants: writes the installation, its first configuration and its routes, all or
 * nothing. A worker then starts the app. Throws NOT_FOUND for what the member may not launch.
 */
export async function launchInstallation(
  platform: Platform,
  member: Member,
  input: LaunchInput,
): Promise<{ installationId: string }> {
  const organizationId = member.organization.id;
  const installationId = v7();
  await platform.db.transaction(async (tx) => {
    const { version, tenant, products, ...prepared } = await prepareLaunch(tx, member, input);
    const { issues, ...merged } = prepared.merged;
    if (issues.length > 0)
      throw new Problem("BAD_INPUT", "The configuration is incomplete. Fix the marked fields.", issues);

    const { listingId, versionId } = version;
    const openEndpoints = input.openEndpoints === true;
    const row = {
      id: installationId,
      organizationId,
      tenantId: tenant.id,
      listingId,
      versionId,
      test: input.test,
      createdBy: member.userId,
    };
    await insertInstallation(tx, row).catch((error: unknown) => {
      if (sqlStateOf(error) !== UNIQUE_VIOLATION) throw error;
      const what = input.test ? `A Test Launch of ${version.title}` : version.title;
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
      declared: listSettings(version.manifest),
      schemaDigests: toSchemaDigests(products),
      ...merged,
    });
    await storeSecret(platform, tx, { organizationId, installationId });
    await upsertRoutes(tx, installationId, declaredRoutes(version.manifest, openEndpoints));
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: `user:${member.userId}`,
      action: "installation.launch",
      subject: `installation:${installationId}`,
      details: { versionId, tenantId: tenant.id, test: input.test, openEndpoints },
    });
    await notifyWorker(tx);
  });
  return { installationId };
}

/** What a launch needs, without its writes. Throws what the launch throws, except for issues of the answers. */
export async function prepareLaunch(tx: Db, member: Member, input: Omit<LaunchInput, "openEndpoints">) {
  if (!mayOperate(member.organization.role, input.test))
    throw new Problem(
      "NOT_ALLOWED",
      "Publishers can only Test Launch. Ask an operator or an owner of your organization to launch the app.",
    );
  const version = await requireVersion(tx, member, input);
  const tenant = await lockTenant(tx, member.organization.id, input.tenantId);
  if (tenant === undefined) throw new Problem("NOT_FOUND");
  if (tenant.sandbox && !input.test)
    throw new Problem(
      "WRONG_STATE",
      `${tenant.name} is a sandbox, which only runs Test Launches. Choose another tenant.`,
    );
  const products = await selectProducts(tx, [tenant.id]);
  const productNames = products.map((product) => product.name);
  const nothing = { kept: new Map(), mappings: [], productNames };
  return { version, tenant, products, merged: mergeAnswers(askedBy(version.manifest), nothing, input) };
}

async function requireVersion(tx: Db, member: Member, input: Pick<LaunchInput, "versionId" | "test">) {
  const version = await lockVersion(tx, input.versionId);
  if (version === undefined || !isLaunchable(version, member, input.test)) throw new Problem("NOT_FOUND");
  if (input.test) return version;
  const app = { organization: version.publisherSlug, app: version.appName };
  const newest = await selectNewestVersion(tx, app, true);
  if (newest?.versionId === version.versionId) return version;
  throw new Problem(
    "WRONG_STATE",
    `Version ${newest?.number} has replaced ${version.number}. Reload the page to launch it.`,
  );
}

interface Candidate {
  publisherId: string;
  listingState: ListingState;
  verifiedAt: Date | null;
  /** A review of it is pending. */
  underReview: boolean;
}

/**
 * Everyone can launch a public app's verified versions. A publisher can Test Launch any version of its own apps, and moderators
 * in their own organization one that is under review.
 */
export function isLaunchable(candidate: Candidate, member: Member, test: boolean): boolean {
  const { id, moderation } = member.organization;
  if (test && candidate.listingState === "RETIRED") return false;
  if (test && moderation === true) return member.moderator && candidate.underReview;
  if (test) return candidate.publisherId === id;
  return candidate.listingState === "PUBLIC" && candidate.verifiedAt !== null;
}
