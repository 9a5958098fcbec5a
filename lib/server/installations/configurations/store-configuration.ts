import type { ConfigurationCause, SecretAction } from "@/lib/contract/catalog/installation-states";
import type { Setting } from "@/lib/contract/catalog/manifest";
import { isSensitive, listSettings } from "@/lib/contract/platform/manifest-terms";
import type { SettingOutcome } from "@/lib/domain/catalog/configuration";
import type { Mapping } from "@/lib/domain/catalog/mapping/check-mappings";
import type { Member } from "@/lib/domain/platform/actor";
import { selectVersionsByIds } from "../../catalog/version-queries";
import { settingSealer } from "../../platform/data-key";
import type { Db } from "../../platform/database/connect";
import type { Platform } from "../../platform/platform";
import { findPlainRuns, type PlainRun, sealEarlier } from "./earlier-revisions";
import type { ConfigurationOwner } from "./merge-configuration";
import * as queries from "./queries";
import { emptySettings, selectConfiguration, type StoredSetting } from "./queries";
import { insertSecretEvents } from "./secret-queries";

interface NewConfiguration {
  installationId: string;
  revision: number;
  versionId: string;
  cause: ConfigurationCause;
  restoredFrom?: number;
  /** The settings that the version's manifest declares. */
  declared: readonly Setting[];
  /** `scopeOf` that manifest. */
  scope: string | null;
  outcomes: SettingOutcome[];
  mappings: Mapping[];
  /** The schema of each product when its mapping was checked. */
  schemaDigests: Record<string, string>;
  /** The settings of the revision before, from which `keep` copies. */
  stored?: Readonly<Record<string, StoredSetting>>;
}

type Stored = ReadonlyMap<string, StoredSetting>;
type SealedOutcome = Extract<SettingOutcome, { store: "sealed" }>;

/**
 * Writes a revision and its ledger entries. Sensitive values are sealed and stored nowhere else. The revision of an
 * upgrade takes effect when it switches, any other at once.
 */
export async function storeConfiguration(
  platform: Platform,
  tx: Db,
  member: Member,
  next: NewConfiguration,
): Promise<void> {
  const {
    installationId,
    revision,
    versionId,
    cause,
    restoredFrom,
    mappings,
    schemaDigests,
    declared,
    scope,
  } = next;
  const owner = { organizationId: member.organization.id, installationId };
  const before: Stored = new Map(Object.entries(next.stored ?? {}));
  const settings: Record<string, StoredSetting> = {};
  const secrets: SealedOutcome[] = [];
  for (const outcome of next.outcomes) {
    const { name } = outcome;
    if (outcome.store === "plain") settings[name] = { kind: "plain", value: outcome.value };
    else if (outcome.store === "keep") settings[name] = keep(next, before.get(name), name);
    else secrets.push(outcome);
  }
  if (secrets.length > 0) {
    const runs = await plainRuns(tx, next, before, secrets);
    const sealWith = await settingSealer(platform, tx, owner.organizationId);
    for (const secret of secrets) {
      const { name, value } = secret;
      const sealed = sealWith({ installationId, name }, value);
      settings[name] = { kind: "sealed", sealed, ...getOrigin(member, next, secret, runs.get(name)) };
    }
  }
  const row = {
    installationId,
    revision,
    versionId,
    cause,
    restoredFrom,
    settings,
    mappings,
    schemaDigests,
    scope,
  };
  await queries.insertConfiguration(tx, { ...row, createdBy: member.userId });
  const ledger = { installationId, revision, declared, before, after: new Map(Object.entries(settings)) };
  await writeLedger(tx, { ...ledger, by: member.userId });
  if (cause === "upgrade" || cause === "rollback")
    await queries.supersedeFailed(tx, installationId, revision);
  else await serveRevision(platform, tx, owner, revision);
}

/** The history of values that were plain until now and become secrets. */
async function plainRuns(
  tx: Db,
  { installationId, revision }: NewConfiguration,
  before: Stored,
  secrets: readonly SealedOutcome[],
): Promise<Map<string, PlainRun>> {
  const names = secrets.map(({ name }) => name).filter((name) => before.get(name)?.kind === "plain");
  if (names.length === 0) return new Map();
  return findPlainRuns(tx, installationId, revision, names);
}

