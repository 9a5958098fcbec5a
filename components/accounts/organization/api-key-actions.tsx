"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { ConfirmDialog, lazyDialog } from "@/components/ui/forms/lazy-code";
import { callApi } from "@/lib/client/api";

const RotateDialog = lazyDialog(async () => (await import("./rotate-api-key")).RotateDialog);

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

export function RevokeApiKeyButton({ apiKeyId, name }: { apiKeyId: string; name: string }) {
  const [open, setOpen] = useState(false);
  const router = useRouter();
  const revoke = useMutation({
    mutationFn: () => callApi("DELETE", `/api/organization/api-keys/${apiKeyId}`),
    onSuccess: () => {
      setOpen(false);
      router.refresh();
    },
  });
  return (
    <>
      <Button size="small" onPress={() => setOpen(true)} aria-label={`Revoke ${name}`}>
        Revoke
      </Button>
      <ConfirmDialog
        isOpen={open}
        onOpenChange={() => {
          setOpen(false);
          revoke.reset();
        }}
        title={`Revoke “${name}”?`}
        typeToConfirm={name}
        confirmText="Revoke key"
        onConfirm={() => revoke.mutate()}
        isPending={revoke.isPending}
        error={revoke.error}
      >
        Anything that publishes with this key will be refused. This can&apos;t be undone, but you can create
        another key at any time.
      </ConfirmDialog>
    </>
  );
}
