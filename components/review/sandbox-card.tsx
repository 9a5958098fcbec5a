"use client";

import { useMutation } from "@tanstack/react-query";
import { FlaskConical } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi } from "@/lib/client/api";
import { leaveFor } from "@/lib/client/navigation";

/** Leads to the launch wizard, in the moderators' organization. */
export function SandboxCard({ reviewId }: { reviewId: string }) {
  const enter = useMutation({
    mutationFn: () =>
      callApi("POST", `/api/reviews/${reviewId}/sandbox`, {
        answer: async () => (await import("@/lib/contract/review")).sandboxAnswer,
      }),
    // In full, because the organization that the session works in has changed.
    onSuccess: ({ href }) => leaveFor(href),
  });
  return (
    <Card
      title="Try it"
      description="Launches this version for the sandbox tenant of the Moderation organization, and switches you to that organization. The installation is removed when the review ends."
    >
      <div className="flex flex-col gap-3">
        <ProblemNotice error={enter.error} />
        <Button
          className="self-start"
          isPending={enter.isPending || enter.isSuccess}
          onPress={() => enter.mutate()}
        >
          <FlaskConical aria-hidden className="size-4" />
          Launch in the sandbox
        </Button>
      </div>
    </Card>
  );
}
