"use client";

import { useFormContext } from "react-hook-form";
import { RelativeTime } from "@/components/ui/relative-time";
import type { ListingText } from "@/lib/contract/catalog/listing";
import { printText } from "@/lib/domain/catalog/listing-text";
import { DraftChoice } from "../drafts/draft-choice";
import { editorName } from "../drafts/draft-sync";
import { TextDifference } from "../drafts/lazy-text-difference";
import { useSync, useSyncState } from "../drafts/use-draft-sync";
import { readText } from "./text-sync";

/** Shown while what somebody else saved conflicts with what was typed here. Editing can continue. */
export function ConflictNotice() {
  const sync = useSync();
  const { getValues } = useFormContext<ListingText>();
  const theirs = useSyncState((state) => state.theirs);
  if (theirs === undefined) return null;
  return (
    <DraftChoice
      Difference={TextDifference}
      tone="warning"
      title={
        <>
          {editorName(theirs)} changed this listing{" "}
          {theirs.updatedAt !== null && <RelativeTime at={theirs.updatedAt} />}
        </>
      }
      takeLabel="Use theirs"
      keepLabel="Keep mine"
      canMerge
      actions={{
        compare: () => ({
          title: "Differences",
          before: printText(readText(theirs.text)),
          after: printText(getValues()),
          beforeLabel: "Theirs",
          afterLabel: "Mine",
        }),
        take: () => sync.takeTheirs(),
        keep: () => sync.keepMine(),
        merge: () => void sync.merge(),
      }}
    >
      Your changes are stored in this browser. They are saved once you choose. Merge keeps the changes of
      both, and yours for fields that both changed.
    </DraftChoice>
  );
}
