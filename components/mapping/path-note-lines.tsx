import { CircleAlert, CircleCheck, CircleHelp, Layers, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { PathCheck } from "@/lib/domain/mapping/check-path";
import type { PathNote } from "@/lib/domain/mapping/note-path";

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
        {result === "not-in-schema" && " You can still save it if the data has it."}
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
          <code className="font-mono text-xs break-all text-ink">{value}</code>
        </span>
      ))}
      {others}
    </Line>
  );
}

function Line({ children }: { children: ReactNode }) {
  return <span className="block pl-5.5">{children}</span>;
}
