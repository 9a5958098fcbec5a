"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/lazy-dialogs";
import { ProblemNotice } from "@/components/ui/problem-notice";

interface ChangeBarProps {
  /** What saving changes; empty if nothing. */
  summary: string;
  /** What is missing before it can be saved; empty if nothing. */
  unfinished: string;
  isSaving: boolean;
  /** Why the last save failed; null if it did not, or if the form shows why. */
  error: unknown;
  onDiscard: () => void;
}

/** Always visible at the bottom, so that nothing jumps with the first change. */
export function ChangeBar({ summary, unfinished, isSaving, error, onDiscard }: ChangeBarProps) {
  const [isAsking, setAsking] = useState(false);
  const texts = [summary, unfinished].filter((text) => text !== "");
  const isChanged = texts.length > 0;
  return (
    <div className="sticky bottom-0 z-20 -mx-4 border-t border-line bg-raised px-4 py-3 shadow-high sm:bottom-4 sm:mx-0 sm:rounded-card sm:border sm:px-6">
      <ProblemNotice error={error} className="mb-3" />
      <div className="flex flex-wrap items-center justify-end gap-x-4 gap-y-2">
        <p aria-live="polite" className="min-w-0 flex-1 basis-56 text-[13px] leading-5 wrap-anywhere">
          <span className={isChanged ? "text-ink" : "text-ink-faint"}>
            {isChanged ? `${texts.join(". ")}.` : "No changes."}
          </span>
          {summary !== "" && (
            <span className="block text-ink-faint">
              Everything else stays the same. Takes effect on the next call.
            </span>
          )}
        </p>
        <div className="flex gap-2">
          {isChanged && (
            <Button
              tone="quiet"
              onPress={() => (summary === "" ? onDiscard() : setAsking(true))}
              isDisabled={isSaving}
            >
              Discard
            </Button>
          )}
          <Button type="submit" tone="primary" isDisabled={!isChanged} isPending={isSaving}>
            Save
          </Button>
        </div>
      </div>
      <ConfirmDialog
        isOpen={isAsking && isChanged}
        onOpenChange={setAsking}
        title="Discard your changes?"
        confirmText="Discard"
        onConfirm={() => {
          setAsking(false);
          onDiscard();
        }}
      >
        You will lose: {summary}.
      </ConfirmDialog>
    </div>
  );
}
