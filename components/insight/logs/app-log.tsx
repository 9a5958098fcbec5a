"use client";

import { ArrowDown, Download, FlaskConical, ScrollText, SearchX, WrapText } from "lucide-react";
import { type ReactNode, useState, useSyncExternalStore } from "react";
import { FilterSelect } from "@/components/platform/filters";
import { LiveButton } from "@/components/platform/live";
import { Button, Spinner } from "@/components/ui/button";
import { Card, EmptyState, Skeleton } from "@/components/ui/card";
import { buttonStyles, LinkButton } from "@/components/ui/links";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { useZone } from "@/components/ui/zone";
import { toProblemBody } from "@/lib/client/api";
import { nameOrganization, useShownOrganization } from "@/lib/client/shown-organization";
import { LOGS_COMMAND } from "@/lib/contract/catalog/publish-commands";
import type { LogPage } from "@/lib/contract/insight/app-log";
import { toQuery } from "@/lib/contract/platform/time-range";
import { writeTime } from "@/lib/domain/platform/zone";
import { LogFilters, useLogFilter } from "./log-filters";
import { LogList } from "./log-list";
import { type FirstPage, listEntries, logPath, useLog } from "./use-log";

interface AppLogProps {
  listing: { id: string; appName: string };
  /** Newest first, at least one. */
  versions: readonly { id: string; number: string; lastLineAt: string | null }[];
  /** As the server read it with the page. */
  first: FirstPage;
  kept: { days: number; megabytes: number };
}

/** The log of a version, live, with its filters. */
export function AppLog({ listing, versions, first, kept }: AppLogProps) {
  const { version: number, filter, isNarrowed, change, changeVersion, clear } = useLogFilter();
  const version =
    versions.find((each) => each.number === number) ?? versions.find(({ id }) => id === first.versionId);
  const shown = { listingId: listing.id, versionId: version?.id ?? first.versionId, filter };
  const [isPaused, setPaused] = useState(false);
  const [isAtEnd, setAtEnd] = useState(true);
  const [wrap, setWrap] = useState(true);
  const zone = useZone();
  const hasLive = filter.to === undefined;
  const { log, ...tail } = useLog({ shown, first, isPaused: isPaused || !hasLive, isAtEnd });
  const instances = log.data?.pages[0]?.instances ?? [];
  const query = toQuery(filter).toString();
  const download = nameOrganization(query, useShownOrganization());
  return (
    <Card flush className="overflow-clip">
      <div className="flex flex-col gap-4 border-b border-line p-4 sm:px-6">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <FilterSelect
            label="Version"
            options={versions.map((each) => ({
              value: each.number,
              text: each.number,
              detail:
                each.lastLineAt === null
                  ? "No lines"
                  : `Last line ${writeTime(each.lastLineAt, "moment", zone)}`,
            }))}
            value={version?.number}
            onChange={(next) => {
              if (next !== undefined) changeVersion(next);
            }}
          />
          <div className="flex flex-wrap items-center gap-2">
            {hasLive && <LiveButton state={tail.state} onPress={() => setPaused((was) => !was)} />}
            <Button
              tone={wrap ? "secondary" : "quiet"}
              size="small"
              aria-pressed={wrap}
              onPress={() => setWrap((was) => !was)}
            >
              <WrapText aria-hidden className="size-3.5" />
              <span className="max-sm:sr-only">Wrap lines</span>
            </Button>
            <a
              href={`${logPath(shown)}/file${download === "" ? "" : `?${download}`}`}
              download
              className={buttonStyles({ size: "small" })}
            >
              <Download aria-hidden className="size-3.5" />
              <span className="max-sm:sr-only">Download</span>
            </a>
          </div>
        </div>
        <LogFilters
          filter={filter}
          instances={instances}
          isNarrowed={isNarrowed}
          change={change}
          clear={clear}
        />
      </div>
      {!log.isFetchNextPageError && <ProblemNotice error={log.error} className="m-4 sm:mx-6" />}
      <Lines
        // What is read again begins at its end.
        listKey={`${shown.versionId}?${query} ${log.data?.pages[0]?.position}`}
        log={log}
        tail={tail}
        kept={kept}
        isAtEnd={isAtEnd}
        setAtEnd={setAtEnd}
        wrap={wrap}
        q={filter.q}
        showsInstance={instances.length > 1 && filter.instance === undefined}
        none={(head) => (
          <NoLines isNarrowed={isNarrowed} onClear={clear} appName={listing.appName}>
            {head}
          </NoLines>
        )}
      />
    </Card>
  );
}

