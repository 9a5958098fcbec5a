"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/lazy-dialogs";
import { Checkbox } from "@/components/ui/toggles";
import { callApi } from "@/lib/client/api";

interface RemoveMemberButtonProps {
  /** `apiKeys`: working ones that the member created. */
  member: { userId: string; name: string; apiKeys: number };
}

export function RemoveMemberButton({ member: { userId, name, apiKeys } }: RemoveMemberButtonProps) {
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const [revokeApiKeys, setRevokeApiKeys] = useState(true);
  const remove = useMutation({
    mutationFn: () =>
      callApi("POST", `/api/organization/members/${userId}/remove`, {
        body: { revokeApiKeys: revokeApiKeys && apiKeys > 0 },
      }),
    onSuccess: () => {
      setOpen(false);
      router.refresh();
    },
  });
  return (
    <>
      <Button size="small" onPress={() => setOpen(true)} aria-label={`Remove ${name}`}>
        Remove
      </Button>
      <ConfirmDialog
        isOpen={open}
        onOpenChange={() => {
          setOpen(false);
          remove.reset();
        }}
        title={`Remove ${name}?`}
        typeToConfirm={name}
        confirmText="Remove member"
        onConfirm={() => remove.mutate()}
        isPending={remove.isPending}
        error={remove.error}
      >
        <p>
          They lose access immediately, in every browser. Their account and everything they published remain.
        </p>
        {apiKeys > 0 && (
          <div className="mt-3">
            <Checkbox value={revokeApiKeys} onChange={setRevokeApiKeys}>
              Also revoke {apiKeys === 1 ? "the API key" : `the ${apiKeys} API keys`} that they created. Keep{" "}
              {apiKeys === 1 ? "it" : "them"} only if nobody outside your company knows{" "}
              {apiKeys === 1 ? "it" : "them"}.
            </Checkbox>
          </div>
        )}
      </ConfirmDialog>
    </>
  );
}
