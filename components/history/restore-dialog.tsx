"use client";

import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Notice } from "@/components/ui/notice";
import { TextLink } from "@/components/ui/text-link";
import { ProblemError } from "@/lib/client/api";
import type { ConfigurationChange } from "@/lib/contract/configuration-view";
import { ChangeLines } from "./change-lines";

interface RestoreDialogProps {
  installationId: string;
  /** The revision that is asked about; undefined while none is. */
  revision: number | undefined;
  /** From now to then; undefined when the revisions in between are too many to compare. */
  changes: ConfigurationChange[] | undefined;
  /** Somebody saved between the page's reading and the press. */
  isStale: boolean;
  onClose: () => void;
  onConfirm: () => void;
  isPending: boolean;
  error: unknown;
}

/** Shows what would change before an earlier revision is restored. */
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
          <Notice tone="warning" title="Somebody saved another revision meanwhile">
            Nothing was restored. What changes is compared again, with the newest revision.
          </Notice>
        )}
        <p>
          It is saved as a new revision, which the next call reads. Secrets stay as they are now: none is
          brought back, and none is removed.
        </p>
        <WhatChanges changes={changes} />
        {isIncomplete && (
          <p>
            It does not fit as it is. Set what is missing with{" "}
            <TextLink href={`/installations/${installationId}/configure`}>Configure</TextLink> instead.
          </p>
        )}
      </div>
    </ConfirmDialog>
  );
}

function WhatChanges({ changes }: { changes: ConfigurationChange[] | undefined }) {
  if (changes === undefined) return <p>All settings and mappings become what they were then.</p>;
  if (changes.length === 0) return <p>Settings and mappings are the same as now, so nothing else changes.</p>;
  return (
    <div
      role="region"
      aria-label="What changes"
      tabIndex={0}
      className="max-h-[40vh] overflow-y-auto rounded-field border border-line px-3 py-2.5"
    >
      <ChangeLines changes={changes} whole />
    </div>
  );
}
