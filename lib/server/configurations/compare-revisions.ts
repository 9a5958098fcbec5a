import type { ConfigurationChange } from "@/lib/contract/configuration-view";
import { isSensitive, type Manifest, type Setting } from "@/lib/contract/manifest";
import type { RevisionRow, StoredSetting, VersionRow } from "./queries";

/** A revision with the version that it was saved for: its values are read by that manifest. */
export interface DatedRevision {
  row: RevisionRow;
  version: VersionRow;
}

type Secrets = ReadonlySet<string>;

/** What is a secret today: nothing that it ever was is shown. */
export function secretsNow(manifest: Manifest, settings: RevisionRow["settings"]): Secrets {
  const sealed = Object.entries(settings).flatMap(([name, { kind }]) => (kind === "plain" ? [] : [name]));
  return new Set([...manifest.app.fields.filter(isSensitive).map(({ name }) => name), ...sealed]);
}

/** What `after` changed: the version first, then settings and mappings in the manifest's order. Never a secret. */
export function changesBetween(
  before: DatedRevision,
  after: DatedRevision,
  secrets: Secrets,
): ConfigurationChange[] {
  return [
    ...versionChange(before.version, after.version),
    ...settingChanges(before, after, secrets),
    ...mappingChanges(before, after),
  ];
}

function versionChange(before: VersionRow, after: VersionRow): ConfigurationChange[] {
  if (before.id === after.id) return [];
  return [{ kind: "version", before: before.number, after: after.number }];
}

interface Side {
  setting: Setting | undefined;
  stored: StoredSetting | undefined;
}

function settingChanges(
  before: DatedRevision,
  after: DatedRevision,
  secrets: Secrets,
): ConfigurationChange[] {
  const [old, now] = [sides(before), sides(after)];
  const names = new Set([
    ...now.declared.keys(),
    ...old.declared.keys(),
    ...now.held.keys(),
    ...old.held.keys(),
  ]);
  return [...names].flatMap((name): ConfigurationChange[] => {
    const [was, is] = [old.of(name), now.of(name)];
    const title = is.setting?.title ?? was.setting?.title ?? name;
    if (secrets.has(name) || isHidden(was) || isHidden(is)) {
      const change = secretChange(was.stored, is.stored);
      return change === undefined ? [] : [{ kind: "secret", name, title, change }];
    }
    const [from, to] = [plainOf(was), plainOf(is)];
    if (from?.value === to?.value) return [];
    return [{ kind: "setting", name, title, before: from?.shown, after: to?.shown }];
  });
}

function sides({ row, version }: DatedRevision) {
  const declared = new Map(version.manifest.app.fields.map((setting) => [setting.name, setting]));
  const held = new Map(Object.entries(row.settings));
  return {
    declared,
    held,
    of: (name: string): Side => ({ setting: declared.get(name), stored: held.get(name) }),
  };
}

function isHidden({ setting, stored }: Side): boolean {
  if (stored !== undefined && stored.kind !== "plain") return true;
  return setting !== undefined && isSensitive(setting);
}

/** One value is told from another by the revision that it was entered in. */
function secretChange(
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

/** A Select's value in words, by the manifest that it was chosen under. */
function plainOf({ setting, stored }: Side): { value: string; shown: string } | undefined {
  if (stored?.kind !== "plain") return undefined;
  const { value } = stored;
  const chosen =
    setting?.type === "Select" ? setting.values?.find((item) => item.value === value)?.text : undefined;
  return { value, shown: chosen ?? value };
}

function mappingChanges(before: DatedRevision, after: DatedRevision): ConfigurationChange[] {
  const [old, now] = [pathsOf(before), pathsOf(after)];
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

function pathsOf({ row }: DatedRevision): Map<string, Map<string, string>> {
  return new Map(
    row.mappings.map(({ productName, fields }) => [productName, new Map(Object.entries(fields))]),
  );
}
