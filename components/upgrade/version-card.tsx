"use client";

import { ArrowRight } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTransition } from "react";
import { Card } from "@/components/ui/card";
import { RelativeTime } from "@/components/ui/relative-time";
import { SelectField } from "@/components/ui/select-field";
import { Spinner } from "@/components/ui/button";
import type { UpgradeOffer, UpgradeTarget } from "@/lib/contract/configuration-view";
import { compareVersions } from "@/lib/domain/version";

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
                text: isOlder(target, from) ? `${target.number} (older)` : target.number,
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
        <span className="font-mono text-base font-medium break-all text-ink">{version.number}</span>
        <span className="text-xs text-ink-soft">{note}</span>
      </p>
      <p className="text-[13px] text-ink-soft">
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
          <li key={index} className="flex gap-3 text-[13px] leading-5 text-ink-soft">
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
