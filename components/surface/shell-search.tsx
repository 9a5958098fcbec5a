"use client";

import { Search } from "lucide-react";
import { useEffect, useState } from "react";
import { lazyDialog } from "@/components/ui/forms/lazy-code";
import { buttonStyles } from "@/components/ui/links";
import { Shortcut } from "@/components/ui/shortcut";
import { isTyping, singleKeys } from "@/components/ui/typing";

const Palette = lazyDialog(async () => (await import("./palette")).Palette);
const ShortcutList = lazyDialog(async () => (await import("./shortcut-list")).ShortcutList);

interface ShellSearchProps {
  /** The paths that the user may open. */
  allowed: string[];
  /** Of narrow screens: an icon. Its shortcuts are those of the other one, which every screen has. */
  compact?: boolean;
}

/** Opens the command palette, also with Control or Command and K. `?` lists the shortcuts. */
export function ShellSearch({ allowed, compact = false }: ShellSearchProps) {
  const [open, setOpen] = useState<"palette" | "shortcuts">();
  useEffect(() => {
    if (compact) return;
    const openByKey = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, target } = event;
      if (event.defaultPrevented || altKey) return;
      const isMod = (ctrlKey || metaKey) && key.toLowerCase() === "k";
      const isHelp = key === "?" && !ctrlKey && !metaKey && !isTyping(target) && singleKeys.getState().isOn;
      if (!isMod && !isHelp) return;
      event.preventDefault();
      setOpen(isMod ? "palette" : "shortcuts");
    };
    document.addEventListener("keydown", openByKey);
    return () => document.removeEventListener("keydown", openByKey);
  }, [compact]);
  const close = () => setOpen(undefined);
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        aria-label="Search"
        onClick={() => setOpen("palette")}
        className={
          compact
            ? buttonStyles({ tone: "quiet", size: "icon" })
            : "flex h-9 w-full cursor-pointer items-center gap-2.5 rounded-field border border-line px-2.5 text-left text-small text-ink-faint hover:bg-hover hover:text-ink"
        }
      >
        <Search aria-hidden className={compact ? "size-5" : "size-4 shrink-0"} />
        {!compact && (
          <>
            <span className="flex-1">Search</span>
            <Shortcut keys="Mod+K" />
          </>
        )}
      </button>
      <Palette
        allowed={allowed}
        onShortcuts={() => setOpen("shortcuts")}
        isOpen={open === "palette"}
        onOpenChange={close}
      />
      <ShortcutList isOpen={open === "shortcuts"} onOpenChange={close} />
    </>
  );
}
