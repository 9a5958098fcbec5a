import type { Manifest, Setting } from "@/lib/contract/catalog/manifest";
import {
  type ConfigurationChange,
  type ConfigurationView,
  REVISION_CHANGES,
  type RevisionView,
  type SecretLedger,
} from "@/lib/contract/installations/configuration-view";
import { checksConfiguration, isSensitive, listSettings } from "@/lib/contract/platform/manifest-terms";
import type { Pages } from "@/lib/contract/platform/pages";
import { Problem } from "@/lib/contract/platform/problem";
import { knownMappingField, knownSetting, viewSettings } from "@/lib/domain/catalog/configuration";
import type { Member } from "@/lib/domain/platform/actor";
import { selectVersionsByIds, type VersionRow } from "../catalog/version-queries";
import type { Platform } from "../platform/platform";
import { viewProduct } from "./configurations/merge-configuration";
import {
  countServed,
  type RevisionRow,
  selectConfiguration,
  selectLaterRevisions,
  selectServed,
  type StoredSetting,
} from "./configurations/queries";
import {
  selectDeclaringVersions,
  selectSecretEvents,
  selectSecretReads,
} from "./configurations/secret-queries";
import { requireInstallation } from "./queries";
import { selectProducts } from "./tenants/queries";

/** The configuration form's data, without secrets. Throws NOT_FOUND for an installation of another organization. */
export async function readConfiguration(
  platform: Platform,
  member: Member,
  id: string,
): Promise<ConfigurationView> {
  const { db } = platform;
  const found = await requireInstallation(db, member.organization.id, id);
  const [stored, products] = await Promise.all([
    selectConfiguration(db, id, found.revision),
    selectProducts(db, [found.tenantId]),
  ]);
  const { manifest } = found;
  return {
    installationId: id,
    name: `${found.publisherSlug}/${found.appName}`,
    title: found.title,
    version: found.number,
    test: found.test,
    tenantName: found.tenantName,
    revision: stored.revision,
    cause: stored.cause,
    savedAt: stored.createdAt.toISOString(),
    savedBy: stored.createdBy,
    declared: listSettings(manifest).map(knownSetting),
    mappingFields: (manifest.core?.fields ?? []).map(knownMappingField),
    checksConfiguration: checksConfiguration(manifest),
    settings: viewSettings(listSettings(manifest), stored.settings),
    mappings: stored.mappings,
    products: products.map((product) => viewProduct(product, stored.schemaDigests)),
  };
}

const PAGE_SIZE = 20;

/** A revision's number: the page has those before it, or, with the prefix, ends with those after it. */
const CURSOR = /^(before:)?([1-9]\d{0,8})$/;

/**
 * A page of an installation's served revisions, newest first. Throws NOT_FOUND for an installation of another organization,
 * BAD_INPUT for a cursor that is not valid.
 */
export async function listRevisions(
  platform: Platform,
  member: Member,
  id: string,
  cursor?: string,
): Promise<{ revisions: RevisionView[] } & Pages> {
  const { db } = platform;
  const found = await requireInstallation(db, member.organization.id, id);
  const highest = await findHighest(db, found, cursor);
  // One more than the page, to compare its last revision with.
  const rows = await selectServed(db, id, highest, PAGE_SIZE + 1);
  const versioned = await addVersions(db, rows);
  const [current] = await selectServed(db, id, found.revision, 1);
  const secrets = currentSecrets(found.manifest, current?.settings ?? {});
  const isOver = found.state === "UNINSTALLING" || found.state === "UNINSTALLED";
  const revisions = versioned.slice(0, PAGE_SIZE).map((each, index): RevisionView => {
    const { row, version } = each;
    const previous = versioned[index + 1];
    const changes = previous === undefined ? [] : compareRevisions(previous, each, secrets);
    const isCurrent = row.revision === found.revision;
    return {
      revision: row.revision,
      current: isCurrent,
      version: version.number,
      cause: row.cause,
      restoredFrom: row.restoredFrom,
      savedAt: row.createdAt.toISOString(),
      savedBy: row.createdBy,
      changes: changes.slice(0, REVISION_CHANGES),
      moreChanges: Math.max(0, changes.length - REVISION_CHANGES),
      restorable: !isOver && !isCurrent && row.versionId === found.versionId,
    };
  });
  const [first, last] = [revisions.at(0), revisions.at(-1)];
  const isFirst = highest === found.revision;
  return {
    revisions,
    isFirst,
    previous: isFirst || first === undefined ? undefined : `before:${first.revision}`,
    next: versioned.length > PAGE_SIZE ? last?.revision.toString() : undefined,
  };
}

