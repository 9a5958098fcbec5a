"use client";

import { createContext, type ReactNode, use, useState } from "react";
import { Toast } from "@/components/ui/toast";

const SavedContext = createContext<(revision: number) => void>(() => undefined);

/** Wraps all pages of an installation, so that the next page can confirm what the one before saved. */
export function SavedToast({ children }: { children: ReactNode }) {
  const [saved, setSaved] = useState<number>();
  return (
    <SavedContext value={setSaved}>
      {children}
      <Toast isShown={saved !== undefined} onClose={() => setSaved(undefined)}>
        Revision {saved} saved. It takes effect on the next call.
      </Toast>
    </SavedContext>
  );
}

/** Confirms a saved revision on the next page of the installation. */
export function useSavedToast(): (revision: number) => void {
  return use(SavedContext);
}
