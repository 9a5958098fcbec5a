"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { TextArea } from "@/components/ui/forms/fields";
import { ConfirmDialog } from "@/components/ui/forms/lazy-code";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi } from "@/lib/client/api";
import type { PilotsInput } from "@/lib/contract/catalog/listing";
import { hasSameSlugs, splitSlugs } from "./visibility-card";

interface PilotsCardProps {
  listingId: string;
  organizations: readonly { slug: string; name: string }[];
}

/** The customers that may run versions before their review. */
export function PilotsCard({ listingId, organizations }: PilotsCardProps) {
  const [typed, setTyped] = useState(organizations.map(({ slug }) => slug).join("\n"));
  const router = useRouter();
  const save = useMutation({
    mutationFn: (body: PilotsInput) => callApi("PUT", `/api/listings/${listingId}/pilots`, { body }),
    onSuccess: () => router.refresh(),
  });
  const isChanged = !hasSameSlugs(typed, organizations);
  return (
    <Card
      title="Pilots"
      description="Customers that may run your newest version before a moderator verifies it. Each agrees to it first, and can leave at any time."
    >
      <form
        className="flex max-w-2xl flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate({ organizations: splitSlugs(typed) });
        }}
      >
        <TextArea
          label="Pilot organizations"
          hint="The slug of each organization, one per line. Members find it on the Settings page of their organization. You can name up to 100."
          value={typed}
          onChange={setTyped}
          rows={3}
          mono
        />
        <ProblemNotice error={save.error} />
        <div className="flex items-center gap-3">
          <Button type="submit" isDisabled={!isChanged} isPending={save.isPending}>
            Save pilots
          </Button>
          <span role="status" className="text-small text-ink-faint">
            {save.isSuccess && !isChanged ? "Saved" : ""}
          </span>
        </div>
      </form>
    </Card>
  );
}

/** An owner ends the pilot of the organization. */
export function LeavePilotButton({ listingId, title }: { listingId: string; title: string }) {
  const [isOpen, setOpen] = useState(false);
  const router = useRouter();
  const leave = useMutation({
    mutationFn: () => callApi("DELETE", `/api/pilots/${listingId}`),
    onSuccess: () => {
      setOpen(false);
      router.refresh();
    },
  });
  return (
    <>
      <Button tone="quiet" size="small" onPress={() => setOpen(true)}>
        Leave the pilot
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        onOpenChange={(open) => {
          setOpen(open);
          leave.reset();
        }}
        title={`Leave the pilot of ${title}?`}
        confirmText="Leave the pilot"
        onConfirm={() => leave.mutate()}
        isPending={leave.isPending}
        error={leave.error}
      >
        Your organization can no longer launch or upgrade to versions before their review. Your installations
        keep running. The publisher is notified.
      </ConfirmDialog>
    </>
  );
}
