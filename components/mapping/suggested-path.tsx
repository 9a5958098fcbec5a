"use client";

import { Sparkles } from "lucide-react";
import { Button } from "react-aria-components";
import type { Suggestion } from "@/lib/domain/mapping/suggest-paths";

interface SuggestedPathProps extends Suggestion {
  lead?: string;
  /** `button`: it may go away with its press. */
  onTake: (path: string, button: Element) => void;
}

/** A place whose name is like the field's: a press takes it. */
export function SuggestedPath({ path, why, lead, onTake }: SuggestedPathProps) {
  return (
    <Button
      onPress={({ target }) => onTake(path, target)}
      aria-label={`Use ${path}. ${why}`}
      className="-mx-1 flex min-h-8 max-w-full min-w-0 cursor-pointer items-center gap-2 self-start rounded-field px-1 py-1 text-left text-[13px] leading-5 hover:bg-hover"
    >
      <Sparkles aria-hidden className="size-4 shrink-0 text-accent-text" />
      <span className="min-w-0">
        {lead !== undefined && <span className="text-ink-faint">{lead} </span>}
        <span className="font-mono break-all text-accent-text">{path}</span>
        <span className="text-ink-faint"> — {why.toLowerCase()}</span>
      </span>
    </Button>
  );
}
