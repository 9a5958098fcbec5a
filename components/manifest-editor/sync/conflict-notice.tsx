"use client";

import { useMemo, useState } from "react";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import type { ManifestDraft } from "@/lib/contract/manifest-draft";
import { useToast } from "../toast";
import { useEditor, useEditorStore } from "../use-editor";
import { DifferenceDialog, type ShownDifference } from "./difference-dialog";
import { mergedText, tryMerge } from "./merge-words";
import { nameOf } from "./sync-state";
import { useSync, useSyncState } from "./use-sync";

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
