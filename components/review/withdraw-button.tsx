"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/lazy-dialogs";
import { callApi } from "@/lib/client/api";

export function WithdrawButton({ reviewId, name }: { reviewId: string; name: string }) {
  const [isAsking, setAsking] = useState(false);
  const router = useRouter();
  const withdraw = useMutation({
    mutationFn: () => callApi("POST", `/api/reviews/${reviewId}/withdraw`),
    onSuccess: () => {
      setAsking(false);
      router.refresh();
    },
  });
  return (
    <>
      <Button onPress={() => setAsking(true)}>Withdraw</Button>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={(next) => {
          setAsking(next);
          withdraw.reset();
        }}
        title={`Withdraw ${name} from review?`}
        confirmText="Withdraw"
        onConfirm={() => withdraw.mutate()}
        isPending={withdraw.isPending}
        error={withdraw.error}
      >
        The review leaves the queue. If you submit again, it goes to the end of the queue. The comments are
        kept.
      </ConfirmDialog>
    </>
  );
}
