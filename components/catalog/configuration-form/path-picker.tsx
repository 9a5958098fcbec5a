"use client";

import { X } from "lucide-react";
import { useDeferredValue, useMemo, useRef, useState } from "react";
import {
  Dialog,
  Heading,
  Input,
  type Key,
  type KeyboardEvent,
  ListLayout,
  Modal,
  ModalOverlay,
  SearchField,
  Tree,
  Virtualizer,
} from "react-aria-components";
import { Button } from "@/components/ui/button";
import { TreeChevron } from "@/components/ui/collections";
import { inputStyles, noLogin } from "@/components/ui/forms/input-styles";
import { scaled } from "@/components/ui/root-font-size";
import type { MappingField } from "@/lib/contract/catalog/manifest";
import {
  CUT_TREE,
  isCutTree,
  listLeaves,
  type SchemaNode,
  searchTree,
} from "@/lib/domain/catalog/mapping/schema-tree";
import type { Suggestion } from "@/lib/domain/catalog/mapping/suggest-paths";
import type { MappedProduct } from "./copy-mapping";
import { SuggestedPath } from "./path-notes";
import { indent, renderBranch, useBranches } from "./schema-branches";

interface PathPickerProps {
  product: MappedProduct;
  nodes: readonly SchemaNode[];
  suggestions: readonly Suggestion[];
  /** Undefined while no field is being picked. */
  field: MappingField | undefined;
  /** The current path of the field. */
  path: string;
  onSelect: (path: string) => void;
  isOpen: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Selects a field of a product's schema as the path. On a phone it covers the screen. */
export function PathPicker({ isOpen, onOpenChange, ...props }: PathPickerProps) {
  const { product, field } = props;
  if (!isOpen || field === undefined) return null;
  return (
    <ModalOverlay
      isOpen
      onOpenChange={onOpenChange}
      isDismissable
      className="fixed inset-0 z-50 flex justify-center bg-veil sm:items-start sm:p-4 sm:pt-[10vh]"
    >
      <Modal className="flex h-dvh w-full arrive flex-col bg-raised sm:h-[min(75vh,44rem)] sm:max-w-2xl sm:rounded-card sm:border sm:border-line sm:shadow-high">
        <Dialog className="flex min-h-0 flex-1 flex-col wrap-anywhere outline-none">
          <header className="flex items-start gap-4 px-4 pt-4 pb-3 sm:px-6">
            <div className="min-w-0 flex-1">
              <Heading slot="title" className="text-base font-semibold break-words text-ink">
                Pick a path for <bdi>{field.title}</bdi>
              </Heading>
              <p className="text-small text-ink-faint">
                Select a field of <bdi>{product.name}</bdi>
              </p>
            </div>
            <Button
              tone="quiet"
              size="icon-small"
              className="-mr-2"
              aria-label="Close"
              onPress={() => onOpenChange(false)}
            >
              <X aria-hidden className="size-4" />
            </Button>
          </header>
          <SchemaSearch {...props} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function SchemaSearch(props: Omit<PathPickerProps, "isOpen" | "onOpenChange">) {
  const { product, path, nodes, suggestions, onSelect } = props;
  const [typed, setTyped] = useState("");
  const query = useDeferredValue(typed.trim());
  const found = useMemo(() => searchTree(nodes, query), [nodes, query]);
  const list = useRef<HTMLDivElement>(null);
  const nothing =
    nodes.length === 0
      ? "The core returned no schema for this product. Type the path instead."
      : found.length === 0
        ? `No field of ${product.name} matches “${query}”.`
        : "";
  /** Arrow down moves into the tree; Enter selects the only field left. */
  const leaveSearch = (event: KeyboardEvent) => {
    if (event.key !== "ArrowDown" && event.key !== "Enter") return event.continuePropagation();
    event.preventDefault();
    const [only, ...others] = listLeaves(searchTree(nodes, typed.trim()));
    if (event.key === "ArrowDown") list.current?.querySelector<HTMLElement>('[role="row"]')?.focus();
    else if (only !== undefined && others.length === 0) onSelect(only.path);
  };
  return (
    <>
      <div className="px-4 pb-3 sm:px-6">
        <SearchField
          aria-label={`Search the fields of ${product.name}`}
          value={typed}
          onChange={setTyped}
          autoFocus
          onKeyDown={leaveSearch}
        >
          <Input placeholder="Search by name, title, or path" {...noLogin(inputStyles({}))} />
        </SearchField>
      </div>
      {query === "" && suggestions.length > 0 && (
        <section aria-label="Suggested" className="border-t border-line px-4 pt-2 pb-2 sm:px-6">
          <h3 className="text-xs font-medium text-ink-faint">Suggested</h3>
          <ul className="flex flex-col">
            {suggestions.map((suggestion) => (
              <li key={suggestion.path}>
                <SuggestedPath {...suggestion} onSelect={onSelect} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {isCutTree(nodes) && (
        <p className="border-t border-line px-4 py-2 text-small leading-5 text-ink-faint sm:px-6">
          {CUT_TREE} Type their paths in the form instead.
        </p>
      )}
      <p
        role="status"
        className={nothing === "" ? "sr-only" : "border-t border-line p-6 text-center text-ink-soft"}
      >
        {nothing}
      </p>
      <div
        ref={list}
        className={nothing === "" ? "min-h-0 flex-1 border-t border-line px-2 py-2 sm:px-4" : "hidden"}
      >
        <SchemaTreeView
          label={`Fields of ${product.name}`}
          nodes={found}
          isSearch={query !== ""}
          selected={path.trim()}
          onSelect={onSelect}
        />
      </div>
    </>
  );
}

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
function SchemaTreeView({ label, nodes, isSearch, selected, onSelect }: SchemaTreeViewProps) {
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
    <Virtualizer layout={ListLayout} layoutOptions={{ estimatedRowHeight: scaled(ROW_HEIGHT) }}>
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
        <span translate="no" className="block truncate font-mono text-xs text-ink-faint" title={path}>
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
