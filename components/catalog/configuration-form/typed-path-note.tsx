import { useDeferredValue, useMemo } from "react";
import { notePath } from "@/lib/domain/catalog/mapping/check-path";
import { PathNoteLines } from "./path-notes";

export interface TypedPathNoteProps {
  schema: unknown;
  sample: { data: unknown; isGenerated: boolean };
  path: string;
}

/** The note of a path while it is typed. */
export function TypedPathNote({ schema, sample, path }: TypedPathNoteProps) {
  const settled = useDeferredValue(path);
  const note = useMemo(() => notePath(schema, sample.data, settled), [schema, sample.data, settled]);
  return <PathNoteLines note={note} isGenerated={sample.isGenerated} />;
}
