"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { RotateCcw } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/lazy-dialogs";
import { callApi } from "@/lib/client/api";

/** Sends a dead delivery again, with the same event and a new set of tries. */
export function ReplayButton({ callId, deliveryId }: { callId: string; deliveryId: string }) {
  const [isAsked, setAsked] = useState(false);
  const client = useQueryClient();
  const replay = useMutation({
    mutationFn: () =>
      callApi("POST", "/api/deliveries/replay", {
        body: { deliveryIds: [deliveryId] },
        answer: async () => (await import("@/lib/contract/replay")).replayResult,
      }),
    onSuccess: () => setAsked(false),
    onSettled: () => client.invalidateQueries({ queryKey: ["call", callId] }),
  });
  return (
    <>
      <Button size="small" onPress={() => setAsked(true)}>
        <RotateCcw aria-hidden className="size-3.5" />
        Replay
      </Button>
      <ConfirmDialog
        isOpen={isAsked}
        onOpenChange={setAsked}
        title="Replay this delivery?"
        confirmText="Replay delivery"
        tone="primary"
        onConfirm={() => replay.mutate()}
        isPending={replay.isPending}
        error={replay.error}
      >
        The app receives this event again, with the same ID and a new set of attempts.
      </ConfirmDialog>
    </>
  );
}
