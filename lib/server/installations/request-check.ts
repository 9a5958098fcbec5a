import { v7 } from "uuid";
import type { CheckedSetting } from "@/drizzle/schema/installations-configurations";
import type { ConfigurationCheckInput, ConfigurationCheckView } from "@/lib/contract/catalog/configuration";
import type { Manifest } from "@/lib/contract/catalog/manifest";
import { checksConfiguration } from "@/lib/contract/platform/manifest-terms";
import { Problem } from "@/lib/contract/platform/problem";
import { isId } from "@/lib/contract/platform/text";
import type { MergedAnswers } from "@/lib/domain/catalog/configuration";
import { scopeOf } from "@/lib/domain/catalog/rights";
import type { Member } from "@/lib/domain/platform/actor";
import { openSetting, settingSealer } from "../platform/data-key";
import type { Db } from "../platform/database/connect";
import { notifyWorker } from "../platform/database/work-channel";
import type { Platform } from "../platform/platform";
import { dismissChecks, insertCheck, selectCheck } from "./check-queries";
import { mergeConfiguration } from "./configurations/merge-configuration";
import { selectConfiguration, type StoredSetting } from "./configurations/queries";
import { prepareLaunch } from "./launch-installation";
import { isStartable } from "./queries";
import { lockToConfigure } from "./save-configuration";
import { selectProducts } from "./tenants/queries";
import { prepareUpgrade } from "./upgrade-installation";

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
    await insertCheck(tx, { ...row, settings, mappings: merged.mappings, scope: scopeOf(checked.manifest) });
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
    const { version, tenant, merged } = await prepareLaunch(platform, tx, member, input);
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
  const merged = await mergeConfiguration(platform, tx, {
    owner,
    manifest,
    products,
    stored,
    answers: input,
  });
  return {
    manifest,
    versionId: locked.versionId,
    listingId,
    tenantId,
    test,
    merged,
    installationId,
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

/** How far a check is, and what it found. Throws NOT_FOUND for checks of others, and after a while for those that ended. */
export async function readCheck(
  platform: Platform,
  member: Member,
  id: string,
): Promise<ConfigurationCheckView> {
  const found = isId(id) ? await selectCheck(platform.db, toOwner(member), id) : undefined;
  if (found === undefined) throw new Problem("NOT_FOUND");
  const { state, result, expired } = found;
  if (state !== "ENDED" && expired) return { state: "ENDED", result: { outcome: "FAILED", reason: EXPIRED } };
  return { state, result };
}

const EXPIRED = "The platform couldn't make the check in time. Try again in a moment.";

/** Ends a check: its answers are deleted, and its state key stops working. Throws NOT_FOUND for checks of others. */
export async function cancelCheck(platform: Platform, member: Member, id: string): Promise<void> {
  await platform.db.transaction(async (tx) => {
    const isMine = isId(id) && (await dismissChecks(tx, toOwner(member), id));
    if (!isMine) throw new Problem("NOT_FOUND");
    // The next one may begin.
    await notifyWorker(tx);
  });
}

function toOwner({ userId, organization }: Member) {
  return { userId, organizationId: organization.id };
}
