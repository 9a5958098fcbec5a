"use client";

import { useQuery } from "@tanstack/react-query";
import { callApi } from "@/lib/client/api";
import {
  attemptDetail,
  attemptPage,
  type AttemptDetail,
  type AttemptSummary,
} from "@/lib/contract/installation-view";

/** State reads are recorded in batches, so an attempt settles a moment after its response. */
const SETTLE_MS = 4_000;

/** Its response and its state reads will no longer change. */
export function isSettled(attempt: AttemptSummary, now: number): boolean {
  if (attempt.durationMs === null) return false;
  return attempt.stateReads > 0 || now - (Date.parse(attempt.startedAt) + attempt.durationMs) > SETTLE_MS;
}

/** The newest calls of an installation, refreshed often while one of them may still change. */
export function useAttempts(installationId: string, watch = false) {
  return useQuery({
    queryKey: ["attempts", installationId],
    queryFn: ({ signal }) =>
      callApi("GET", `/api/installations/${installationId}/attempts`, { answer: attemptPage, signal }),
    refetchInterval: ({ state }) => {
      const open =
        state.data?.attempts.slice(0, 10).some((attempt) => !isSettled(attempt, Date.now())) === true;
      return open || watch ? 1_000 : 10_000;
    },
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
