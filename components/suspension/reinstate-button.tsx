"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/lazy-dialogs";
import { callApi } from "@/lib/client/api";

interface ReinstateButtonProps {
  listingId: string;
  title: string;
  /** Installations that the suspension stopped and that are still stopped. */
  stillStopped: number;
}

export function ReinstateButton({ listingId, title, stillStopped }: ReinstateButtonProps) {
  const [isAsking, setAsking] = useState(false);
  const router = useRouter();
  const reinstate = useMutation({
    mutationFn: () => callApi("DELETE", `/api/listings/${listingId}/suspension`),
    onSuccess: () => {
      setAsking(false);
      router.refresh();
    },
  });
  return (
    <>
      <Button tone="primary" onPress={() => setAsking(true)}>
        Reinstate
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={(next) => {
          setAsking(next);
          reinstate.reset();
        }}
        title={`Reinstate ${title}?`}
        confirmText="Reinstate"
        tone="primary"
        onConfirm={() => reinstate.mutate()}
        isPending={reinstate.isPending}
        error={reinstate.error}
      >
        The app becomes public again: everyone can find it and launch its newest verified version.{" "}
        {stillStopped > 0 &&
          `${stillStopped} stopped ${stillStopped === 1 ? "installation stays" : "installations stay"} stopped until customers start ${stillStopped === 1 ? "it" : "them"}.`}
      </ConfirmDialog>
    </>
  );
}
