"use client";

import { useMutation } from "@tanstack/react-query";
import { PlugZap } from "lucide-react";
import { useFormContext, useWatch } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi } from "@/lib/client/api";
import type { ConnectionInput } from "@/lib/contract/core";
import { showIssues, withoutShownIssues } from "@/lib/client/show-issues";
import { ConnectionSteps } from "./connection-result";
import { toConnectionInput } from "./tenant-form";
import type { TenantFormValues } from "./tenant-form-shapes";

/** Tests the values as typed, without storing them. The result disappears when one of them changes. */
export function ConnectionTrial() {
  const { control, getValues, setError, trigger } = useFormContext<TenantFormValues>();
  const [hostName, coreApiUrl, credential] = useWatch({
    control,
    name: ["hostName", "coreApiUrl", "credential"],
  });
  const test = useMutation({
    mutationFn: (body: ConnectionInput) =>
      callApi("POST", "/api/tenants/connection", {
        body,
        answer: async () => (await import("@/lib/contract/core")).connectionTest,
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
        <p className="min-w-0 flex-1 basis-56 text-[13px] leading-5 text-ink-soft">
          Test the host name, address, and credential before you connect. Nothing is stored.
        </p>
        <Button
          size="small"
          isPending={test.isPending}
          onPress={async () => {
            const ready = await trigger(["hostName", "coreApiUrl", "credential"], { shouldFocus: true });
            if (ready) test.mutate(toConnectionInput(getValues()));
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
      <ProblemNotice error={shown === undefined ? undefined : withoutShownIssues(shown.error, getValues())} />
    </div>
  );
}
