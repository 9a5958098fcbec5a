"use client";

import { GripVertical } from "lucide-react";
import type { ReactNode } from "react";
import { Button, DropIndicator, type DropTarget } from "react-aria-components";

/** Starts a drag by keyboard and screen reader; by pointer, the whole row can be dragged. React Aria names it. */
export function DragHandle({ className = "" }: { className?: string }) {
  return (
    <Button
      slot="drag"
      className={`flex h-7 w-6 shrink-0 items-center justify-center rounded-field text-ink-faint focus-visible:-outline-offset-2 ${className}`}
    >
      <GripVertical aria-hidden className="size-4" />
    </Button>
  );
}

/** The line where the dragged row will go. It takes no space, so nothing jumps while dragging. */
export function dropLine(target: DropTarget) {
  return (
    <DropIndicator
      target={target}
      className={({ isDropTarget }) =>
        `relative z-10 h-0 outline-none ${
          isDropTarget
            ? "before:absolute before:-top-px before:right-0 before:left-0 before:h-0.5 before:rounded-full before:bg-accent-text after:absolute after:-top-1 after:left-0 after:size-2 after:rounded-full after:border-2 after:border-accent-text after:bg-surface"
            : ""
        }`
      }
    />
  );
}

/** Follows the pointer during a drag. */
export function DragPreview({ icon, children }: { icon?: ReactNode; children: ReactNode }) {
  return (
    <div className="flex h-10 w-60 items-center gap-2 rounded-card border border-accent-text bg-raised px-3 text-[13px] font-medium text-ink shadow-high">
      {icon}
      <span className="truncate">{children}</span>
    </div>
  );
}
