"use client";

import { useMutation } from "@tanstack/react-query";
import { PlugZap } from "lucide-react";
import { useFormContext, useWatch } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi } from "@/lib/client/api";
import { connectionTest, type ConnectionInput } from "@/lib/contract/core";
import { showIssues, withoutShown } from "@/lib/client/show-issues";
import { ConnectionSteps } from "./connection-result";
import { connectionInputOf, type TenantFormValues } from "./tenant-form";

/** Tries what is typed, without storing it. What came of it goes when one of them changes. */
export function ConnectionTrial() {
  const { control, getValues, setError, trigger } = useFormContext<TenantFormValues>();
  const [hostName, coreApiUrl, credential] = useWatch({
    control,
    name: ["hostName", "coreApiUrl", "credential"],
  });
  const test = useMutation({
    mutationFn: (body: ConnectionInput) =>
      callApi("POST", "/api/tenants/connection", { body, answer: connectionTest }),
    // What was typed is in the mutation: it must not outlive this page in the cache.
    gcTime: 0,
    onError: (error) => showIssues(error, getValues(), setError),
  });
  const now = connectionInputOf({ ...getValues(), hostName, coreApiUrl, credential });
  const isOfNow = JSON.stringify(test.variables) === JSON.stringify(now);
  const shown = isOfNow ? test : undefined;
  return (
    <div className="flex flex-col gap-4 rounded-card border border-line bg-subtle p-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <p className="min-w-0 flex-1 basis-56 text-[13px] leading-5 text-ink-soft">
          Try the host name, the address and the credential as they are typed. Nothing is stored.
        </p>
        <Button
          size="small"
          isPending={test.isPending}
          onPress={async () => {
            const ready = await trigger(["hostName", "coreApiUrl", "credential"], { shouldFocus: true });
            if (ready) test.mutate(connectionInputOf(getValues()));
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
          <p className="mt-1 pl-[26px] text-[13px] leading-5 wrap-anywhere text-ink-soft">
            {shown.data.products.join(", ")}
          </p>
        )}
      </div>
      <ProblemNotice error={shown === undefined ? undefined : withoutShown(shown.error, getValues())} />
    </div>
  );
}
