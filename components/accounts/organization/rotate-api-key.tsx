"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/forms/dialog";
import { OverlapField } from "@/components/ui/forms/select-field";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi } from "@/lib/client/api";
import type { RotateApiKeyInput } from "@/lib/contract/accounts/api-key";
import { SUGGESTED_LIFETIME } from "@/lib/contract/accounts/api-key-scope";
import { LifetimeField, ShownOnce } from "./new-api-key";

interface RotateDialogProps {
  apiKeyId: string;
  name: string;
  isOpen: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Replaces a key by a new one with the same scopes, and shows it once. */
export function RotateDialog({ apiKeyId, name, isOpen, onOpenChange }: RotateDialogProps) {
  const router = useRouter();
  const [input, setInput] = useState<RotateApiKeyInput>({ overlap: "24h", days: SUGGESTED_LIFETIME });
  const rotate = useMutation({
    mutationFn: () =>
      callApi("POST", `/api/organization/api-keys/${apiKeyId}/rotate`, {
        body: input,
        answer: async () => (await import("@/lib/contract/accounts/api-key")).createdApiKey,
      }),
    gcTime: 0,
    onSuccess: () => router.refresh(),
  });
  const close = () => {
    onOpenChange(false);
    rotate.reset();
  };
  const isDone = rotate.data !== undefined;
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={close}
      isBusy={rotate.isPending}
      title={isDone ? `New key for “${name}”` : `Rotate “${name}”`}
      description={
        isDone ? undefined : "Creates a key with the same scopes. The old one keeps working for a while."
      }
      footer={
        isDone ? (
          <Button onPress={close}>Done</Button>
        ) : (
          <>
            <Button onPress={close} isDisabled={rotate.isPending}>
              Cancel
            </Button>
            <Button tone="primary" onPress={() => rotate.mutate()} isPending={rotate.isPending}>
              Rotate key
            </Button>
          </>
        )
      }
    >
      {rotate.data !== undefined ? (
        <ShownOnce apiKey={rotate.data} />
      ) : (
        <div className="flex flex-col gap-5">
          <OverlapField
            label="The old key stops working"
            value={input.overlap}
            onChange={(overlap) => setInput({ ...input, overlap })}
          />
          <LifetimeField value={input.days} onChange={(days) => setInput({ ...input, days })} />
          <ProblemNotice error={rotate.error} />
        </div>
      )}
    </Dialog>
  );
}
