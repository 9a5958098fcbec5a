"use client";

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { ProblemError } from "./api";

export function QueryProvider({ children }: { children: ReactNode }) {
  const [client] = useState(makeClient);
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}

function makeClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // A refusal stays a refusal: only what broke on the way is worth a second try.
      queries: { staleTime: 5_000, retry: (failures, error) => failures < 2 && isPassing(error) },
      // Without a network it fails at once, in words. Held back, it would be sent later, behind somebody's back.
      mutations: { retry: false, networkMode: "always" },
    },
  });
}

function isPassing(error: unknown): boolean {
  return error instanceof ProblemError && error.body.status >= 500;
}
