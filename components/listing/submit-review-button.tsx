"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { callApi } from "@/lib/client/api";

interface SubmitReviewButtonProps {
  listingId: string;
  versionId: string;
  number: string;
  /** On a public listing a review concerns the new version alone. */
  isPublic: boolean;
}

export function SubmitReviewButton({ listingId, versionId, number, isPublic }: SubmitReviewButtonProps) {
  const [open, setOpen] = useState(false);
  const router = useRouter();
  const submit = useMutation({
    mutationFn: () => callApi("POST", `/api/listings/${listingId}/reviews`, { body: { versionId } }),
    onSuccess: () => {
      setOpen(false);
      router.refresh();
    },
  });
  return (
    <>
      <Button size="small" onPress={() => setOpen(true)}>
        Submit for review
      </Button>
      <ConfirmDialog
        isOpen={open}
        onOpenChange={(next) => {
          setOpen(next);
          submit.reset();
        }}
        title={`Submit version ${number} for review?`}
        confirmText="Submit for review"
        tone="primary"
        onConfirm={() => submit.mutate()}
        isPending={submit.isPending}
        error={submit.error}
      >
        {isPublic
          ? "A moderator checks its manifest and image. Customers can launch it once it is verified; until then they launch the version before."
          : "A moderator checks the listing's text, the manifest and the image. Once it is verified, the listing is public for every organization."}
      </ConfirmDialog>
    </>
  );
}
