"use client";

import { ArrowRight, Package, type LucideIcon } from "lucide-react";
import { useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { LOOK_OF } from "../design/kinds";
import { valueWord } from "@/lib/domain/manifest/compare-members";
import { capital, wordOf } from "../entry-words";
import type { ShownChange, ShownKind } from "./compare-texts";
import { UserText } from "@/components/ui/user-text";

const LOOKS: Record<ShownKind, { icon: LucideIcon }> = { ...LOOK_OF, app: { icon: Package } };

/** A Select of many values may differ in each of them. */
const SHOWN = 8;

/** One entry that differs, with each of its members that do. */
export function ChangeItem({ change }: { change: ShownChange }) {
  const [all, setAll] = useState(false);
  const { look, title, name, details, needsImage } = change;
  const { icon: Icon } = LOOKS[look];
  const isWhole = change.change === "added" || change.change === "removed";
  // The head of a whole entry says these already.
  const told = isWhole ? details.filter((detail) => !isInHead(detail, change)) : details;
  const shown = all ? told : told.slice(0, SHOWN);
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
            {valueWord(member, after ?? before)}
          </UserText>
        ) : (
          <>
            <del className="min-w-0 rounded-sm bg-danger-soft px-1.5 wrap-anywhere whitespace-pre-wrap text-danger no-underline">
              <span className="sr-only">before: </span>
              <UserText>{valueWord(member, before)}</UserText>
            </del>
            <ArrowRight aria-hidden className="size-3.5 shrink-0 text-ink-faint" />
            <ins className="min-w-0 rounded-sm bg-success-soft px-1.5 wrap-anywhere whitespace-pre-wrap text-success no-underline">
              <span className="sr-only">after: </span>
              <UserText>{valueWord(member, after)}</UserText>
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
