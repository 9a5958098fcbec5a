"use client";

import { CircleAlert, CircleCheck, CircleHelp, Layers, Sparkles, TriangleAlert } from "lucide-react";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import { Button } from "react-aria-components";
import type { MappingField } from "@/lib/contract/catalog/manifest";
import type { PathCheck, PathNote } from "@/lib/domain/catalog/mapping/check-path";
import { listLeaves, type SchemaNode } from "@/lib/domain/catalog/mapping/schema-tree";
import { guessPath, type Suggestion, suggestPaths } from "@/lib/domain/catalog/mapping/suggest-paths";

interface PathNoteLinesProps {
  note: PathNote;
  /** The core gave no sample: it was generated from the schema. */
  isGenerated: boolean;
}

/** How a path fits the product's schema, and what it finds in the sample. */
export function PathNoteLines({ note: { check, found }, isGenerated }: PathNoteLinesProps) {
  return (
    <>
      <PathResult check={check} />
      {found !== undefined && <FoundValues {...found} isGenerated={isGenerated} />}
    </>
  );
}

const STYLES = {
  found: [CircleCheck, "text-success"],
  many: [Layers, "text-warning"],
  unknown: [CircleHelp, "text-ink-soft"],
  "not-in-schema": [TriangleAlert, "text-warning"],
  malformed: [TriangleAlert, "text-warning"],
  unchecked: [CircleHelp, "text-ink-soft"],
  invalid: [CircleAlert, "text-danger"],
} as const satisfies Record<PathCheck["result"], readonly unknown[]>;

/** How a path fits the product's schema, announced when it changes. Only an invalid path is refused. */
function PathResult({ check: { result, message } }: { check: PathCheck }) {
  const [Icon, tone] = STYLES[result];
  return (
    <span role="status" className={`flex items-start gap-1.5 ${tone}`}>
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span className="min-w-0 break-words">
        {message}
        {result === "not-in-schema" && " You are asked to confirm it."}
      </span>
    </span>
  );
}

interface FoundValuesProps extends NonNullable<PathNote["found"]> {
  isGenerated: boolean;
}

function FoundValues({ shown, count, more, failure, isGenerated }: FoundValuesProps) {
  const source = isGenerated ? "In data generated from the schema" : "In the sample";
  if (count === 0) return <Line>{failure ?? `${source}: nothing found.`}</Line>;
  const rest = count - shown.length;
  const others = more ? " and more" : rest > 0 ? ` and ${rest} more` : "";
  return (
    <Line>
      {source}
      {count > 1 && ` (${more ? "more than " : ""}${count} values)`}:{" "}
      {shown.map((value, index) => (
        <span key={index}>
          {index > 0 && ", "}
          <code translate="no" className="font-mono text-xs wrap-anywhere text-ink">
            {value}
          </code>
        </span>
      ))}
      {others}
    </Line>
  );
}

function Line({ children }: { children: ReactNode }) {
  return <span className="block pl-5.5">{children}</span>;
}

interface SuggestedPathProps extends Suggestion {
  lead?: string;
  /** `button` may disappear when it is pressed. */
  onSelect: (path: string, button: Element) => void;
}

/** A button that uses a path whose name resembles the field's. */
export function SuggestedPath({ path, why, lead, onSelect }: SuggestedPathProps) {
  return (
    <Button
      onPress={({ target }) => onSelect(path, target)}
      aria-label={`Use ${path}. ${why}`}
      className="-mx-1 flex min-h-8 max-w-full min-w-0 cursor-pointer items-center gap-2 self-start rounded-field px-1 py-1 text-left text-small leading-5 hover:bg-hover"
    >
      <Sparkles aria-hidden className="size-4 shrink-0 text-accent-text" />
      <span className="min-w-0">
        {lead !== undefined && <span className="text-ink-faint">{lead} </span>}
        <span translate="no" className="font-mono wrap-anywhere text-accent-text">
          {path}
        </span>
        <span className="text-ink-faint"> — {why.toLowerCase()}</span>
      </span>
    </Button>
  );
}

interface Suggested {
  suggestions: Suggestion[];
  /** Good enough to be used without looking, together with those of other fields. */
  sure: string | undefined;
}

/** Fields × leaves that are searched in one go, which takes a few hundredths of a second. */
const AT_ONCE = 2_000;
const NONE: ReadonlyMap<string, Suggested> = new Map();

/** By field name. For many fields and a large schema they arrive one after the other, so that typing never waits. */
export function useSuggestions(
  fields: readonly MappingField[],
  nodes: readonly SchemaNode[],
): ReadonlyMap<string, Suggested> {
  const isSmall = useMemo(() => listLeaves(nodes).length * fields.length <= AT_ONCE, [fields, nodes]);
  const atOnce = useMemo(
    () => (isSmall ? new Map(fields.map((field) => [field.name, suggestFor(field, nodes)])) : NONE),
    [isSmall, fields, nodes],
  );
  const [later, setLater] = useState({ nodes, found: NONE });
  useEffect(() => {
    if (isSmall) return;
    const waiting = [...fields];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const searchNext = () => {
      const field = waiting.shift();
      if (field === undefined) return;
      const suggested = suggestFor(field, nodes);
      setLater((before) => ({
        nodes,
        found: new Map(before.nodes === nodes ? before.found : NONE).set(field.name, suggested),
      }));
      timer = setTimeout(searchNext, 0);
    };
    timer = setTimeout(searchNext, 0);
    return () => clearTimeout(timer);
  }, [isSmall, fields, nodes]);
  if (isSmall) return atOnce;
  return later.nodes === nodes ? later.found : NONE;
}

function suggestFor(field: MappingField, nodes: readonly SchemaNode[]): Suggested {
  return { suggestions: suggestPaths(field, nodes), sure: guessPath(field, nodes) };
}
