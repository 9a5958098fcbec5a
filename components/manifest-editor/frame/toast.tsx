"use client";

import { X } from "lucide-react";
import { useEffect } from "react";
import { Button } from "@/components/ui/button";
import { useEditor, useEditorStore } from "../model/use-editor";

const DURATION_MS = 6_000;

/** The last notification. The live region reads it, so this element has no role. */
export function Toast() {
  const store = useEditorStore();
  const toast = useEditor((state) => state.toast);
  useEffect(() => {
    if (toast === undefined) return;
    const timer = setTimeout(store.dismissToast, DURATION_MS);
    return () => clearTimeout(timer);
  }, [toast, store]);
  return (
    <div className="pointer-events-none fixed inset-x-4 bottom-16 z-40 flex justify-center sm:inset-x-auto sm:right-6 sm:bottom-6">
      {toast !== undefined && (
        <p className="pointer-events-auto flex max-w-md arrive items-center gap-2 rounded-card border border-line bg-raised py-1.5 pr-1.5 pl-4 text-[13px] text-ink shadow-high">
          <span className="min-w-0 flex-1 break-words">{toast.message}</span>
          <Button tone="quiet" size="icon" className="size-7" aria-label="Close" onPress={store.dismissToast}>
            <X aria-hidden className="size-4" />
          </Button>
        </p>
      )}
    </div>
  );
}
