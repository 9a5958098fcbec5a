"use client";

import { useMutation } from "@tanstack/react-query";
import { LockKeyhole, Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useEffect, useEffectEvent, useTransition } from "react";
import { type Control, Controller, useForm, useWatch } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Segments } from "@/components/ui/forms/segments";
import { lazyResolver } from "@/components/ui/forms/form-fields";
import { LeaveDialog } from "@/components/ui/forms/leave-dialog";
import { SettingsForm } from "@/components/ui/forms/settings-form";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { callApi, showIssues, withoutShownIssues } from "@/lib/client/api";
import type { TenantView } from "@/lib/contract/installations/installation-view";
import type { ProductsRead, TenantConnectInput } from "@/lib/contract/platform/core";
import { CredentialField, isOtherHost, TenantFields, toConnectInput } from "./tenant-fields";
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
        answer: async () => (await import("@/lib/contract/platform/core")).productsRead,
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
    <SettingsForm
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
    </SettingsForm>
  );
}

const CHOICES = [
  { value: "keep", text: "Keep" },
  { value: "set", text: "Replace" },
  { value: "clear", text: "Remove" },
] as const;

interface CredentialChoiceProps {
  control: Control<TenantFormValues>;
  tenant: TenantView;
  /** The server's problem with the choice. */
  error: string | undefined;
}

/** A stored credential is kept, replaced, or removed. It is never in an input. */
function CredentialChoice({ control, tenant, error }: CredentialChoiceProps) {
  const [coreApiUrl, action] = useWatch({ control, name: ["coreApiUrl", "credential.action"] });
  if (!tenant.credential.configured)
    return <CredentialField control={control} label="Credential" error={error} />;
  const lost = action === "keep" && isOtherHost(tenant.coreApiUrl, coreApiUrl);
  const problem = lost
    ? "The core is on another host now. A stored credential is never sent to another host: replace or remove it."
    : error;
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <p className="text-small font-medium text-ink">Credential</p>
        <Controller
          control={control}
          name="credential.action"
          render={({ field }) => (
            <Segments
              isField
              label="Keep, replace, or remove the credential"
              options={CHOICES}
              value={field.value}
              isInvalid={problem !== undefined}
              onChange={field.onChange}
            />
          )}
        />
      </div>
      {action === "set" ? (
        <CredentialField control={control} label="New credential" isRequired error={error} />
      ) : (
        <p className="flex items-start gap-2 rounded-field border border-line bg-subtle px-3 py-2 text-small leading-5 text-ink-soft">
          {action === "keep" ? <StoredCredential {...tenant.credential} /> : <Removed />}
        </p>
      )}
      {problem !== undefined && action !== "set" && (
        <p role="alert" className="text-small leading-5 text-danger">
          {problem}
        </p>
      )}
    </div>
  );
}

function StoredCredential({ updatedAt, by }: { updatedAt: string; by: string }) {
  return (
    <>
      <LockKeyhole aria-hidden className="mt-[0.1875rem] size-3.5 shrink-0 text-ink-faint" />
      <span className="min-w-0 break-words">
        Set <RelativeTime at={updatedAt} /> by {by}. Hidden, and not changed.
      </span>
    </>
  );
}

function Removed() {
  return (
    <>
      <Trash2 aria-hidden className="mt-[0.1875rem] size-3.5 shrink-0 text-ink-faint" />
      <span className="min-w-0">
        The stored credential is removed when you save. The core then gets only the token.
      </span>
    </>
  );
}
