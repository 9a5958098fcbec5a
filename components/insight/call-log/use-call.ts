"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { callApi } from "@/lib/client/api";
import type { CallView } from "@/lib/contract/insight/call";
import { isSettled } from "@/lib/domain/insight/call-timeline";

const LIVE_MS = 700;
const CALM_MS = 5_000;

/** Often while the call or its log is about to change; sometimes while its delivery is tried again. */
function refreshEvery(call: CallView | undefined): number | false {
  if (call === undefined || !isSettled(call, Date.now()) || call.log.state === "waiting") return LIVE_MS;
  return call.delivery?.state === "PENDING" ? CALM_MS : false;
}

/** One call, refreshed until it no longer changes. `initial`: as the server read it. */
export function useCall(attemptId: string, initial?: CallView) {
  return useQuery({
    queryKey: ["call", attemptId],
    queryFn: ({ signal }) =>
      callApi("GET", `/api/calls/${attemptId}`, {
        answer: async () => (await import("@/lib/contract/insight/call")).callView,
        signal,
      }),
    initialData: initial,
    staleTime: 0,
    refetchInterval: ({ state }) => refreshEvery(state.data),
  });
}

/** Asks for a call's log once the call has ended. Only a worker can read it, which takes a moment. */
export function useCallLog({ id, log, durationMs }: CallView): { error: unknown } {
  const client = useQueryClient();
  const { mutate, error } = useMutation({
    mutationFn: () => callApi("POST", `/api/calls/${id}/log`),
    onSuccess: () => client.invalidateQueries({ queryKey: ["call", id] }),
  });
  const isWanted = log.state === "unread" && durationMs !== null;
  useEffect(() => {
    if (isWanted) mutate();
  }, [isWanted, mutate]);
  return { error };
}
