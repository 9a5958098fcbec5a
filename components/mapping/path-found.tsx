"use client";

import { useMemo, type ReactNode } from "react";
import { valueAtPath } from "@/lib/domain/mapping/value-at-path";

export interface Sample {
  data: unknown;
  /** The core gave none: it was made from the schema. */
  isMadeUp: boolean;
}

const SHOWN = 3;
const LONGEST = 80;

/** What the app would find with a path, tried out on a sample. */
export function PathFound({ path, sample }: { path: string; sample: Sample }) {
  const found = useMemo(() => valueAtPath(sample.data, path), [sample.data, path]);
  const where = sample.isMadeUp ? "In data made up from the schema" : "In the sample";
  if (found.fault !== undefined && found.values.length === 0) return <Line>{found.fault}</Line>;
  if (found.values.length === 0) return <Line>{where}: nothing is found.</Line>;
  const shown = found.values.slice(0, SHOWN);
  const rest = found.values.length - shown.length;
  const others = found.more ? ", and more" : rest > 0 ? `, and ${rest} more` : "";
  return (
    <Line>
      {where}
      {found.values.length > 1 && ` (${found.more ? "more than " : ""}${found.values.length} values)`}:{" "}
      {shown.map((value, index) => (
        <span key={index}>
          {index > 0 && ", "}
          <code className="font-mono text-xs break-all text-ink">{inWords(value)}</code>
        </span>
      ))}
      {others}
    </Line>
  );
}

function Line({ children }: { children: ReactNode }) {
  return <span className="block pl-5.5">{children}</span>;
}

/** Text as it is; what is composed as short JSON. */
function inWords(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (text === "") return '""';
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
