"use client";

import { useQuery } from "@tanstack/react-query";
import { callApi } from "@/lib/client/api";
import {
  attemptDetail,
  deliveryView,
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

const LIVE_MS = 1_000;

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
