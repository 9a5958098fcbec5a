"use client";

import { useSyncExternalStore } from "react";

const SHOWN: Record<string, { mac: string; other: string }> = {
  Mod: { mac: "⌘", other: "Ctrl" },
  Shift: { mac: "⇧", other: "Shift" },
  Alt: { mac: "⌥", other: "Alt" },
  ArrowUp: { mac: "↑", other: "↑" },
  ArrowDown: { mac: "↓", other: "↓" },
  Backspace: { mac: "⌫", other: "Backspace" },
};

/** `keys` such as `Mod+Shift+Z`: `Mod` is Command on a Mac and Control elsewhere. */
export function Shortcut({ keys, className = "" }: { keys: string; className?: string }) {
  const mac = useSyncExternalStore(neverChanges, isMac, () => false);
  return (
    <kbd translate="no" className={`inline-flex shrink-0 items-center gap-0.5 font-sans ${className}`}>
      {keys.split("+").map((key) => (
        <span
          key={key}
          className="inline-flex h-5 min-w-5 items-center justify-center rounded border border-line bg-subtle px-1 text-tiny text-ink-faint"
        >
          {SHOWN[key]?.[mac ? "mac" : "other"] ?? key}
        </span>
      ))}
    </kbd>
  );
}

/** As `aria-keyshortcuts` wants it. */
export function ariaShortcut(keys: string): string {
  return keys.replace("Mod", "Control");
}

function isMac(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent);
}

function neverChanges(): () => void {
  return () => undefined;
}
