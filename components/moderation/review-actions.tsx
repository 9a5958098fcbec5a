"use client";

import { useMutation } from "@tanstack/react-query";
import { FlaskConical } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ConfirmDialog } from "@/components/ui/forms/lazy-code";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { callApi } from "@/lib/client/api";
import { leaveFor } from "@/lib/client/navigation";

interface ClaimCardProps {
  reviewId: string;
  /** Who has claimed it. */
  claim: { name: string; mine: boolean; endsAt: Date } | null;
}

/** Keeps two moderators from working on one review. */
export function ClaimCard({ reviewId, claim }: ClaimCardProps) {
  const router = useRouter();
  const change = useMutation({
    mutationFn: (method: "POST" | "DELETE") => callApi(method, `/api/reviews/${reviewId}/claim`),
    onSettled: () => router.refresh(),
  });
  const isFree = claim === null;
  return (
    <Card
      title={isFree ? "Not claimed" : claim.mine ? "Claimed by you" : `Claimed by ${claim.name}`}
      description={
        isFree ? (
          "Claim the review so that nobody else works on it. A claim ends after a day."
        ) : (
          <>
            {claim.mine ? "Nobody else can decide it." : "You can't decide it."} The claim ends{" "}
            <RelativeTime at={claim.endsAt} />.
          </>
        )
      }
    >
      <div className="flex flex-col gap-3">
        <ProblemNotice error={change.error} />
        {(isFree || claim.mine) && (
          <Button
            className="self-start"
            isPending={change.isPending}
            onPress={() => change.mutate(isFree ? "POST" : "DELETE")}
          >
            {isFree ? "Claim" : "Release"}
          </Button>
        )}
      </div>
    </Card>
  );
}

/** Leads to the launch wizard, in the moderators' organization. */
export function SandboxCard({ reviewId }: { reviewId: string }) {
  const enter = useMutation({
    mutationFn: () =>
      callApi("POST", `/api/reviews/${reviewId}/sandbox`, {
        answer: async () => (await import("@/lib/contract/moderation/review")).sandboxAnswer,
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

export function WithdrawButton({ reviewId, name }: { reviewId: string; name: string }) {
  const [isAsking, setAsking] = useState(false);
  const router = useRouter();
  const withdraw = useMutation({
    mutationFn: () => callApi("POST", `/api/reviews/${reviewId}/withdraw`),
    onSuccess: () => {
      setAsking(false);
      router.refresh();
    },
  });
  return (
    <>
      <Button onPress={() => setAsking(true)}>Withdraw</Button>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={(next) => {
          setAsking(next);
          withdraw.reset();
        }}
        title={`Withdraw ${name} from review?`}
        confirmText="Withdraw"
        onConfirm={() => withdraw.mutate()}
        isPending={withdraw.isPending}
        error={withdraw.error}
      >
        The review leaves the queue. If you submit again, it goes to the end of the queue. The comments are
        kept.
      </ConfirmDialog>
    </>
  );
}
