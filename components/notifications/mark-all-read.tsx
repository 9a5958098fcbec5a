"use client";

import { CheckCheck } from "lucide-react";
import { Button } from "@/components/ui/button";
import { ProblemNotice } from "@/components/ui/problem-notice";
import type { NotificationKind } from "@/lib/contract/notification-kinds";
import { useMarkRead } from "./use-notifications";

/** Marks what happened up to `until`, the newest that the page shows. */
export function MarkAllRead({ until, kind }: { until: string; kind?: NotificationKind }) {
  const markRead = useMarkRead();
  return (
    <>
      <Button isDisabled={markRead.isPending} onPress={() => markRead.mutate({ until, kind })}>
        <CheckCheck aria-hidden className="size-4" />
        Mark all as read
      </Button>
      <ProblemNotice error={markRead.error} />
    </>
  );
}
