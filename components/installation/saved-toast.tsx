"use client";

import { CircleCheck, X } from "lucide-react";
import { createContext, use, useEffect, useState, type ReactNode } from "react";
import { Button } from "@/components/ui/button";

const SHOWN_MS = 8_000;

const SavedContext = createContext<(revision: number) => void>(() => undefined);

/** Wraps all pages of an installation, so that the next page can confirm what the one before saved. */
export function SavedToast({ children }: { children: ReactNode }) {
  const [saved, setSaved] = useState<{ revision: number }>();
  useEffect(() => {
    if (saved === undefined) return;
    const timer = setTimeout(() => setSaved(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [saved]);
  const show = (revision: number) => setSaved({ revision });
  return (
    <SavedContext value={show}>
      {children}
      <div
        role="status"
        className="pointer-events-none fixed inset-x-4 bottom-4 z-40 flex justify-center sm:inset-x-auto sm:right-6 sm:bottom-6"
      >
        {saved !== undefined && (
          <p className="pointer-events-auto flex max-w-md arrive items-center gap-2 rounded-card border border-line bg-raised py-1.5 pr-1.5 pl-4 text-[13px] text-ink shadow-high">
            <CircleCheck aria-hidden className="size-4 shrink-0 text-success" />
            <span className="min-w-0 flex-1">
              Revision {saved.revision} saved. It takes effect on the next call.
            </span>
            <Button tone="quiet" size="icon-tiny" aria-label="Close" onPress={() => setSaved(undefined)}>
              <X aria-hidden className="size-4" />
            </Button>
          </p>
        )}
      </div>
    </SavedContext>
  );
}

/** Confirms a saved revision on the next page of the installation. */
export function useSavedToast(): (revision: number) => void {
  return use(SavedContext);
}
