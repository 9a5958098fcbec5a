"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { z } from "zod";
import { callApi, problemBodyOf } from "@/lib/client/api";
import type { UpgradeOffer } from "@/lib/contract/configuration-view";
import type { Issue } from "@/lib/contract/problem";
import { answersToSend, type UpgradeAnswers } from "./upgrade-questions";

const begun = z.object({ upgradeId: z.uuid() });

/** Begins the move, and goes to where it is watched. After a stale one the page's offer is read anew. */
export function useUpgrade(offer: UpgradeOffer, mark: (issues: readonly Issue[]) => void) {
  const router = useRouter();
  const [staleFrom, setStaleFrom] = useState<number>();
  const { installationId, revision, to } = offer;
  const mutation = useMutation({
    mutationFn: (answers: UpgradeAnswers) =>
      callApi("POST", `/api/installations/${installationId}/upgrade`, {
        body: { versionId: to.versionId, revision, ...answersToSend(offer, answers) },
        answer: begun,
      }),
    onMutate: () => setStaleFrom(undefined),
    onSuccess: () => router.push(`/installations/${installationId}`),
    onError: (error) => {
      const { code, issues = [] } = problemBodyOf(error);
      mark(issues);
      if (code !== "STALE_REVISION") return;
      setStaleFrom(revision);
      router.refresh();
    },
  });
  const isStale = staleFrom !== undefined;
  return {
    begin: mutation.mutate,
    isBusy: mutation.isPending || mutation.isSuccess,
    isDone: mutation.isSuccess,
    error: isStale ? null : mutation.error,
    isStale,
    isFresh: isStale && staleFrom !== revision,
  };
}
