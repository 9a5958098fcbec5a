"use client";

import { UserPlus } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { lazyDialog } from "@/components/ui/lazy-dialog";

const InviteDialog = lazyDialog(async () => (await import("./invite-dialog")).InviteDialog);

export function InviteButton({ sendsMail }: { sendsMail: boolean }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button tone="primary" onPress={() => setOpen(true)}>
        <UserPlus aria-hidden className="size-4" />
        Invite
      </Button>
      <InviteDialog sendsMail={sendsMail} isOpen={open} onOpenChange={setOpen} />
    </>
  );
}
