/**
 * The settings of a trial, with which an ordinary launch of the same app starts. Mappings stay behind, because the trial's products
 * are made up.
 */
import type { SettingView } from "@/lib/contract/catalog/configuration";
import type { Manifest } from "@/lib/contract/catalog/manifest";
import { listSettings } from "@/lib/contract/platform/manifest-terms";
import { Problem } from "@/lib/contract/platform/problem";
import { isId } from "@/lib/contract/platform/text";
import {
  canKeep,
  type KeptSetting,
  type SettingOutcome,
  viewSettings,
} from "@/lib/domain/catalog/configuration";
import type { Member } from "@/lib/domain/platform/actor";
import { openSetting } from "../platform/data-key";
import type { Db } from "../platform/database/connect";
import type { Platform } from "../platform/platform";
import { keptSettings } from "./configurations/merge-configuration";
import { selectConfiguration } from "./configurations/queries";
import { selectOpenTrial } from "./trial-queries";

/** The version that is launched. */
interface Launched {
  listingId: string;
  manifest: Manifest;
}

/** For the launch page, without secrets. Undefined if the trial has ended: then there is nothing to carry over. */
export async function viewCarried(
  platform: Platform,
  member: Member,
  version: Launched,
  carryFrom: string | undefined,
): Promise<{ installationId: string; settings: SettingView[] } | undefined> {
  const trial = await findTrial(platform, platform.db, member, version, carryFrom);
  if (trial === undefined) return undefined;
  const { id: installationId, kept, stored } = trial;
  const declared = listSettings(version.manifest).filter(({ name }) => kept.has(name));
  return { installationId, settings: viewSettings(declared, stored) };
}

interface Carried {
  kept: ReadonlyMap<string, KeptSetting>;
  /** Replaces what is kept by its value: a secret is sealed for one installation, and must be sealed again for the next. */
  copy: (outcomes: readonly SettingOutcome[]) => Promise<SettingOutcome[]>;
}

const NOTHING: Carried = { kept: new Map(), copy: async (outcomes) => [...outcomes] };

/** For the launch itself. Throws WRONG_STATE if the trial has ended. */
export async function readCarried(
  platform: Platform,
  tx: Db,
  member: Member,
  version: Launched,
  carryFrom: string | undefined,
): Promise<Carried> {
  if (carryFrom === undefined) return NOTHING;
  const trial = await findTrial(platform, tx, member, version, carryFrom);
  if (trial === undefined)
    throw new Problem(
      "WRONG_STATE",
      "The trial has ended, and its settings were deleted with it. Reload the page and enter them again.",
    );
  const { id: installationId, kept, stored } = trial;
  const organizationId = member.organization.id;
  const values = new Map(Object.entries(stored));
  const copyOne = async (outcome: SettingOutcome): Promise<SettingOutcome> => {
    const { name } = outcome;
    const value = values.get(name);
    if (outcome.store !== "keep" || value === undefined || value.kind === "gone") return outcome;
    if (value.kind === "plain") return { name, store: "plain", value: value.value };
    const opened = await openSetting(platform, tx, { organizationId, installationId, name }, value.sealed);
    return { name, store: "sealed", value: opened };
  };
  return {
    kept,
    copy: async (outcomes) => {
      const copied: SettingOutcome[] = [];
      // One after another: they share the connection of the transaction.
      for (const outcome of outcomes) copied.push(await copyOne(outcome));
      return copied;
    },
  };
}

/** The organization's open trial of the app, and what of its settings this version can keep. */
async function findTrial(
  platform: Platform,
  db: Db,
  member: Member,
  { listingId, manifest }: Launched,
  id: string | undefined,
) {
  const organizationId = member.organization.id;
  const found = id !== undefined && isId(id) ? await selectOpenTrial(db, organizationId, id) : undefined;
  if (found?.listingId !== listingId) return undefined;
  const { settings: stored } = await selectConfiguration(db, found.id, found.revision);
  const declared = listSettings(manifest);
  const owner = { organizationId, installationId: found.id };
  const all = await keptSettings(platform, db, owner, declared, stored);
  const kept = new Map(
    declared.flatMap((setting) => {
      const value = all.get(setting.name);
      return value !== undefined && canKeep(setting, value) ? [[setting.name, value] as const] : [];
    }),
  );
  return { id: found.id, stored, kept };
}
