"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import { useMutation } from "@tanstack/react-query";
import { Controller, useForm } from "react-hook-form";
import { z } from "zod";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { TextField } from "@/components/ui/text-field";
import { callApi, fieldPathOf, problemBodyOf } from "@/lib/client/api";
import { tenantInput, type TenantInput } from "@/lib/contract/core";
import { ConnectedNotice } from "./connected-notice";

const connected = z.object({ tenantId: z.uuid(), coreCredential: z.string(), products: z.array(z.string()) });

interface ConnectTenantProps {
  eventsAddress: string;
  keysAddress: string;
}

const FIELDS = [
  {
    name: "name",
    label: "Name",
    hint: "How your people call it, such as Production.",
    placeholder: "Production",
  },
  {
    name: "hostName",
    label: "Tenant host name",
    hint: "Apps get it with every call.",
    placeholder: "tenant.core.example",
  },
  { name: "coreApiUrl", label: "Core API address", placeholder: "https://api.core.example" },
] as const;

/** The form, and once it is connected the credential, which is never shown again. */
export function ConnectTenant({ eventsAddress, keysAddress }: ConnectTenantProps) {
  const { control, handleSubmit, setError } = useForm<TenantInput>({
    resolver: zodResolver(tenantInput),
    defaultValues: { name: "", hostName: "", coreApiUrl: "" },
  });
  const connect = useMutation({
    mutationFn: (body: TenantInput) => callApi("POST", "/api/tenants", { body, answer: connected }),
    onError: (error) => {
      for (const issue of problemBodyOf(error).issues ?? []) {
        const field = FIELDS.find(({ name }) => name === fieldPathOf(issue));
        if (field !== undefined) setError(field.name, { message: issue.message });
      }
    },
  });
  if (connect.data !== undefined)
    return <ConnectedNotice connected={connect.data} eventsAddress={eventsAddress} />;
  return (
    <Card className="max-w-2xl">
      <form
        noValidate
        onSubmit={handleSubmit((input) => connect.mutate(input))}
        className="flex flex-col gap-5"
      >
        {FIELDS.map((each) => (
          <Controller
            key={each.name}
            control={control}
            name={each.name}
            render={({ field, fieldState }) => (
              <TextField
                {...field}
                isRequired
                label={each.label}
                placeholder={each.placeholder}
                mono={each.name !== "name"}
                type={each.name === "coreApiUrl" ? "url" : "text"}
                autoComplete="off"
                hint={"hint" in each ? each.hint : <CoreHint keysAddress={keysAddress} />}
                error={fieldState.error?.message}
              />
            )}
          />
        ))}
        <ProblemNotice error={connect.error} />
        <div className="flex justify-end border-t border-line pt-5">
          <Button type="submit" tone="primary" isPending={connect.isPending}>
            Connect
          </Button>
        </div>
      </form>
    </Card>
  );
}

function CoreHint({ keysAddress }: { keysAddress: string }) {
  return (
    <>
      Products are read from <code className="font-mono text-xs">/products</code> below it, with a token that
      the core checks against <code className="font-mono text-xs break-all">{keysAddress}</code>
    </>
  );
}
