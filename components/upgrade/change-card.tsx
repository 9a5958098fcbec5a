"use client";

import { ArrowRight } from "lucide-react";
import { useState } from "react";
import { detailText } from "@/lib/domain/manifest/compare/compare-members";
import { UserText } from "@/components/ui/user-text";
import { Badge, type Tone } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import {
  groupByTopic,
  kindLabel,
  memberLabel,
  routeEffect,
  selectDetails,
  type ChangeTopic,
  type OfferedChange,
} from "./upgrade-changes";

const STYLES: Record<OfferedChange["change"], { tone: Tone; text: string }> = {
  added: { tone: "success", text: "Added" },
  changed: { tone: "accent", text: "Changed" },
  moved: { tone: "neutral", text: "Moved" },
  removed: { tone: "danger", text: "Removed" },
};

/** What the version changes, by topic, each with the values before and after. */
export function ChangeCard({ changes, to }: { changes: readonly OfferedChange[]; to: string }) {
  const topics = groupByTopic(changes);
  if (topics.length === 0)
    return (
      <Card title="What changes">
        <p className="text-[13px] leading-5 text-ink-soft">
          Only the image changed. {to} has the same settings, mapping fields, and routes.
        </p>
      </Card>
    );
  return (
    <Card flush title="What changes" description="Settings, mapping fields, and routes of the app.">
      {topics.map((topic) => (
        <Topic key={topic.id} topic={topic} to={to} />
      ))}
    </Card>
  );
}

const SHOWN = 20;

function Topic({ topic, to }: { topic: ChangeTopic; to: string }) {
  const [all, setAll] = useState(false);
  const { title, changes, moved } = topic;
  const shown = all ? changes : changes.slice(0, SHOWN);
  return (
    <section className="border-t border-line px-4 py-4 sm:px-6">
      <h3 className="mb-1 text-[13px] font-medium text-ink">{title}</h3>
      <ul className="divide-y divide-line">
        {shown.map((change) => (
          <Change key={`${change.kind} ${change.name} ${change.change}`} change={change} to={to} />
        ))}
      </ul>
      {shown.length < changes.length && (
        <Button size="small" tone="quiet" className="-ml-3" onPress={() => setAll(true)}>
          Show all {changes.length}
        </Button>
      )}
      {moved > 0 && (
        <p className="pt-2 text-[13px] leading-5 text-ink-faint">
          {moved === 1 ? "1 entry" : `${moved} entries`} only moved to another position.
        </p>
      )}
    </section>
  );
}

function Change({ change, to }: { change: OfferedChange; to: string }) {
  const { tone, text } = STYLES[change.change];
  const details = selectDetails(change);
  const effect = routeEffect(change, to);
  const kind = kindLabel(change.kind);
  return (
    <li className="flex min-w-0 flex-col gap-1.5 py-3 last:pb-0">
      <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
        <UserText className="max-w-full text-sm font-medium wrap-anywhere text-ink">{change.title}</UserText>
        <Badge tone={tone}>{text}</Badge>
        {kind !== undefined && <span className="text-xs text-ink-faint">{kind}</span>}
      </div>
      {details.length > 0 && (
        <dl className="grid grid-cols-[5rem_minmax(0,1fr)] gap-x-4 gap-y-1 text-[13px] leading-5 sm:grid-cols-[9rem_minmax(0,1fr)]">
          {details.map((detail, index) => (
            <Detail key={index} {...detail} isWhole={change.change !== "changed"} />
          ))}
        </dl>
      )}
      {effect !== undefined && <p className="text-[13px] leading-5 text-ink-faint">{effect}</p>}
    </li>
  );
}

type DetailProps = OfferedChange["details"][number] & {
  /** The entry was added or removed, so there is only one value. */
  isWhole: boolean;
};

function Detail({ member, before, after, isWhole }: DetailProps) {
  return (
    <div className="contents">
      <dt className="min-w-0 wrap-anywhere text-ink-faint">
        <UserText>{memberLabel(member)}</UserText>
      </dt>
      <dd className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
        {isWhole ? (
          <UserText className="min-w-0 wrap-anywhere whitespace-pre-wrap text-ink-soft">
            {detailText(member, after ?? before)}
          </UserText>
        ) : (
          <>
            <Value before text={detailText(member, before)} />
            <ArrowRight aria-hidden className="size-3.5 shrink-0 text-ink-faint" />
            <Value text={detailText(member, after)} />
          </>
        )}
      </dd>
    </div>
  );
}

function Value({ text, before = false }: { text: string; before?: boolean }) {
  const style = before ? "text-ink-soft" : "bg-accent-soft text-ink";
  return (
    <span
      className={`min-w-0 rounded-sm wrap-anywhere whitespace-pre-wrap ${before ? "" : "px-1.5"} ${style}`}
    >
      <span className="sr-only">{before ? "before: " : "after: "}</span>
      <UserText>{text}</UserText>
    </span>
  );
}
