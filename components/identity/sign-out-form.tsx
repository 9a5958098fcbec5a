"use client";

import { useMutation } from "@tanstack/react-query";
import { Button } from "@/components/ui/button";
import { LinkButton } from "@/components/ui/link-button";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { leaveFor } from "@/lib/client/navigation";
import { endSession } from "./end-session";

export function SignOutForm() {
  const leave = useMutation({ mutationFn: endSession, onSuccess: () => leaveFor("/") });
  return (
    <div className="flex flex-col gap-5">
      <ProblemNotice error={leave.error} />
      <div className="flex gap-2">
        <Button tone="primary" onPress={() => leave.mutate()} isPending={leave.isPending || leave.isSuccess}>
          Sign out
        </Button>
        <LinkButton href="/">Stay signed in</LinkButton>
      </div>
    </div>
  );
}