function keep({ installationId }: NewConfiguration, stored: StoredSetting | undefined, name: string) {
  if (stored === undefined || stored.kind === "gone")
    throw new Error(`setting ${name} of ${installationId} has nothing to keep`);
  return stored;
}

/** The type of a sealed value, and when and by whom it was entered. */
function getOrigin(
  member: Member,
  { declared, installationId, revision }: NewConfiguration,
  { name, value, kept }: SealedOutcome,
  run: PlainRun | undefined,
) {
  const type = declared.find((setting) => setting.name === name)?.type;
  if (type === undefined) throw new Error(`setting ${name} of ${installationId} is not declared`);
  // A plain value that becomes a secret is still the same value.
  const { setIn, updatedAt, by } =
    kept === true && run?.value === value
      ? run
      : { setIn: revision, updatedAt: new Date().toISOString(), by: member.name };
  return { type, setIn, updatedAt, by };
}

/**
 * Makes a revision the current one, in the transaction that moves the installation to it. Earlier revisions stay until
 * the keys that name them expire, and what is a secret now is sealed in them too.
 */
export async function serveRevision(
  platform: Platform,
  tx: Db,
  owner: ConfigurationOwner,
  revision: number,
): Promise<void> {
  const { installationId } = owner;
  const current = await queries.selectConfiguration(tx, installationId, revision);
  const [version] = await selectVersionsByIds(tx, [current.versionId]);
  const declared = listSettings(version?.manifest)
    .filter(isSensitive)
    .map(({ name }) => name);
  const sealed = Object.entries(current.settings).flatMap(([name, { kind }]) =>
    kind === "sealed" ? [name] : [],
  );
  await queries.supersede(tx, installationId, revision);
  await sealEarlier(platform, tx, owner, revision, [...new Set([...declared, ...sealed])]);
}

type LedgerSettings = ReadonlyMap<string, StoredSetting>;

interface LedgerPage {
  installationId: string;
  revision: number;
  /** The settings that the revision's version declares. */
  declared: readonly Setting[];
  before: LedgerSettings;
  after: LedgerSettings;
  by: string;
}

/** Records what a revision did with each secret that it, or the revision before, has. */
async function writeLedger(tx: Db, page: LedgerPage): Promise<void> {
  const { installationId, revision, by } = page;
  const names = new Set([...page.before.keys(), ...page.after.keys()]);
  const rows = [...names].flatMap((name) => {
    const action = secretAction(page, name);
    return action === undefined ? [] : [{ installationId, revision, name, action, by }];
  });
  await insertSecretEvents(tx, rows);
}

function secretAction(
  { before, after, declared, revision }: LedgerPage,
  name: string,
): SecretAction | undefined {
  const [old, now] = [findStored(before, name), findStored(after, name)];
  if (now?.kind === "sealed") {
    if (now.setIn < revision) return "kept";
    return old === undefined ? "set" : "replaced";
  }
  if (old?.kind !== "sealed") return undefined;
  // A plain value that takes its place is not a secret: the secret is gone.
  return declared.some((setting) => setting.name === name) ? "cleared" : "dropped";
}

function findStored(stored: LedgerSettings, name: string): StoredSetting | undefined {
  const found = stored.get(name);
  return found?.kind === "gone" ? undefined : found;
}

/** Deletes all values of an uninstalled app. The ledger keeps that there were secrets. */
export async function removeSettings(tx: Db, installationId: string, revision: number): Promise<void> {
  const { settings } = await selectConfiguration(tx, installationId, revision);
  const names = Object.entries(settings).flatMap(([name, { kind }]) => (kind === "sealed" ? [name] : []));
  await insertSecretEvents(
    tx,
    names.map((name) => ({ installationId, revision, name, action: "removed" as const, by: null })),
  );
  await emptySettings(tx, installationId);
}
