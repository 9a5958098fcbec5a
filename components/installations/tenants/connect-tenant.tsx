"use client";

import { useMutation } from "@tanstack/react-query";
import { PlugZap } from "lucide-react";
import { FormProvider, useForm, useFormContext, useWatch } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { lazyResolver } from "@/components/ui/forms/form-fields";
import { LeaveDialog } from "@/components/ui/forms/leave-dialog";
import { SettingsForm, useFillCheck } from "@/components/ui/forms/settings-form";
import { LinkButton } from "@/components/ui/links";
import { Notice } from "@/components/ui/notice";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi, showIssues, withoutShownIssues } from "@/lib/client/api";
import type { ConnectedTenant, ConnectionInput, TenantConnectInput } from "@/lib/contract/platform/core";
import { AppsNotice, ConnectionSteps } from "./connection-result";
import { CoreCredentialShown } from "./core-credential-card";
import { CredentialField, TenantFields, toConnectInput, toConnectionInput } from "./tenant-fields";
import type { TenantFormValues } from "./tenant-form-shapes";

const EMPTY: TenantFormValues = {
  name: "",
  hostName: "",
  coreApiUrl: "",
  credential: { action: "set", value: "" },
};

interface ConnectTenantProps {
  eventsAddress: string;
  keysAddress: string;
  /** Where to go after connecting. */
  returnTo: string | undefined;
}

/** The form, then the core's credential, which is shown only once. */
export function ConnectTenant({ eventsAddress, keysAddress, returnTo }: ConnectTenantProps) {
  const form = useForm<TenantFormValues>({
    resolver: lazyResolver(async () => (await import("./tenant-form-shapes")).connectForm),
    defaultValues: EMPTY,
  });
  const { control, formState, getValues, handleSubmit, setError } = form;
  const connect = useMutation({
    mutationFn: (body: TenantConnectInput) =>
      callApi("POST", "/api/tenants", {
        body,
        answer: async () => (await import("@/lib/contract/platform/core")).connectedTenant,
      }),
    // Both credentials are in the mutation and must not outlive this page in the cache.
    gcTime: 0,
    onError: (error) => showIssues(error, getValues(), setError),
  });
  if (connect.data !== undefined)
    return <ConnectedNotice connected={connect.data} eventsAddress={eventsAddress} returnTo={returnTo} />;
  return (
    <Card className="max-w-2xl">
      <FormProvider {...form}>
        <SettingsForm
          method="post"
          onSubmit={handleSubmit((values) => connect.mutate(toConnectInput(values)))}
          className="flex flex-col gap-5"
        >
          <TenantFields control={control} keysAddress={keysAddress} />
          <CredentialField
            control={control}
            label="Credential"
            error={formState.errors.credential?.message}
          />
          <ConnectionTrial />
          <ProblemNotice error={withoutShownIssues(connect.error, getValues())} />
          <div className="flex justify-end border-t border-line pt-5">
            <Button type="submit" tone="primary" isPending={connect.isPending}>
              Connect
            </Button>
          </div>
        </SettingsForm>
      </FormProvider>
      <LeaveDialog isDirty={formState.isDirty} lost="the tenant you are connecting" />
    </Card>
  );
}

interface ConnectedNoticeProps {
  connected: ConnectedTenant;
  eventsAddress: string;
  /** The page that needs the tenant, such as a launch. */
  returnTo: string | undefined;
}

/** Shows the core's credential once, and what to do with it. */
function ConnectedNotice({ connected, eventsAddress, returnTo }: ConnectedNoticeProps) {
  const { tenantId, products, coreCredential, appsProblem } = connected;
  const found = products.length === 0 ? "The core has no products yet." : `Products: ${products.join(", ")}.`;
  return (
    <div className="flex max-w-2xl flex-col gap-6">
      <Notice tone="success" title="Tenant connected">
        {found}
      </Notice>
      <AppsNotice problem={appsProblem} />
      <Card
        title="The core's credential"
        description="Store it in the core now. You won't see it again: only a hash is stored here."
      >
        <CoreCredentialShown coreCredential={coreCredential} eventsAddress={eventsAddress} />
        <div className="mt-5 flex flex-wrap justify-end gap-2 border-t border-line pt-5">
          <LinkButton href={`/tenants/${tenantId}`}>Open tenant</LinkButton>
          <LinkButton tone="primary" href={returnTo ?? "/marketplace"}>
            {returnTo === undefined ? "Browse apps" : "Continue"}
          </LinkButton>
        </div>
      </Card>
    </div>
  );
}

/** Tests the values as typed, without storing them. The result disappears when one of them changes. */
function ConnectionTrial() {
  const { control, getValues, setError, trigger } = useFormContext<TenantFormValues>();
  const mayBeSent = useFillCheck();
  const [hostName, coreApiUrl, credential] = useWatch({
    control,
    name: ["hostName", "coreApiUrl", "credential"],
  });
  const test = useMutation({
    mutationFn: (body: ConnectionInput) =>
      callApi("POST", "/api/tenants/connection", {
        body,
        answer: async () => (await import("@/lib/contract/platform/core")).connectionTest,
      }),
    // The credential is in the mutation and must not outlive this page in the cache.
    gcTime: 0,
    onError: (error) => showIssues(error, getValues(), setError),
  });
  const typed = toConnectionInput({ ...getValues(), hostName, coreApiUrl, credential });
  const isCurrent = JSON.stringify(test.variables) === JSON.stringify(typed);
  const shown = isCurrent ? test : undefined;
  return (
    <div className="flex flex-col gap-4 rounded-card border border-line bg-subtle p-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <p className="min-w-0 flex-1 basis-56 text-small leading-5 text-ink-soft">
          Test the host name, address, and credential before you connect. Nothing is stored.
        </p>
        <Button
          size="small"
          isPending={test.isPending}
          onPress={async () => {
            const ready = await trigger(["hostName", "coreApiUrl", "credential"], { shouldFocus: true });
            if (ready && mayBeSent()) test.mutate(toConnectionInput(getValues()));
          }}
        >
          <PlugZap aria-hidden className="size-4" />
          Test connection
        </Button>
      </div>
      <div role="status" className="empty:hidden">
        {shown !== undefined && (shown.isPending || shown.data !== undefined) && (
          <ConnectionSteps test={shown.data} />
        )}
        {shown?.data?.ok === true && shown.data.products.length > 0 && (
          <p className="mt-1 pl-6.5 text-small leading-5 wrap-anywhere text-ink-soft">
            {shown.data.products.join(", ")}
          </p>
        )}
      </div>
      <AppsNotice problem={shown?.data?.appsProblem} />
      <ProblemNotice error={shown === undefined ? undefined : withoutShownIssues(shown.error, getValues())} />
    </div>
  );
}
