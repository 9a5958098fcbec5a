"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import type { ManifestImpact } from "@/lib/contract/manifest-draft";
import { loadImpact } from "../sync/draft-calls";
import { useSyncState } from "../sync/use-sync";
import { useEditedListing } from "../use-editor";
import { impactSummary, installationsOf, verbOf } from "./impact-words";
import { LoadFault } from "./load-fault";
import { UserText } from "@/components/ui/user-text";

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
