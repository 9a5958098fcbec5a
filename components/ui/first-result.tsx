"use client";

import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useRef } from "react";

interface FirstResultProps {
  /** What is in the search field. */
  typed: string;
  /** The first result of what was typed is not known yet. */
  isPending: boolean;
  /** Chooses the first result, if there is one. */
  onChoose: () => void;
  /** An `Autocomplete`. */
  children: ReactNode;
}

/** The result that the keyboard is on. */
const CURRENT = ":is([role=menuitem], [role=option])[data-focused]";

/**
 * Enter in a search chooses its first result, unless another one was chosen with the arrow keys. It waits until what was typed has been
 * searched, because results of what was typed before may still be shown. An `Autocomplete` alone drops the key then, and after a paste.
 */
export function FirstResult({ typed, isPending, onChoose, children }: FirstResultProps) {
  const waitsFor = useRef<string>(undefined);
  const movedIn = useRef<string>(undefined);
  const choose = useEffectEvent(onChoose);
  useEffect(() => {
    const isWanted = waitsFor.current === typed;
    if (isWanted && isPending) return;
    waitsFor.current = undefined;
    if (isWanted) choose();
  }, [typed, isPending]);
  const onKeyDownCapture = (event: KeyboardEvent<HTMLElement>) => {
    const { key, target, currentTarget, nativeEvent } = event;
    if (!(target instanceof HTMLInputElement) || nativeEvent.isComposing) return;
    if (key === "ArrowDown" || key === "ArrowUp") movedIn.current = typed;
    if (key !== "Enter" || typed.trim() === "") return;
    const isCurrent = movedIn.current === typed || !isPending;
    if (isCurrent && currentTarget.querySelector(CURRENT) !== null) return;
    event.preventDefault();
    event.stopPropagation();
    if (isPending) waitsFor.current = typed;
    else onChoose();
  };
  return (
    <div className="contents" onKeyDownCapture={onKeyDownCapture}>
      {children}
    </div>
  );
}
