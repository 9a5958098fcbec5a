"use client";

import { ArrowRight, LockKeyhole } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { UserText } from "@/components/ui/values";
import type {
  ConfigurationChange,
  RevisionView,
  SecretLedger,
} from "@/lib/contract/installations/configuration-view";

/** An upgrade may change a hundred settings at once. */
const SHOWN = 12;

interface ChangeLinesProps {
  changes: readonly ConfigurationChange[];
  /** The number of changes that are not in `changes`. */
  more?: number;
  /** Shows all of them at once. */
  showAll?: boolean;
}

/** The differences of two revisions: settings, then mappings by product. Of a secret only that it changed. */
export function ChangeLines({ changes, more = 0, showAll = false }: ChangeLinesProps) {
  const [all, setAll] = useState(showAll);
  const { version, settings, mappings } = groupChanges(all ? changes : changes.slice(0, SHOWN));
  return (
    <div className="@container flex min-w-0 flex-col gap-3 text-small leading-5">
      {version !== undefined && (
        <Lines>
          <Line name="Version">
            <BeforeAfter before={version.before} after={version.after} />
          </Line>
        </Lines>
      )}
      {settings.length > 0 && (
        <Lines>
          {settings.map((change) => (
            <SettingLine key={change.name} change={change} />
          ))}
        </Lines>
      )}
      {mappings.map(({ productName, fields }) => (
        <section key={productName}>
          <p className="mb-1.5 font-medium wrap-anywhere text-ink">
            <UserText>{productName}</UserText>
          </p>
          <Lines>
            {fields.map(({ name, title, before, after }) => (
              <Line key={name} name={<UserText>{title}</UserText>}>
                <BeforeAfter before={before} after={after} mono />
              </Line>
            ))}
          </Lines>
        </section>
      ))}
      {!all && changes.length > SHOWN && (
        <Button size="small" tone="quiet" className="-ml-3 self-start" onPress={() => setAll(true)}>
          {more === 0 ? "Show all" : "Show the first"} {changes.length} differences
        </Button>
      )}
      {more > 0 && (
        <p className="text-ink-faint">
          {(changes.length + more).toLocaleString("en-US")} differences in total. The last{" "}
          {more.toLocaleString("en-US")} are not shown.
        </p>
      )}
    </div>
  );
}

function SettingLine({ change }: { change: GroupedChanges["settings"][number] }) {
  const name = <UserText>{change.title}</UserText>;
  if (change.kind === "setting")
    return (
      <Line name={name}>
        <BeforeAfter before={change.before} after={change.after} />
      </Line>
    );
  return (
    <div className="flex min-w-0 items-start gap-1.5 text-ink @md:col-span-2">
      <dt className="sr-only">{name}</dt>
      <dd className="min-w-0 wrap-anywhere">
        <LockKeyhole aria-hidden className="-mt-0.5 mr-1.5 inline size-3.5 text-ink-faint" />
        {name} was {change.change}
      </dd>
    </div>
  );
}

function Lines({ children }: { children: ReactNode }) {
  return <dl className="grid gap-x-4 gap-y-2 @md:grid-cols-[10rem_minmax(0,1fr)]">{children}</dl>;
}

function Line({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <div className="min-w-0 @md:contents">
      <dt className="min-w-0 wrap-anywhere text-ink-faint">{name}</dt>
      <dd className="mt-0.5 min-w-0 @md:mt-0">{children}</dd>
    </div>
  );
}

interface BeforeAfterProps {
  before: string | undefined;
  after: string | undefined;
  /** For paths. */
  mono?: boolean;
}

/** Two values that differ, marked by more than color. */
function BeforeAfter({ before, after, mono = false }: BeforeAfterProps) {
  const style = `min-w-0 rounded-sm px-1.5 wrap-anywhere whitespace-pre-wrap no-underline ${mono ? "font-mono text-xs leading-5" : ""}`;
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
      <del className={`bg-danger-soft text-danger ${style}`}>
        <span className="sr-only">before: </span>
        <Value text={before} />
      </del>
      <ArrowRight aria-hidden className="size-3.5 shrink-0 text-ink-faint" />
      <ins className={`bg-success-soft text-success ${style}`}>
        <span className="sr-only">after: </span>
        <Value text={after} />
      </ins>
    </span>
  );
}

function Value({ text }: { text: string | undefined }) {
  if (text === undefined) return "skipped";
  return text === "" ? "empty" : <UserText translate="no">{text}</UserText>;
}

// What the history shows of configuration revisions and secrets.

type Change<Kind extends ConfigurationChange["kind"]> = Extract<ConfigurationChange, { kind: Kind }>;

interface GroupedChanges {
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
