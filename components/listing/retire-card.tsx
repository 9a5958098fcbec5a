"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
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
      description="It leaves the marketplace, and nobody can launch it anymore. Customers who have it keep it running."
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
          ? "Nobody has it installed. "
          : `${installations === 1 ? "1 installation keeps" : `${installations} installations keep`} running. `}
        Reviews that wait for a decision are withdrawn, and you can&apos;t publish versions anymore. This
        can&apos;t be undone: the app name stays taken, and only another listing can take its place.
      </ConfirmDialog>
    </Card>
  );
}
