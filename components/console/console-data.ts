"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { callApi } from "@/lib/client/api";
import { callView } from "@/lib/contract/call-view";
import { productSamples, sentCalls } from "@/lib/contract/console";
import { deliveryView } from "@/lib/contract/installation-view";

/** Data of the tenant's products. Without them, samples follow the mapping alone. */
export function useProductSamples(installationId: string) {
  return useQuery({
    queryKey: ["samples", installationId],
    queryFn: ({ signal }) =>
      callApi("GET", `/api/installations/${installationId}/samples`, { answer: productSamples, signal }),
    staleTime: Infinity,
    retry: false,
  });
}

/** What was sent from this console. An event is sent a moment after it was accepted. */
export function useSentCalls(installationId: string) {
  return useQuery({
    queryKey: ["sent-calls", installationId],
    queryFn: ({ signal }) =>
      callApi("GET", `/api/installations/${installationId}/sent-calls`, { answer: sentCalls, signal }),
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
        queryFn: ({ signal }) => callApi("GET", `/api/calls/${attemptId}`, { answer: callView, signal }),
      }),
  });
}

const LIVE_MS = 1_000;

/** A delivery, refreshed until it is settled. */
export function useDelivery(deliveryId: string) {
  return useQuery({
    queryKey: ["delivery", deliveryId],
    queryFn: ({ signal }) =>
      callApi("GET", `/api/deliveries/${deliveryId}`, { answer: deliveryView, signal }),
    refetchInterval: ({ state }) =>
      state.data !== undefined && state.data.state !== "PENDING" ? false : LIVE_MS,
  });
}
