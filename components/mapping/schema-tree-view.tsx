"use client";

import { useMemo } from "react";
import { ListLayout, Tree, Virtualizer, type Key } from "react-aria-components";
import { Button } from "@/components/ui/button";
import { TreeChevron } from "@/components/ui/tree-chevron";
import type { SchemaNode } from "@/lib/domain/mapping/schema-tree";
import { indent, renderBranch, useBranches } from "./schema-branches";

interface SchemaTreeViewProps {
  label: string;
  nodes: readonly SchemaNode[];
  /** Expands what was searched for. */
  isSearch: boolean;
  /** The current path. */
  selected: string;
  onSelect: (path: string) => void;
}

const ROW_HEIGHT = 44;

/** A product's schema: pressing a leaf selects it, pressing a branch expands it. Renders only visible rows. */
export function SchemaTreeView({ label, nodes, isSearch, selected, onSelect }: SchemaTreeViewProps) {
  const byPath = useMemo(() => index(nodes), [nodes]);
  const { open, setOpen, toggle } = useBranches(nodes, { isSearch, selected });
  const press = (key: Key) => {
    const node = byPath.get(key);
    if (node === undefined) return;
    if (node.children.length === 0) onSelect(node.path);
    else toggle(key);
  };
  const row = (node: SchemaNode, level: number) => (
    <Row node={node} level={level} isSelected={node.path === selected} onSelect={onSelect} />
  );
  return (
    <Virtualizer layout={ListLayout} layoutOptions={{ estimatedRowHeight: ROW_HEIGHT }}>
      <Tree
        aria-label={label}
        expandedKeys={open}
        onExpandedChange={setOpen}
        onAction={press}
        className="h-full overflow-y-auto outline-none"
        renderEmptyState={() => null}
      >
        {nodes.map((node) => renderBranch(node, open, row))}
      </Tree>
    </Virtualizer>
  );
}

function index(nodes: readonly SchemaNode[], found = new Map<Key, SchemaNode>()): Map<Key, SchemaNode> {
  for (const node of nodes) {
    found.set(node.path, node);
    index(node.children, found);
  }
  return found;
}

interface RowProps {
  node: SchemaNode;
  /** From 1. */
  level: number;
  isSelected: boolean;
  onSelect: (path: string) => void;
}

/** A field with its title, type and path. A branch can be selected as a whole. */
function Row({ node, level, isSelected, onSelect }: RowProps) {
  const { name, title, type, path, required, children } = node;
  const isBranch = children.length > 0;
  return (
    <div className="flex min-h-11 items-center gap-1 py-1 pr-2" style={{ paddingLeft: 4 + indent(level) }}>
      <TreeChevron isBranch={isBranch} />
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap items-baseline gap-x-2 text-xs text-ink-faint">
          <bdi
            className={`text-sm break-words ${isSelected ? "font-semibold text-accent-text" : "text-ink"}`}
          >
            {name}
          </bdi>
          {title !== undefined && title !== name && <bdi>{title}</bdi>}
          <span>{type === "" ? "any type" : type}</span>
          {required && <span className="text-ink-soft">required</span>}
          {isSelected && <span className="text-accent-text">selected</span>}
        </span>
        <span className="block truncate font-mono text-xs text-ink-faint" title={path}>
          {path}
        </span>
      </span>
      {isBranch && (
        <Button size="small" tone="quiet" aria-label={`Select ${path}`} onPress={() => onSelect(path)}>
          Select
        </Button>
      )}
    </div>
  );
}
