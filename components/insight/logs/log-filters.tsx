"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useMemo } from "react";
import { FilterSelect, TextFilter, TimeFilter } from "@/components/platform/filters";
import { Button } from "@/components/ui/button";
import { useZone } from "@/components/ui/zone";
import type { LogInstance } from "@/lib/contract/insight/app-log";
import { LISTED_INSTANCES, type LogFilter, readLogFilter } from "@/lib/contract/insight/filters";
import { toQuery } from "@/lib/contract/platform/time-range";
import { LOG_LEVELS, LOG_STREAMS } from "@/lib/contract/runtime/app-log";
import { shortInstance } from "@/lib/domain/insight/log-text";
import { writeTime } from "@/lib/domain/platform/zone";

interface LogFiltersProps {
  filter: LogFilter;
  instances: readonly LogInstance[];
  isNarrowed: boolean;
  change: (changed: LogFilter) => void;
  clear: () => void;
}

const STREAM_LABELS: Record<(typeof LOG_STREAMS)[number], string> = {
  stdout: "stdout",
  stderr: "stderr",
  platform: "Platform",
};

const LEVEL_LABELS: Record<(typeof LOG_LEVELS)[number], string> = {
  error: "Error",
  warn: "Warning",
  info: "Info",
  debug: "Debug",
};

/** Every filter of a version's log. All of them are in the URL. */
export function LogFilters({ filter, instances, isNarrowed, change, clear }: LogFiltersProps) {
  const zone = useZone();
  return (
    <div className="flex flex-wrap items-center gap-2">
      <TextFilter
        label="Search lines"
        value={filter.q}
        onChange={(q) => change({ q })}
        className="w-full sm:w-64"
      />
      <TimeFilter filter={filter} change={change} />
      <FilterSelect
        label="Instance"
        all="All instances"
        options={instances.map(({ id, startedAt, endedAt }) => ({
          value: id,
          text: shortInstance(id),
          detail: `${endedAt === null ? "Runs since" : "Ran from"} ${writeTime(startedAt, "moment", zone)}`,
        }))}
        note={
          instances.length < LISTED_INSTANCES
            ? undefined
            : `The newest ${LISTED_INSTANCES} are listed. The log has the lines of earlier ones too.`
        }
        value={filter.instance}
        onChange={(instance) => change({ instance })}
      />
      <FilterSelect
        label="Stream"
        all="All streams"
        options={LOG_STREAMS.map((stream) => ({ value: stream, text: STREAM_LABELS[stream] }))}
        value={filter.stream}
        onChange={(stream) => change({ stream: readLogFilter({ stream }).stream })}
      />
      <FilterSelect
        label="Level"
        all="All levels"
        options={LOG_LEVELS.map((level) => ({ value: level, text: LEVEL_LABELS[level] }))}
        value={filter.level}
        onChange={(level) => change({ level: readLogFilter({ level }).level })}
      />
      {isNarrowed && (
        <Button tone="quiet" size="small" onPress={clear}>
          Clear filters
        </Button>
      )}
    </div>
  );
}

/** The version and the filter are in the URL: Back undoes a change, and a link shows the same lines. */
export function useLogFilter() {
  const pathname = usePathname();
  const query = useSearchParams();
  const filter = useMemo(() => readLogFilter(Object.fromEntries(query)), [query]);
  const version = query.get("version") ?? undefined;
  const show = (next: LogFilter & { version?: string }) => {
    const text = toQuery(next).toString();
    window.history.pushState(null, "", text === "" ? pathname : `${pathname}?${text}`);
  };
  return {
    version,
    filter,
    change: (changed: LogFilter) => show({ version, ...filter, ...changed }),
    /** An instance belongs to one version. */
    changeVersion: (next: string) => show({ ...filter, version: next, instance: undefined }),
    clear: () => show({ version }),
    isNarrowed: Object.values(filter).some((value) => value !== undefined),
  };
}
