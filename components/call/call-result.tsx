"use client";

import { ArrowRight } from "lucide-react";
import { LinkButton } from "@/components/ui/link-button";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { Skeleton } from "@/components/ui/skeleton";
import { Body } from "./call-bodies";
import { CallTimeline } from "./call-timeline";
import { LatencyBar } from "./latency-bar";
import { Outcome } from "./outcome";
import { useCall } from "./use-call";

/** One call in short, as it happens, with a link to its page. */
export function CallResult({ attemptId }: { attemptId: string }) {
  const { data: call, error, dataUpdatedAt } = useCall(attemptId);
  if (call === undefined)
    return error === null ? <Skeleton className="h-40 w-full" /> : <ProblemNotice error={error} />;
  const isOpen = call.durationMs === null;
  return (
    <div className="flex min-w-0 flex-col gap-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Outcome attempt={call} />
        <LinkButton size="small" href={`/calls/${call.id}`}>
          Open this call
          <ArrowRight aria-hidden className="size-4" />
        </LinkButton>
      </div>
      <LatencyBar call={call} />
      <CallTimeline call={call} now={dataUpdatedAt} />
      {!isOpen && (
        <Body
          call={call}
          label="answer"
          text={call.answer}
          bytes={call.answerBytes}
          absent="No complete response arrived."
        />
      )}
    </div>
  );
}
