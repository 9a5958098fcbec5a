"use client";

import { ArrowRight, LockKeyhole } from "lucide-react";
import { useState, type ReactNode } from "react";
import { UserText } from "@/components/ui/user-text";
import { Button } from "@/components/ui/button";
import type { ConfigurationChange } from "@/lib/contract/configuration-view";
import { groupChanges, type GroupedChanges } from "./revision-changes";

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
    <div className="@container flex min-w-0 flex-col gap-3 text-[13px] leading-5">
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
  return text === "" ? "empty" : <UserText>{text}</UserText>;
}
