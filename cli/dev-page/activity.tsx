import { ChevronRight } from "lucide-react";
import { type ReactNode, type Ref, type UIEventHandler, useLayoutEffect, useRef, useState } from "react";
import { Badge } from "@/components/ui/badge";
import { MoreNote } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { UserText } from "@/components/ui/values";
import { isError } from "@/lib/contract/platform/problem";
import { hasTypedText } from "@/lib/domain/platform/text";
import { browserZone, writeTime } from "@/lib/domain/platform/zone";
import type { DevLogLine } from "../dev/contract/app";
import type { DevRead } from "../dev/contract/calls";
import { useDev } from "./frame/connection";
import { IssueList } from "./frame/header";

const SHOWN = 100;

/** Every read of the state API, newest first. */
export function ReadsArea({ isPanel = false }: { isPanel?: boolean }) {
  const reads = useDev("reads");
  const stateApi = useDev("stateApi");
  return (
    <Panel
      title="State reads"
      isPanel={isPanel}
      description={
        <>
          PLATFORM_STATE_API is{" "}
          <span translate="no" className="font-mono">
            {stateApi}
          </span>
          . Secrets are masked here, not for the app.
        </>
      }
    >
      {reads.length === 0 ? (
        <p className="px-4 py-8 text-center text-small leading-5 text-ink-faint">
          No reads yet. During a call, the app reads the customer&apos;s settings at GET{" "}
          <span translate="no" className="font-mono">
            /state/&lt;key&gt;
          </span>
          .
        </p>
      ) : (
        <div className="flex flex-col gap-2">
          <ReadList reads={reads.slice(0, SHOWN)} showsCustomer />
          <MoreNote count={reads.length - SHOWN} one="read" many="reads" />
        </div>
      )}
    </Panel>
  );
}

interface ReadListProps {
  reads: readonly DevRead[];
  showsCustomer: boolean;
}

/** Reads of the state API. Each opens to show what was returned. */
export function ReadList({ reads, showsCustomer }: ReadListProps) {
  return (
    <ul className="min-w-0 divide-y divide-line rounded-field border border-line bg-surface">
      {reads.map((read) => (
        <li key={read.id}>
          <ReadRow read={read} showsCustomer={showsCustomer} />
        </li>
      ))}
    </ul>
  );
}

function ReadRow({ read, showsCustomer }: { read: DevRead; showsCustomer: boolean }) {
  const { at, status, ms, key, what, customerName, refusal, answered } = read;
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="group min-w-0" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="flex cursor-pointer list-none items-start gap-2 px-3 py-2 -outline-offset-2 hover:bg-hover">
        <ChevronRight
          aria-hidden
          className="mt-1 size-4 shrink-0 text-ink-faint transition-transform group-open:rotate-90"
        />
        <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1 text-small leading-6">
          <Badge tone={status === 200 ? "success" : "danger"}>{status}</Badge>
          {showsCustomer && (
            <span className="min-w-0 font-medium wrap-anywhere text-ink">
              {customerName ?? "No customer"}
            </span>
          )}
          <span translate="no" className="font-mono text-xs wrap-anywhere text-ink-soft">
            {what === "state" ? key : `${key}/webhook-secrets`}
          </span>
          <span className="ml-auto flex gap-3 text-xs text-ink-faint tabular-nums">
            <span>{formatMs(ms)} ms</span>
            <time dateTime={at}>{writeTime(at, "time", browserZone()).slice(0, 8)}</time>
          </span>
          {refusal !== null && <span className="w-full wrap-anywhere text-ink-soft">{refusal}</span>}
        </span>
      </summary>
      {isOpen && (
        <div className="border-t border-line bg-ground p-3">
          {answered === null ? (
            <p className="text-small leading-5 text-ink-faint">Nothing was returned.</p>
          ) : (
            <CodeBlock label="state" code={JSON.stringify(answered, null, 2)} json maxHeight={320} />
          )}
        </div>
      )}
    </details>
  );
}

