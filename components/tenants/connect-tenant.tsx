"use client";

import { useMutation } from "@tanstack/react-query";
import { FormProvider, useForm } from "react-hook-form";
import { LeaveDialog } from "@/components/ui/leave-dialog";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { lazyResolver } from "@/components/ui/form-fields";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi } from "@/lib/client/api";
import { showIssues, withoutShownIssues } from "@/lib/client/show-issues";
import type { ConnectedTenant, TenantConnectInput } from "@/lib/contract/core";
import { ConnectionTrial } from "./connection-trial";
import { CredentialField } from "./tenant-fields";
import { TenantFields } from "./tenant-fields";
import { toConnectInput } from "./tenant-form";
import type { TenantFormValues } from "./tenant-form-shapes";
import { LinkButton } from "@/components/ui/link-button";
import { Notice } from "@/components/ui/notice";
import { CoreCredentialShown } from "./core-credential-card";

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
        answer: async () => (await import("@/lib/contract/core")).connectedTenant,
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
        <form
          noValidate
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
        </form>
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
  const { tenantId, products, coreCredential } = connected;
  const found = products.length === 0 ? "The core has no products yet." : `Products: ${products.join(", ")}.`;
  return (
    <div className="flex max-w-2xl flex-col gap-6">
      <Notice tone="success" title="Tenant connected">
        {found}
      </Notice>
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
