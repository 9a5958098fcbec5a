"use client";

import { useEffect, useState } from "react";
import { ConfirmDialog } from "./confirm-dialog";
import { useLeaveGuard } from "./use-leave-guard";

/** Asks before what was typed is lost. `lost`: what that is, in words. */
export function LeaveDialog({ isDirty, lost }: { isDirty: boolean; lost: string }) {
  const [leaving, setLeaving] = useState(false);
  const { isAsking, stay, go } = useLeaveGuard(isDirty && !leaving);
  useEffect(() => {
    if (leaving) go();
  }, [leaving, go]);
  return (
    <ConfirmDialog
      isOpen={isAsking && !leaving}
      onOpenChange={stay}
      title="Leave without saving?"
      confirmText="Leave"
      onConfirm={() => setLeaving(true)}
    >
      This is not saved, and is lost if you leave: {lost}.
    </ConfirmDialog>
  );
}
