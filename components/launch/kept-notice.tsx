"use client";

import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import type { FoundDraft } from "./kept-draft";

interface KeptNoticeProps {
  found: FoundDraft;
  /** The version that is offered now. */
  number: string;
  onKeep: () => void;
  onStartAnew: () => void;
}

/** Answers of an earlier visit are back. */
export function KeptNotice({ found, number, onKeep, onStartAnew }: KeptNoticeProps) {
  return (
    <Notice
      title="We kept your answers"
      actions={
        <>
          <Button size="small" onPress={onKeep}>
            Go on
          </Button>
          <Button size="small" tone="quiet" onPress={onStartAnew}>
            Start anew
          </Button>
        </>
      }
    >
      They are from <RelativeTime at={found.savedAt} />, in this browser alone.
      {found.number !== number && ` They were given for version ${found.number}; this is ${number}.`}
      {found.secrets.length > 0 && " Secrets are not kept: enter them again."}
    </Notice>
  );
}