/** How many revisions all pages have. */
export async function countRevisions({ db }: Platform, member: Member, id: string): Promise<number> {
  return countServed(db, (await requireInstallation(db, member.organization.id, id)).id);
}

/** The highest revision on the page that a cursor names. */
async function findHighest(
  db: Platform["db"],
  { id, revision: current }: { id: string; revision: number },
  cursor: string | undefined,
): Promise<number> {
  if (cursor === undefined) return current;
  const [, backward, written] = CURSOR.exec(cursor) ?? [];
  if (written === undefined) throw new Problem("BAD_INPUT", "The cursor is not valid. Load the list again.");
  if (backward === undefined) return Math.min(Number(written) - 1, current);
  const range = { after: Number(written), highest: current, limit: PAGE_SIZE };
  return (await selectLaterRevisions(db, id, range))[PAGE_SIZE - 1] ?? current;
}

/** A revision with its version, whose manifest gives its values their meaning. */
interface VersionedRevision {
  row: RevisionRow;
  version: VersionRow;
}

async function addVersions(db: Platform["db"], rows: RevisionRow[]): Promise<VersionedRevision[]> {
  const versions = await selectVersionsByIds(db, [...new Set(rows.map(({ versionId }) => versionId))]);
  const byId = new Map(versions.map((version) => [version.id, version]));
  return rows.map((row) => {
    const version = byId.get(row.versionId);
    if (version === undefined) throw new Error(`version ${row.versionId} does not exist`);
    return { row, version };
  });
}

type Secrets = ReadonlySet<string>;

/** Settings that are secret now: the history hides their values in every revision. */
function currentSecrets(manifest: Manifest, settings: RevisionRow["settings"]): Secrets {
  const sealed = Object.entries(settings).flatMap(([name, { kind }]) => (kind === "plain" ? [] : [name]));
  return new Set([
    ...listSettings(manifest)
      .filter(isSensitive)
      .map(({ name }) => name),
    ...sealed,
  ]);
}

/** The version first, then settings and mappings in the manifest's order. Never shows a secret. */
function compareRevisions(
  before: VersionedRevision,
  after: VersionedRevision,
  secrets: Secrets,
): ConfigurationChange[] {
  const version: ConfigurationChange[] =
    before.version.id === after.version.id
      ? []
      : [{ kind: "version", before: before.version.number, after: after.version.number }];
  return [...version, ...compareSettings(before, after, secrets), ...compareMappings(before, after)];
}

interface Side {
  setting: Setting | undefined;
  stored: StoredSetting | undefined;
}

function compareSettings(
  before: VersionedRevision,
  after: VersionedRevision,
  secrets: Secrets,
): ConfigurationChange[] {
  const [old, now] = [indexSettings(before), indexSettings(after)];
  const names = new Set([
    ...now.declared.keys(),
    ...old.declared.keys(),
    ...now.stored.keys(),
    ...old.stored.keys(),
  ]);
  return [...names].flatMap((name): ConfigurationChange[] => {
    const [was, is] = [old.get(name), now.get(name)];
    const title = is.setting?.title ?? was.setting?.title ?? name;
    if (secrets.has(name) || isHidden(was) || isHidden(is)) {
      const change = compareSecret(was.stored, is.stored);
      return change === undefined ? [] : [{ kind: "secret", name, title, change }];
    }
    const [from, to] = [showPlain(was), showPlain(is)];
    if (from?.value === to?.value) return [];
    return [{ kind: "setting", name, title, before: from?.shown, after: to?.shown }];
  });
}

function indexSettings({ row, version }: VersionedRevision) {
  const declared = new Map(listSettings(version.manifest).map((setting) => [setting.name, setting]));
  const stored = new Map(Object.entries(row.settings));
  return {
    declared,
    stored,
    get: (name: string): Side => ({ setting: declared.get(name), stored: stored.get(name) }),
  };
}

