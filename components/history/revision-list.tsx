"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { z } from "zod";
import { useSavedToast } from "@/components/installation/saved-toast";
import { Card } from "@/components/ui/card";
import { callApi, ProblemError } from "@/lib/client/api";
import type { RevisionView } from "@/lib/contract/configuration-view";
import { restoredChanges } from "./restored-changes";
import { RestoreDialog } from "./restore-dialog";
import { RevisionItem } from "./revision-item";

interface RevisionListProps {
  installationId: string;
  /** Newest first. */
  revisions: RevisionView[];
  /** Those of the pages before this one; undefined when they are too many. */
  newer: RevisionView[] | undefined;
  /** The current revision, which a restored one takes the place of. */
  current: number;
  mayRestore: boolean;
  /** It is uninstalled: values of settings are removed. */
  gone: boolean;
}

const restored = z.object({ revision: z.int() });

export function RevisionList(props: RevisionListProps) {
  const { installationId, revisions, newer, current, mayRestore, gone } = props;
  const router = useRouter();
  const say = useSavedToast();
  const [isReading, startReading] = useTransition();
  const [asked, setAsked] = useState<number>();
  const readAgain = () => startReading(() => router.refresh());
  const restore = useMutation({
    mutationFn: (revision: number) =>
      callApi("POST", `/api/installations/${installationId}/revisions/${revision}/restore`, {
        body: { revision: current },
        answer: restored,
      }),
    onSuccess: ({ revision }) => {
      setAsked(undefined);
      say(revision);
      readAgain();
    },
    onError: (error) => {
      // The dialog stays open, and compares with what is current then.
      if (isStale(error)) readAgain();
    },
  });
  const ask = (revision: number) => {
    restore.reset();
    setAsked(revision);
  };
  const changes =
    asked === undefined || newer === undefined ? undefined : restoredChanges([...newer, ...revisions], asked);
  return (
    <>
      <Card flush className={`transition-opacity ${isReading ? "opacity-60" : ""}`}>
        <ol aria-label="Revisions, newest first" aria-busy={isReading} className="divide-y divide-line">
          {revisions.map((revision) => (
            <RevisionItem
              key={revision.revision}
              revision={revision}
              gone={gone}
              onRestore={mayRestore ? () => ask(revision.revision) : undefined}
            />
          ))}
        </ol>
      </Card>
      <RestoreDialog
        installationId={installationId}
        revision={asked}
        changes={changes}
        isStale={isStale(restore.error)}
        onClose={() => setAsked(undefined)}
        onConfirm={() => asked !== undefined && restore.mutate(asked)}
        isPending={restore.isPending || isReading}
        error={restore.error}
      />
    </>
  );
}

function isStale(error: unknown): boolean {
  return error instanceof ProblemError && error.body.code === "STALE_REVISION";
}
