"use client";

import { ArrowDownUp, ArrowRight, type LucideIcon, Minus, Package, Pencil, Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import type { ChangeGroup, Comparison, ShownChange, ShownKind } from "./compare-texts";
import { Badge } from "@/components/ui/badge";
import { capital, LOOK_OF, wordOf } from "../model/labels";
import { detailText } from "@/lib/domain/manifest/compare/compare-members";
import { UserText } from "@/components/ui/user-text";

const LOOK: Record<ChangeGroup, { title: string; icon: LucideIcon; tone: string }> = {
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

const SHOWN = 50;

function Group({ group, changes }: { group: ChangeGroup; changes: readonly ShownChange[] }) {
  const [count, setCount] = useState(SHOWN);
  const { title, icon: Icon, tone } = LOOK[group];
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
          <Button size="small" tone="quiet" className="-ml-3" onPress={() => setCount(count + SHOWN)}>
            Show more
          </Button>
        </div>
      )}
    </Card>
  );
}

const LOOKS: Record<ShownKind, { icon: LucideIcon }> = { ...LOOK_OF, app: { icon: Package } };

/** A Select of many values may differ in each of them. */
const SHOWN_DETAILS = 8;

/** One entry that differs, with each of its members that do. */
function ChangeItem({ change }: { change: ShownChange }) {
  const [all, setAll] = useState(false);
  const { look, title, name, details, needsImage } = change;
  const { icon: Icon } = LOOKS[look];
  const isWhole = change.change === "added" || change.change === "removed";
  // The head of a whole entry says these already.
  const told = isWhole ? details.filter((detail) => !isInHead(detail, change)) : details;
  const shown = all ? told : told.slice(0, SHOWN_DETAILS);
  return (
    <li className="flex min-w-0 gap-3 px-4 py-3.5 sm:px-6">
      <span
        title={wordsOf(look)}
        className="flex size-8 shrink-0 items-center justify-center rounded-field border border-line bg-subtle text-ink-soft"
      >
        <Icon aria-hidden className="size-4" />
      </span>
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <div className="flex min-w-0 flex-1 basis-48 flex-wrap items-baseline gap-x-2">
            <UserText className="max-w-full font-medium wrap-anywhere text-ink">{title}</UserText>
            <span className="flex max-w-full min-w-0 flex-wrap gap-x-2 text-[13px] text-ink-faint">
              {title !== name && (
                <UserText className="font-mono text-xs leading-6 wrap-anywhere">{name}</UserText>
              )}
              <span>{wordsOf(look)}</span>
            </span>
          </div>
          {needsImage && <Badge tone="warning">Needs a new image</Badge>}
        </div>
        {shown.length > 0 && (
          <dl className="mt-2 grid grid-cols-[5rem_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-[13px] leading-5 @min-[600px]:grid-cols-[8rem_minmax(0,1fr)]">
            {shown.map((detail, index) => (
              <Detail key={index} {...detail} isWhole={isWhole} />
            ))}
          </dl>
        )}
        {shown.length < told.length && (
          <Button size="small" tone="quiet" className="mt-1 -ml-3" onPress={() => setAll(true)}>
            Show all {told.length}
          </Button>
        )}
      </div>
    </li>
  );
}

type DetailProps = ShownChange["details"][number] & {
  /** The entry came or went: there are no two values to tell apart. */
  isWhole: boolean;
};

function Detail({ member, before, after, isWhole }: DetailProps) {
  return (
    <div className="contents">
      <dt className="min-w-0 wrap-anywhere text-ink-faint">
        <UserText>{member}</UserText>
      </dt>
      <dd className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
        {isWhole ? (
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

function isInHead({ member, before, after }: ShownChange["details"][number], { name, title }: ShownChange) {
  const value = after ?? before;
  return member === "type" || value === name || value === title;
}

function wordsOf(look: ShownKind): string {
  return look === "app" ? "About the app" : capital(wordOf(look));
}
