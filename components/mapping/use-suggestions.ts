"use client";

import { useEffect, useMemo, useState } from "react";
import type { MappingField } from "@/lib/contract/manifest";
import { leavesOf, type SchemaNode } from "@/lib/domain/mapping/schema-tree";
import { guessPath, suggestPaths, type Suggestion } from "@/lib/domain/mapping/suggest-paths";

export interface Suggested {
  suggestions: Suggestion[];
  /** Good enough to be taken together with those of other fields. */
  sure: string | undefined;
}

/** Fields times places: looked at in one go, some hundredths of a second. */
const AT_ONCE = 2_000;
const NONE: ReadonlyMap<string, Suggested> = new Map();

/** By field name. For a hundred fields and a large schema they come one after the other, so that typing never waits. */
export function useSuggestions(
  fields: readonly MappingField[],
  nodes: readonly SchemaNode[],
): ReadonlyMap<string, Suggested> {
  const isSmall = useMemo(() => leavesOf(nodes).length * fields.length <= AT_ONCE, [fields, nodes]);
  const atOnce = useMemo(
    () => (isSmall ? new Map(fields.map((field) => [field.name, suggestedFor(field, nodes)])) : NONE),
    [isSmall, fields, nodes],
  );
  const [later, setLater] = useState({ nodes, found: NONE });
  useEffect(() => {
    if (isSmall) return;
    const waiting = [...fields];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const lookAtNext = () => {
      const field = waiting.shift();
      if (field === undefined) return;
      const suggested = suggestedFor(field, nodes);
      setLater((before) => ({
        nodes,
        found: new Map(before.nodes === nodes ? before.found : NONE).set(field.name, suggested),
      }));
      timer = setTimeout(lookAtNext, 0);
    };
    timer = setTimeout(lookAtNext, 0);
    return () => clearTimeout(timer);
  }, [isSmall, fields, nodes]);
  if (isSmall) return atOnce;
  return later.nodes === nodes ? later.found : NONE;
}

function suggestedFor(field: MappingField, nodes: readonly SchemaNode[]): Suggested {
  return { suggestions: suggestPaths(field, nodes), sure: guessPath(field, nodes) };
}
