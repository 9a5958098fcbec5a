"use client";

import { useQuery } from "@tanstack/react-query";
import { Check, FileCode2, List, PackageOpen } from "lucide-react";
import { useDeferredValue, useMemo, useState } from "react";
import { Card, EmptyState, Skeleton } from "@/components/ui/card";
import { Segments } from "@/components/ui/forms/segments";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { TextDifference } from "../../drafts/lazy-text-difference";
import { type EditedListing, useEditedListing, useEditor } from "../model/editor-store";
import { countText } from "../model/labels";
import { loadVersionManifest } from "../model/sync-draft";
import { ChangeList } from "./change-list";
import { compareTexts, type Comparison } from "./compare-texts";
import { ImpactCard, LoadError } from "./impact";

type Published = NonNullable<EditedListing["published"]>;

/** What the draft changes compared with the newest published version. */
export function ChangesTab() {
  const { published } = useEditedListing();
  if (published !== undefined) return <ChangesSince key={published.versionId} published={published} />;
  return (
    <Card>
      <EmptyState icon={PackageOpen} title="Nothing published yet">
        After you publish the first version with its image, this tab shows what the draft changes and how that
        affects installations.
      </EmptyState>
    </Card>
  );
}

function ChangesSince({ published }: { published: Published }) {
  const { id } = useEditedListing();
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ["version-manifest", id, published.versionId],
    queryFn: ({ signal }) => loadVersionManifest(id, published.versionId, signal),
    // Versions are immutable.
    staleTime: Infinity,
  });
  if (data !== undefined) return <Difference published={published} publishedText={data.text} />;
  if (error !== null) return <LoadError error={error} retry={() => void refetch()} isPending={isFetching} />;
  return (
    <div role="status" aria-label="Loading the published version" className="flex flex-col gap-4">
      <Skeleton className="h-9 w-72 max-w-full" />
      <Skeleton className="h-48" />
      <Skeleton className="h-32" />
    </div>
  );
}

const VIEWS = [
  { value: "list", text: "List", icon: List },
  { value: "text", text: "Text", icon: FileCode2 },
] as const;

function Difference({ published, publishedText }: { published: Published; publishedText: string }) {
  const text = useDeferredValue(useEditor((state) => state.outline.text));
  const compared = useMemo(() => compareTexts(publishedText, text), [publishedText, text]);
  const [chosen, choose] = useState<(typeof VIEWS)[number]["value"]>("list");
  const isReadable = compared.type !== "unreadable";
  const view = isReadable ? chosen : "text";
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="min-w-0 text-small leading-5 text-ink-soft">
          <span className="font-medium text-ink">{countChanges(compared)}</span> since version{" "}
          {published.number}, published <RelativeTime at={published.createdAt} />
        </p>
        {isReadable && <Segments label="Show changes as" options={VIEWS} value={view} onChange={choose} />}
      </div>
      <Explanation compared={compared} number={published.number} />
      <div className="grid min-w-0 items-start gap-4 @min-[62.5rem]:grid-cols-[minmax(0,1fr)_20rem]">
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
            <NoChanges differentText={compared.type === "same" && compared.differentText} />
          )}
        </div>
      </div>
    </div>
  );
}

function countChanges(compared: Comparison): string {
  if (compared.type === "unreadable") return "Differences";
  return compared.type === "same" ? "No changes" : countText(compared.count, "change");
}

/** Which changes can be released without a new image. */
function Explanation({ compared, number }: { compared: Comparison; number: string }) {
  if (compared.type === "same") return null;
  if (compared.type === "unreadable") {
    return compared.which === "draft" ? (
      <Notice tone="warning" title="The draft has errors">
        Fix them to see the changes as a list.
      </Notice>
    ) : (
      <Notice tone="warning" title={`The manifest of version ${number} is no longer valid`}>
        The changes can only be shown as text.
      </Notice>
    );
  }
  return (
    <p className="-mt-2 max-w-3xl text-small leading-5 text-ink-faint">
      A text-only release reuses the latest image. It can change titles, hints, the texts of values, and the
      order. {imageText(compared)}
    </p>
  );
}

function imageText({ imageCount, count }: Extract<Comparison, { type: "changes" }>): string {
  if (imageCount === 0) return count === 1 ? "This change qualifies." : "All these changes qualify.";
  if (imageCount > 1)
    return `${imageCount} of these changes need a new image because the app's code may depend on them.`;
  const subject = count === 1 ? "This change" : "One of these changes";
  return `${subject} needs a new image because the app's code may depend on it.`;
}

function NoChanges({ differentText }: { differentText: boolean }) {
  return (
    <Card>
      <EmptyState icon={Check} title="No changes">
        {differentText
          ? "Only the formatting or the version number differs from the published version. Select Text to see where."
          : "The draft is identical to the published version."}
      </EmptyState>
    </Card>
  );
}
