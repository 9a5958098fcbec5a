import { LockKeyhole } from "lucide-react";
import type { Side } from "./both-sides";

interface SideTextProps {
  side: Side;
  isMapping: boolean;
  isMine?: boolean;
}

const WORDS = { set: "Set", replaced: "Replaced", cleared: "Cleared" } as const;

/** What one side made of an entry. Of a secret there is nothing but that. */
export function SideText({ side, isMapping, isMine = false }: SideTextProps) {
  if (side.kind === "secret")
    return (
      <span className="min-w-0 text-ink">
        <LockKeyhole aria-hidden className="-mt-0.5 mr-1.5 inline size-3.5 text-ink-faint" />
        {isMine && side.change !== "cleared" ? "Set" : WORDS[side.change]}
        {side.change !== "cleared" && (
          <span className="text-ink-faint">{isMine ? " to what you typed" : ", and hidden"}</span>
        )}
      </span>
    );
  if (side.text === undefined) return <span className="text-ink-faint">Skipped</span>;
  if (side.text === "") return <span className="text-ink-faint">Empty</span>;
  return (
    <span
      className={`min-w-0 text-ink ${isMapping ? "font-mono break-all" : "wrap-anywhere whitespace-pre-wrap"}`}
    >
      {side.text}
    </span>
  );
}
