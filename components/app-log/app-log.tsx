"use client";

import { Download, WrapText } from "lucide-react";
import { useState } from "react";
import { FilterSelect } from "@/components/filters/filter-select";
import { LiveButton } from "@/components/live/live-button";
import { Button } from "@/components/ui/button";
import { buttonStyles } from "@/components/ui/button-styles";
import { Card } from "@/components/ui/card";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { toQuery } from "@/lib/contract/query-values";
import { LogFilters } from "./log-filters";
import { LogList } from "./log-list";
import { JumpButton, LoadingLines, LogHead, NoLines } from "./log-states";
import { listEntries } from "./merge-entries";
import { shortMoment } from "./moments";
import { type FirstPage, logPath, useLog } from "./use-log";
import { useHydrated } from "./use-hydrated";
import { useLogFilter } from "./use-log-filter";
import { useLogTail } from "./use-log-tail";

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
  const [jumps, setJumps] = useState(0);
  const isHydrated = useHydrated();
  const log = useLog(shown, first);
  const pages = log.data?.pages;
  const entries = pages && listEntries(pages);
  const instances = pages?.[0]?.instances ?? [];
  const hasLive = filter.to === undefined;
  const tail = useLogTail({ shown, pages, isPaused: isPaused || !hasLive, isAtEnd });
  const query = toQuery(filter).toString();
  const last = pages?.at(-1);
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
  const jump = () => {
    tail.catchUp();
    setJumps((count) => count + 1);
  };
  return (
    <Card flush className="overflow-clip">
      <div className="flex flex-col gap-4 border-b border-line p-4 sm:px-6">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <FilterSelect
            label="Version"
            options={versions.map((each) => ({
              value: each.number,
              text: each.number,
              detail: each.lastLineAt === null ? "No lines" : `Last line ${shortMoment(each.lastLineAt)}`,
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
              href={`${logPath(shown)}/file${query === "" ? "" : `?${query}`}`}
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
      {(entries === undefined || !isHydrated) && log.error === null && <LoadingLines />}
      {isHydrated && entries !== undefined && entries.length > 0 && (
        <div className="relative">
          <LogList
            // What is read again begins at its end.
            key={`${shown.versionId}?${query} ${pages?.[0]?.position}`}
            entries={entries}
            wrap={wrap}
            q={filter.q}
            showsInstance={instances.length > 1 && filter.instance === undefined}
            head={head}
            loadOlder={
              log.hasNextPage &&
              last?.searchedTo === undefined &&
              !log.isFetchingNextPage &&
              log.error === null
                ? loadOlder
                : undefined
            }
            onEndChange={(isNow) => {
              setAtEnd(isNow);
              if (isNow) tail.catchUp();
            }}
            jumps={jumps}
          />
          {!isAtEnd && <JumpButton count={tail.count} onPress={jump} />}
        </div>
      )}
      {isHydrated && entries?.length === 0 && (
        <NoLines isNarrowed={isNarrowed} onClear={clear} appName={listing.appName}>
          {last?.searchedTo !== undefined && head}
        </NoLines>
      )}
    </Card>
  );
}
