"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { callApi } from "@/lib/client/api";

/** Data of the tenant's products. Without them, samples follow the mapping alone. */
export function useProductSamples(installationId: string) {
  return useQuery({
    queryKey: ["samples", installationId],
    queryFn: ({ signal }) =>
      callApi("GET", `/api/installations/${installationId}/samples`, {
        answer: async () => (await import("@/lib/contract/insight/call")).productSamples,
        signal,
      }),
    staleTime: Infinity,
    retry: false,
  });
}

/** What was sent from this console. An event is sent a moment after it was accepted. */
export function useSentCalls(installationId: string) {
  return useQuery({
    queryKey: ["sent-calls", installationId],
    queryFn: ({ signal }) =>
      callApi("GET", `/api/installations/${installationId}/sent-calls`, {
        answer: async () => (await import("@/lib/contract/insight/call")).sentCalls,
        signal,
      }),
    refetchInterval: 5_000,
  });
}

/** Reads one call, to send its payload again. */
export function useLoadCall() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (attemptId: string) =>
      client.fetchQuery({
        queryKey: ["call", attemptId],
        queryFn: ({ signal }) =>
          callApi("GET", `/api/calls/${attemptId}`, {
            answer: async () => (await import("@/lib/contract/insight/call")).callView,
            signal,
          }),
      }),
  });
}

const LIVE_MS = 1_000;

/** A delivery, refreshed until it is settled. */
export function useDelivery(deliveryId: string) {
  return useQuery({
    queryKey: ["delivery", deliveryId],
    queryFn: ({ signal }) =>
      callApi("GET", `/api/deliveries/${deliveryId}`, {
        answer: async () => (await import("@/lib/contract/calls/call-summary")).deliveryView,
        signal,
      }),
    refetchInterval: ({ state }) =>
      state.data !== undefined && state.data.state !== "PENDING" ? false : LIVE_MS,
  });
}
