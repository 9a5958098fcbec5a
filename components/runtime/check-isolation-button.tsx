"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { Button } from "@/components/ui/button";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi } from "@/lib/client/api";

/** Lets a worker check again. The page shows the result when it refreshes itself. */
export function CheckButton({ isChecking }: { isChecking: boolean }) {
  const router = useRouter();
  const check = useMutation({
    mutationFn: () => callApi("POST", "/api/moderation/isolation"),
    onSuccess: () => router.refresh(),
  });
  return (
    <div className="flex flex-col items-end gap-2">
      <Button onPress={() => check.mutate()} isPending={check.isPending || isChecking}>
        {isChecking ? "Checking…" : "Check again"}
      </Button>
      {check.error !== null && <ProblemNotice error={check.error} />}
    </div>
  );
}
