"use client";

import { useMemo, useState } from "react";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import type { ManifestDraft } from "@/lib/contract/manifest-draft";
import { useToast } from "../model/toast";
import { type EditedListing, useEditedListing, useEditor, useEditorStore } from "../model/use-editor";
import { nameOf } from "../sync/draft-sync";
import { useSync, useSyncState } from "../sync/use-sync";
import { useMutation } from "@tanstack/react-query";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { mergeManifests } from "@/lib/domain/manifest/compare/merge-manifests";
import { loadVersionManifest } from "../sync/draft-calls";
import dynamic from "next/dynamic";
import { Dialog } from "@/components/ui/dialog";
import { Skeleton } from "@/components/ui/skeleton";

/** Somebody else saved while there are changes here: people choose, and go on editing until they have. */
export function ConflictNotice() {
  const theirs = useSyncState((state) => state.theirs);
  return theirs === undefined ? null : <Conflict theirs={theirs} />;
}

function Conflict({ theirs }: { theirs: ManifestDraft }) {
  const store = useEditorStore();
  const sync = useSync();
  const tell = useToast();
  const base = useSyncState((state) => state.known.text);
  const isBroken = useEditor((state) => state.outline.blocked.length > 0);
  const [shown, setShown] = useState<ShownDifference>();
  const read = () => store.state().outline.text;
  // Worked out again at the press: the words need not follow each keystroke.
  const merge = useMemo(
    () => tryMerge(base, store.state().outline.text, theirs.text, isBroken),
    [base, store, theirs, isBroken],
  );
  return (
    <Notice
      tone="warning"
      className="mb-4"
      title={
        <>
          Changed elsewhere by {nameOf(theirs)}
          {theirs.updatedAt !== null && (
            <>
              {" "}
              <RelativeTime at={theirs.updatedAt} />
            </>
          )}
        </>
      }
      actions={
        <>
          <Button
            size="small"
            onPress={() =>
              setShown({
                title: "What differs",
                before: theirs.text,
                after: read(),
                beforeLabel: "Theirs",
                afterLabel: "Mine",
              })
            }
          >
            See the difference
          </Button>
          <Button size="small" onPress={() => sync.takeTheirs()}>
            Take theirs
          </Button>
          <Button size="small" onPress={() => sync.keepMine()}>
            Keep mine
          </Button>
          <Button
            size="small"
            tone="primary"
            isDisabled={!merge.isPossible}
            onPress={() => {
              const conflicts = sync.merge();
              tell(conflicts === undefined ? merge.words : mergedText(conflicts));
            }}
          >
            Merge
          </Button>
        </>
      }
    >
      Your changes are kept here, and nothing is saved until you choose. {merge.words}
      <DifferenceDialog shown={shown} close={() => setShown(undefined)} />
    </Notice>
  );
}

type Published = NonNullable<EditedListing["published"]>;

/** An image was published whose manifest says something else than the draft: people choose which goes on. */
export function PublishedNotice() {
  const { published } = useEditedListing();
  const base = useSyncState((state) => state.baseVersionId);
  const isAsked = useSyncState((state) => state.theirs !== undefined);
  if (published === undefined || !published.differs || published.versionId === base || isAsked) return null;
  return <Choice published={published} base={base} />;
}

