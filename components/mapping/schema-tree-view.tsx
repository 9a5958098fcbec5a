"use client";

import { useMemo, useState } from "react";
import { ListLayout, Tree, TreeItem, TreeItemContent, Virtualizer, type Key } from "react-aria-components";
import type { SchemaNode } from "@/lib/domain/mapping/schema-tree";
import { SchemaTreeRow } from "./schema-tree-row";

interface SchemaTreeViewProps {
  label: string;
  nodes: readonly SchemaNode[];
  /** What was searched for is shown open. */
  isSearch: boolean;
  /** The path that is taken now. */
  taken: string;
  onTake: (path: string) => void;
}

const ROW_HEIGHT = 44;

/** A product's places: a press takes a leaf and opens a branch. Only what is in sight is drawn. */
export function SchemaTreeView({ label, nodes, isSearch, taken, onTake }: SchemaTreeViewProps) {
  const byPath = useMemo(() => index(nodes), [nodes]);
  const [opened, setOpened] = useState<ReadonlySet<Key>>(() => openAtFirst(nodes, taken));
  const [closed, setClosed] = useState<ReadonlySet<Key>>(new Set());
  const [openNodes, setOpenNodes] = useState(nodes);
  if (openNodes !== nodes) {
    setOpenNodes(nodes);
    setClosed(new Set());
  }
  const found = useMemo(() => (isSearch ? branchesOf(nodes) : []), [isSearch, nodes]);
  const expanded = isSearch ? new Set<Key>(found.filter((path) => !closed.has(path))) : opened;
  const expand = (keys: ReadonlySet<Key>) => {
    if (isSearch) setClosed(new Set(found.filter((path) => !keys.has(path))));
    else setOpened(keys);
  };
  const press = (key: Key) => {
    const node = byPath.get(key);
    if (node === undefined) return;
    if (node.children.length === 0) return onTake(node.path);
    const next = new Set<Key>(expanded);
    if (!next.delete(key)) next.add(key);
    expand(next);
  };
  const itemOf = (node: SchemaNode) => (
    <TreeItem
      key={node.path}
      id={node.path}
      textValue={`${node.name}${node.title === undefined ? "" : `, ${node.title}`}`}
      hasChildItems={node.children.length > 0}
      className="group cursor-pointer rounded-field outline-none hover:bg-hover focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-accent-text"
    >
      <TreeItemContent>
        {({ level }) => (
          <SchemaTreeRow node={node} level={level} isTaken={node.path === taken} onTake={onTake} />
        )}
      </TreeItemContent>
      {expanded.has(node.path) ? node.children.map(itemOf) : undefined}
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
        {nodes.map(itemOf)}
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

function branchesOf(nodes: readonly SchemaNode[]): string[] {
  return nodes.flatMap(({ path, children }) =>
    children.length === 0 ? [] : [path, ...branchesOf(children)],
  );
}

/** What leads to the path that is taken; of a small schema also the first level. */
function openAtFirst(nodes: readonly SchemaNode[], taken: string): ReadonlySet<Key> {
  const open = new Set<Key>(nodes.length <= 6 ? nodes.map((node) => node.path) : []);
  const lead = (below: readonly SchemaNode[]): boolean =>
    below.some((node) => {
      if (node.path === taken) return true;
      const leads = lead(node.children);
      if (leads) open.add(node.path);
      return leads;
    });
  lead(nodes);
  return open;
}
