"use client";

import { CircleCheck, X } from "lucide-react";
import { type ReactNode, useEffect, useEffectEvent } from "react";
import { Button } from "./button";

const SHOWN_MS = 8_000;

interface ToastProps {
  isShown: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** Confirms what was done, in a corner of the page, for a moment. */
export function Toast({ isShown, onClose, children }: ToastProps) {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (!isShown) return;
    const timer = setTimeout(() => close(), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isShown]);
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-4 bottom-4 z-40 flex justify-center sm:inset-x-auto sm:right-6 sm:bottom-6"
    >
      {isShown && (
        <p className="pointer-events-auto flex max-w-md arrive items-center gap-2 rounded-card border border-line bg-raised py-1.5 pr-1.5 pl-4 text-small text-ink shadow-high">
          <CircleCheck aria-hidden className="size-4 shrink-0 text-success" />
          <span className="min-w-0 flex-1">{children}</span>
          <Button tone="quiet" size="icon-tiny" aria-label="Close" onPress={onClose}>
            <X aria-hidden className="size-4" />
          </Button>
        </p>
      )}
    </div>
  );
}