function isHidden({ setting, stored }: Side): boolean {
  if (stored !== undefined && stored.kind !== "plain") return true;
  return setting !== undefined && isSensitive(setting);
}

/** Compares secrets by the revision that they were entered in, not by value. */
function compareSecret(
  was: StoredSetting | undefined,
  is: StoredSetting | undefined,
): "set" | "replaced" | "cleared" | undefined {
  if (is === undefined) return was === undefined ? undefined : "cleared";
  if (was === undefined) return "set";
  const same =
    was.kind === "plain" || is.kind === "plain"
      ? was.kind === "plain" && is.kind === "plain" && was.value === is.value
      : was.setIn === is.setIn;
  return same ? undefined : "replaced";
}

/** Shows a Select's value as the text of its manifest at that time. */
function showPlain({ setting, stored }: Side): { value: string; shown: string } | undefined {
  if (stored?.kind !== "plain") return undefined;
  const { value } = stored;
  const option =
    setting?.type === "Select" ? setting.values?.find((item) => item.value === value) : undefined;
  return { value, shown: option?.text ?? value };
}

function compareMappings(before: VersionedRevision, after: VersionedRevision): ConfigurationChange[] {
  const [old, now] = [indexMappings(before), indexMappings(after)];
  const titles = new Map(
    [before, after].flatMap(({ version }) =>
      (version.manifest.core?.fields ?? []).map(({ name, title }): [string, string] => [name, title]),
    ),
  );
  const products = new Set([...now.keys(), ...old.keys()]);
  return [...products].flatMap((productName): ConfigurationChange[] => {
    const [was, is] = [old.get(productName), now.get(productName)];
    const names = new Set([...titles.keys(), ...(is?.keys() ?? []), ...(was?.keys() ?? [])]);
    return [...names].flatMap((name): ConfigurationChange[] => {
      const [from, to] = [was?.get(name), is?.get(name)];
      if (from === to) return [];
      const title = titles.get(name) ?? name;
      return [{ kind: "mapping", productName, name, title, before: from, after: to }];
    });
  });
}

function indexMappings({ row }: VersionedRevision): Map<string, Map<string, string>> {
  return new Map(
    row.mappings.map(({ productName, fields }) => [productName, new Map(Object.entries(fields))]),
  );
}

/** Per secret. */
const MAX_ENTRIES = 50;

/**
 * What was done with each secret of an installation, by whom and when; never a value, a length or a prefix. Secrets of the
 * current version come first, then former ones. Throws NOT_FOUND for an installation of another organization.
 */
export async function readSecretLedger(
  platform: Platform,
  member: Member,
  id: string,
): Promise<SecretLedger[]> {
  const { db } = platform;
  const found = await requireInstallation(db, member.organization.id, id);
  const [stored, events, reads, versions] = await Promise.all([
    selectConfiguration(db, id, found.revision),
    selectSecretEvents(db, id, MAX_ENTRIES),
    selectSecretReads(db, id),
    selectDeclaringVersions(db, id),
  ]);
  const values = new Map(Object.entries(stored.settings));
  // Titles of the current version take precedence.
  const settings = [found.manifest, ...versions.map(({ manifest }) => manifest)].flatMap((each) =>
    listSettings(each),
  );
  const names = new Set([
    ...listSettings(found.manifest)
      .filter(isSensitive)
      .map(({ name }) => name),
    ...[...values].filter(([, { kind }]) => kind === "sealed").map(([name]) => name),
    ...events.map(({ name }) => name),
  ]);
  return [...names].map((name) => {
    const value = values.get(name);
    // A value that was kept over several revisions counts as read if any of them was.
    const read =
      value?.kind === "sealed"
        ? reads.find((each) => each.name === name && each.setIn === value.setIn)
        : undefined;
    const own = events.filter((event) => event.name === name);
    return {
      name,
      title: settings.find((setting) => setting.name === name)?.title ?? name,
      configured: value?.kind === "sealed",
      lastReadAt: read === undefined ? null : new Date(read.lastReadMs).toISOString(),
      entries: own.map(({ action, revision, at, by }) => ({ action, revision, at: at.toISOString(), by })),
      moreEntries: (own[0]?.total ?? 0) - own.length,
    };
  });
}
