"use client";

import { useMutation } from "@tanstack/react-query";
import { signOut } from "next-auth/react";
import { Button } from "@/components/ui/button";
import { LinkButton } from "@/components/ui/links";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi, ProblemError } from "@/lib/client/api";
import { leaveFor } from "@/lib/client/navigation";

/** `next`: where it leads then, a path of the platform. */
export function SignOutForm({ next }: { next: string }) {
  const leave = useMutation({ mutationFn: endSession, onSuccess: () => leaveFor(next) });
  return (
    <div className="flex flex-col gap-5">
      <ProblemNotice error={leave.error} />
      <div className="flex flex-wrap gap-2">
        <Button tone="primary" onPress={() => leave.mutate()} isPending={leave.isPending || leave.isSuccess}>
          Sign out
        </Button>
        <LinkButton href="/">Stay signed in</LinkButton>
      </div>
    </div>
  );
}

/** Ends the session in the database first, so that a copied cookie stops working, then removes the cookie. */
export async function endSession(): Promise<void> {
  await callApi("POST", "/api/sign-out").catch((error: unknown) => {
    // The session has already ended, so only the cookie is left to drop.
    if (!(error instanceof ProblemError) || error.body.code !== "NOT_SIGNED_IN") throw error;
  });
  await signOut({ redirect: false });
}