function formatMs(ms: number): string {
  return ms < 10 ? ms.toFixed(1) : String(Math.round(ms));
}

/** From the end: that close counts as being there. */
const NEAR_END = 40;

/** What the app writes, live, and what the validator says about the manifest. */
export function LogArea({ isPanel = false }: { isPanel?: boolean }) {
  const log = useDev("log");
  const [search, setSearch] = useState("");
  const scroller = useRef<HTMLDivElement>(null);
  const isFollowing = useRef(true);
  const wanted = search.trim();
  const lines = wanted === "" ? log : log.filter(({ text }) => hasTypedText(text, wanted));
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
            className="h-7 w-40 rounded-field border border-line-strong bg-surface px-2 text-small text-ink placeholder:text-ink-faint"
          />
        }
      >
        {lines.length === 0 ? (
          <p className="px-4 py-8 text-center text-small leading-5 text-ink-faint">
            {log.length === 0
              ? "The app hasn't written anything to standard output or standard error yet."
              : "No lines contain this text."}
          </p>
        ) : (
          <ol translate="no" className="py-1 font-mono text-xs leading-5">
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
        {writeTime(at, "time", browserZone()).slice(0, 8)}
      </time>
      {label !== undefined && (
        <span className={`shrink-0 ${stream === "stderr" ? "text-warning" : "text-ink-faint"}`}>{label}</span>
      )}
      <UserText className="min-w-0 wrap-anywhere whitespace-pre-wrap text-ink">{text}</UserText>
    </li>
  );
}

/** Warnings of a valid manifest, with lines. Errors are above all areas. */
function ManifestCard({ isPanel }: { isPanel: boolean }) {
  const { valid, issues, file } = useDev("manifest");
  const warnings = issues.filter((issue) => !isError(issue));
  if (warnings.length === 0) {
    if (isPanel || !valid) return null;
    return (
      <p className="text-small leading-5 text-ink-faint">
        The manifest is valid:{" "}
        <span translate="no" className="font-mono wrap-anywhere">
          {file}
        </span>
      </p>
    );
  }
  const count = warnings.length === 1 ? "1 note" : `${warnings.length} notes`;
  return (
    <section
      aria-label="Manifest"
      className="max-h-48 shrink-0 overflow-y-auto rounded-card border border-warning-line bg-warning-soft px-4 py-3"
    >
      <h2 className="text-small font-semibold text-ink">Manifest: {count}</h2>
      <IssueList issues={warnings} file={file} className="mt-2" />
    </section>
  );
}

interface PanelProps {
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
  /** Beside the page's area, it has a height of its own and scrolls. */
  isPanel: boolean;
  scroller?: Ref<HTMLDivElement>;
  onScroll?: UIEventHandler<HTMLDivElement>;
  children: ReactNode;
}

/** Something live that is an area of its own on a phone, and beside the area on a wide screen. */
function Panel({ title, description, actions, isPanel, scroller, onScroll, children }: PanelProps) {
  return (
    <section
      aria-label={title}
      className={`flex min-h-0 min-w-0 flex-col rounded-card border border-line bg-surface shadow-low ${isPanel ? "h-full" : ""}`}
    >
      <header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1 border-b border-line px-4 py-2.5">
        <div className="min-w-0">
          <h2 className="text-small font-semibold text-ink">{title}</h2>
          {description !== undefined && (
            <p className="text-xs leading-5 wrap-anywhere text-ink-faint">{description}</p>
          )}
        </div>
        {actions}
      </header>
      <div
        ref={scroller}
        onScroll={onScroll}
        role="region"
        aria-label={`${title}, entries`}
        tabIndex={0}
        className={`min-h-0 min-w-0 flex-1 overflow-y-auto -outline-offset-2 [&>ul]:rounded-none [&>ul]:border-0 ${isPanel ? "" : "max-h-[70dvh]"}`}
      >
        {children}
      </div>
    </section>
  );
}
