"use client";

import { type LucideIcon, Redo2, Undo2 } from "lucide-react";
import { Button as AriaButton, Tooltip, TooltipTrigger } from "react-aria-components";
import { buttonStyles } from "@/components/ui/button-styles";
import { ariaShortcut, Shortcut } from "@/components/ui/shortcut";
import { useEditor, useEditorStore } from "../model/use-editor";

/** Undo and redo, labeled with the change they affect. */
export function HistoryButtons() {
  const store = useEditorStore();
  const undone = useEditor((state) => state.history.done.at(-1)?.what);
  const redone = useEditor((state) => state.history.undone.at(-1)?.what);
  return (
    <div role="group" aria-label="History" className="flex">
      <IconButton
        icon={Undo2}
        label={undone === undefined ? "Undo" : `Undo: ${undone}`}
        keys="Mod+Z"
        isDisabled={undone === undefined}
        onPress={store.undo}
      />
      <IconButton
        icon={Redo2}
        label={redone === undefined ? "Redo" : `Redo: ${redone}`}
        keys="Mod+Shift+Z"
        isDisabled={redone === undefined}
        onPress={store.redo}
      />
    </div>
  );
}

interface IconButtonProps {
  icon: LucideIcon;
  /** The accessible name and the tooltip. */
  label: string;
  keys?: string;
  isDisabled?: boolean;
  onPress: () => void;
}

function IconButton({ icon: Icon, label, keys, isDisabled, onPress }: IconButtonProps) {
  return (
    <TooltipTrigger delay={500}>
      <AriaButton
        aria-label={label}
        aria-keyshortcuts={keys === undefined ? undefined : ariaShortcut(keys)}
        isDisabled={isDisabled}
        onPress={onPress}
        className={buttonStyles({ tone: "quiet", size: "icon-small" })}
      >
        <Icon aria-hidden className="size-4" />
      </AriaButton>
      <Tooltip
        offset={6}
        className="flex max-w-72 arrive items-center gap-2 rounded-field border border-line bg-raised px-2 py-1 text-xs text-ink shadow-high"
      >
        <span className="min-w-0 truncate">{label}</span>
        {keys !== undefined && <Shortcut keys={keys} />}
      </Tooltip>
    </TooltipTrigger>
  );
}
