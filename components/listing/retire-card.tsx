"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ConfirmDialog } from "@/components/ui/lazy-dialogs";
import { callApi } from "@/lib/client/api";

interface RetireCardProps {
  listing: { id: string; appName: string; title: string };
  /** How many installations keep running. */
  installations: number;
}

export function RetireCard({ listing, installations }: RetireCardProps) {
  const { id, appName, title } = listing;
  const [isOpen, setOpen] = useState(false);
  const router = useRouter();
  const retire = useMutation({
    mutationFn: () => callApi("POST", `/api/listings/${id}/retire`),
    onSuccess: () => {
      setOpen(false);
      router.refresh();
    },
  });
  return (
    <Card
      title="Retire this listing"
      description="Removes it from the marketplace. Nobody can launch it anymore, but existing installations keep running."
    >
      <Button tone="danger" onPress={() => setOpen(true)}>
        Retire listing
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        onOpenChange={(open) => {
          setOpen(open);
          retire.reset();
        }}
        title={`Retire ${title}?`}
        typeToConfirm={appName}
        confirmText="Retire for good"
        onConfirm={() => retire.mutate()}
        isPending={retire.isPending}
        error={retire.error}
      >
        {installations === 0
          ? "It has no installations. "
          : `${installations === 1 ? "1 installation keeps" : `${installations} installations keep`} running. `}
        Pending reviews are withdrawn, and you can&apos;t publish more versions. This can&apos;t be undone.
        The app name can&apos;t be reused: to offer the app again, create a listing with another name.
      </ConfirmDialog>
    </Card>
  );
}
