"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { z } from "zod";
import { callApi, problemBodyOf } from "@/lib/client/api";
import type { Issue } from "@/lib/contract/problem";
import { launchInputOf, tenantOf, type LaunchDraft } from "./launch-draft";
import type { LaunchOffer } from "./launch-offer";

const launched = z.object({ installationId: z.uuid() });

interface LaunchOptions {
  offer: LaunchOffer;
  draft: LaunchDraft;
  test: boolean;
  onLaunched: () => void;
  onRefused: (issues: Issue[]) => void;
}

/** Sends the answers; then the installation's page shows how it goes on. */
export function useLaunch({ offer, draft, test, onLaunched, onRefused }: LaunchOptions) {
  const router = useRouter();
  return useMutation({
    mutationFn: () => {
      const tenant = tenantOf(offer, draft);
      if (tenant === undefined) throw new Error("no tenant is chosen");
      return callApi("POST", "/api/installations", {
        body: launchInputOf(offer, draft, tenant, test),
        answer: launched,
      });
    },
    onSuccess: ({ installationId }) => {
      onLaunched();
      router.push(`/installations/${installationId}`);
    },
    onError: (error) => {
      const { code, issues = [] } = problemBodyOf(error);
      onRefused(issues);
      // A newer version, or other products: the page shows what there is now, and the answers stay.
      if (code === "WRONG_STATE" || issues.length > 0) router.refresh();
    },
  });
}
