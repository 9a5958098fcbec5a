"use client";

import { useMutation } from "@tanstack/react-query";
import { FormProvider, useForm } from "react-hook-form";
import { OrganizationFields } from "@/components/identity/organization-fields";
import { Button } from "@/components/ui/button";
import { lazyResolver } from "@/components/ui/form-fields";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi } from "@/lib/client/api";
import { leaveFor } from "@/lib/client/navigation";
import { showIssues, withoutShownIssues } from "@/lib/client/show-issues";
import type { NewOrganizationInput } from "@/lib/contract/membership";

const EMPTY: NewOrganizationInput = { organizationName: "", organizationSlug: "" };

/** Creates an organization that the signed-in person owns, and continues there. */
export function NewOrganizationForm() {
  const form = useForm<NewOrganizationInput>({
    resolver: lazyResolver(async () => (await import("@/lib/contract/membership")).newOrganizationInput),
    defaultValues: EMPTY,
  });
  const create = useMutation({
    mutationFn: (input: NewOrganizationInput) => callApi("POST", "/api/organizations", { body: input }),
    onSuccess: () => leaveFor("/home"),
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
            Create organization
          </Button>
        </div>
      </form>
    </FormProvider>
  );
}
