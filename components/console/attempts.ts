"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { callApi } from "@/lib/client/api";
import type { AttemptFilter } from "@/lib/contract/installation";
import {
  attemptDetail,
  attemptPage,
  deliveryView,
  type AttemptDetail,
  type AttemptPage,
  type AttemptSummary,
} from "@/lib/contract/installation-view";

/** State reads are recorded in batches, so an attempt settles a moment after its response. */
const SETTLE_MS = 4_000;

/** Its response and its state reads will no longer change. */
export function isSettled(attempt: AttemptSummary, now: number): boolean {
  if (attempt.durationMs === null) return false;
  return attempt.stateReads > 0 || now - (Date.parse(attempt.startedAt) + attempt.durationMs) > SETTLE_MS;
}

const LIVE_MS = 1_000;
const CALM_MS = 10_000;

/** How often a list refreshes: often while one of its newest calls may still change. */
function refreshEvery(newest: readonly AttemptSummary[] = []): number {
  return newest.slice(0, 10).some((attempt) => !isSettled(attempt, Date.now())) ? LIVE_MS : CALM_MS;
}

/** The newest calls of an installation. */
export function useNewestCalls(installationId: string) {
  return useQuery({
    queryKey: ["attempts", installationId, "newest"],
    queryFn: ({ signal }) =>
      callApi("GET", `/api/installations/${installationId}/attempts`, { answer: attemptPage, signal }),
    refetchInterval: ({ state }) => refreshEvery(state.data?.attempts),
  });
}

const FIRST_PAGE: string | null = null;

/** All calls that a filter shows, page by page. `first`: the first page, if it was read with the page. */
export function useCalls(installationId: string, filter: AttemptFilter, first?: AttemptPage) {
  return useInfiniteQuery({
    queryKey: ["attempts", installationId, "list", filter],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({ ...filter, ...(pageParam === null ? {} : { before: pageParam }) });
      const path = `/api/installations/${installationId}/attempts${query.size === 0 ? "" : `?${query}`}`;
      return callApi("GET", path, { answer: attemptPage, signal });
    },
    initialPageParam: FIRST_PAGE,
    getNextPageParam: ({ next }) => next,
    initialData: first && { pages: [first], pageParams: [null] },
    // A refresh reads every loaded page, so that no call is missing between them.
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && data.pages.length > 1 ? CALM_MS : refreshEvery(data?.pages[0]?.attempts),
  });
}

/** What became of a delivery, refreshed while it is open. */
export function useDelivery(installationId: string, deliveryId: string) {
  return useQuery({
    queryKey: ["attempts", installationId, "delivery", deliveryId],
    queryFn: ({ signal }) =>
      callApi("GET", `/api/installations/${installationId}/attempts?delivery=${deliveryId}`, {
        answer: deliveryView,
        signal,
      }),
    refetchInterval: ({ state }) =>
      state.data !== undefined && state.data.state !== "PENDING" ? false : LIVE_MS,
  });
}

/** One call in full, refreshed until it has settled. */
export function useAttempt(installationId: string, attemptId: string) {
  return useQuery({
    queryKey: ["attempts", installationId, attemptId],
    queryFn: ({ signal }): Promise<AttemptDetail> =>
      callApi("GET", `/api/installations/${installationId}/attempts?attempt=${attemptId}`, {
        answer: attemptDetail,
        signal,
      }),
    refetchInterval: ({ state }) =>
      state.data !== undefined && isSettled(state.data, Date.now()) ? false : 700,
  });
}

/** `GET /_app/start` without the route in its query. */
export function targetWithoutQuery(target: string): string {
  return target.split("?")[0] ?? target;
}
