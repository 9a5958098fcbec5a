"use client";

import { useMutation } from "@tanstack/react-query";
import { FormProvider, useForm, useFormContext } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { FormTextField, lazyResolver } from "@/components/ui/forms/form-fields";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi, showIssues, withoutShownIssues } from "@/lib/client/api";
import { leaveFor } from "@/lib/client/navigation";
import type { NewOrganizationInput } from "@/lib/contract/accounts/account";
import { suggestSlug } from "@/lib/domain/accounts/organization";

const EMPTY: NewOrganizationInput = { organizationName: "", organizationSlug: "" };

interface NewOrganizationFormProps {
  suggested?: NewOrganizationInput;
  submitText?: string;
  /** The page that opens next, in the new organization. */
  next?: string;
}

/** Creates an organization that the signed-in person owns, and continues there. */
export function NewOrganizationForm({
  suggested = EMPTY,
  submitText = "Create organization",
  next = "/home",
}: NewOrganizationFormProps) {
  const form = useForm<NewOrganizationInput>({
    resolver: lazyResolver(
      async () => (await import("@/lib/contract/accounts/account")).newOrganizationInput,
    ),
    defaultValues: suggested,
  });
  const create = useMutation({
    mutationFn: (input: NewOrganizationInput) => callApi("POST", "/api/organizations", { body: input }),
    onSuccess: () => leaveFor(next),
    onError: (error) => showIssues(error, EMPTY, form.setError),
  });
  return (
    <FormProvider {...form}>
      <form
        onSubmit={form.handleSubmit((input) => create.mutate(input))}
        noValidate
        method="post"
        className="flex max-w-xl flex-col gap-5"
      >
        <ProblemNotice error={withoutShownIssues(create.error, EMPTY)} />
        <OrganizationFields />
        <div>
          <Button type="submit" tone="primary" isPending={create.isPending || create.isSuccess}>
            {submitText}
          </Button>
        </div>
      </form>
    </FormProvider>
  );
}

/** Name and slug of a new organization, in any form that has both. */
export function OrganizationFields() {
  const { control, setValue, getFieldState } = useFormContext<NewOrganizationInput>();
  return (
    <>
      <FormTextField
        control={control}
        name="organizationName"
        label="Company name"
        autoComplete="organization"
        isRequired
        onChange={(company) => {
          // The slug follows the company's name until the user edits it.
          if (!getFieldState("organizationSlug").isTouched)
            setValue("organizationSlug", suggestSlug(company), { shouldDirty: true });
        }}
      />
      <FormTextField
        control={control}
        name="organizationSlug"
        label="Organization slug"
        hint="Your apps' names start with it, as in slug/app. You can't change it later."
        mono
        autoComplete="off"
        isRequired
      />
    </>
  );
}
