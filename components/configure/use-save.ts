"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { z } from "zod";
import { callApi, ProblemError } from "@/lib/client/api";
import { configurationView, type ConfigurationView } from "@/lib/contract/configuration-view";
import { answersToSend, type ConfigurationEdit } from "./configuration-edit";
import { useSavedToast } from "@/components/installation/saved-toast";

const saved = z.object({ revision: z.int() });

type Saved = { saved: number } | { stale: ConfigurationView };

/** Saves what changed. When somebody else saved first, what is stored now comes back in its place. */
export function useSave(installationId: string, onStale: (now: ConfigurationView) => void) {
  const router = useRouter();
  const say = useSavedToast();
  const [isDone, setDone] = useState(false);
  const path = `/api/installations/${installationId}/configuration`;
  const mutation = useMutation({
    mutationFn: async ({
      from,
      edit,
    }: {
      from: ConfigurationView;
      edit: ConfigurationEdit;
    }): Promise<Saved> => {
      const body = { revision: from.revision, ...answersToSend(from, edit) };
      try {
        return { saved: (await callApi("PUT", path, { body, answer: saved })).revision };
      } catch (error) {
        if (!(error instanceof ProblemError) || error.body.code !== "STALE_REVISION") throw error;
        return { stale: await callApi("GET", path, { answer: configurationView }) };
      }
    },
    onSuccess: (result) => {
      if ("stale" in result) return onStale(result.stale);
      setDone(true);
      say(result.saved);
      router.push(`/installations/${installationId}`);
      // Back to this form shows what is stored by then, not what it was opened with.
      router.refresh();
    },
  });
  return { ...mutation, isDone };
}
