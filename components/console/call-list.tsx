"use client";

import { ChevronRight } from "lucide-react";
import { usePathname, useSearchParams } from "next/navigation";
import { useState } from "react";
import { Button as TriggerButton, Disclosure, DisclosurePanel, Heading } from "react-aria-components";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { SelectField } from "@/components/ui/select-field";
import { Skeleton } from "@/components/ui/skeleton";
import { attemptFilter, ROUTE_KINDS, type AttemptFilter } from "@/lib/contract/installation";
import type { AttemptPage, AttemptSummary, InstallationView } from "@/lib/contract/installation-view";
import { Outcome } from "@/components/call/outcome";
import { AttemptView } from "./attempt-view";
import { targetWithoutQuery, useCalls } from "./attempts";
import { describeWait } from "@/components/call/delivery-labels";
import { PendingNotice } from "./pending-notice";
import { ROUTE_KIND_LABELS } from "@/components/call/route-kinds";

interface CallListProps {
  installation: InstallationView;
  /** The first page, as the server read it, and the filter it was read with. */
  first?: { page: AttemptPage; filter: AttemptFilter };
}

/** All calls by the core, from the console, and by the platform itself, newest first. The filter is in the URL. */
export function CallList({ installation, first }: CallListProps) {
  const filter = attemptFilter.parse(Object.fromEntries(useSearchParams()));
  const isFirst = first?.filter.kind === filter.kind && first?.filter.result === filter.result;
  const calls = useCalls(installation.id, filter, isFirst ? first?.page : undefined);
  const pages = calls.data?.pages;
  const attempts = pages?.flatMap((page) => page.attempts);
  const pending = pages?.[0]?.pending;
  return (
    <section aria-label="Calls" className="flex flex-col gap-4">
      {pending !== undefined && <PendingNotice pending={pending} installation={installation} />}
      <CallFilters filter={filter} />
      <ProblemNotice error={calls.error} />
      {attempts === undefined && calls.error === null && <Skeleton className="h-24 w-full" />}
      {attempts?.length === 0 && (
        <p className="text-ink-soft">
          {filter.kind === undefined && filter.result === undefined
            ? "No calls yet."
            : "No call matches this filter."}
        </p>
      )}
      {attempts !== undefined && attempts.length > 0 && (
        <ul className="divide-y divide-line rounded-field border border-line">
          {attempts.map((attempt) => (
            <CallRow key={attempt.id} installation={installation} attempt={attempt} />
          ))}
        </ul>
      )}
      {calls.hasNextPage && (
        <div className="flex justify-center">
          <Button isPending={calls.isFetchingNextPage} onPress={() => void calls.fetchNextPage()}>
            Load older
          </Button>
        </div>
      )}
    </section>
  );
}

const RESULT_LABELS = { succeeded: "Succeeded", failed: "Failed", open: "In progress" } as const;
const ALL = "all";

function CallFilters({ filter }: { filter: AttemptFilter }) {
  const pathname = usePathname();
  const change = (changed: AttemptFilter) => {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries({ ...filter, ...changed }))
      if (value !== undefined) query.set(name, value);
    window.history.replaceState(null, "", query.size === 0 ? pathname : `${pathname}?${query}`);
  };
  return (
    <div className="grid grid-cols-2 gap-3 sm:flex">
      <SelectField
        label="Kind"
        isRequired
        className="sm:w-44"
        options={[
          { value: ALL, text: "All kinds" },
          ...ROUTE_KINDS.map((kind) => ({ value: kind, text: ROUTE_KIND_LABELS[kind] })),
        ]}
        value={filter.kind ?? ALL}
        onChange={(kind) => change(attemptFilter.pick({ kind: true }).parse({ kind }))}
      />
      <SelectField
        label="Result"
        isRequired
        className="sm:w-44"
        options={[
          { value: ALL, text: "All results" },
          ...Object.entries(RESULT_LABELS).map(([value, text]) => ({ value, text })),
        ]}
        value={filter.result ?? ALL}
        onChange={(result) => change(attemptFilter.pick({ result: true }).parse({ result }))}
      />
    </div>
  );
}

function CallRow({ installation, attempt }: { installation: InstallationView; attempt: AttemptSummary }) {
  const [open, setOpen] = useState(false);
  const wait = describeWait(attempt);
  return (
    <li>
      <Disclosure isExpanded={open} onExpandedChange={setOpen}>
        <Heading level={3}>
          <TriggerButton
            slot="trigger"
            className="flex w-full cursor-pointer flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2.5 text-left hover:bg-hover focus-visible:-outline-offset-2"
          >
            <ChevronRight
              aria-hidden
              className={`size-4 shrink-0 text-ink-faint transition-transform ${open ? "rotate-90" : ""}`}
            />
            <span className="min-w-0 basis-[calc(100%-2rem)] sm:flex-1 sm:basis-0">
              <span className="block truncate font-mono text-[13px] text-ink">
                {targetWithoutQuery(attempt.target)}
              </span>
              {wait !== undefined && <span className="block text-xs text-ink-faint">{wait}</span>}
            </span>
            <span className="ml-7 flex items-center gap-2 sm:ml-0">
              {attempt.test && <Badge tone="warning">Test</Badge>}
              <Outcome attempt={attempt} />
            </span>
            <RelativeTime
              at={attempt.startedAt}
              className="ml-auto text-right text-[13px] text-ink-faint sm:ml-0 sm:w-28"
            />
          </TriggerButton>
        </Heading>
        <DisclosurePanel>
          <div className="border-t border-line p-4">
            {open && <AttemptView installation={installation} attemptId={attempt.id} />}
          </div>
        </DisclosurePanel>
      </Disclosure>
    </li>
  );
}
