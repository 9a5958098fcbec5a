"use client";

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { ProblemError } from "./api";

export function QueryProvider({ children }: { children: ReactNode }) {
  const [client] = useState(createClient);
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}

function createClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // Only server failures are worth a retry.
      queries: { staleTime: 5_000, retry: (failures, error) => failures < 2 && isTransient(error) },
      // Without a network, a mutation fails at once. Otherwise it would be sent later, unexpectedly.
      mutations: { retry: false, networkMode: "always" },
    },
  });
}

function isTransient(error: unknown): boolean {
  return error instanceof ProblemError && error.body.status >= 500;
}
