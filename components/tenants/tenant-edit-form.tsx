"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect, useEffectEvent, useTransition } from "react";
import { useForm } from "react-hook-form";
import { LeaveDialog } from "@/components/ui/leave-dialog";
import { Button } from "@/components/ui/button";
import { lazyResolver } from "@/components/ui/form-fields";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi } from "@/lib/client/api";
import { showIssues, withoutShownIssues } from "@/lib/client/show-issues";
import type { ProductsRead, TenantConnectInput } from "@/lib/contract/core";
import type { TenantView } from "@/lib/contract/tenant-view";
import { CredentialChoice } from "./credential-choice";
import { TenantFields } from "./tenant-fields";
import { toConnectInput } from "./tenant-form";
import type { TenantFormValues } from "./tenant-form-shapes";

interface TenantEditFormProps {
  tenant: TenantView;
  keysAddress: string;
  onCancel: () => void;
  onSaved: (read: ProductsRead) => void;
}

/** Keeps what was typed until it is saved or canceled, even if saving fails. */
export function TenantEditForm({ tenant, keysAddress, onCancel, onSaved }: TenantEditFormProps) {
  const router = useRouter();
  const [isRefreshing, startRefresh] = useTransition();
  const { name, hostName, coreApiUrl, credential } = tenant;
  const { control, formState, getValues, handleSubmit, setError, setFocus } = useForm<TenantFormValues>({
    resolver: lazyResolver(async () => {
      const { connectForm, editForm } = await import("./tenant-form-shapes");
      return credential.configured ? editForm : connectForm;
    }),
    defaultValues: {
      name,
      hostName,
      coreApiUrl,
      credential: { action: credential.configured ? "keep" : "set", value: "" },
    },
  });
  useEffect(() => setFocus("name"), [setFocus]);
  const save = useMutation({
    mutationFn: (body: TenantConnectInput) =>
      callApi("PUT", `/api/tenants/${tenant.id}`, {
        body,
        answer: async () => (await import("@/lib/contract/core")).productsRead,
      }),
    // The credential is in the mutation and must not outlive this form in the cache.
    gcTime: 0,
    onError: (error) => showIssues(error, getValues(), setError),
    onSuccess: () => startRefresh(() => router.refresh()),
  });
  const read = isRefreshing ? undefined : save.data;
  const finish = useEffectEvent(onSaved);
  // Close the form only after the page is refreshed, so that "Saved" never appears next to old values.
  useEffect(() => {
    if (read !== undefined) finish(read);
  }, [read]);
  const isBusy = save.isPending || save.isSuccess;
  return (
    <form
      noValidate
      method="post"
      onSubmit={handleSubmit((values) => save.mutate(toConnectInput(values)))}
      className="flex flex-col gap-5"
    >
      <TenantFields control={control} keysAddress={keysAddress} />
      <CredentialChoice control={control} tenant={tenant} error={formState.errors.credential?.message} />
      <ProblemNotice error={withoutShownIssues(save.error, getValues())} />
      <div className="flex flex-wrap justify-end gap-2 border-t border-line pt-5">
        <Button isDisabled={isBusy} onPress={onCancel}>
          Cancel
        </Button>
        <Button type="submit" tone="primary" isPending={isBusy}>
          Save
        </Button>
      </div>
      <LeaveDialog isDirty={formState.isDirty && !save.isSuccess} lost="your changes to this tenant" />
    </form>
  );
}