function Choice({ published, base }: { published: Published; base: string | null }) {
  const store = useEditorStore();
  const sync = useSync();
  const tell = useToast();
  const { id } = useEditedListing();
  const isBroken = useEditor((state) => state.outline.blocked.length > 0);
  const [shown, setShown] = useState<ShownDifference>();
  const version = `version ${published.number}`;
  const replace = (text: string, what: string) => {
    store.replaceText(text, { what });
    sync.compareWith(published.versionId);
  };
  const difference = useMutation({
    mutationFn: () => loadVersionManifest(id, published.versionId),
    onSuccess: ({ text }) =>
      setShown({
        title: `The draft and version ${published.number}`,
        before: text,
        after: store.state().outline.text,
        beforeLabel: `Version ${published.number}`,
        afterLabel: "Draft",
      }),
  });
  const take = useMutation({
    mutationFn: () => loadVersionManifest(id, published.versionId),
    onSuccess: ({ text }) => replace(text, `Take the manifest of ${version}`),
  });
  const merge = useMutation({
    mutationFn: (versionId: string) =>
      Promise.all([loadVersionManifest(id, versionId), loadVersionManifest(id, published.versionId)]),
    onSuccess: ([before, newest]) => {
      const merged = mergeManifests(before.text, store.state().outline.text, newest.text);
      if (merged === undefined) return tell("They cannot be merged: one of them is broken JSON.");
      replace(merged.text, `Merge with the manifest of ${version}`);
      tell(mergedText(merged.conflicts.length));
    },
  });
  const isBusy = difference.isPending || take.isPending || merge.isPending;
  return (
    <Notice
      className="mb-4"
      title={`Version ${published.number} was published with another manifest`}
      actions={
        <>
          <Button
            size="small"
            isPending={difference.isPending}
            isDisabled={isBusy && !difference.isPending}
            onPress={() => difference.mutate()}
          >
            See the difference
          </Button>
          <Button
            size="small"
            isPending={take.isPending}
            isDisabled={isBusy && !take.isPending}
            onPress={() => take.mutate()}
          >
            Take it
          </Button>
          <Button size="small" isDisabled={isBusy} onPress={() => sync.compareWith(published.versionId)}>
            Keep the draft
          </Button>
          <Button
            size="small"
            tone="primary"
            isPending={merge.isPending}
            isDisabled={base === null || isBroken || (isBusy && !merge.isPending)}
            onPress={() => base !== null && merge.mutate(base)}
          >
            Merge
          </Button>
        </>
      }
    >
      {mergeWords(base, isBroken)}
      <ProblemNotice className="mt-3" error={difference.error ?? take.error ?? merge.error} />
      <DifferenceDialog shown={shown} close={() => setShown(undefined)} />
    </Notice>
  );
}

function mergeWords(base: string | null, isBroken: boolean): string {
  if (base === null)
    return "The draft was begun before the first version, so the two cannot be merged: choose one.";
  if (isBroken) return "Choose which of them goes on. To merge, mend the JSON here first.";
  return "Choose which of them goes on. Merging keeps both; where both changed the same place, the draft's stays.";
}

interface PossibleMerge {
  isPossible: boolean;
  /** What a merge would do, or why there can be none. */
  words: string;
}

/** `isBroken`: the text here cannot be merged at the moment. */
function tryMerge(base: string, mine: string, theirs: string, isBroken: boolean): PossibleMerge {
  if (isBroken) return { isPossible: false, words: "To merge, mend the JSON here first." };
  const merged = mergeManifests(base, mine, theirs);
  if (merged === undefined)
    return { isPossible: false, words: "They cannot be merged: one of them is broken JSON." };
  const count = merged.conflicts.length;
  const both = count === 0 ? "No place was changed by both." : `${placesText(count)} changed by both.`;
  return { isPossible: true, words: `Merging keeps both. ${both}` };
}

function mergedText(conflicts: number): string {
  if (conflicts === 0) return "Merged. No place was changed by both.";
  return `Merged. ${placesText(conflicts)} changed by both: what was here is kept there. Undo brings back how it was.`;
}

function placesText(count: number): string {
  return count === 1 ? "1 place was" : `${count} places were`;
}

const TextDifference = dynamic(
  () => import("../changes/text-difference").then(({ TextDifference }) => TextDifference),
  { ssr: false, loading: () => <Skeleton className="h-64" /> },
);

interface ShownDifference {
  title: string;
  before: string;
  after: string;
  beforeLabel: string;
  afterLabel: string;
}

/** Two texts beside each other, as they were when it was opened. */
function DifferenceDialog(props: { shown: ShownDifference | undefined; close: () => void }) {
  const { shown, close } = props;
  return (
    <Dialog isOpen={shown !== undefined} onOpenChange={close} title={shown?.title ?? ""} width="full">
      {shown !== undefined && <TextDifference {...shown} />}
    </Dialog>
  );
}
