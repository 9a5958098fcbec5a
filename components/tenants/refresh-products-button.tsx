"use client";

import { useMutation } from "@tanstack/react-query";
import { RefreshCw } from "lucide-react";
import { useRouter } from "next/navigation";
import { Button } from "@/components/ui/button";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi } from "@/lib/client/api";

export function RefreshProductsButton({ tenantId, name }: { tenantId: string; name: string }) {
  const router = useRouter();
  const refresh = useMutation({
    mutationFn: () => callApi("POST", `/api/tenants/${tenantId}/products`),
    onSuccess: () => router.refresh(),
  });
  return (
    <div className="flex flex-col items-end gap-2">
      <Button
        size="small"
        isPending={refresh.isPending}
        onPress={() => refresh.mutate()}
        aria-label={`Refresh the products of ${name}`}
      >
        <RefreshCw aria-hidden className="size-3.5" />
        Refresh
      </Button>
      <span role="status" className="sr-only">
        {refresh.isSuccess ? "The products were read again." : ""}
      </span>
      <ProblemNotice error={refresh.error} className="max-w-md" />
    </div>
  );
}
