"use client";

import { useQuery } from "@tanstack/react-query";
import { PackageOpen } from "lucide-react";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { Skeleton } from "@/components/ui/skeleton";
import { loadVersionManifest } from "../sync/draft-calls";
import { useEditedListing } from "../use-editor";
import { Difference } from "./difference";
import { LoadFault } from "./load-fault";

/** What the draft changes in the newest published version. */
export function ChangesTab() {
  const { id, published } = useEditedListing();
  if (published === undefined)
    return (
      <Card>
        <EmptyState icon={PackageOpen} title="Nothing is published yet">
          Once the first version is published with its image, this tab shows what the draft changes in it, and
          what that asks of installations.
        </EmptyState>
      </Card>
    );
  return <SincePublished key={published.versionId} listingId={id} published={published} />;
}

interface SincePublishedProps {
  listingId: string;
  published: NonNullable<ReturnType<typeof useEditedListing>["published"]>;
}

function SincePublished({ listingId, published }: SincePublishedProps) {
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ["version-manifest", listingId, published.versionId],
    queryFn: ({ signal }) => loadVersionManifest(listingId, published.versionId, signal),
    // A version never changes.
    staleTime: Infinity,
  });
  if (data !== undefined) return <Difference published={published} publishedText={data.text} />;
  if (error !== null) return <LoadFault error={error} retry={() => void refetch()} isPending={isFetching} />;
  return (
    <div role="status" aria-label="Loading the published version" className="flex flex-col gap-4">
      <Skeleton className="h-9 w-72 max-w-full" />
      <Skeleton className="h-48" />
      <Skeleton className="h-32" />
    </div>
  );
}
