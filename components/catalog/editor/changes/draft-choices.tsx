"use client";

import { useMemo } from "react";
import { RelativeTime } from "@/components/ui/relative-time";
import type { ManifestDraft } from "@/lib/contract/catalog/manifest-draft";
import { mergeManifests } from "@/lib/domain/catalog/manifest/merge-manifests";
import { DraftChoice } from "../../drafts/draft-choice";
import { editorName } from "../../drafts/draft-sync";
import { TextDifference } from "../../drafts/lazy-text-difference";
import { useSync, useSyncState } from "../../drafts/use-draft-sync";
import { type EditedListing, useEditedListing, useEditor, useEditorStore } from "../model/editor-store";
import { countText } from "../model/labels";
import { loadVersionManifest } from "../model/sync-draft";

const UNMERGEABLE = "They can't be merged because one of them is broken JSON.";

/** Shown while someone else's saved draft conflicts with unsaved changes here. Editing can continue. */
export function ConflictNotice() {
  const theirs = useSyncState((state) => state.theirs);
  return theirs === undefined ? null : <Conflict theirs={theirs} />;
}

function Conflict({ theirs }: { theirs: ManifestDraft }) {
  const store = useEditorStore();
  const sync = useSync();
  const base = useSyncState((state) => state.base.text);
  const isBroken = useEditor((state) => state.outline.blocked.length > 0);
  // Follows the text after a pause in typing, not at every keystroke.
  const text = useEditor((state) => state.checkedText);
  const conflicts = useMemo(
    () => (isBroken ? undefined : mergeManifests(base, text, theirs.text)?.conflicts.length),
    [base, text, theirs, isBroken],
  );
  return (
    <DraftChoice
      Difference={TextDifference}
      tone="warning"
      title={
        <>
          {editorName(theirs)} changed this manifest{" "}
          {theirs.updatedAt !== null && <RelativeTime at={theirs.updatedAt} />}
        </>
      }
      takeLabel="Use theirs"
      keepLabel="Keep mine"
      canMerge={conflicts !== undefined}
      actions={{
        compare: () => ({
          title: "Differences",
          before: theirs.text,
          after: store.getState().outline.text,
          beforeLabel: "Theirs",
          afterLabel: "Mine",
        }),
        take: () => sync.takeTheirs(),
        keep: () => sync.keepMine(),
        merge: () => {
          const merged = sync.merge();
          store.notify(merged === undefined ? UNMERGEABLE : mergedText(merged));
        },
      }}
    >
      Your changes are stored in this browser. They are saved once you choose.{" "}
      {mergeHint(conflicts, isBroken)}
    </DraftChoice>
  );
}

function mergeHint(conflicts: number | undefined, isBroken: boolean): string {
  if (isBroken) return "Fix the JSON here to merge.";
  if (conflicts === undefined) return UNMERGEABLE;
  if (conflicts === 0) return "Merge keeps the changes of both.";
  return `Merge keeps the changes of both, and yours for ${countText(conflicts, "value")} that both changed.`;
}

function mergedText(conflicts: number): string {
  if (conflicts === 0) return "Merged without conflicts.";
  return `Merged. Both changed ${countText(conflicts, "value")}; yours was kept. Undo reverts the merge.`;
}

type Published = NonNullable<EditedListing["published"]>;

/** Shown when an image was published whose manifest differs from the draft. */
export function PublishedNotice() {
  const { published } = useEditedListing();
  const base = useSyncState((state) => state.baseVersionId);
  const hasConflict = useSyncState((state) => state.theirs !== undefined);
  if (published === undefined || !published.differs || published.versionId === base || hasConflict)
    return null;
  return <PublishedChoice published={published} base={base} />;
}

function PublishedChoice({ published, base }: { published: Published; base: string | null }) {
  const store = useEditorStore();
  const sync = useSync();
  const { id } = useEditedListing();
  const isBroken = useEditor((state) => state.outline.blocked.length > 0);
  const { versionId, number } = published;
  const replace = (text: string, what: string) => {
    store.replaceText(text, { what });
    sync.compareWith(versionId);
  };
  return (
    <DraftChoice
      Difference={TextDifference}
      title={`Version ${number} was published with a different manifest`}
      takeLabel="Use published"
      keepLabel="Keep draft"
      canMerge={base !== null && !isBroken}
      actions={{
        compare: async () => ({
          title: `Version ${number} and the draft`,
          before: (await loadVersionManifest(id, versionId)).text,
          after: store.getState().outline.text,
          beforeLabel: `Version ${number}`,
          afterLabel: "Draft",
        }),
        take: async () =>
          replace((await loadVersionManifest(id, versionId)).text, `Use the manifest of version ${number}`),
        keep: () => sync.compareWith(versionId),
        merge: async () => {
          if (base === null) return;
          const [before, newest] = await Promise.all([
            loadVersionManifest(id, base),
            loadVersionManifest(id, versionId),
          ]);
          const merged = mergeManifests(before.text, store.getState().outline.text, newest.text);
          if (merged === undefined) return store.notify(UNMERGEABLE);
          replace(merged.text, `Merge the manifest of version ${number}`);
          store.notify(mergedText(merged.conflicts.length));
        },
      }}
    >
      {base === null
        ? "The draft is older than the first version, so they can't be merged. Use the published manifest or keep the draft."
        : `Use the published manifest, keep the draft, or merge them. ${isBroken ? "Fix the JSON here to merge." : "Where both changed the same value, Merge keeps the draft's."}`}
    </DraftChoice>
  );
}
