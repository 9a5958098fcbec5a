"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import { useMutation } from "@tanstack/react-query";
import { FormProvider, useForm } from "react-hook-form";
import { z } from "zod";
import { LeaveDialog } from "@/components/ui/leave-dialog";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi } from "@/lib/client/api";
import { showIssues, withoutShown } from "@/lib/client/show-issues";
import type { TenantConnectInput } from "@/lib/contract/core";
import { ConnectedNotice } from "./connected-notice";
import { ConnectionTrial } from "./connection-trial";
import { CredentialField } from "./credential-field";
import { TenantFields } from "./tenant-fields";
import { connectForm, connectInputOf, type TenantFormValues } from "./tenant-form";

const connected = z.object({ tenantId: z.uuid(), coreCredential: z.string(), products: z.array(z.string()) });

const EMPTY: TenantFormValues = {
  name: "",
  hostName: "",
  coreApiUrl: "",
  credential: { action: "set", value: "" },
};

interface ConnectTenantProps {
  eventsAddress: string;
  keysAddress: string;
  /** Where to go on afterwards. */
  returnTo: string | undefined;
}

/** The form, and once it is connected the core's credential, which is never shown again. */
export function ConnectTenant({ eventsAddress, keysAddress, returnTo }: ConnectTenantProps) {
  const form = useForm<TenantFormValues>({ resolver: zodResolver(connectForm), defaultValues: EMPTY });
  const { control, formState, getValues, handleSubmit, setError } = form;
  const connect = useMutation({
    mutationFn: (body: TenantConnectInput) => callApi("POST", "/api/tenants", { body, answer: connected }),
    // Both credentials are in the mutation: they must not outlive this page in the cache.
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
          onSubmit={handleSubmit((values) => connect.mutate(connectInputOf(values)))}
          className="flex flex-col gap-5"
        >
          <TenantFields control={control} keysAddress={keysAddress} />
          <CredentialField
            control={control}
            label="Credential"
            error={formState.errors.credential?.message}
          />
          <ConnectionTrial />
          <ProblemNotice error={withoutShown(connect.error, getValues())} />
          <div className="flex justify-end border-t border-line pt-5">
            <Button type="submit" tone="primary" isPending={connect.isPending}>
              Connect
            </Button>
          </div>
        </form>
      </FormProvider>
      <LeaveDialog isDirty={formState.isDirty} lost="the tenant that you are connecting" />
    </Card>
  );
}
