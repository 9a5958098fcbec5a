"use client";

import { type ComponentType, useEffect, useId, useRef } from "react";
import { useStore } from "zustand";
import { Button } from "./button";
import { createLoader, LOAD_FAILURE } from "./load-code";

interface OpenProps {
  isOpen: boolean;
  onOpenChange: (open: boolean) => void;
}

const FIRST_INPUT = ["pointermove", "pointerdown", "keydown", "focusin"] as const;

/**
 * A dialog whose code is loaded at the user's first input on the page: before it is needed, and early enough to open
 * later without a network. If loading fails, a plain dialog says so and offers a retry.
 */
export function lazyDialog<Props extends OpenProps>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const { store, start } = createLoader(load);
  return function LazyDialog(props: Props) {
    const { Component, hasFailed } = useStore(store);
    const { isOpen, onOpenChange } = props;
    useEffect(() => {
      if (isOpen) start();
    }, [isOpen]);
    useEffect(() => {
      const heard = new AbortController();
      const preload = () => {
        heard.abort();
        start();
      };
      for (const type of FIRST_INPUT) document.addEventListener(type, preload, { signal: heard.signal });
      return () => heard.abort();
    }, []);
    if (Component !== undefined) return <Component {...props} />;
    if (!isOpen || !hasFailed) return null;
    return <LoadFailureDialog retry={start} close={() => onOpenChange(false)} />;
  };
}

/** The browser's own dialog, because the code of ours may be what is missing. */
function LoadFailureDialog({ retry, close }: { retry: () => void; close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onCancel={close}
      className="m-auto w-[calc(100%-2rem)] max-w-md rounded-card border border-line bg-raised p-6 shadow-high backdrop:bg-veil"
    >
      <h2 id={titleId} className="text-base font-semibold text-ink">
        {LOAD_FAILURE.title}
      </h2>
      <p className="mt-2 text-sm text-ink-soft">{LOAD_FAILURE.text}</p>
      <div className="mt-5 flex justify-end gap-2">
        <Button onPress={close}>Close</Button>
        <Button tone="primary" onPress={retry}>
          Try again
        </Button>
      </div>
    </dialog>
  );
}
