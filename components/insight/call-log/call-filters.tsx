"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useMemo } from "react";
import { FilterSelect, TextFilter, TimeFilter } from "@/components/platform/filters";
import { Button } from "@/components/ui/button";
import { chipStyles } from "@/components/ui/links";
import {
  CALL_SOURCES,
  CALL_STATES,
  type CallFilter,
  readCallFilter,
  toCallQuery,
} from "@/lib/contract/calls/call-filter";
import { ROUTE_KINDS } from "@/lib/contract/catalog/installation-states";
import type { CallScopes } from "@/lib/contract/insight/call";
import { toInstallationOption } from "@/lib/domain/insight/call-text";
import { ROUTE_KIND_LABELS } from "./describe-call";

interface CallFiltersProps {
  filter: CallFilter;
  scopes: CallScopes;
  /** All of one installation, whose app and source are given. */
  isFixed: boolean;
  isNarrowed: boolean;
  change: (changed: CallFilter) => void;
  clear: () => void;
}

const STATE_LABELS: Record<(typeof CALL_STATES)[number], string> = {
  succeeded: "Succeeded",
  failed: "Failed",
  open: "In progress",
  waiting: "Waiting",
  dead: "Dead",
};

const SOURCE_LABELS: Record<(typeof CALL_SOURCES)[number], string> = {
  production: "Production",
  launches: "Test Launches and trials",
  console: "Console test calls",
};

const LATENCIES = [
  { value: "100", text: "100 ms" },
  { value: "500", text: "500 ms" },
  { value: "1000", text: "1 s" },
  { value: "5000", text: "5 s" },
  { value: "10000", text: "10 s" },
];

/** Every filter of the log. All of them are in the URL. */
export function CallFilters({ filter, scopes, isFixed, isNarrowed, change, clear }: CallFiltersProps) {
  const { app, installation } = filter;
  const installations = scopes.installations.filter((each) => app === undefined || each.app === app);
  const paths = [...new Map(scopes.routes.map(({ kind, path }) => [path, kind]))];
  return (
    <div className="flex flex-col gap-3">
      <States filter={filter} change={change} />
      <div className="flex flex-wrap items-center gap-2">
        <TextFilter
          label="Search targets and failures"
          value={filter.q}
          onChange={(q) => change({ q })}
          className="w-full sm:w-64"
        />
        <TimeFilter filter={filter} change={change} />
        <FilterSelect
          label="Kind"
          all="All kinds"
          options={ROUTE_KINDS.map((kind) => ({ value: kind, text: ROUTE_KIND_LABELS[kind] }))}
          value={filter.kind}
          onChange={(kind) => change({ kind: readCallFilter({ kind }).kind })}
        />
        {!isFixed && (
          <>
            <FilterSelect
              label="App"
              all="All apps"
              options={scopes.apps.map(({ name, title }) => ({ value: name, text: title, detail: name }))}
              value={app}
              onChange={(next) => change({ app: next, installation: undefined })}
            />
            <FilterSelect
              label="Installation"
              all="All installations"
              options={installations.map(toInstallationOption)}
              search={
                scopes.more
                  ? `/api/calls/installations${app === undefined ? "" : `?app=${encodeURIComponent(app)}`}`
                  : undefined
              }
              value={installation}
              onChange={(next) => change({ installation: next })}
            />
          </>
        )}
        <FilterSelect
          label="Route"
          all="All routes"
          options={paths.map(([path, kind]) => ({
            value: path,
            text: path,
            detail: ROUTE_KIND_LABELS[kind],
          }))}
          value={filter.path}
          onChange={(path) => change({ path })}
        />
        <FilterSelect
          label="Source"
          all="All sources"
          options={CALL_SOURCES.filter((source) => !isFixed || source === "console").map((source) => ({
            value: source,
            text: SOURCE_LABELS[source],
          }))}
          value={filter.source}
          onChange={(source) => change({ source: readCallFilter({ source }).source })}
        />
        <FilterSelect
          label="Slower than"
          all="Any latency"
          options={LATENCIES}
          value={filter.slower === undefined ? undefined : String(filter.slower)}
          onChange={(slower) => change({ slower: readCallFilter({ slower }).slower })}
        />
        <TextFilter
          label="Event or operation"
          value={filter.event}
          onChange={(event) => change({ event })}
          className="w-full sm:w-48"
        />
        {isNarrowed && (
          <Button tone="quiet" size="small" onPress={clear}>
            Clear filters
          </Button>
        )}
      </div>
    </div>
  );
}

function States({ filter, change }: Pick<CallFiltersProps, "filter" | "change">) {
  return (
    <div role="group" aria-label="State" className="flex flex-wrap gap-1">
      {[undefined, ...CALL_STATES].map((state) => {
        const isCurrent = filter.state === state;
        return (
          <button
            key={state ?? "all"}
            type="button"
            aria-pressed={isCurrent}
            onClick={() => change({ state })}
            className={chipStyles(isCurrent)}
          >
            {state === undefined ? "All" : STATE_LABELS[state]}
          </button>
        );
      })}
    </div>
  );
}

/**
 * The filter is in the URL: Back undoes a change, and a link shows the same calls.
 * @param installation the installation that the page is about: part of its path, not of its query
 */
export function useCallFilter(installation: string | undefined) {
  const pathname = usePathname();
  const query = useSearchParams();
  const filter = useMemo(() => {
    const given = readCallFilter(Object.fromEntries(query));
    return installation === undefined ? given : { ...given, installation };
  }, [query, installation]);
  const show = (next: CallFilter) => {
    const text = toCallQuery(
      installation === undefined ? next : { ...next, installation: undefined },
    ).toString();
    window.history.pushState(null, "", text === "" ? pathname : `${pathname}?${text}`);
  };
  return {
    filter,
    change: (changed: CallFilter) => show({ ...filter, ...changed }),
    clear: () => show({}),
    isNarrowed: Object.entries(filter).some(
      ([name, value]) => value !== undefined && (name !== "installation" || installation === undefined),
    ),
  };
}
