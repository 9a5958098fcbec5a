"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { callApi } from "@/lib/client/api";

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
