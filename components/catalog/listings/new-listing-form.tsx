"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { FormProvider, useForm, type UseFormReturn, useWatch } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { FormTextField, lazyResolver } from "@/components/ui/forms/form-fields";
import { LeaveDialog } from "@/components/ui/forms/leave-dialog";
import { LinkButton } from "@/components/ui/links";
import { Notice } from "@/components/ui/notice";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi, showIssues, withoutShownIssues } from "@/lib/client/api";
import type { ListingInput } from "@/lib/contract/catalog/listing";
import { suggestSlug } from "@/lib/domain/accounts/organization";
import { dropListingDraft, EMPTY_LISTING, findListingDraft, keepListingDraft } from "./listing-draft";
import { AboutFields, RequirementFields } from "./prose-fields";

const loadContract = () => import("@/lib/contract/catalog/listing");

interface NewListingFormProps {
  organizationSlug: string;
  /** Where the browser keeps what was typed. */
  draftKey: string;
}

export function NewListingForm({ organizationSlug, draftKey }: NewListingFormProps) {
  const router = useRouter();
  const form = useForm<ListingInput>({
    resolver: lazyResolver(async () => (await loadContract()).listingInput),
    defaultValues: EMPTY_LISTING,
  });
  const { control, formState, handleSubmit, setError, setValue } = form;
  const { isRestored, ownNameRef, startOver } = useKeptListing(form, draftKey);
  const appName = useWatch({ control, name: "appName" });
  const create = useMutation({
    mutationFn: (input: ListingInput) =>
      callApi("POST", "/api/listings", {
        body: input,
        answer: async () => (await loadContract()).createdListing,
      }),
    onSuccess: ({ appName }) => {
      dropListingDraft(draftKey);
      router.push(`/publish/${appName}`);
    },
    onError: (error) => showIssues(error, EMPTY_LISTING, setError),
  });
  return (
    <form
      onSubmit={handleSubmit((input) => create.mutate(input))}
      noValidate
      method="post"
      className="flex max-w-2xl flex-col gap-6"
    >
      {isRestored && (
        <Notice
          title="Your input was restored"
          actions={
            <Button size="small" onPress={startOver}>
              Start over
            </Button>
          }
        >
          It was saved in this browser when you left this page.
        </Notice>
      )}
      <Card title="Name">
        <div className="flex flex-col gap-5">
          <FormTextField
            control={control}
            name="title"
            label="Title"
            hint="The name users see, such as “VIN autofill”."
            isRequired
            onChange={(title) => {
              // The app name follows the title until the publisher edits it.
              if (!ownNameRef.current) setValue("appName", suggestSlug(title), { shouldDirty: true });
            }}
          />
          <FormTextField
            control={control}
            name="appName"
            label="App name"
            hint={
              <>
                The manifest uses{" "}
                <code
                  translate="no"
                  className="font-mono"
                >{`${organizationSlug}/${appName || "app-name"}`}</code>
                . You can&apos;t change it later.
              </>
            }
            mono
            autoComplete="off"
            isRequired
            onChange={(name) => {
              ownNameRef.current = name !== "";
            }}
          />
        </div>
      </Card>
      <FormProvider {...form}>
        <AboutFields />
        <RequirementFields />
      </FormProvider>
      <ProblemNotice error={withoutShownIssues(create.error, EMPTY_LISTING)} />
      <div className="flex justify-end gap-2">
        <LinkButton href="/publish">Cancel</LinkButton>
        <Button type="submit" tone="primary" isPending={create.isPending || create.isSuccess}>
          Create draft
        </Button>
      </div>
      <LeaveDialog isDirty={formState.isDirty && !create.isSuccess}>
        The listing is not created yet. What you typed stays in this browser until you come back.
      </LeaveDialog>
    </form>
  );
}

/** Keeps what is typed, and brings it back. `ownNameRef`: the publisher chose the app name, so it no longer follows the title. */
function useKeptListing({ reset, subscribe }: UseFormReturn<ListingInput>, draftKey: string) {
  const [isRestored, setRestored] = useState(false);
  const ownNameRef = useRef(false);
  const restore = useEffectEvent((draft: ListingInput) => {
    reset(draft, { keepDefaultValues: true });
    ownNameRef.current = draft.appName !== suggestSlug(draft.title);
    setRestored(true);
  });
  useEffect(() => {
    // The server has no storage, so the form is drawn empty first.
    queueMicrotask(() => {
      const draft = findListingDraft(draftKey);
      if (draft !== undefined) restore(draft);
    });
    return subscribe({
      formState: { values: true },
      callback: ({ values }) => keepListingDraft(draftKey, values),
    });
  }, [draftKey, subscribe]);
  const startOver = () => {
    reset(EMPTY_LISTING);
    ownNameRef.current = false;
    setRestored(false);
    dropListingDraft(draftKey);
  };
  return { isRestored, ownNameRef, startOver };
}
