"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ConfirmDialog } from "@/components/ui/forms/lazy-code";
import { callApi } from "@/lib/client/api";
import type { ListingState } from "@/lib/contract/catalog/listing";

interface DeleteDraftCardProps {
  listing: { id: string; appName: string; title: string };
  /** The numbers of the versions that go with it, the newest first. */
  versions: readonly string[];
  hasManifestDraft: boolean;
}

/** The numbers that the dialog names; of more, it says how many there are. */
const NAMED = 5;

/** Deletes a draft that nobody but its organization ever saw. */
export function DeleteDraftCard({ listing, versions, hasManifestDraft }: DeleteDraftCardProps) {
  const { id, appName, title } = listing;
  const [isOpen, setOpen] = useState(false);
  const router = useRouter();
  const remove = useMutation({
    mutationFn: () => callApi("DELETE", `/api/listings/${id}`),
    onSuccess: () => {
      // Back must not lead to pages of a listing that is gone.
      router.replace("/publish");
      router.refresh();
    },
  });
  const more = versions.length - NAMED;
  return (
    <Card
      title="Delete this draft"
      description="It was never submitted for review and never launched, so nobody else has seen it. Its app name then becomes available again."
    >
      <Button tone="danger" onPress={() => setOpen(true)}>
        Delete draft
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        onOpenChange={(open) => {
          setOpen(open);
          remove.reset();
        }}
        title={`Delete ${title}?`}
        typeToConfirm={appName}
        confirmText="Delete draft"
        onConfirm={() => remove.mutate()}
        isPending={remove.isPending || remove.isSuccess}
        error={remove.error}
      >
        <p className="mb-2">This can&apos;t be undone. It deletes:</p>
        <ul className="flex list-disc flex-col gap-1 pl-5 marker:text-ink-faint">
          <li>the text of the listing</li>
          {hasManifestDraft && <li>the draft of its manifest</li>}
          {versions.length > 0 && (
            <li>
              {versions.length === 1 ? "version" : "versions"} {versions.slice(0, NAMED).join(", ")}
              {more > 0 && ` and ${more} more`}, with {versions.length === 1 ? "its image" : "their images"}
            </li>
          )}
        </ul>
      </ConfirmDialog>
    </Card>
  );
}

interface RetireCardProps {
  listing: { id: string; appName: string; title: string; state: ListingState };
  /** How many installations keep running. */
  installations: number;
}

export function RetireCard({ listing, installations }: RetireCardProps) {
  const { id, appName, title, state } = listing;
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
      description={
        state === "DRAFT"
          ? "A draft can be deleted only if it was never submitted for review and never launched, not even as a Test Launch. This one can be retired instead: it is then hidden, and existing installations keep running."
          : "Removes it from the marketplace. Nobody can launch it anymore, but existing installations keep running."
      }
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
        confirmText="Retire permanently"
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
