"use client";

import { X } from "lucide-react";
import { createContext, use, useCallback, useEffect, useState, type ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { useEditorStore } from "./use-editor";

const SHOWN_MS = 6_000;

const ToastContext = createContext<(words: string) => void>(() => undefined);

/** Shows one quiet line for a while; the live region reads it out. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [toast, setToast] = useState<{ words: string }>();
  const store = useEditorStore();
  const show = useCallback(
    (words: string) => {
      setToast({ words });
      store.announce(words);
    },
    [store],
  );
  useEffect(() => {
    if (toast === undefined) return;
    const timer = setTimeout(() => setToast(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [toast]);
  return (
    <ToastContext value={show}>
      {children}
      <div className="pointer-events-none fixed inset-x-4 bottom-16 z-40 flex justify-center sm:inset-x-auto sm:right-6 sm:bottom-6">
        {toast !== undefined && (
          <p className="pointer-events-auto flex max-w-md arrive items-center gap-2 rounded-card border border-line bg-raised py-1.5 pr-1.5 pl-4 text-[13px] text-ink shadow-high">
            <span className="min-w-0 flex-1 break-words">{toast.words}</span>
            <Button tone="quiet" size="icon-tiny" aria-label="Close" onPress={() => setToast(undefined)}>
              <X aria-hidden className="size-4" />
            </Button>
          </p>
        )}
      </div>
    </ToastContext>
  );
}

export function useToast(): (words: string) => void {
  return use(ToastContext);
}
