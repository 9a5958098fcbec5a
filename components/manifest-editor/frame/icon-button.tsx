"use client";

import type { LucideIcon } from "lucide-react";
import { Button as AriaButton, Tooltip, TooltipTrigger } from "react-aria-components";
import { buttonStyles } from "@/components/ui/button-styles";
import { ariaShortcut, Shortcut } from "@/components/ui/shortcut";

interface IconButtonProps {
  icon: LucideIcon;
  /** Its name, also shown beside the pointer. */
  label: string;
  keys?: string;
  isDisabled?: boolean;
  onPress: () => void;
}

export function IconButton({ icon: Icon, label, keys, isDisabled, onPress }: IconButtonProps) {
  return (
    <TooltipTrigger delay={500}>
      <AriaButton
        aria-label={label}
        aria-keyshortcuts={keys === undefined ? undefined : ariaShortcut(keys)}
        isDisabled={isDisabled}
        onPress={onPress}
        className={buttonStyles({ tone: "quiet", size: "icon", className: "size-8" })}
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
