"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/lazy-dialogs";
import { lazyPart } from "@/components/ui/lazy-part";
import { Skeleton } from "@/components/ui/skeleton";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { TextArea } from "@/components/ui/text-fields";
import { callApi } from "@/lib/client/api";

const Markdown = lazyPart(
  async () => (await import("./markdown")).Markdown,
  <Skeleton className="h-24 w-full" />,
);

interface ReleaseNotesProps {
  listingId: string;
  version: { id: string; number: string; releaseNotes: string };
  /** No moderator has the notes yet. */
  isEditable: boolean;
}

/** Shows the release notes of a version, and lets its publisher edit them until it is submitted for review. */
export function ReleaseNotes({ listingId, version, isEditable }: ReleaseNotesProps) {
  const { id, number, releaseNotes } = version;
  const [isOpen, setOpen] = useState(false);
  const [notes, setNotes] = useState(releaseNotes);
  const router = useRouter();
  const save = useMutation({
    mutationFn: () => callApi("PUT", `/api/listings/${listingId}/versions/${id}/notes`, { body: { notes } }),
    onSuccess: () => {
      setOpen(false);
      router.refresh();
    },
  });
  if (!isEditable && releaseNotes === "") return null;
  return (
    <>
      <Button
        size="small"
        tone="quiet"
        aria-label={`Release notes of ${number}`}
        onPress={() => setOpen(true)}
      >
        {releaseNotes === "" ? "Add notes" : "Notes"}
      </Button>
      <Dialog
        isOpen={isOpen}
        onOpenChange={(open) => {
          setOpen(open);
          save.reset();
        }}
        isBusy={save.isPending}
        title={`Release notes of ${number}`}
        footer={
          isEditable && (
            <>
              <Button onPress={() => setOpen(false)} isDisabled={save.isPending}>
                Cancel
              </Button>
              <Button tone="primary" onPress={() => save.mutate()} isPending={save.isPending}>
                Save
              </Button>
            </>
          )
        }
      >
        {isEditable ? (
          <div className="flex flex-col gap-4">
            <ReleaseNotesField value={notes} onChange={setNotes} />
            <ProblemNotice error={save.error} />
          </div>
        ) : (
          <Markdown>{releaseNotes}</Markdown>
        )}
      </Dialog>
    </>
  );
}

export function ReleaseNotesField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <TextArea
      label="Release notes"
      hint="What is new, in Markdown. Customers see it when they choose a version."
      value={value}
      onChange={onChange}
      maxLength={10_000}
      rows={6}
    />
  );
}
