import { v7 } from "uuid";
import type { CheckedSetting } from "@/drizzle/schema/configuration-checks";
import type { ConfigurationCheckInput } from "@/lib/contract/configuration-check";
import type { Manifest } from "@/lib/contract/manifest";
import { checksConfiguration } from "@/lib/contract/manifest-terms";
import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import type { MergedAnswers } from "@/lib/domain/configuration-answers";
import type { StoredSetting } from "../configurations/queries";
import { mergeConfiguration } from "../configurations/merge-configuration";
import { selectConfiguration } from "../configurations/queries";
import type { Db } from "../database/connect";
import { notifyWorker } from "../database/work-channel";
import { lockToConfigure } from "../installations/configure/save-configuration";
import { prepareLaunch } from "../installations/launch/launch-installation";
import { isStartable } from "../installations/queries";
import { openSetting, settingSealer } from "../keys/data-key";
import type { Platform } from "../platform/platform";
import { selectProducts } from "../tenants/queries";
import { prepareUpgrade } from "../upgrades/begin-upgrade";
import { dismissChecks, insertCheck } from "./queries";

/**
 * Asks the app to check answers that are not saved; a worker makes the call. Replaces the user's earlier check. It changes no
 * configuration, so it is not audited. Mappings may be incomplete. Throws what a save of the same answers throws, and
 * WRONG_STATE if the app checks nothing.
 */
export async function requestCheck(
  platform: Platform,
  member: Member,
  input: ConfigurationCheckInput,
): Promise<{ checkId: string }> {
  const checkId = v7();
  const owner = { organizationId: member.organization.id, userId: member.userId };
  await platform.db.transaction(async (tx) => {
    const checked = await prepare(platform, tx, member, input);
    const { manifest, merged, tenantId, versionId, installationId } = checked;
    if (!checksConfiguration(manifest))
      throw new Problem("WRONG_STATE", "This version of the app doesn't check settings. You can save them.");
    if (!checked.test && !(await isStartable(tx, checked.listingId)))
      throw new Problem("WRONG_STATE", "The app is suspended, so it can't check settings.");
    const issues = merged.issues.filter(({ pointer }) => !pointer.startsWith("/mappings"));
    if (issues.length > 0)
      throw new Problem("BAD_INPUT", "Fix the marked settings, then check again.", issues);
    await dismissChecks(tx, owner);
    const settings = await sealAnswers(platform, tx, owner.organizationId, checkId, checked);
    const row = { ...owner, id: checkId, tenantId, versionId, installationId };
    await insertCheck(tx, { ...row, settings, mappings: merged.mappings });
    await notifyWorker(tx);
  });
  return { checkId };
}

interface Checked {
  manifest: Manifest;
  versionId: string;
  listingId: string;
  tenantId: string;
  test: boolean;
  merged: MergedAnswers;
  installationId?: string;
  /** From which answers are kept. */
  stored?: Readonly<Record<string, StoredSetting>>;
}

async function prepare(
  platform: Platform,
  tx: Db,
  member: Member,
  input: ConfigurationCheckInput,
): Promise<Checked> {
  if (input.for === "launch") {
    const { version, tenant, merged } = await prepareLaunch(tx, member, input);
    const { manifest, versionId, listingId } = version;
    return { manifest, versionId, listingId, tenantId: tenant.id, test: input.test, merged };
  }
  const { installationId, versionId } = input;
  if (versionId !== undefined) {
    const upgrade = await prepareUpgrade(platform, tx, member, installationId, { ...input, versionId });
    const { locked, manifest, stored, merged } = upgrade;
    const { listingId, tenantId, test } = locked;
    const { settings } = stored;
    return { manifest, versionId, listingId, tenantId, test, merged, installationId, stored: settings };
  }
  const locked = await lockToConfigure(tx, member, installationId, input.revision);
  const { manifest, listingId, tenantId, test } = locked;
  const stored = await selectConfiguration(tx, installationId, locked.revision);
  const products = await selectProducts(tx, [tenantId]);
  const owner = { organizationId: member.organization.id, installationId };
  const merged = await mergeConfiguration(platform, tx, owner, manifest, products, stored, input);
  return {
    ...{ manifest, versionId: locked.versionId, listingId, tenantId, test, merged, installationId },
    stored: stored.settings,
  };
}

/** The answers as the check's row has them. A kept secret is sealed again: a value opens only where it belongs. */
async function sealAnswers(
  platform: Platform,
  tx: Db,
  organizationId: string,
  checkId: string,
  { merged, installationId, stored = {} }: Checked,
): Promise<Record<string, CheckedSetting>> {
  const sealWith = await settingSealer(platform, tx, organizationId);
  const seal = (name: string, value: string): CheckedSetting => ({
    kind: "sealed",
    sealed: sealWith({ installationId: checkId, name }, value),
  });
  const before = new Map(Object.entries(stored));
  const answers: [string, CheckedSetting][] = [];
  for (const outcome of merged.outcomes) {
    const { name } = outcome;
    if (outcome.store === "plain") answers.push([name, { kind: "plain", value: outcome.value }]);
    else if (outcome.store === "sealed") answers.push([name, seal(name, outcome.value)]);
    else {
      const kept = before.get(name);
      if (kept === undefined || kept.kind === "gone" || installationId === undefined)
        throw new Error(`setting ${name} has nothing to keep`);
      if (kept.kind === "plain") answers.push([name, { kind: "plain", value: kept.value }]);
      else {
        const place = { organizationId, installationId, name };
        answers.push([name, seal(name, await openSetting(platform, tx, place, kept.sealed))]);
      }
    }
  }
  return Object.fromEntries(answers);
}
