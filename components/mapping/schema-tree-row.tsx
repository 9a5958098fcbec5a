"use client";

import { Button } from "@/components/ui/button";
import { TreeChevron } from "@/components/ui/tree-chevron";
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
      <TreeChevron isBranch={isBranch} />
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
        <Button size="small" tone="quiet" aria-label={`Take all of ${path}`} onPress={() => onTake(path)}>
          Take all of it
        </Button>
      )}
    </div>
  );
}
