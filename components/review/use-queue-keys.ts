"use client";

import { useEffect, useEffectEvent } from "react";

interface QueueKeys {
  /** Moves the focus by one row, down for 1 and up for -1. */
  focus: (step: 1 | -1) => void;
  open: () => void;
  claim: () => void;
  help: () => void;
}

/** Single keys of the queue. They do nothing while somebody types, or while a dialog is open. */
export function useQueueKeys(keys: QueueKeys): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isBusy(event.target))
      return;
    const act = {
      j: () => keys.focus(1),
      k: () => keys.focus(-1),
      o: keys.open,
      c: keys.claim,
      "?": keys.help,
    }[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}

function isBusy(target: EventTarget | null): boolean {
  if (document.querySelector("[role=dialog], [role=alertdialog], [role=listbox]") !== null) return true;
  return (
    target instanceof HTMLElement &&
    target.closest("input, textarea, select, [contenteditable=true]") !== null
  );
}
