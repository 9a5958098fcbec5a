"use client";

import { useState } from "react";
import { ConfirmDialog } from "@/components/ui/forms/lazy-code";
import { toProblemBody } from "@/lib/client/api";
import type { ConfigurationCode } from "@/lib/contract/platform/issue-codes";
import type { Issue } from "@/lib/contract/platform/problem";

const MISSING: ConfigurationCode = "mapping-not-in-schema";

/** In a dialog, which isn't a list to work through. */
const SHOWN = 5;

interface MissingFields {
  /** Fields that the products don't have, which the user is asked about. */
  asked: readonly Issue[];
  /** Marks what the server refused, or asks, if all of it can be confirmed. */
  refuse: (error: unknown) => void;
  /** The user goes back to the form, where the fields are marked. */
  cancel: () => void;
}

/** What happens after the server refused answers. A mapping to a field that a product's schema lacks can be confirmed. */
export function useMissingFields(mark: (issues: readonly Issue[]) => void): MissingFields {
  const [asked, setAsked] = useState<readonly Issue[]>([]);
  return {
    asked,
    refuse: (error) => {
      const issues = toProblemBody(error).issues ?? [];
      const isConfirmable = issues.length > 0 && issues.every(({ code }) => code === MISSING);
      setAsked(isConfirmable ? issues : []);
      if (!isConfirmable) mark(issues);
    },
    cancel: () => {
      setAsked([]);
      mark(asked);
    },
  };
}

interface MissingFieldsDialogProps {
  missing: MissingFields;
  /** Such as “Save anyway”. */
  confirmText: string;
  isPending: boolean;
  onConfirm: () => void;
}

export function MissingFieldsDialog({
  missing: { asked, cancel },
  confirmText,
  isPending,
  onConfirm,
}: MissingFieldsDialogProps) {
  const isOne = asked.length === 1;
  return (
    <ConfirmDialog
      isOpen={asked.length > 0}
      onOpenChange={(isOpen) => !isOpen && cancel()}
      title={isOne ? "The product has no such field" : `The products lack ${asked.length} fields`}
      confirmText={confirmText}
      tone="primary"
      onConfirm={onConfirm}
      isPending={isPending}
    >
      <ul className="flex list-disc flex-col gap-1.5 pl-5">
        {asked.slice(0, SHOWN).map(({ pointer, message }) => (
          <li key={pointer} className="wrap-anywhere">
            {message}
          </li>
        ))}
        {asked.length > SHOWN && <li>and {asked.length - SHOWN} more</li>}
      </ul>
      <p className="mt-3">
        The app finds nothing there, unless your data has {isOne ? "a field" : "fields"} that the schema
        doesn&apos;t list.
      </p>
    </ConfirmDialog>
  );
}
