import { v7 } from "uuid";
import type { LaunchInput } from "@/lib/contract/installation";
import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import { askedBy, mergeAnswers } from "@/lib/domain/configuration-answers";
import { mayOperate } from "@/lib/domain/installation";
import { recordAudit } from "../audit/record-audit";
import { storeConfiguration } from "../configurations/store-configuration";
import { sqlStateOf, UNIQUE_VIOLATION, type Db } from "../database/connect";
import { notifyWorker } from "../database/notify-worker";
import type { Platform } from "../platform/platform";
import { digestsOf, selectProducts, selectTenant } from "../tenants/queries";
import { declaredRoutes } from "./declared-routes";
import { isLaunchable } from "./launchable";
import { insertInstallation, insertRoutes, selectNewestVersion, selectVersionToLaunch } from "./queries";

/**
 * One launch of an app for one of the member's tenants: installation, first configuration and routes, all or nothing.
 * It is LAUNCHING when this returns; a worker moves it on. Throws NOT_FOUND for what is not the member's to launch.
 */
export async function launchInstallation(
  platform: Platform,
  member: Member,
  input: LaunchInput,
): Promise<{ installationId: string }> {
  if (!mayOperate(member.organization.role, input.test)) {
    throw new Problem(
      "NOT_ALLOWED",
      "Publishers may only Test Launch. Ask an operator or an owner of your organization to launch it.",
    );
  }
  const installationId = v7();
  await platform.db.transaction(async (tx) => {
    const version = await versionToLaunch(tx, member, input);
    const tenant = await selectTenant(tx, member.organization.id, input.tenantId);
    if (tenant === undefined) throw new Problem("NOT_FOUND");
    if (tenant.sandbox && !input.test)
      throw new Problem(
        "WRONG_STATE",
        `${tenant.name} is a sandbox, for Test Launches alone. Choose another tenant.`,
      );
    const products = await selectProducts(tx, [tenant.id]);
    const productNames = products.map((product) => product.name);
    const nothing = { kept: new Map(), mappings: [], productNames };
    const { issues, ...merged } = mergeAnswers(askedBy(version.manifest), nothing, input);
    if (issues.length > 0)
      throw new Problem("BAD_INPUT", "The configuration is not complete: see the marked fields.", issues);

    const organizationId = member.organization.id;
    const { listingId, versionId } = version;
    const row = {
      id: installationId,
      organizationId,
      tenantId: tenant.id,
      listingId,
      versionId,
      test: input.test,
      createdBy: member.userId,
    };
    await insertInstallation(tx, row).catch(refuseSecond(version.title, tenant.name, input.test));
    await storeConfiguration(platform, tx, member, {
      installationId,
      revision: 1,
      versionId,
      cause: "launch",
      declared: version.manifest.app.fields,
      schemaDigests: digestsOf(products),
      ...merged,
    });
    await insertRoutes(
      tx,
      declaredRoutes(version.manifest).map((route) => ({ ...route, installationId })),
    );
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: `user:${member.userId}`,
      action: "installation.launch",
      subject: `installation:${installationId}`,
      details: { versionId, tenantId: tenant.id, test: input.test },
    });
    await notifyWorker(tx);
  });
  return { installationId };
}

async function versionToLaunch(tx: Db, member: Member, input: LaunchInput) {
  const version = await selectVersionToLaunch(tx, input.versionId);
  if (version === undefined || !isLaunchable(version, member, input.test)) throw new Problem("NOT_FOUND");
  if (input.test) return version;
  const newest = await selectNewestVersion(
    tx,
    { organization: version.publisherSlug, app: version.appName },
    true,
  );
  if (newest?.versionId === version.versionId) return version;
  throw new Problem(
    "WRONG_STATE",
    `Version ${newest?.number} has replaced ${version.number}. Load this page again to launch it.`,
  );
}

function refuseSecond(title: string, tenant: string, test: boolean) {
  return (error: unknown): never => {
    if (sqlStateOf(error) !== UNIQUE_VIOLATION) throw error;
    const what = test ? `A Test Launch of ${title}` : title;
    throw new Problem(
      "WRONG_STATE",
      `${what} is installed for ${tenant} already. Open that installation, or uninstall it first.`,
    );
  };
}
