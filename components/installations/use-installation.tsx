"use client";

import { useQuery } from "@tanstack/react-query";
import { createContext, use } from "react";
import { callApi } from "@/lib/client/api";
import type { InstallationView } from "@/lib/contract/installations/installation-view";
import type { Role } from "@/lib/contract/platform/role";
import { refreshInterval } from "./describe-installation";

/** The installation as it is now. It refreshes itself, often while the state changes. */
export function useLiveInstallation(initial: InstallationView) {
  const { data, error, dataUpdatedAt } = useQuery({
    queryKey: ["installation", initial.id],
    queryFn: ({ signal }) =>
      callApi("GET", `/api/installations/${initial.id}`, {
        answer: async () => (await import("@/lib/contract/installations/installation-view")).installationView,
        signal,
      }),
    initialData: initial,
    staleTime: 0,
    refetchInterval: ({ state }) => refreshInterval(state.data ?? initial),
  });
  return { installation: data, error, updatedAt: dataUpdatedAt };
}

interface OpenInstallation {
  installation: InstallationView;
  role: Role;
  /** The user may configure, upgrade, start and stop it. */
  operable: boolean;
  /** When it was read, in milliseconds. */
  updatedAt: number;
}

export const InstallationContext = createContext<OpenInstallation | undefined>(undefined);

/** The installation whose tabs are open. */
export function useInstallation(): OpenInstallation {
  const open = use(InstallationContext);
  if (open === undefined) throw new Error("InstallationContext has no value");
  return open;
}
