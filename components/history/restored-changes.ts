import type { ConfigurationChange, RevisionView } from "@/lib/contract/configuration-view";

type Revision = Pick<RevisionView, "revision" | "current" | "changes" | "moreChanges">;
type Plain = Extract<ConfigurationChange, { kind: "setting" | "mapping" }>;

/**
 * What restoring revision `target` would change in the current one: settings and mappings, as `before` (now) and `after`
 * (then). Secrets are left out, because they stay as they are. `newestFirst` is the history without a gap; undefined when
 * it does not reach from the current revision down to `target`, or does not tell all that changed since. Numbers may be missing: a failed upgrade's never served.
 */
export function restoredChanges(newestFirst: readonly Revision[], target: number): Plain[] | undefined {
  const end = newestFirst.findIndex(({ revision }) => revision === target);
  if (end === -1 || newestFirst[0]?.current !== true) return undefined;
  const since = newestFirst.slice(0, end);
  if (since.some(({ moreChanges }) => moreChanges > 0)) return undefined;
  const changed = new Map<string, { now: Plain; then: Plain }>();
  for (const { changes } of since)
    for (const change of changes) {
      if (change.kind !== "setting" && change.kind !== "mapping") continue;
      const key = keyOf(change);
      changed.set(key, { now: changed.get(key)?.now ?? change, then: change });
    }
  return [...changed.values()].flatMap(({ now, then }) =>
    now.after === then.before ? [] : [{ ...now, before: now.after, after: then.before }],
  );
}

function keyOf(change: Plain): string {
  return JSON.stringify(change.kind === "setting" ? [change.name] : [change.name, change.productName]);
}
