"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { ProblemNotice } from "@/components/ui/problem-notice";

interface ChangeBarProps {
  /** What saving changes; empty: nothing. */
  words: string;
  isSaving: boolean;
  /** Why the last save failed; null: it did not, or it is said elsewhere. */
  error: unknown;
  onDiscard: () => void;
}

/** Always in sight at the bottom, so that nothing jumps when the first change is made. */
export function ChangeBar({ words, isSaving, error, onDiscard }: ChangeBarProps) {
  const [asking, setAsking] = useState(false);
  const changed = words !== "";
  return (
    <div className="sticky bottom-0 z-20 -mx-4 border-t border-line bg-raised px-4 py-3 shadow-high sm:bottom-4 sm:mx-0 sm:rounded-card sm:border sm:px-6">
      <ProblemNotice error={error} className="mb-3" />
      <div className="flex flex-wrap items-center justify-end gap-x-4 gap-y-2">
        <p aria-live="polite" className="min-w-0 flex-1 basis-56 text-[13px] leading-5 wrap-anywhere">
          <span className={changed ? "text-ink" : "text-ink-faint"}>
            {changed ? words : "Nothing is changed."}
          </span>
          {changed && (
            <span className="block text-ink-faint">All else is kept. It counts from the next call.</span>
          )}
        </p>
        <div className="flex gap-2">
          {changed && (
            <Button tone="quiet" onPress={() => setAsking(true)} isDisabled={isSaving}>
              Discard
            </Button>
          )}
          <Button type="submit" tone="primary" isDisabled={!changed} isPending={isSaving}>
            Save
          </Button>
        </div>
      </div>
      <ConfirmDialog
        isOpen={asking && changed}
        onOpenChange={setAsking}
        title="Discard what you changed?"
        confirmText="Discard"
        onConfirm={() => {
          setAsking(false);
          onDiscard();
        }}
      >
        This is lost: {words}.
      </ConfirmDialog>
    </div>
  );
}
