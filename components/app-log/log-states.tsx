"use client";

import { ArrowDown, FlaskConical, ScrollText, SearchX } from "lucide-react";
import type { ReactNode } from "react";
import { Button, Spinner } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { Skeleton } from "@/components/ui/skeleton";
import { toProblemBody } from "@/lib/client/api";
import type { LogPage } from "@/lib/contract/log-view";
import { LOGS_COMMAND } from "@/lib/contract/publish-commands";
import { shortMoment } from "./moments";

interface LogHeadProps {
  /** The page with the oldest entries that are loaded. */
  last: LogPage | undefined;
  kept: { days: number; megabytes: number };
  isLoading: boolean;
  error: unknown;
  onLoad: () => void;
}

/** What is above the oldest line that is loaded. */
export function LogHead({ last, kept, isLoading, error, onLoad }: LogHeadProps) {
  if (isLoading) return <Spinner label="Loading older lines" />;
  if (error !== null)
    return (
      <p role="alert" className="flex items-center gap-3 text-[13px] text-danger">
        {toProblemBody(error).detail}
        <Button size="small" onPress={onLoad}>
          Try again
        </Button>
      </p>
    );
  if (last?.searchedTo !== undefined)
    return (
      <span className="flex flex-wrap items-center justify-center gap-x-3 gap-y-2 text-[13px] text-ink-faint">
        Searched back to {shortMoment(last.searchedTo)}.
        <Button size="small" onPress={onLoad}>
          Search older lines
        </Button>
      </span>
    );
  if (last?.next !== undefined) return null;
  return (
    <p className="text-center text-[13px] leading-5 text-ink-faint">
      Start of the log. Lines are kept for {kept.days} {kept.days === 1 ? "day" : "days"}, up to{" "}
      {kept.megabytes} MB for each version.
    </p>
  );
}

/** While somebody reads older lines. */
export function JumpButton({ count, onPress }: { count: number; onPress: () => void }) {
  const text =
    count === 0
      ? "Jump to latest"
      : count === 1
        ? "1 new line"
        : `${count.toLocaleString("en-US")} new lines`;
  return (
    <div className="pointer-events-none absolute inset-x-0 bottom-4 flex justify-center">
      <Button
        tone={count === 0 ? "secondary" : "primary"}
        size="small"
        onPress={onPress}
        className="pointer-events-auto rounded-full shadow-high"
      >
        <ArrowDown aria-hidden className="size-3.5" />
        {text}
      </Button>
    </div>
  );
}

export function LoadingLines() {
  return (
    <div role="status" aria-label="Loading lines" className="flex flex-col gap-3 p-4 sm:px-6">
      {Array.from({ length: 10 }, (_, index) => (
        <Skeleton key={index} className={`h-4 ${["w-full", "w-4/5", "w-2/3"][index % 3] ?? ""}`} />
      ))}
    </div>
  );
}

interface NoLinesProps {
  isNarrowed: boolean;
  appName: string;
  onClear: () => void;
  /** A search that stopped can go on. */
  children: ReactNode;
}

export function NoLines({ isNarrowed, appName, onClear, children }: NoLinesProps) {
  if (isNarrowed)
    return (
      <EmptyState icon={SearchX} title="No matches" action={<Button onPress={onClear}>Clear filters</Button>}>
        No lines of this version match these filters.
        <span className="mt-3 block empty:hidden">{children}</span>
      </EmptyState>
    );
  return (
    <EmptyState
      icon={ScrollText}
      title="No lines yet"
      command={LOGS_COMMAND}
      action={
        <LinkButton href={`/publish/${appName}`}>
          <FlaskConical aria-hidden className="size-4" />
          Start a Test Launch
        </LinkButton>
      }
    >
      What this version writes to stdout and stderr appears here within a second, and in a terminal. Start a
      Test Launch to run it.
    </EmptyState>
  );
}
