"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { lazyDialog } from "@/components/ui/lazy-dialog";

const RotateDialog = lazyDialog(async () => (await import("./rotate-dialog")).RotateDialog);

export function RotateApiKeyButton({ apiKeyId, name }: { apiKeyId: string; name: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button size="small" onPress={() => setOpen(true)} aria-label={`Rotate ${name}`}>
        Rotate
      </Button>
      <RotateDialog apiKeyId={apiKeyId} name={name} isOpen={open} onOpenChange={setOpen} />
    </>
  );
}
