"use client";

import { useMutation } from "@tanstack/react-query";
import { FlaskConical } from "lucide-react";
import { useRouter } from "next/navigation";
import { z } from "zod";
import { Button } from "@/components/ui/button";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi } from "@/lib/client/api";

const sandboxed = z.object({ tenantId: z.uuid() });

/** Makes the organization's sandbox tenant and opens it. */
export function MakeSandboxButton() {
  const router = useRouter();
  const sandbox = useMutation({
    mutationFn: () => callApi("POST", "/api/tenants/sandbox", { answer: sandboxed }),
    onSuccess: ({ tenantId }) => router.push(`/tenants/${tenantId}`),
  });
  return (
    <div className="flex flex-col items-start gap-2">
      <Button isPending={sandbox.isPending || sandbox.isSuccess} onPress={() => sandbox.mutate()}>
        <FlaskConical aria-hidden className="size-4" />
        Make a sandbox
      </Button>
      <ProblemNotice error={sandbox.error} className="max-w-md text-left" />
    </div>
  );
}
