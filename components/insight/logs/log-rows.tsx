"use client";

import {
  Check,
  CircleAlert,
  CirclePlay,
  CircleStop,
  Copy,
  type LucideIcon,
  TriangleAlert,
} from "lucide-react";
import type { ReactNode } from "react";
import { UserText } from "@/components/ui/values";
import { showDirectionMarks } from "@/lib/domain/platform/text";
import { TimeOfDay } from "@/components/ui/relative-time";
import type { LogEntry, LogEventView, LogLineView } from "@/lib/contract/insight/app-log";
import type { LogLevel } from "@/lib/contract/runtime/app-log";
import { describeCut, describeEvent, shortInstance } from "@/lib/domain/insight/log-text";

interface RowProps {
  entry: LogEntry;
  wrap: boolean;
  /** Several instances are shown. */
  showsInstance: boolean;
  /** What the filter searches for. */
  q: string | undefined;
  isActive: boolean;
  isCopied: boolean;
  onCopy: () => void;
}

/** A line of the app, a mark of the platform, or what happened to an instance. */
export function LogEntryRow({ entry, ...props }: RowProps) {
  if (entry.kind === "event") return <EventRow event={entry} isActive={props.isActive} />;
  if (entry.stream === "platform") return <MarkRow line={entry} {...props} />;
  return <LineRow line={entry} {...props} />;
}

const LEVELS: Record<LogLevel, { label: string; text: string; row: string }> = {
  error: { label: "Error", text: "text-danger", row: "bg-danger-soft" },
  warn: { label: "Warn", text: "text-warning", row: "bg-warning-soft" },
  info: { label: "Info", text: "text-accent-text", row: "" },
  debug: { label: "Debug", text: "text-ink-faint", row: "" },
};

const ACTIVE = "outline-2 -outline-offset-2 outline-accent-text";

type LineProps = Omit<RowProps, "entry"> & { line: LogLineView };

function LineRow({ line, wrap, showsInstance, q, isActive, isCopied, onCopy }: LineProps) {
  const { at, level, stream, text, cutBytes, instanceId } = line;
  const look = level === null ? undefined : LEVELS[level];
  const Icon = isCopied ? Check : Copy;
  return (
    <div
      className={`group relative flex flex-wrap gap-x-3 px-4 py-0.5 hover:bg-hover sm:flex-nowrap sm:px-6 ${wrap ? "" : "w-max min-w-full"} ${look?.row ?? ""} ${isActive ? ACTIVE : ""}`}
    >
      <span className="flex shrink-0 gap-x-3 max-sm:w-full max-sm:text-tiny">
        <TimeOfDay at={at} />
        {showsInstance && (
          <span className="text-ink-faint" title={`Instance ${instanceId}`}>
            {shortInstance(instanceId)}
          </span>
        )}
        <span className={`sm:w-12 ${look?.text ?? "text-ink-faint"}`}>
          {look?.label ?? (stream === "stderr" ? "stderr" : <span className="sr-only">stdout</span>)}
        </span>
      </span>
      <span
        className={`min-w-0 text-ink max-sm:basis-full sm:flex-1 ${wrap ? "wrap-anywhere whitespace-pre-wrap" : "whitespace-pre"}`}
      >
        <MarkedText text={text} q={q} />
        {cutBytes > 0 && (
          <span className="ml-2 rounded-sm border border-warning-line bg-warning-soft px-1 text-tiny whitespace-nowrap text-warning">
            {describeCut(cutBytes)}
          </span>
        )}
      </span>
      <button
        type="button"
        // The list has one stop for the keyboard; Enter copies its current line.
        tabIndex={-1}
        aria-label="Copy line"
        onClick={onCopy}
        className="absolute top-0 right-2 inline-flex size-6 cursor-pointer items-center justify-center rounded-sm bg-raised text-ink-soft opacity-0 shadow-low group-hover:opacity-100 hover:text-ink any-pointer-coarse:opacity-70"
      >
        <Icon aria-hidden className={`size-3.5 ${isCopied ? "text-success" : ""}`} />
      </button>
    </div>
  );
}

/** Where lines are missing, and why. */
function MarkRow({ line, q, isActive }: LineProps) {
  return (
    <Separator icon={TriangleAlert} at={line.at} tone="text-warning" isActive={isActive}>
      <MarkedText text={line.text} q={q} />
    </Separator>
  );
}

const EVENTS: Record<LogEventView["event"], { icon: LucideIcon; tone: string }> = {
  started: { icon: CirclePlay, tone: "text-ink-soft" },
  ready: { icon: Check, tone: "text-success" },
  failing: { icon: TriangleAlert, tone: "text-warning" },
  recovered: { icon: Check, tone: "text-success" },
  failed: { icon: CircleAlert, tone: "text-danger" },
  stopped: { icon: CircleStop, tone: "text-ink-soft" },
};

function EventRow({ event, isActive }: { event: LogEventView; isActive: boolean }) {
  const { icon, tone } = EVENTS[event.event];
  return (
    <Separator icon={icon} at={event.at} tone={tone} isActive={isActive}>
      <span className="font-medium">{describeEvent(event)}</span>{" "}
      <span
        translate="no"
        className="font-mono text-xs text-ink-faint"
        title={`Instance ${event.instanceId}`}
      >
        {shortInstance(event.instanceId)}
      </span>
      {event.reason !== null && (
        <span className="block text-ink-soft">
          <UserText>{event.reason}</UserText>
        </span>
      )}
    </Separator>
  );
}

interface SeparatorProps {
  icon: LucideIcon;
  at: string;
  tone: string;
  isActive: boolean;
  children: ReactNode;
}

/** The platform's own words between the lines of the app: in another type, so that no line of an app looks like them. */
function Separator({ icon: Icon, at, tone, isActive, children }: SeparatorProps) {
  return (
    <div
      className={`sticky left-0 -mt-px flex max-w-full flex-wrap gap-x-3 border-y border-line bg-subtle px-4 py-1.5 sm:px-6 ${isActive ? ACTIVE : ""}`}
    >
      <span className="shrink-0 max-sm:text-tiny">
        <TimeOfDay at={at} />
      </span>
      <span className={`flex min-w-0 flex-1 basis-32 gap-2 font-sans text-small leading-5 ${tone}`}>
        <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
        <span className="min-w-0 wrap-anywhere">{children}</span>
      </span>
    </div>
  );
}

/** A publisher's text with what was searched for marked, in any case. It can't change the direction of our text. */
function MarkedText({ text, q }: { text: string; q: string | undefined }) {
  return (
    <bdi>
      {splitMatches(showDirectionMarks(text), q).map((part, index) =>
        index % 2 === 0 ? part : <mark key={index}>{part}</mark>,
      )}
    </bdi>
  );
}

/** Every second part matches. */
function splitMatches(text: string, q: string | undefined): string[] {
  if (q === undefined) return [text];
  const literal = q.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
  return text.split(new RegExp(`(${literal})`, "gi"));
}