type Log = ReturnType<typeof useLog>;

interface LinesProps {
  listKey: string;
  log: Log["log"];
  tail: Pick<Log, "count" | "catchUp">;
  kept: { days: number; megabytes: number };
  isAtEnd: boolean;
  setAtEnd: (isAtEnd: boolean) => void;
  wrap: boolean;
  q: string | undefined;
  showsInstance: boolean;
  /** Draws a log without lines; its head is how far a search looked. */
  none: (head: ReactNode) => ReactNode;
}

/** The lines that are loaded, or why there are none. */
function Lines({ listKey, log, tail, kept, isAtEnd, setAtEnd, none, ...shown }: LinesProps) {
  const [jumps, setJumps] = useState(0);
  const isHydrated = useHydrated();
  const pages = log.data?.pages;
  const last = pages?.at(-1);
  if (pages === undefined || !isHydrated) return log.error === null && <LoadingLines />;
  const entries = listEntries(pages);
  const loadOlder = () => void log.fetchNextPage();
  const head = (
    <LogHead
      last={last}
      kept={kept}
      isLoading={log.isFetchingNextPage}
      error={log.isFetchNextPageError ? log.error : null}
      onLoad={loadOlder}
    />
  );
  if (entries.length === 0) return none(last?.searchedTo !== undefined && head);
  const mayLoad =
    log.hasNextPage && last?.searchedTo === undefined && !log.isFetchingNextPage && log.error === null;
  return (
    <div className="relative">
      <LogList
        key={listKey}
        {...shown}
        entries={entries}
        head={head}
        loadOlder={mayLoad ? loadOlder : undefined}
        onEndChange={(isNow) => {
          setAtEnd(isNow);
          if (isNow) tail.catchUp();
        }}
        jumps={jumps}
      />
      {!isAtEnd && (
        <JumpButton
          count={tail.count}
          onPress={() => {
            tail.catchUp();
            setJumps((count) => count + 1);
          }}
        />
      )}
    </div>
  );
}

interface LogHeadProps {
  /** The page with the oldest entries that are loaded. */
  last: LogPage | undefined;
  kept: { days: number; megabytes: number };
  isLoading: boolean;
  error: unknown;
  onLoad: () => void;
}

/** What is above the oldest line that is loaded. */
function LogHead({ last, kept, isLoading, error, onLoad }: LogHeadProps) {
  const zone = useZone();
  if (isLoading) return <Spinner label="Loading older lines" />;
  if (error !== null)
    return (
      <p role="alert" className="flex items-center gap-3 text-small text-danger">
        {toProblemBody(error).detail}
        <Button size="small" onPress={onLoad}>
          Try again
        </Button>
      </p>
    );
  if (last?.searchedTo !== undefined)
    return (
      <span className="flex flex-wrap items-center justify-center gap-x-3 gap-y-2 text-small text-ink-faint">
        Searched back to {writeTime(last.searchedTo, "moment", zone)}.
        <Button size="small" onPress={onLoad}>
          Search older lines
        </Button>
      </span>
    );
  if (last?.next !== undefined) return null;
  return (
    <p className="text-center text-small leading-5 text-ink-faint">
      Start of the log. Lines are kept for {kept.days} {kept.days === 1 ? "day" : "days"}, up to{" "}
      {kept.megabytes} MB for each version.
    </p>
  );
}

/** While somebody reads older lines. */
function JumpButton({ count, onPress }: { count: number; onPress: () => void }) {
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

function LoadingLines() {
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

function NoLines({ isNarrowed, appName, onClear, children }: NoLinesProps) {
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

const neverChanges = () => () => {};

/** False on the server and in the first render after it: times of day need the browser's time zone. */
function useHydrated(): boolean {
  return useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
}
