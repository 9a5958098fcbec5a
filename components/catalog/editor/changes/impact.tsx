"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Card, Skeleton } from "@/components/ui/card";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { UserText } from "@/components/ui/values";
import type { ManifestImpact } from "@/lib/contract/catalog/manifest-draft";
import { useSyncState } from "../../drafts/use-draft-sync";
import { useEditedListing } from "../model/editor-store";
import { loadImpact } from "../model/sync-draft";

export function ImpactCard() {
  const isSaved = useSyncState((state) => state.status.type === "saved");
  return (
    <Card
      className="@min-[62.5rem]:sticky @min-[62.5rem]:top-(--editor-top) @min-[62.5rem]:col-start-2 @min-[62.5rem]:row-start-1"
      title="Impact on installations"
      description={
        isSaved
          ? "Counts only; customers' values are never read. If you remove a choice, every installation with an answer counts."
          : "Based on the last saved draft."
      }
    >
      <Impact />
    </Card>
  );
}

/** What the saved draft would ask of installations that upgrade. */
export function Impact() {
  const { id } = useEditedListing();
  const revision = useSyncState((state) => state.base.revision);
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ["manifest-impact", id, revision],
    queryFn: ({ signal }) => loadImpact(id, signal),
    placeholderData: keepPreviousData,
  });
  return (
    <div className="text-small leading-5 text-ink-soft" aria-busy={isFetching}>
      {error !== null ? (
        <LoadError error={error} retry={() => void refetch()} isPending={isFetching} />
      ) : data === undefined ? (
        <div role="status" aria-label="Loading the impact">
          <Skeleton />
          <Skeleton className="mt-2 h-4 w-2/3" />
        </div>
      ) : (
        <ImpactCounts impact={data} />
      )}
    </div>
  );
}

const INITIAL_COUNT = 8;

function ImpactCounts({ impact }: { impact: ManifestImpact }) {
  const [showsAll, setShowsAll] = useState(false);
  const { mustFill, installations, asksToOpen } = impact;
  const shown = showsAll ? mustFill : mustFill.slice(0, INITIAL_COUNT);
  return (
    <>
      <p className={impact.affected > 0 ? "font-medium text-ink" : ""}>{summarizeImpact(impact)}</p>
      {asksToOpen > 0 && (
        <p className="mt-2">
          {countInstallations(asksToOpen, installations)} will be asked whether to open an endpoint to
          everyone.
        </p>
      )}
      {shown.length > 0 && (
        <ul className="mt-3 space-y-2 border-t border-line pt-3">
          {shown.map((field) => (
            <li key={`${field.kind} ${field.name}`} className="wrap-anywhere">
              {countInstallations(field.installations, installations)} may have to{" "}
              {field.kind === "mapping" ? "map" : "enter"}{" "}
              <UserText className="font-medium text-ink">{field.title}</UserText>.
            </li>
          ))}
        </ul>
      )}
      {shown.length < mustFill.length && (
        <Button size="small" tone="quiet" className="mt-2 -ml-3" onPress={() => setShowsAll(true)}>
          Show all {mustFill.length}
        </Button>
      )}
    </>
  );
}

export function summarizeImpact({ installations, affected, broken }: ManifestImpact): string {
  if (broken) return "The saved draft has errors. Fix them to see the impact.";
  if (installations === 0) return "There are no installations yet.";
  if (affected === 0)
    return `${countInstallations(installations, installations)} can upgrade without new answers.`;
  return `${countInstallations(affected, installations)} may need new answers to upgrade.`;
}

/** "3 of 5 installations", "Both installations", "The only installation" */
export function countInstallations(count: number, all: number): string {
  if (count < all) return `${count} of ${all} installations`;
  if (all === 1) return "The only installation";
  return all === 2 ? "Both installations" : `All ${all} installations`;
}

export function LoadError(props: { error: unknown; retry: () => void; isPending: boolean }) {
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
