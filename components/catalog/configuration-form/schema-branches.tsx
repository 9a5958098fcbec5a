import { type ReactElement, type ReactNode, useMemo, useState } from "react";
import { type Key, TreeItem, TreeItemContent } from "react-aria-components";
import type { SchemaNode } from "@/lib/domain/catalog/mapping/schema-tree";

/** Schemas with at most this many top-level fields start with them open. */
const FEW = 6;

interface BranchesOptions {
  /** The nodes are what a search found: it opens them, and what was open before comes back after it. */
  isSearch: boolean;
  /** A path that is in sight at first. */
  selected?: string;
  /** Branches that a search opens at most. */
  most?: number;
}

/** Which branches of a schema's tree are open. */
export function useBranches(nodes: readonly SchemaNode[], { isSearch, selected, most }: BranchesOptions) {
  const [opened, setOpened] = useState<ReadonlySet<Key>>(() => openAtFirst(nodes, selected));
  const [closed, setClosed] = useState<ReadonlySet<Key>>(new Set());
  const [shown, setShown] = useState(nodes);
  if (shown !== nodes) {
    setShown(nodes);
    setClosed(new Set());
  }
  const found = useMemo(() => (isSearch ? listBranches(nodes, most) : []), [isSearch, nodes, most]);
  const open = isSearch ? new Set<Key>(found.filter((path) => !closed.has(path))) : opened;
  const setOpen = (keys: ReadonlySet<Key>) => {
    if (isSearch) setClosed(new Set(found.filter((path) => !keys.has(path))));
    else setOpened(keys);
  };
  const toggle = (path: Key) => {
    const next = new Set<Key>(open);
    if (!next.delete(path)) next.add(path);
    setOpen(next);
  };
  return { open, setOpen, toggle };
}

/** A node for a tree, with those below it if it is open. `row` draws a node; levels start at 1. */
export function renderBranch(
  node: SchemaNode,
  open: ReadonlySet<Key>,
  row: (node: SchemaNode, level: number) => ReactNode,
): ReactElement {
  const { path, name, title, children } = node;
  return (
    <TreeItem
      key={path}
      id={path}
      textValue={title === undefined ? name : `${name}, ${title}`}
      hasChildItems={children.length > 0}
      className="group cursor-pointer rounded-field hover:bg-hover focus-visible:-outline-offset-2"
    >
      <TreeItemContent>{({ level }) => row(node, level)}</TreeItemContent>
      {open.has(path) ? children.map((child) => renderBranch(child, open, row)) : undefined}
    </TreeItem>
  );
}

const DEEPEST = 8;

/** How far a row of this level is moved in, in pixels. */
export function indent(level: number): number {
  return Math.min(level - 1, DEEPEST) * 16;
}

/** Breadth first, so that a limit leaves out the deepest. */
function listBranches(nodes: readonly SchemaNode[], most = Infinity): string[] {
  const branches: string[] = [];
  const waiting = [...nodes];
  for (const { path, children } of waiting) {
    if (branches.length >= most) break;
    if (children.length === 0) continue;
    branches.push(path);
    waiting.push(...children);
  }
  return branches;
}

/** The branches that lead to the selected path; of a small schema also the first level. */
function openAtFirst(nodes: readonly SchemaNode[], selected: string | undefined): ReadonlySet<Key> {
  const open = new Set<Key>(nodes.length <= FEW ? nodes.map((node) => node.path) : []);
  const lead = (below: readonly SchemaNode[]): boolean =>
    below.some((node) => {
      if (node.path === selected) return true;
      const leads = lead(node.children);
      if (leads) open.add(node.path);
      return leads;
    });
  if (selected !== undefined) lead(nodes);
  return open;
}
