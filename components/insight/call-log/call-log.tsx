"use client";

import { ArrowUp, ScrollText, SearchX } from "lucide-react";
import { useRef, useState } from "react";
import { Downloads } from "@/components/platform/downloads";
import { LiveButton } from "@/components/platform/live";
import { Button } from "@/components/ui/button";
import { Card, EmptyState, Skeleton } from "@/components/ui/card";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { useSelection } from "@/components/ui/forms/selection";
import { useShownOrganization } from "@/lib/client/shown-organization";
import { toCallQuery } from "@/lib/contract/calls/call-filter";
import type { CallPage, CallScopes } from "@/lib/contract/insight/call";
import type { Role } from "@/lib/contract/platform/role";
import { mayOperate } from "@/lib/domain/calls/installation";
import { CallChartCard } from "./call-chart-card";
import { CallFilters, useCallFilter } from "./call-filters";
import { CallRows } from "./call-rows";
import { DeadDeliveries } from "./dead-deliveries";
import { type Live, PendingNotice } from "./describe-delivery";
import { type FirstPage, listsDeliveries, useCallLog } from "./use-call-log";

interface CallLogProps {
  /** As the server read them with the page. */
  first?: FirstPage;
  scopes: CallScopes;
  /** The installation that the page is about; undefined for all of the organization. */
  installation?: Live & { id: string; test: boolean };
  role: Role;
}

/** Charts, filters, and the calls that they show, live. */
export function CallLog({ first, scopes, installation, role }: CallLogProps) {
  const { filter, isNarrowed, change, clear } = useCallFilter(installation?.id);
  const isFixed = installation !== undefined;
  const organizationId = useShownOrganization();
  const mayReplay = mayOperate(role, installation?.test ?? filter.source === "launches");
  const isDead = filter.state === "dead" && mayReplay;
  const [isPaused, setPaused] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const hasLive = !listsDeliveries(filter) && filter.to === undefined;
  const { log, ...tail } = useCallLog({ filter, first, list, isPaused: isPaused || !hasLive });
  const pages = log.data?.pages;
  const calls = pages?.flatMap((page) => page.calls);
  const selection = useSelection(
    toCallQuery(filter).toString(),
    (calls ?? []).map(({ id }) => id),
  );
  const isEmpty = calls?.length === 0 && pages?.at(-1)?.searchedTo === undefined;
  const hasAny = isNarrowed || !isEmpty;
  return (
    <div className="flex min-w-0 flex-col gap-6">
      {installation !== undefined && pages?.[0]?.pending !== undefined && (
        <PendingNotice pending={pages[0].pending} installation={installation} />
      )}
      {hasAny && <CallChartCard filter={filter} change={change} />}
      <Card flush className="overflow-clip">
        <div className="flex flex-col gap-4 border-b border-line p-4 sm:px-6">
          <div className="flex flex-wrap items-start justify-between gap-3">
            <h2 className="text-lead font-semibold text-ink">Calls</h2>
            <div className="flex flex-wrap items-center gap-2">
              {hasAny && (
                <Downloads
                  path="/api/calls/export"
                  query={toCallQuery(filter)}
                  organizationId={organizationId}
                  what="calls"
                />
              )}
              {hasLive && <LiveButton state={tail.state} onPress={() => setPaused((was) => !was)} />}
            </div>
          </div>
          <CallFilters
            filter={filter}
            scopes={scopes}
            isFixed={isFixed}
            isNarrowed={isNarrowed}
            change={change}
            clear={clear}
          />
        </div>
        {isDead && <DeadDeliveries filter={filter} total={pages?.[0]?.total ?? 0} selection={selection} />}
        <ProblemNotice error={log.error} className="m-4 sm:mx-6" />
        <div ref={list} className="relative">
          {tail.held > 0 && <NewCalls count={tail.held} onPress={tail.show} />}
          {calls === undefined && log.error === null && <LoadingRows />}
          {calls !== undefined && calls.length > 0 && (
            <CallRows calls={calls} showsInstallation={!isFixed} selection={isDead ? selection : undefined} />
          )}
          {isEmpty && <NoCalls isNarrowed={isNarrowed} onClear={clear} />}
        </div>
        {log.hasNextPage && (
          <MoreCalls
            last={pages?.at(-1)}
            isLoading={log.isFetchingNextPage}
            onPress={() => void log.fetchNextPage()}
          />
        )}
      </Card>
    </div>
  );
}

/** Rows do not move while somebody reads or points at them. */
function NewCalls({ count, onPress }: { count: number; onPress: () => void }) {
  return (
    <div className="pointer-events-none sticky top-16 z-20 flex h-0 justify-center lg:top-4">
      <Button tone="primary" size="small" onPress={onPress} className="pointer-events-auto mt-2 rounded-full">
        <ArrowUp aria-hidden className="size-3.5" />
        {count === 1 ? "1 new call" : `${count} new calls`}
      </Button>
    </div>
  );
}

function LoadingRows() {
  return (
    <div role="status" aria-label="Loading calls" className="flex flex-col gap-4 p-4 sm:px-6">
      {Array.from({ length: 6 }, (_, index) => (
        <Skeleton key={index} className={`h-5 ${index % 2 === 0 ? "w-full" : "w-4/5"}`} />
      ))}
    </div>
  );
}

function NoCalls({ isNarrowed, onClear }: { isNarrowed: boolean; onClear: () => void }) {
  if (!isNarrowed)
    return (
      <EmptyState icon={ScrollText} title="No calls yet">
        Every request to an app appears here as it is sent: events, autofill and rating calls, lifecycle
        hooks, and requests to endpoints.
      </EmptyState>
    );
  return (
    <EmptyState icon={SearchX} title="No matches" action={<Button onPress={onClear}>Clear filters</Button>}>
      No calls match these filters.
    </EmptyState>
  );
}

interface MoreCallsProps {
  last: CallPage | undefined;
  isLoading: boolean;
  onPress: () => void;
}

/** A search that found little says how far back it looked. */
function MoreCalls({ last, isLoading, onPress }: MoreCallsProps) {
  return (
    <div className="flex flex-col items-center gap-3 border-t border-line p-4">
      {last?.searchedTo !== undefined && (
        <p className="text-small leading-5 text-ink-faint">
          Searched the calls since <RelativeTime at={last.searchedTo} />.
        </p>
      )}
      <Button size="small" isPending={isLoading} onPress={onPress}>
        {last?.searchedTo === undefined ? "Load older" : "Search older calls"}
      </Button>
    </div>
  );
}
