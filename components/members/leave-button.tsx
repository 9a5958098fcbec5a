"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { ConfirmDialog, Dialog } from "@/components/ui/lazy-dialogs";
import { callApi } from "@/lib/client/api";
import { leaveFor } from "@/lib/client/navigation";

interface LeaveButtonProps {
  organizationName: string;
  isLastOwner: boolean;
}

export function LeaveButton({ organizationName, isLastOwner }: LeaveButtonProps) {
  const [open, setOpen] = useState(false);
  const leave = useMutation({
    mutationFn: () => callApi("POST", "/api/organization/leave"),
    onSuccess: () => leaveFor("/home"),
  });
  return (
    <>
      <Button onPress={() => setOpen(true)}>Leave</Button>
      {isLastOwner ? (
        <Dialog isOpen={open} onOpenChange={setOpen} title="You are the last owner" width="small">
          Nobody could manage {organizationName} if you left. Make another member an owner first.
        </Dialog>
      ) : (
        <ConfirmDialog
          isOpen={open}
          onOpenChange={() => {
            setOpen(false);
            leave.reset();
          }}
          title={`Leave ${organizationName}?`}
          typeToConfirm={organizationName}
          confirmText="Leave organization"
          onConfirm={() => leave.mutate()}
          isPending={leave.isPending || leave.isSuccess}
          error={leave.error}
        >
          You lose access immediately. An owner can invite you again.
        </ConfirmDialog>
      )}
    </>
  );
}
