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

/** From which version to which, and a choice where there are several. */
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
          <Version version={from} note="runs now" />
          <ArrowRight aria-hidden className="size-4 rotate-90 place-self-center text-ink-faint sm:rotate-0" />
          <Version version={to} note={rollback ? "ran before" : "runs next"} isNext />
        </div>
        {targets.length > 1 && (
          <div className="flex items-end gap-3">
            <SelectField
              label="Move to"
              isRequired
              className="min-w-0 flex-1 sm:max-w-xs"
              options={targets.map((target) => ({
                value: target.versionId,
                text: isOlder(target, from) ? `${target.number}, older than what runs now` : target.number,
              }))}
              value={to.versionId}
              onChange={choose}
            />
            {isLoading && <Spinner label="Looking at that version" className="mb-2.5" />}
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
