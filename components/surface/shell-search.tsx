"use client";

import { Search } from "lucide-react";
import { useEffect, useState } from "react";
import { useStore } from "zustand";
import { lazyDialog } from "@/components/ui/forms/lazy-code";
import { buttonStyles } from "@/components/ui/links";
import { openShortcutList, shortcutList } from "@/components/ui/page-shortcuts";
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
  const [isOpen, setOpen] = useState(false);
  const isListOpen = useStore(shortcutList, (state) => state.isOpen);
  const closeList = () => shortcutList.setState({ isOpen: false });
  useEffect(() => {
    if (compact) return;
    const openByKey = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, target } = event;
      if (event.defaultPrevented || altKey) return;
      const isMod = (ctrlKey || metaKey) && key.toLowerCase() === "k";
      const isHelp = key === "?" && !ctrlKey && !metaKey && !isTyping(target) && singleKeys.getState().isOn;
      if (!isMod && !isHelp) return;
      event.preventDefault();
      if (isHelp) openShortcutList();
      else setOpen(true);
    };
    document.addEventListener("keydown", openByKey);
    return () => {
      document.removeEventListener("keydown", openByKey);
      closeList();
    };
  }, [compact]);
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        aria-label="Search"
        onClick={() => setOpen(true)}
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
        onShortcuts={() => {
          setOpen(false);
          openShortcutList();
        }}
        isOpen={isOpen}
        onOpenChange={setOpen}
      />
      {!compact && <ShortcutList isOpen={isListOpen} onOpenChange={closeList} />}
    </>
  );
}
