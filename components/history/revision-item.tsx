import { History } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { RelativeTime } from "@/components/ui/relative-time";
import type { RevisionView } from "@/lib/contract/configuration-view";
import { ChangeLines } from "./change-lines";
import { causeWords } from "./revision-words";

interface RevisionItemProps {
  revision: RevisionView;
  /** Its installation is no more. */
  gone: boolean;
  /** Absent where this person may not restore. */
  onRestore: (() => void) | undefined;
}

export function RevisionItem({ revision, gone, onRestore }: RevisionItemProps) {
  const {
    revision: number,
    current,
    version,
    savedAt,
    savedBy,
    changes,
    moreChanges,
    restorable,
    cause,
  } = revision;
  return (
    <li className="flex flex-col gap-3 px-4 py-4 sm:px-6" aria-label={`Revision ${number}`}>
      <div className="min-w-0">
        <div className="flex min-h-8 items-center justify-between gap-4">
          <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
            <span className="font-medium wrap-anywhere text-ink">{causeWords(revision)}</span>
            {current && (gone ? <Badge>Last</Badge> : <Badge tone="accent">Current</Badge>)}
          </p>
          {restorable && !current && onRestore !== undefined && (
            <Button size="small" onPress={onRestore} aria-label={`Restore revision ${number}`}>
              <History aria-hidden className="size-4" />
              Restore
            </Button>
          )}
        </div>
        <p className="mt-0.5 text-[13px] leading-5 text-ink-faint">
          <span className="whitespace-nowrap">Revision {number}</span>
          {" · "}
          <RelativeTime at={savedAt} /> by {savedBy}
          {" · "}
          <span className="whitespace-nowrap">version {version}</span>
        </p>
      </div>
      {changes.length > 0 ? (
        <ChangeLines changes={changes} more={moreChanges} />
      ) : (
        <p className="text-[13px] text-ink-faint">{unchangedWords(cause, gone)}</p>
      )}
    </li>
  );
}

function unchangedWords(cause: RevisionView["cause"], gone: boolean): string {
  if (cause === "launch") return "The first configuration.";
  return gone ? "No difference remains to be shown." : "Nothing differs from the revision before.";
}
