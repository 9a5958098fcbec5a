"use client";

import { ConfirmDialog } from "@/components/ui/lazy-dialogs";
import { Notice } from "@/components/ui/notice";
import { TextLink } from "@/components/ui/text-link";
import { ProblemError } from "@/lib/client/api";
import type { ConfigurationChange } from "@/lib/contract/configuration-view";
import { ChangeLines } from "./change-lines";

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
export function RestoreDialog(props: RestoreDialogProps) {
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
