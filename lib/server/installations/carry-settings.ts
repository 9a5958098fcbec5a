/**
 * The settings of a trial, with which an ordinary launch of the same app starts, and the link that showed the app. Mappings stay behind,
 * because the trial's products are made up.
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
import { reopenLink } from "../catalog/visibility";
import { openSetting } from "../platform/data-key";
import type { Db } from "../platform/database/connect";
import type { Platform } from "../platform/platform";
import { keptSettings } from "./configurations/merge-configuration";
import { selectConfiguration } from "./configurations/queries";
import { selectTrial } from "./trial-queries";

/** The version that is launched. */
interface Launched {
  listingId: string;
  manifest: Manifest;
}

interface CarriedView {
  carried?: { installationId: string; settings: SettingView[] };
  /** Why nothing is carried over, although a trial was named: it has ended, or the organization has no such trial of this app. */
  lostTrial?: "ended" | "unknown";
}

/** For the launch page, without secrets. Empty if no trial was named. */
export async function viewCarried(
  platform: Platform,
  member: Member,
  version: Launched,
  carryFrom: string | undefined,
): Promise<CarriedView> {
  if (carryFrom === undefined) return {};
  const trial = await findTrial(platform, platform.db, member, version, carryFrom);
  if (typeof trial === "string") return { lostTrial: trial };
  const { id: installationId, kept, stored } = trial;
  const declared = listSettings(version.manifest).filter(({ name }) => kept.has(name));
  return { carried: { installationId, settings: viewSettings(declared, stored) } };
}

/** The token of the link that the trial was started with, if the app is shown by it now. */
export async function readCarriedLink(
  platform: Platform,
  member: Member,
  listingId: string,
  carryFrom: string | undefined,
): Promise<string | undefined> {
  if (carryFrom === undefined || !isId(carryFrom)) return undefined;
  const trial = await selectTrial(platform.db, member.organization.id, carryFrom);
  if (trial?.listingId !== listingId || trial.hasEnded || trial.linkHash === null) return undefined;
  return reopenLink(platform, listingId, trial.linkHash);
}

interface Carried {
  kept: ReadonlyMap<string, KeptSetting>;
  /** Replaces what is kept by its value: a secret is sealed for one installation, and must be sealed again for the next. */
  copy: (outcomes: readonly SettingOutcome[]) => Promise<SettingOutcome[]>;
}

const NOTHING: Carried = { kept: new Map(), copy: async (outcomes) => [...outcomes] };

/** For the launch itself. Throws WRONG_STATE if the trial has ended, and NOT_FOUND for one that the organization does not have. */
export async function readCarried(
  platform: Platform,
  tx: Db,
  member: Member,
  version: Launched,
  carryFrom: string | undefined,
): Promise<Carried> {
  if (carryFrom === undefined) return NOTHING;
  const trial = await findTrial(platform, tx, member, version, carryFrom);
  if (trial === "unknown")
    throw new Problem(
      "NOT_FOUND",
      "Your organization doesn't have this trial. Reload the page and enter the settings.",
    );
  if (trial === "ended")
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

/** The organization's trial of the app, and what of its settings this version can keep. */
async function findTrial(
  platform: Platform,
  db: Db,
  member: Member,
  { listingId, manifest }: Launched,
  id: string,
) {
  const organizationId = member.organization.id;
  const found = isId(id) ? await selectTrial(db, organizationId, id) : undefined;
  if (found?.listingId !== listingId) return "unknown";
  if (found.hasEnded) return "ended";
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
