"use client";

import { ChevronRight } from "lucide-react";
import { Button } from "react-aria-components";
import { Button as TakeButton } from "@/components/ui/button";
import type { SchemaNode } from "@/lib/domain/mapping/schema-tree";

interface SchemaTreeRowProps {
  node: SchemaNode;
  /** From 1. */
  level: number;
  isTaken: boolean;
  onTake: (path: string) => void;
}

const DEEPEST = 8;

/** A place: its name, title, type and path. A branch can be taken as a whole. */
export function SchemaTreeRow({ node, level, isTaken, onTake }: SchemaTreeRowProps) {
  const { name, title, type, path, required, children } = node;
  const isBranch = children.length > 0;
  return (
    <div
      className="flex min-h-11 items-center gap-1 py-1 pr-2"
      style={{ paddingLeft: `${4 + Math.min(level - 1, DEEPEST) * 16}px` }}
    >
      {isBranch ? (
        <Button
          slot="chevron"
          className="flex size-6 shrink-0 cursor-pointer items-center justify-center rounded-sm text-ink-faint"
        >
          <ChevronRight aria-hidden className="size-4 transition-transform group-expanded:rotate-90" />
        </Button>
      ) : (
        <span className="size-6 shrink-0" />
      )}
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap items-baseline gap-x-2 text-xs text-ink-faint">
          <bdi className={`text-sm break-words ${isTaken ? "font-semibold text-accent-text" : "text-ink"}`}>
            {name}
          </bdi>
          {title !== undefined && title !== name && <bdi>{title}</bdi>}
          <span>{type === "" ? "any type" : type}</span>
          {required && <span className="text-ink-soft">required</span>}
          {isTaken && <span className="text-accent-text">taken now</span>}
        </span>
        <span className="block truncate font-mono text-xs text-ink-faint" title={path}>
          {path}
        </span>
      </span>
      {isBranch && (
        <TakeButton size="small" tone="quiet" aria-label={`Take all of ${path}`} onPress={() => onTake(path)}>
          Take all of it
        </TakeButton>
      )}
    </div>
  );
}
