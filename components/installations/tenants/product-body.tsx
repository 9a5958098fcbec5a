"use client";

import { Search } from "lucide-react";
import { useDeferredValue, useMemo, useState } from "react";
import { Tree } from "react-aria-components";
import { indent, renderBranch, useBranches } from "@/components/catalog/configuration-form/schema-branches";
import { CodeBlock } from "@/components/ui/code-block";
import { TreeChevron } from "@/components/ui/collections";
import { inputStyles } from "@/components/ui/forms/input-styles";
import { Segments } from "@/components/ui/forms/segments";
import { UserText } from "@/components/ui/values";
import type { TenantProduct } from "@/lib/contract/installations/installation-view";
import {
  CUT_TREE,
  isCutTree,
  type SchemaNode,
  schemaTree,
  searchTree,
} from "@/lib/domain/catalog/mapping/schema-tree";

const VIEWS = [
  { value: "fields", text: "Fields" },
  { value: "sample", text: "Sample" },
  { value: "schema", text: "JSON Schema" },
] as const;
type View = (typeof VIEWS)[number]["value"];

/** What a product expands to. */
export function ProductBody({ product: { name, schema, sample } }: { product: TenantProduct }) {
  const [view, setView] = useState<View>("fields");
  const hasSample = sample !== null && sample !== undefined;
  const views = VIEWS.filter(({ value }) => value !== "sample" || hasSample);
  return (
    <div className="flex flex-col gap-3">
      <div>
        <Segments label={`View of ${name}`} options={views} value={view} onChange={setView} />
      </div>
      {view === "fields" && <SchemaOutline schema={schema} label={`Fields of ${name}`} />}
      {view === "sample" && <CodeBlock label={`sample of ${name}`} code={JSON.stringify(sample, null, 2)} />}
      {view === "schema" && (
        <CodeBlock label={`JSON Schema of ${name}`} code={JSON.stringify(schema, null, 2)} />
      )}
    </div>
  );
}

/** Branches that a search opens at most. */
const OPEN_AT_ONCE = 200;

/** A product's fields as a tree with names, types, and whether they are required. Only open branches are rendered. */
function SchemaOutline({ schema, label }: { schema: unknown; label: string }) {
  const nodes = useMemo(() => schemaTree(schema), [schema]);
  const [typed, setTyped] = useState("");
  const wanted = useDeferredValue(typed.trim());
  const found = useMemo(() => searchTree(nodes, wanted), [nodes, wanted]);
  if (nodes.length === 0) return <p className="text-small text-ink-faint">The schema has no fields.</p>;
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="relative max-w-sm">
        <Search aria-hidden className="pointer-events-none absolute top-2.5 left-3 size-4 text-ink-faint" />
        <input
          type="search"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          aria-label={`Search ${label}`}
          placeholder="Search fields"
          maxLength={100}
          className={inputStyles({ className: "pl-9" })}
        />
      </div>
      <div className="max-h-[28rem] overflow-y-auto rounded-field border border-line p-1">
        {found.length === 0 ? (
          <p className="px-3 py-4 text-small text-ink-faint">No matching fields.</p>
        ) : (
          <Outline nodes={found} label={label} isSearch={wanted !== ""} />
        )}
      </div>
      {isCutTree(nodes) && (
        <p className="text-small leading-5 text-ink-faint">{CUT_TREE} The schema itself has all of them.</p>
      )}
      <p role="status" className="sr-only">
        {wanted === "" ? "" : found.length === 0 ? "No matching fields." : "Matching fields are shown."}
      </p>
    </div>
  );
}

interface OutlineProps {
  nodes: readonly SchemaNode[];
  label: string;
  isSearch: boolean;
}

function Outline({ nodes, label, isSearch }: OutlineProps) {
  const { open, setOpen, toggle } = useBranches(nodes, { isSearch, most: OPEN_AT_ONCE });
  return (
    <Tree
      aria-label={label}
      expandedKeys={open}
      onExpandedChange={setOpen}
      onAction={toggle}
      className="outline-none"
    >
      {nodes.map((node) => renderBranch(node, open, (each, level) => <Field node={each} level={level} />))}
    </Tree>
  );
}

function Field({ node, level }: { node: SchemaNode; level: number }) {
  const { name, title, description, type, required, children } = node;
  return (
    <div
      className="flex min-h-8 items-start gap-1 py-1 pr-2 text-small leading-6"
      style={{ paddingLeft: indent(level) }}
    >
      <TreeChevron isBranch={children.length > 0} />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <UserText translate="no" className="font-mono wrap-anywhere text-ink">
            {name}
          </UserText>
          {title !== undefined && title !== name && (
            <UserText className="wrap-anywhere text-ink-soft">{title}</UserText>
          )}
          <span className="text-xs text-ink-faint">{type === "" ? "any type" : type}</span>
          {required && <span className="text-xs font-medium text-ink-soft">required</span>}
        </p>
        {description !== undefined && (
          <p className="line-clamp-2 text-xs leading-4 wrap-anywhere text-ink-faint">
            <UserText>{description}</UserText>
          </p>
        )}
      </div>
    </div>
  );
}
