"use client";

import { useQuery } from "@tanstack/react-query";
import { Check, FileCode2, List, PackageOpen } from "lucide-react";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { Skeleton } from "@/components/ui/skeleton";
import { loadVersionManifest } from "../sync/draft-calls";
import { type EditedListing, useEditedListing, useEditor } from "../model/use-editor";
import { LoadFault } from "./impact";
import dynamic from "next/dynamic";
import { useDeferredValue, useMemo, useState } from "react";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { Segments } from "@/components/ui/choices";
import { countOf } from "../problems/problem-labels";
import { ChangeList } from "./change-list";
import { compareTexts, type Comparison } from "./compare-texts";
import { ImpactCard } from "./impact";

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

const TextDifference = dynamic(
  () => import("./text-difference").then(({ TextDifference }) => TextDifference),
  { ssr: false, loading: () => <Skeleton className="h-64" /> },
);

const VIEWS = [
  { value: "words", text: "In words", icon: List },
  { value: "text", text: "As text", icon: FileCode2 },
] as const;

interface DifferenceProps {
  published: NonNullable<EditedListing["published"]>;
  publishedText: string;
}

export function Difference({ published, publishedText }: DifferenceProps) {
  const text = useDeferredValue(useEditor((state) => state.outline.text));
  const compared = useMemo(() => compareTexts(publishedText, text), [publishedText, text]);
  const [chosen, choose] = useState<(typeof VIEWS)[number]["value"]>("words");
  const isReadable = compared.type !== "unreadable";
  const view = isReadable ? chosen : "text";
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="min-w-0 text-[13px] leading-5 text-ink-soft">
          <span className="font-medium text-ink">{countText(compared)}</span> since version {published.number}
          , published <RelativeTime at={published.createdAt} />
        </p>
        {isReadable && <Segments label="Show the changes" options={VIEWS} value={view} onChange={choose} />}
      </div>
      <Explanation compared={compared} number={published.number} />
      <div className="grid min-w-0 items-start gap-4 @min-[1000px]:grid-cols-[minmax(0,1fr)_20rem]">
        <ImpactCard />
        <div className="min-w-0">
          {view === "text" ? (
            <TextDifference
              before={publishedText}
              after={text}
              beforeLabel={`Version ${published.number}`}
              afterLabel="Draft"
            />
          ) : compared.type === "changes" ? (
            <ChangeList groups={compared.groups} />
          ) : (
            <NoChanges compared={compared} />
          )}
        </div>
      </div>
    </div>
  );
}

function countText(compared: Comparison): string {
  if (compared.type === "unreadable") return "What differs";
  return compared.type === "same" ? "No changes" : countOf(compared.count, "change");
}

/** What a release from this page may change, and what it may not. */
function Explanation({ compared, number }: { compared: Comparison; number: string }) {
  if (compared.type === "unreadable") {
    const isDraft = compared.which === "draft";
    return (
      <Notice
        tone="warning"
        title={isDraft ? "The draft has errors" : `The manifest of version ${number} breaks a rule of today`}
      >
        {isDraft
          ? "Here is how the texts differ. Once the errors are mended, the changes are told in words."
          : "Here is how the texts differ: they cannot be told in words."}
      </Notice>
    );
  }
  if (compared.type === "same") return null;
  return (
    <p className="-mt-2 max-w-3xl text-[13px] leading-5 text-ink-faint">
      A release from this page keeps the image, so it may only change what people read: titles, hints, the
      texts of values, and the order. {stuckText(compared)}
    </p>
  );
}

function stuckText({ stuck, count }: Extract<Comparison, { type: "changes" }>): string {
  if (stuck === 0) return count === 1 ? "This is such a change." : "All of these are such changes.";
  const one = count === 1 ? "This change" : "One of these changes";
  return stuck === 1
    ? `${one} needs a new image, since its code may rest on what changes.`
    : `${stuck} of these changes need a new image, since its code may rest on what changes.`;
}

function NoChanges({ compared }: { compared: Comparison }) {
  const isOther = compared.type === "same" && compared.differentText;
  return (
    <Card>
      <EmptyState icon={Check} title="No changes">
        {isOther
          ? "The draft says what the published version says. Only its layout or its version number is another; 'As text' shows where."
          : "The draft is the published version, to the letter."}
      </EmptyState>
    </Card>
  );
}
