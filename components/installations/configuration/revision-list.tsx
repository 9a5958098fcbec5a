"use client";

import { useMutation } from "@tanstack/react-query";
import { History } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ConfirmDialog } from "@/components/ui/forms/lazy-code";
import { TextLink } from "@/components/ui/links";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { callApi, ProblemError } from "@/lib/client/api";
import type { ConfigurationChange, RevisionView } from "@/lib/contract/installations/configuration-view";
import { ChangeLines, describeCause, listRestoredChanges } from "./revision-changes";
import { useSavedToast } from "./saved-toast";

interface RevisionListProps {
  installationId: string;
  /** Newest first. */
  revisions: RevisionView[];
  /** Those of the previous pages; undefined if there are too many. */
  newer: RevisionView[] | undefined;
  /** The current revision, which a restored one replaces. */
  current: number;
  mayRestore: boolean;
  /** The app was uninstalled, and the values of its settings were deleted. */
  gone: boolean;
}

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
        answer: async () => (await import("@/lib/contract/catalog/configuration")).savedRevision,
      }),
    onSuccess: ({ revision }) => {
      setAsked(undefined);
      say(revision);
      readAgain();
    },
    onError: (error) => {
      // The dialog stays open and compares with the revision that is current then.
      if (isStale(error)) readAgain();
    },
  });
  const ask = (revision: number) => {
    restore.reset();
    setAsked(revision);
  };
  const changes =
    asked === undefined || newer === undefined
      ? undefined
      : listRestoredChanges([...newer, ...revisions], asked);
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

interface RevisionItemProps {
  revision: RevisionView;
  /** The app was uninstalled. */
  gone: boolean;
  /** Undefined if this person may not restore. */
  onRestore: (() => void) | undefined;
}

function RevisionItem({ revision, gone, onRestore }: RevisionItemProps) {
  const {
    revision: number,
    current,
    version,
    savedAt,
    savedBy,
    changes,
    moreChanges,
    restorable,
    cause,
  } = revision;
  return (
    <li className="flex flex-col gap-3 px-4 py-4 sm:px-6" aria-label={`Revision ${number}`}>
      <div className="min-w-0">
        <div className="flex min-h-8 items-center justify-between gap-4">
          <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
            <span className="font-medium wrap-anywhere text-ink">{describeCause(revision)}</span>
            {current && (gone ? <Badge>Last</Badge> : <Badge tone="accent">Current</Badge>)}
          </p>
          {restorable && !current && onRestore !== undefined && (
            <Button size="small" onPress={onRestore} aria-label={`Restore revision ${number}`}>
              <History aria-hidden className="size-4" />
              Restore
            </Button>
          )}
        </div>
        <p className="mt-0.5 text-small leading-5 text-ink-faint">
          <span className="whitespace-nowrap">Revision {number}</span>
          {" · "}
          <RelativeTime at={savedAt} /> by {savedBy}
          {" · "}
          <span className="whitespace-nowrap">version {version}</span>
        </p>
      </div>
      {changes.length > 0 ? (
        <ChangeLines changes={changes} more={moreChanges} />
      ) : (
        <p className="text-small text-ink-faint">{describeUnchanged(cause, gone)}</p>
      )}
    </li>
  );
}

/** A revision without differences. */
function describeUnchanged(cause: RevisionView["cause"], gone: boolean): string {
  if (cause === "launch") return "The first configuration.";
  return gone ? "The values were deleted." : "No differences from the previous revision.";
}

interface RestoreDialogProps {
  installationId: string;
  /** The revision to restore; undefined while the dialog is closed. */
  revision: number | undefined;
  /** From now to then; undefined if too many revisions are in between. */
  changes: ConfigurationChange[] | undefined;
  /** Somebody saved after the page was loaded. */
  isStale: boolean;
  onClose: () => void;
  onConfirm: () => void;
  isPending: boolean;
  error: unknown;
}

/** Shows the changes before an earlier revision is restored. */
function RestoreDialog(props: RestoreDialogProps) {
  const { installationId, revision, changes, isStale, error } = props;
  const isIncomplete = error instanceof ProblemError && (error.body.issues ?? []).length > 0;
  return (
    <ConfirmDialog
      isOpen={revision !== undefined}
      onOpenChange={props.onClose}
      title={`Restore revision ${revision ?? ""}?`}
      confirmText="Restore"
      tone="primary"
      onConfirm={props.onConfirm}
      isPending={props.isPending}
      error={isStale ? undefined : error}
    >
      <div className="flex flex-col gap-3">
        {isStale && (
          <Notice tone="warning" title="Somebody saved another revision in the meantime">
            Nothing was restored. The changes below now compare with the newest revision.
          </Notice>
        )}
        <p>
          This saves a new revision, which takes effect on the next call. Secrets keep their current values.
        </p>
        <WhatChanges changes={changes} />
        {isIncomplete && (
          <p>
            The earlier answers don&apos;t fit this version. Change them in{" "}
            <TextLink href={`/installations/${installationId}/configure`}>Configure</TextLink> instead.
          </p>
        )}
      </div>
    </ConfirmDialog>
  );
}

function WhatChanges({ changes }: { changes: ConfigurationChange[] | undefined }) {
  if (changes === undefined) return <p>All settings and mappings return to their values in that revision.</p>;
  if (changes.length === 0) return <p>Settings and mappings are the same as now.</p>;
  return (
    <div
      role="region"
      aria-label="Changes"
      tabIndex={0}
      className="max-h-[40vh] overflow-y-auto rounded-field border border-line px-3 py-2.5"
    >
      <ChangeLines changes={changes} showAll />
    </div>
  );
}
