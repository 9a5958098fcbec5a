"use client";

import { hashKey, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { ProblemError } from "./api";
import { shownOrganization } from "./shown-organization";

export function QueryProvider({ children }: { children: ReactNode }) {
  const [client] = useState(createClient);
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}

function createClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        // Only server failures are worth a retry.
        retry: (failures, error) => failures < 2 && isTransient(error),
        // What was fetched for one organization is never shown on a page of another one.
        queryKeyHashFn: (key) => hashKey([shownOrganization(), key]),
      },
      // Without a network, a mutation fails at once. Otherwise it would be sent later, unexpectedly.
      mutations: { retry: false, networkMode: "always" },
    },
  });
}

function isTransient(error: unknown): boolean {
  return error instanceof ProblemError && error.body.status >= 500;
}
