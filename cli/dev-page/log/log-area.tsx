import { useLayoutEffect, useRef, useState } from "react";
import { timeOfDay } from "@/components/app-log/moments";
import { UserText } from "@/components/ui/user-text";
import type { DevLogLine } from "@/cli/dev/contract/instance";
import { useDev } from "../connection/dev-context";
import { Panel } from "../frame/panel";
import { ManifestCard } from "./manifest-card";

/** From the end: that close counts as being there. */
const NEAR_END = 40;

/** What the app writes, live, and what the validator says about the manifest. */
export function LogArea({ isPanel = false }: { isPanel?: boolean }) {
  const log = useDev("log");
  const [search, setSearch] = useState("");
  const scroller = useRef<HTMLDivElement>(null);
  const isFollowing = useRef(true);
  const wanted = search.trim().toLowerCase();
  const lines = wanted === "" ? log : log.filter(({ text }) => text.toLowerCase().includes(wanted));
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element !== null && isFollowing.current) element.scrollTop = element.scrollHeight;
  }, [lines.length, log]);
  return (
    <div className="flex h-full min-h-0 min-w-0 flex-col gap-4">
      <ManifestCard isPanel={isPanel} />
      <Panel
        title="Log"
        isPanel={isPanel}
        scroller={scroller}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
          isFollowing.current = scrollHeight - scrollTop - clientHeight < NEAR_END;
        }}
        actions={
          <input
            type="search"
            aria-label="Search the log"
            placeholder="Search"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
            className="h-7 w-40 rounded-field border border-line-strong bg-surface px-2 text-[13px] text-ink placeholder:text-ink-faint"
          />
        }
      >
        {lines.length === 0 ? (
          <p className="px-4 py-8 text-center text-[13px] leading-5 text-ink-faint">
            {log.length === 0
              ? "The app hasn't written anything to standard output or standard error yet."
              : "No lines contain this text."}
          </p>
        ) : (
          <ol className="py-1 font-mono text-xs leading-5">
            {lines.map((line) => (
              <LogRow key={line.id} line={line} />
            ))}
          </ol>
        )}
      </Panel>
    </div>
  );
}

const STREAMS = { stdout: undefined, stderr: "stderr", build: "build" } as const;

function LogRow({ line: { at, stream, text } }: { line: DevLogLine }) {
  const label = STREAMS[stream];
  return (
    <li className="flex gap-3 px-4 hover:bg-hover">
      <time dateTime={at} className="shrink-0 text-ink-faint tabular-nums">
        {timeOfDay(at).slice(0, 8)}
      </time>
      {label !== undefined && (
        <span className={`shrink-0 ${stream === "stderr" ? "text-warning" : "text-ink-faint"}`}>{label}</span>
      )}
      <UserText className="min-w-0 wrap-anywhere whitespace-pre-wrap text-ink">{text}</UserText>
    </li>
  );
}
