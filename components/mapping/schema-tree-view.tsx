"use client";

import { useMemo, useState } from "react";
import { ListLayout, Tree, TreeItem, TreeItemContent, Virtualizer, type Key } from "react-aria-components";
import { Button } from "@/components/ui/button";
import { TreeChevron } from "@/components/ui/tree-chevron";
import type { SchemaNode } from "@/lib/domain/mapping/schema-tree";

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
  const [opened, setOpened] = useState<ReadonlySet<Key>>(() => expandedAtFirst(nodes, selected));
  const [closed, setClosed] = useState<ReadonlySet<Key>>(new Set());
  const [openNodes, setOpenNodes] = useState(nodes);
  if (openNodes !== nodes) {
    setOpenNodes(nodes);
    setClosed(new Set());
  }
  const found = useMemo(() => (isSearch ? listBranches(nodes) : []), [isSearch, nodes]);
  const expanded = isSearch ? new Set<Key>(found.filter((path) => !closed.has(path))) : opened;
  const expand = (keys: ReadonlySet<Key>) => {
    if (isSearch) setClosed(new Set(found.filter((path) => !keys.has(path))));
    else setOpened(keys);
  };
  const press = (key: Key) => {
    const node = byPath.get(key);
    if (node === undefined) return;
    if (node.children.length === 0) return onSelect(node.path);
    const next = new Set<Key>(expanded);
    if (!next.delete(key)) next.add(key);
    expand(next);
  };
  const renderItem = (node: SchemaNode) => (
    <TreeItem
      key={node.path}
      id={node.path}
      textValue={`${node.name}${node.title === undefined ? "" : `, ${node.title}`}`}
      hasChildItems={node.children.length > 0}
      className="group cursor-pointer rounded-field hover:bg-hover focus-visible:-outline-offset-2"
    >
      <TreeItemContent>
        {({ level }) => (
          <Row node={node} level={level} isSelected={node.path === selected} onSelect={onSelect} />
        )}
      </TreeItemContent>
      {expanded.has(node.path) ? node.children.map(renderItem) : undefined}
    </TreeItem>
  );
  return (
    <Virtualizer layout={ListLayout} layoutOptions={{ estimatedRowHeight: ROW_HEIGHT }}>
      <Tree
        aria-label={label}
        expandedKeys={expanded}
        onExpandedChange={expand}
        onAction={press}
        className="h-full overflow-y-auto outline-none"
        renderEmptyState={() => null}
      >
        {nodes.map(renderItem)}
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

function listBranches(nodes: readonly SchemaNode[]): string[] {
  return nodes.flatMap(({ path, children }) =>
    children.length === 0 ? [] : [path, ...listBranches(children)],
  );
}

/** The branches that lead to the selected path; of a small schema also the first level. */
function expandedAtFirst(nodes: readonly SchemaNode[], selected: string): ReadonlySet<Key> {
  const open = new Set<Key>(nodes.length <= 6 ? nodes.map((node) => node.path) : []);
  const lead = (below: readonly SchemaNode[]): boolean =>
    below.some((node) => {
      if (node.path === selected) return true;
      const leads = lead(node.children);
      if (leads) open.add(node.path);
      return leads;
    });
  lead(nodes);
  return open;
}

interface RowProps {
  node: SchemaNode;
  /** From 1. */
  level: number;
  isSelected: boolean;
  onSelect: (path: string) => void;
}

const DEEPEST = 8;

/** A field with its title, type and path. A branch can be selected as a whole. */
function Row({ node, level, isSelected, onSelect }: RowProps) {
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
