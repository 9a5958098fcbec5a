"use client";

import { Sparkles } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { Button } from "react-aria-components";
import type { MappingField } from "@/lib/contract/manifest";
import { listLeaves, type SchemaNode } from "@/lib/domain/mapping/schema-tree";
import { guessPath, suggestPaths, type Suggestion } from "@/lib/domain/mapping/suggest-paths";

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
      className="-mx-1 flex min-h-8 max-w-full min-w-0 cursor-pointer items-center gap-2 self-start rounded-field px-1 py-1 text-left text-[13px] leading-5 hover:bg-hover"
    >
      <Sparkles aria-hidden className="size-4 shrink-0 text-accent-text" />
      <span className="min-w-0">
        {lead !== undefined && <span className="text-ink-faint">{lead} </span>}
        <span className="font-mono break-all text-accent-text">{path}</span>
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

/** Fields times leaves that are searched in one go, in some hundredths of a second. */
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
