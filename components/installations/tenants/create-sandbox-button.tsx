"use client";

import { useMutation } from "@tanstack/react-query";
import { FlaskConical } from "lucide-react";
import { useRouter } from "next/navigation";
import { Button } from "@/components/ui/button";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi } from "@/lib/client/api";

/** Creates the organization's sandbox tenant and opens it. */
export function CreateSandboxButton() {
  const router = useRouter();
  const sandbox = useMutation({
    mutationFn: () =>
      callApi("POST", "/api/tenants/sandbox", {
        answer: async () => (await import("@/lib/contract/platform/core")).createdTenant,
      }),
    onSuccess: ({ tenantId }) => router.push(`/tenants/${tenantId}`),
  });
  return (
    <div className="flex flex-col items-start gap-2">
      <Button isPending={sandbox.isPending || sandbox.isSuccess} onPress={() => sandbox.mutate()}>
        <FlaskConical aria-hidden className="size-4" />
        Create sandbox
      </Button>
      <ProblemNotice error={sandbox.error} className="max-w-md text-left" />
    </div>
  );
}
