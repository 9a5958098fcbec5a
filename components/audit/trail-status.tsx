"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { LoaderCircle, ShieldCheck } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi } from "@/lib/client/api";
import type { VerificationStep } from "@/lib/contract/audit-view";

const FRESH_MS = 10 * 60_000;

/** Verifies the trail step by step while the page is open, and says how far it got. */
export function TrailStatus({ place }: { place: "organization" | "moderation" }) {
  const client = useQueryClient();
  const key = ["audit-verification", place];
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => {
      let step: VerificationStep = { position: 0, done: false };
      while (!step.done) {
        step = await callApi("GET", `/api/${place}/audit/verification?after=${step.position}`, {
          answer: async () => (await import("@/lib/contract/audit-view")).verificationStep,
          signal,
        });
        client.setQueryData(key, step);
      }
      return step;
    },
    staleTime: FRESH_MS,
    refetchOnWindowFocus: false,
  });
  if (error !== null) return <ProblemNotice error={error} />;
  const rows = (data?.position ?? 0).toLocaleString("en-US");
  if (data?.issue !== undefined)
    return (
      <Notice
        tone="danger"
        title={`The trail is broken at row ${data.issue.position.toLocaleString("en-US")}`}
        actions={
          <Button size="small" onPress={() => void refetch()}>
            Verify again
          </Button>
        }
      >
        Someone changed the database: {data.issue.reason}. Rows up to {rows} are as they were written. Report
        this to the operator of the platform, who can run{" "}
        <code className="font-mono">npm run audit:verify</code>.
      </Notice>
    );
  const isDone = data?.done === true;
  const Icon = isDone ? ShieldCheck : LoaderCircle;
  return (
    <p role="status" className="flex items-center gap-2 text-[13px] text-ink-soft">
      <Icon
        aria-hidden
        className={`size-4 ${isDone ? "text-success" : "animate-spin text-ink-faint motion-reduce:animate-none"}`}
      />
      {isDone ? `Verified to row ${rows}: nothing was changed or removed.` : `Verifying… row ${rows}`}
    </p>
  );
}
