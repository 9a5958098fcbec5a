"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useController, useForm } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { FormTextArea, FormTextField, lazyResolver } from "@/components/ui/forms/form-fields";
import { ConfirmDialog, Dialog } from "@/components/ui/forms/lazy-code";
import { Checkbox } from "@/components/ui/forms/toggles";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi } from "@/lib/client/api";
import type { ListingVisibility } from "@/lib/contract/catalog/listing";
import { AUDIENCES } from "@/lib/domain/catalog/access";

interface SuspendButtonProps {
  listingId: string;
  title: string;
  /** `<org-name>/<app-name>`, which is typed to confirm. */
  name: string;
  /** What runs now, without Test Launches. */
  running: { installations: number; organizations: number };
}

interface SuspensionValues {
  reason: string;
  stopInstallations: boolean;
  confirmation: string;
}

/** Asks for a reason, whether to stop what runs, and the app's name. */
export function SuspendButton({ listingId, title, name, running }: SuspendButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const router = useRouter();
  const { control, handleSubmit, reset } = useForm<SuspensionValues>({
    resolver: lazyResolver(async () => {
      const [{ suspensionInput }, z] = await Promise.all([
        import("@/lib/contract/moderation/review"),
        import("zod"),
      ]);
      const confirmation = z.literal(name, `Type ${name} to confirm.`);
      return z.strictObject({ ...suspensionInput.shape, stopInstallations: z.boolean(), confirmation });
    }),
    defaultValues: { reason: "", stopInstallations: false, confirmation: "" },
  });
  const { field } = useController({ control, name: "stopInstallations" });
  const suspend = useMutation({
    mutationFn: ({ reason, stopInstallations }: SuspensionValues) =>
      callApi("POST", `/api/listings/${listingId}/suspension`, { body: { reason, stopInstallations } }),
    onSuccess: () => {
      setOpen(false);
      reset();
      router.refresh();
    },
  });
  const submit = handleSubmit((values) => suspend.mutate(values));
  return (
    <>
      <Button tone="danger" onPress={() => setOpen(true)}>
        Suspend
      </Button>
      <Dialog
        isOpen={isOpen}
        onOpenChange={setOpen}
        title={`Suspend ${title}?`}
        description="Nobody can launch it or upgrade to its versions. Its publisher and customers are notified."
        isBusy={suspend.isPending}
        footer={
          <>
            <Button onPress={() => setOpen(false)} isDisabled={suspend.isPending}>
              Cancel
            </Button>
            <Button tone="danger" onPress={() => void submit()} isPending={suspend.isPending}>
              {field.value ? "Suspend and stop" : "Suspend"}
            </Button>
          </>
        }
      >
        <form
          noValidate
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            void submit();
          }}
        >
          <FormTextArea
            control={control}
            name="reason"
            label="Reason"
            hint="Shown to the publisher and customers."
            isRequired
          />
          <Checkbox {...field}>
            Also stop running installations
            <span className="mt-0.5 block text-small text-ink-faint">{describeReach(running)}</span>
          </Checkbox>
          <FormTextField
            control={control}
            name="confirmation"
            label={`Type ${name} to confirm`}
            isRequired
            mono
            autoComplete="off"
          />
          <ProblemNotice error={suspend.error} />
        </form>
      </Dialog>
    </>
  );
}

function describeReach({ installations, organizations }: SuspendButtonProps["running"]): string {
  if (installations === 0)
    return "No installations are running. Customers can't start theirs until the app is reinstated.";
  const [what, whose] = [count(installations, "installation"), count(organizations, "organization")];
  return `${what} of ${whose}. Customers can't start them again until the app is reinstated.`;
}

function count(number: number, what: string): string {
  return `${number.toLocaleString("en-US")} ${what}${number === 1 ? "" : "s"}`;
}

interface ReinstateButtonProps {
  listingId: string;
  title: string;
  visibility: ListingVisibility;
  /** Installations that the suspension stopped and that are still stopped. */
  stillStopped: number;
}

export function ReinstateButton({ listingId, title, visibility, stillStopped }: ReinstateButtonProps) {
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
        {AUDIENCES[visibility]} can see the app again and launch its newest verified version.{" "}
        {stillStopped > 0 &&
          `${stillStopped} stopped ${stillStopped === 1 ? "installation stays" : "installations stay"} stopped until customers start ${stillStopped === 1 ? "it" : "them"}.`}
      </ConfirmDialog>
    </>
  );
}
