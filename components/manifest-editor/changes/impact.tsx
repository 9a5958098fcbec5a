"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import type { ManifestImpact } from "@/lib/contract/manifest-draft";
import { loadImpact } from "../sync/draft-calls";
import { useSyncState } from "../sync/use-sync";
import { useEditedListing } from "../model/use-editor";
import { UserText } from "@/components/ui/user-text";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { countOf } from "../problems/problem-labels";
import { RotateCw } from "lucide-react";

/** What the draft as it is saved would ask of those who have the app. */
export function ImpactCard() {
  const { id } = useEditedListing();
  const revision = useSyncState((state) => state.known.revision);
  const isSaved = useSyncState((state) => state.status.type === "saved");
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ["manifest-impact", id, revision],
    queryFn: ({ signal }) => loadImpact(id, signal),
    placeholderData: keepPreviousData,
  });
  return (
    <Card
      className="@min-[1000px]:sticky @min-[1000px]:top-(--editor-top) @min-[1000px]:col-start-2 @min-[1000px]:row-start-1"
      title="Impact on installations"
      description={
        isSaved
          ? "Counts alone: no customer's value is looked at. Where a choice loses a value, all who chose count."
          : "Of the draft as it was saved last."
      }
    >
      <div className="text-[13px] leading-5 text-ink-soft" aria-busy={isFetching}>
        {error !== null ? (
          <LoadFault error={error} retry={() => void refetch()} isPending={isFetching} />
        ) : data === undefined ? (
          <div role="status" aria-label="Loading the impact">
            <Skeleton />
            <Skeleton className="mt-2 h-4 w-2/3" />
          </div>
        ) : (
          <Impact impact={data} />
        )}
      </div>
    </Card>
  );
}

const SHOWN = 8;

function Impact({ impact }: { impact: ManifestImpact }) {
  const [all, setAll] = useState(false);
  const { mustFill, installations } = impact;
  const shown = all ? mustFill : mustFill.slice(0, SHOWN);
  return (
    <>
      <p className={impact.affected > 0 ? "font-medium text-ink" : ""}>{impactSummary(impact)}</p>
      {shown.length > 0 && (
        <ul className="mt-3 space-y-2 border-t border-line pt-3">
          {shown.map((field) => (
            <li key={`${field.kind} ${field.name}`} className="wrap-anywhere">
              {installationsOf(field.installations, installations)} may have to {verbOf(field.kind)}{" "}
              <UserText className="font-medium text-ink">{field.title}</UserText> when{" "}
              {installations === 1 ? "it upgrades" : "they upgrade"}.
            </li>
          ))}
        </ul>
      )}
      {shown.length < mustFill.length && (
        <Button size="small" tone="quiet" className="mt-2 -ml-3" onPress={() => setAll(true)}>
          Show all {mustFill.length}
        </Button>
      )}
    </>
  );
}

/** What an upgrade would ask of installations, in words. */

/** "3 of 5 installations", "Both installations", "The one installation". */
export function installationsOf(count: number, all: number): string {
  if (count < all) return `${count} of ${all} installations`;
  if (all === 1) return "The one installation";
  return all === 2 ? "Both installations" : `All ${all} installations`;
}

function verbOf(kind: ManifestImpact["mustFill"][number]["kind"]): string {
  return kind === "mapping" ? "map" : "fill in";
}

export function impactSummary({ installations, affected, broken }: ManifestImpact): string {
  if (broken)
    return "The saved draft has errors. Once they are mended, it is told here what an upgrade would ask.";
  if (installations === 0) return "Nobody has installed the app yet, so nobody has to fill in anything.";
  const pronoun = installations === 1 ? "it is" : "they are";
  if (affected === 0) return `${installationsOf(installations, installations)} could upgrade as ${pronoun}.`;
  return `${installationsOf(affected, installations)} may need an answer to upgrade.`;
}

/** How many installations may have something to fill in. Counts alone, never a value. */
export function ImpactCounts({ listingId, revision }: { listingId: string; revision: number }) {
  const { data, error } = useQuery({
    queryKey: ["manifest-impact", listingId, revision],
    queryFn: ({ signal }) => loadImpact(listingId, signal),
  });
  if (error !== null) return <ProblemNotice error={error} />;
  if (data === undefined) return <Skeleton className="h-10" />;
  return (
    <div>
      <p>{impactText(data)}</p>
      {data.mustFill.length > 0 && (
        <ul className="mt-2 list-disc space-y-1 pl-4 text-[13px] leading-5">
          {data.mustFill.map(({ kind, name, title, installations }) => (
            <li key={`${kind} ${name}`} className="break-words">
              {title} <code className="font-mono text-xs text-ink-faint">{name}</code>:{" "}
              {countOf(installations, "installation")}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function impactText({ installations, affected }: ManifestImpact): string {
  if (installations === 0) return "No installation exists yet, so nobody has to fill in anything.";
  if (affected === 0)
    return `${countOf(installations, "installation")} can upgrade without filling in anything.`;
  return `At the upgrade, ${affected} of ${countOf(installations, "installation")} may have to fill in:`;
}

/** What could not be read, and the way to try again. */
export function LoadFault(props: { error: unknown; retry: () => void; isPending: boolean }) {
  return (
    <div className="flex flex-col items-start gap-3">
      <ProblemNotice error={props.error} className="w-full" />
      <Button size="small" isPending={props.isPending} onPress={props.retry}>
        <RotateCw aria-hidden className="size-4" />
        Try again
      </Button>
    </div>
  );
}
