"use client";

import { ArrowDownUp, ArrowRight, type LucideIcon, Minus, Package, Pencil, Plus } from "lucide-react";
import { useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { UserText } from "@/components/ui/values";
import { detailText } from "@/lib/domain/catalog/manifest/compare-members";
import { capitalize, ENTRY_LABELS, nameEntry } from "../model/entry-labels";
import type { ChangeGroup, Comparison, ShownChange } from "./compare-texts";

const GROUP_LABELS: Record<ChangeGroup, { title: string; icon: LucideIcon; tone: string }> = {
  added: { title: "Added", icon: Plus, tone: "text-success" },
  changed: { title: "Changed", icon: Pencil, tone: "text-accent-text" },
  moved: { title: "Moved", icon: ArrowDownUp, tone: "text-accent-text" },
  removed: { title: "Removed", icon: Minus, tone: "text-danger" },
};

type Groups = Extract<Comparison, { type: "changes" }>["groups"];

export function ChangeList({ groups }: { groups: Groups }) {
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {groups.map(({ group, changes }) => (
        <Group key={group} group={group} changes={changes} />
      ))}
    </div>
  );
}

const PAGE_SIZE = 50;

function Group({ group, changes }: { group: ChangeGroup; changes: readonly ShownChange[] }) {
  const [count, setCount] = useState(PAGE_SIZE);
  const { title, icon: Icon, tone } = GROUP_LABELS[group];
  return (
    <Card
      flush
      title={
        <span className="flex items-center gap-2">
          <Icon aria-hidden className={`size-4 ${tone}`} />
          {title}
          <span className="font-normal text-ink-faint tabular-nums">{changes.length}</span>
        </span>
      }
    >
      <ul className="divide-y divide-line border-t border-line">
        {changes.slice(0, count).map((change) => (
          <ChangeItem key={`${change.kind} ${change.name}`} change={change} />
        ))}
      </ul>
      {changes.length > count && (
        <div className="border-t border-line px-4 py-2 sm:px-6">
          <Button size="small" tone="quiet" className="-ml-3" onPress={() => setCount(count + PAGE_SIZE)}>
            Show more
          </Button>
        </div>
      )}
    </Card>
  );
}

/** A Select may differ in each of its many values. */
const INITIAL_DETAILS = 8;

function ChangeItem({ change }: { change: ShownChange }) {
  const [showsAll, setShowsAll] = useState(false);
  const { shownAs, title, name, needsImage } = change;
  const Icon = shownAs === "app" ? Package : ENTRY_LABELS[shownAs].icon;
  const kind = shownAs === "app" ? "App" : capitalize(nameEntry(shownAs));
  const isWholeEntry = change.change === "added" || change.change === "removed";
  // A whole entry has its type, name and title in the heading.
  const details = isWholeEntry
    ? change.details.filter(({ member, before, after }) => {
        const value = after ?? before;
        return member !== "type" && value !== name && value !== title;
      })
    : change.details;
  const shown = showsAll ? details : details.slice(0, INITIAL_DETAILS);
  return (
    <li className="flex min-w-0 gap-3 px-4 py-3.5 sm:px-6">
      <span
        title={kind}
        className="flex size-8 shrink-0 items-center justify-center rounded-field border border-line bg-subtle text-ink-soft"
      >
        <Icon aria-hidden className="size-4" />
      </span>
      <div className="@container min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <div className="flex min-w-0 flex-1 basis-48 flex-wrap items-baseline gap-x-2">
            <UserText className="max-w-full font-medium wrap-anywhere text-ink">{title}</UserText>
            <span className="flex max-w-full min-w-0 flex-wrap gap-x-2 text-small text-ink-faint">
              {title !== name && (
                <UserText translate="no" className="font-mono text-xs leading-6 wrap-anywhere">
                  {name}
                </UserText>
              )}
              <span>{kind}</span>
            </span>
          </div>
          {needsImage && <Badge tone="warning">Needs a new image</Badge>}
        </div>
        {shown.length > 0 && (
          <dl className="mt-2 grid gap-x-4 gap-y-1.5 text-small leading-5 @min-[12rem]:grid-cols-[5rem_minmax(0,1fr)] @min-[37.5rem]:grid-cols-[8rem_minmax(0,1fr)]">
            {shown.map((detail, index) => (
              <Detail key={index} {...detail} isWholeEntry={isWholeEntry} />
            ))}
          </dl>
        )}
        {shown.length < details.length && (
          <Button size="small" tone="quiet" className="mt-1 -ml-3" onPress={() => setShowsAll(true)}>
            Show all {details.length}
          </Button>
        )}
      </div>
    </li>
  );
}

type DetailProps = ShownChange["details"][number] & {
  /** The entry was added or removed, so there is only one value. */
  isWholeEntry: boolean;
};

function Detail({ member, before, after, isWholeEntry }: DetailProps) {
  return (
    <div className="contents">
      <dt className="min-w-0 wrap-anywhere text-ink-faint">
        <UserText>{member}</UserText>
      </dt>
      <dd className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
        {isWholeEntry ? (
          <UserText className="wrap-anywhere whitespace-pre-wrap text-ink-soft">
            {detailText(member, after ?? before)}
          </UserText>
        ) : (
          <>
            <del className="min-w-0 rounded-sm bg-danger-soft px-1.5 wrap-anywhere whitespace-pre-wrap text-danger no-underline">
              <span className="sr-only">before: </span>
              <UserText>{detailText(member, before)}</UserText>
            </del>
            <ArrowRight aria-hidden className="size-3.5 shrink-0 text-ink-faint" />
            <ins className="min-w-0 rounded-sm bg-success-soft px-1.5 wrap-anywhere whitespace-pre-wrap text-success no-underline">
              <span className="sr-only">after: </span>
              <UserText>{detailText(member, after)}</UserText>
            </ins>
          </>
        )}
      </dd>
    </div>
  );
}
