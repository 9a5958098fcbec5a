"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { mergeManifests } from "@/lib/domain/manifest/merge-manifests";
import { useToast } from "../toast";
import { useEditedListing, useEditor, useEditorStore, type EditedListing } from "../use-editor";
import { DifferenceDialog, type ShownDifference } from "./difference-dialog";
import { loadVersionManifest } from "./draft-calls";
import { mergedText } from "./merge-words";
import { useSync, useSyncState } from "./use-sync";

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
