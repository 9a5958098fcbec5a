/** What the history shows of configuration revisions and secrets. */
import type { ConfigurationChange, RevisionView, SecretLedger } from "@/lib/contract/configuration-view";

type Change<Kind extends ConfigurationChange["kind"]> = Extract<ConfigurationChange, { kind: Kind }>;

export interface GroupedChanges {
  version: Change<"version"> | undefined;
  settings: (Change<"setting"> | Change<"secret">)[];
  /** By product, in the order of each product's first change. */
  mappings: { productName: string; fields: Change<"mapping">[] }[];
}

export function groupChanges(changes: readonly ConfigurationChange[]): GroupedChanges {
  const grouped: GroupedChanges = { version: undefined, settings: [], mappings: [] };
  for (const change of changes) {
    if (change.kind === "version") grouped.version = change;
    else if (change.kind === "mapping") {
      const product = grouped.mappings.find((each) => each.productName === change.productName);
      if (product === undefined) grouped.mappings.push({ productName: change.productName, fields: [change] });
      else product.fields.push(change);
    } else grouped.settings.push(change);
  }
  return grouped;
}

type Revision = Pick<RevisionView, "revision" | "current" | "changes" | "moreChanges">;
type Restorable = Change<"setting"> | Change<"mapping">;

/**
 * What restoring revision `target` changes: settings and mappings, with their value now as `before` and their value then
 * as `after`. Secrets are left out, because a restore keeps them. `newestFirst` is the history; numbers of failed upgrades
 * are missing from it. Undefined if it does not reach from the current revision to `target` with all changes.
 */
export function listRestoredChanges(
  newestFirst: readonly Revision[],
  target: number,
): Restorable[] | undefined {
  const end = newestFirst.findIndex(({ revision }) => revision === target);
  if (end === -1 || newestFirst[0]?.current !== true) return undefined;
  const since = newestFirst.slice(0, end);
  if (since.some(({ moreChanges }) => moreChanges > 0)) return undefined;
  const changed = new Map<string, { now: Restorable; then: Restorable }>();
  for (const { changes } of since)
    for (const change of changes) {
      if (change.kind !== "setting" && change.kind !== "mapping") continue;
      const key = JSON.stringify(
        change.kind === "setting" ? [change.name] : [change.name, change.productName],
      );
      changed.set(key, { now: changed.get(key)?.now ?? change, then: change });
    }
  return [...changed.values()].flatMap(({ now, then }) =>
    now.after === then.before ? [] : [{ ...now, before: now.after, after: then.before }],
  );
}

/** Why a revision was written, such as "Rolled back to 1.0.0". */
export function describeCause({
  cause,
  version,
  restoredFrom,
}: Pick<RevisionView, "cause" | "version" | "restoredFrom">): string {
  switch (cause) {
    case "launch":
      return "Launched";
    case "configure":
      return "Configured";
    case "restore":
      return restoredFrom === null ? "Restored" : `Restored revision ${restoredFrom}`;
    case "upgrade":
      return `Upgraded to ${version}`;
    case "rollback":
      return `Rolled back to ${version}`;
  }
}

type Entry = SecretLedger["entries"][number];

/** Folds consecutive saves in which one person only kept the secret. Newest first, like the entries. */
export function foldKept(entries: readonly Entry[]): { entry: Entry; more: Entry[] }[] {
  const folded: { entry: Entry; more: Entry[] }[] = [];
  for (const entry of entries) {
    const last = folded.at(-1);
    const repeated = entry.action === "kept" && last?.entry.action === "kept" && last.entry.by === entry.by;
    if (repeated) last.more.push(entry);
    else folded.push({ entry, more: [] });
  }
  return folded;
}
