"use client";

import { ArrowRight } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { Badge, type Tone } from "@/components/ui/badge";
import { Button, Spinner } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { SelectField } from "@/components/ui/forms/select-field";
import { RelativeTime } from "@/components/ui/relative-time";
import { UserText } from "@/components/ui/values";
import type { UpgradeOffer, UpgradeTarget } from "@/lib/contract/installations/configuration-view";
import { detailText } from "@/lib/domain/catalog/manifest/compare-members";
import { compareVersions } from "@/lib/domain/catalog/manifest/version";
import {
  type ChangeTopic,
  groupByTopic,
  kindLabel,
  memberLabel,
  type OfferedChange,
  routeEffect,
  selectDetails,
} from "./upgrade-changes";

/** The current and the new version, with a choice if there are several. */
export function VersionCard({ offer }: { offer: UpgradeOffer }) {
  const router = useRouter();
  const [isLoading, startLoading] = useTransition();
  const { from, to, targets, rollback, installationId } = offer;
  const choose = (versionId: string) =>
    startLoading(() =>
      router.replace(`/installations/${installationId}/upgrade?to=${versionId}`, { scroll: false }),
    );
  return (
    <Card title="Version">
      <div className="flex flex-col gap-5">
        <div className="grid items-stretch gap-2 sm:grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)]">
          <Version version={from} note="current" />
          <ArrowRight aria-hidden className="size-4 rotate-90 place-self-center text-ink-faint sm:rotate-0" />
          <Version version={to} note={rollback ? "previous" : "new"} isNext />
        </div>
        {targets.length > 1 && (
          <div className="flex items-end gap-3">
            <SelectField
              label={rollback ? "Roll back to" : "Upgrade to"}
              isRequired
              className="min-w-0 flex-1 sm:max-w-xs"
              options={targets.map((target) => ({
                value: target.versionId,
                text: `${target.number}${isOlder(target, from) ? " (older)" : ""}${target.pilot === true ? " (pilot, not reviewed yet)" : ""}`,
              }))}
              value={to.versionId}
              onChange={choose}
            />
            {isLoading && <Spinner label="Loading this version" className="mb-2.5" />}
          </div>
        )}
      </div>
    </Card>
  );
}

function isOlder(target: UpgradeTarget, from: UpgradeTarget): boolean {
  return compareVersions(target.number, from.number) < 0;
}

function Version({
  version,
  note,
  isNext = false,
}: {
  version: UpgradeTarget;
  note: string;
  isNext?: boolean;
}) {
  return (
    <div
      className={`min-w-0 rounded-field border px-4 py-3 ${isNext ? "border-accent-text bg-accent-soft" : "border-line bg-subtle"}`}
    >
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span translate="no" className="font-mono text-base font-medium wrap-anywhere text-ink">
          {version.number}
        </span>
        <span className="text-xs text-ink-soft">{note}</span>
      </p>
      <p className="text-small text-ink-soft">
        Published <RelativeTime at={version.publishedAt} />
      </p>
    </div>
  );
}

/** What happens after the button is pressed. */
export function StepsCard({ offer, isRunning }: { offer: UpgradeOffer; isRunning: boolean }) {
  const [from, to] = [offer.from.number, offer.to.number];
  const later = offer.rollback
    ? `You can upgrade again later. You will be asked again for the answers that only ${from} needs.`
    : `Until the next upgrade, you can roll back to ${from} with its complete configuration.`;
  const steps = isRunning
    ? [
        `${from} keeps serving while ${to} starts. Calls go to ${to} when it is healthy.`,
        `If ${to} fails to start, ${from} keeps serving. No call fails and nothing is lost.`,
        later,
      ]
    : [
        `The installation is not running, so it switches to ${to} immediately. ${to} runs when you start it.`,
        later,
      ];
  return (
    <Card title="How it works">
      <ol className="flex flex-col gap-3">
        {steps.map((step, index) => (
          <li key={index} className="flex gap-3 text-small leading-5 text-ink-soft">
            <span
              aria-hidden
              className="flex size-5 shrink-0 items-center justify-center rounded-full border border-line bg-subtle text-xs text-ink-faint tabular-nums"
            >
              {index + 1}
            </span>
            <span className="min-w-0 wrap-anywhere">{step}</span>
          </li>
        ))}
      </ol>
    </Card>
  );
}

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
        <p className="text-small leading-5 text-ink-soft">
          Only the image changed. {to} has the same settings, mapping fields, and routes.
        </p>
      </Card>
    );
  return (
    <Card
      flush
      title="What changes"
      description="Settings, mapping fields, routes, permissions, and hosts of the app."
    >
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
      <h3 className="mb-1 text-small font-medium text-ink">{title}</h3>
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
        <p className="pt-2 text-small leading-5 text-ink-faint">
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
        <dl className="grid grid-cols-[5rem_minmax(0,1fr)] gap-x-4 gap-y-1 text-small leading-5 sm:grid-cols-[9rem_minmax(0,1fr)]">
          {details.map((detail, index) => (
            <Detail key={index} {...detail} isWhole={change.change !== "changed"} />
          ))}
        </dl>
      )}
      {effect !== undefined && <p className="text-small leading-5 text-ink-faint">{effect}</p>}
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
