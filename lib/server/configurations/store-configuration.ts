import type { ConfigurationCause } from "@/lib/contract/installation";
import type { Setting } from "@/lib/contract/manifest";
import type { SettingOutcome } from "@/lib/domain/configuration";
import type { Mapping } from "@/lib/domain/mapping/check-mappings";
import type { Member } from "@/lib/domain/actor";
import type { Db } from "../database/connect";
import { settingSealer } from "../keys/data-key";
import type { Platform } from "../platform/platform";
import { insertConfiguration, supersedeFailed, type StoredSetting } from "./queries";
import { tracePlain, type PlainRun } from "./secrets/trace-plain";
import { writeLedger } from "./secrets/write-ledger";
import { serveRevision } from "./serve-revision";

export interface NewConfiguration {
  installationId: string;
  revision: number;
  versionId: string;
  cause: ConfigurationCause;
  restoredFrom?: number;
  /** As the version's manifest declares them. */
  declared: readonly Setting[];
  outcomes: SettingOutcome[];
  mappings: Mapping[];
  /** Of each product's schema, as it was when its mapping was checked. */
  schemaDigests: Record<string, string>;
  /** What the revision before it held; `keep` takes it over as it is. */
  stored?: Readonly<Record<string, StoredSetting>>;
}

type Stored = ReadonlyMap<string, StoredSetting>;
type SealedOutcome = Extract<SettingOutcome, { store: "sealed" }>;

/**
 * Writes one revision, with what the ledger says of its secrets. Sensitive values are sealed for their one place and are
 * in no other column. What an upgrade prepares serves from its switch on; everything else serves at once.
 */
export async function storeConfiguration(
  platform: Platform,
  tx: Db,
  member: Member,
  next: NewConfiguration,
): Promise<void> {
  const { installationId, revision, versionId, cause, restoredFrom, mappings, schemaDigests, declared } =
    next;
  const place = { organizationId: member.organization.id, installationId };
  const before: Stored = new Map(Object.entries(next.stored ?? {}));
  const settings: Record<string, StoredSetting> = {};
  const secrets: SealedOutcome[] = [];
  for (const outcome of next.outcomes) {
    const { name } = outcome;
    if (outcome.store === "plain") settings[name] = { kind: "plain", value: outcome.value };
    else if (outcome.store === "keep") settings[name] = keptForm(next, before.get(name), name);
    else secrets.push(outcome);
  }
  if (secrets.length > 0) {
    const runs = await plainSecrets(tx, next, before, secrets);
    const sealWith = await settingSealer(platform, tx, place.organizationId);
    for (const secret of secrets) {
      const { name, value } = secret;
      const sealed = sealWith({ installationId, name }, value);
      settings[name] = { kind: "sealed", sealed, ...originOf(member, next, secret, runs.get(name)) };
    }
  }
  const row = { installationId, revision, versionId, cause, restoredFrom, settings, mappings, schemaDigests };
  await insertConfiguration(tx, { ...row, createdBy: member.userId });
  const ledger = { installationId, revision, declared, before, after: new Map(Object.entries(settings)) };
  await writeLedger(tx, { ...ledger, by: member.userId });
  if (cause === "upgrade" || cause === "rollback") await supersedeFailed(tx, installationId, revision);
  else await serveRevision(platform, tx, place, revision);
}

/** What was plain until now and is a secret in this revision, with its origin. */
async function plainSecrets(
  tx: Db,
  { installationId, revision }: NewConfiguration,
  before: Stored,
  secrets: readonly SealedOutcome[],
): Promise<Map<string, PlainRun>> {
  const names = secrets.map(({ name }) => name).filter((name) => before.get(name)?.kind === "plain");
  if (names.length === 0) return new Map();
  return tracePlain(tx, installationId, revision, names);
}

function keptForm(
  { installationId }: NewConfiguration,
  kept: StoredSetting | undefined,
  name: string,
): StoredSetting {
  if (kept === undefined || kept.kind === "gone")
    throw new Error(`setting ${name} of ${installationId} has nothing to keep`);
  return kept;
}

/** Of a value that is sealed: as what it was entered, when and by whom. */
function originOf(
  member: Member,
  { declared, installationId, revision }: NewConfiguration,
  { name, value, kept }: SealedOutcome,
  run: PlainRun | undefined,
) {
  const type = declared.find((setting) => setting.name === name)?.type;
  if (type === undefined) throw new Error(`setting ${name} of ${installationId} is not declared`);
  // A value that was plain and is a secret now is the same value still.
  const { setIn, updatedAt, by } =
    kept === true && run?.value === value
      ? run
      : { setIn: revision, updatedAt: new Date().toISOString(), by: member.name };
  return { type, setIn, updatedAt, by };
}
