import type { SettingOutcome } from "@/lib/domain/configuration";
import type { Mapping } from "@/lib/domain/mapping";
import type { Member } from "@/lib/domain/actor";
import type { Db } from "../database/connect";
import { sealSetting } from "../keys/data-key";
import type { Platform } from "../platform";
import { insertConfiguration, type StoredSetting } from "./queries";

export interface NewConfiguration {
  installationId: string;
  revision: number;
  outcomes: SettingOutcome[];
  mappings: Mapping[];
  /** What the revision before it held; `keep` takes it over as it is. */
  stored?: Readonly<Record<string, StoredSetting>>;
}

/** Writes one revision. Sensitive values are sealed for their one place and are in no other column. */
export async function storeConfiguration(
  platform: Platform,
  tx: Db,
  member: Member,
  next: NewConfiguration,
): Promise<void> {
  const settings: Record<string, StoredSetting> = {};
  for (const outcome of next.outcomes)
    settings[outcome.name] = await storedForm(platform, tx, member, next, outcome);
  const { installationId, revision, mappings } = next;
  await insertConfiguration(tx, { installationId, revision, settings, mappings, createdBy: member.userId });
}

async function storedForm(
  platform: Platform,
  tx: Db,
  member: Member,
  next: NewConfiguration,
  outcome: SettingOutcome,
): Promise<StoredSetting> {
  if (outcome.store === "plain") return { kind: "plain", value: outcome.value };
  if (outcome.store === "keep") {
    const kept = next.stored?.[outcome.name];
    if (kept === undefined)
      throw new Error(`setting ${outcome.name} of ${next.installationId} has nothing to keep`);
    return kept;
  }
  const place = {
    organizationId: member.organization.id,
    installationId: next.installationId,
    name: outcome.name,
  };
  const sealed = await sealSetting(platform, tx, place, outcome.value);
  return { kind: "sealed", sealed, updatedAt: new Date().toISOString(), by: member.name };
}
