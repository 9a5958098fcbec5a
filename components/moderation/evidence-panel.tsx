"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { CircleAlert, CircleCheck, CircleDashed, LoaderCircle, RotateCw, TriangleAlert } from "lucide-react";
import { useIsAway } from "@/components/platform/availability";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { LearnMore, Notice } from "@/components/ui/notice";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { Facts, formatBytes, UserText } from "@/components/ui/values";
import { callApi } from "@/lib/client/api";
import { CHECK_NAMES } from "@/lib/contract/moderation/check-names";
import type { CheckResult, EvidenceCheck, EvidenceView } from "@/lib/contract/moderation/review";
import { CHECK_TITLES } from "@/lib/domain/moderation/verdict";
import { CommentPlace } from "./anchored-threads";

const LIVE_MS = 1_500;

interface EvidencePanelProps {
  reviewId: string;
  /** As the page was rendered. */
  initial: EvidenceView | null;
  /** The review waits for a decision. */
  isOpen: boolean;
  /** This reader may run the checks again: a moderator who may decide. */
  mayRun?: boolean;
  /** Includes the image's details, where no other card shows them. */
  withImage?: boolean;
}

/** What the automatic checks of a version found, live while they run. */
export function EvidencePanel({ reviewId, initial, isOpen, mayRun = false, withImage }: EvidencePanelProps) {
  const client = useQueryClient();
  const path = `/api/reviews/${reviewId}/evidence`;
  const queryKey = ["evidence", reviewId];
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      callApi("GET", path, {
        answer: async () => (await import("@/lib/contract/moderation/review")).evidenceAnswer,
        signal,
      }),
    initialData: { evidence: initial },
    refetchInterval: ({ state }) => (isUnderWay(state.data?.evidence) ? LIVE_MS : false),
  });
  const run = useMutation({
    mutationFn: () => callApi("POST", path),
    onSettled: () => client.invalidateQueries({ queryKey }),
  });
  const { evidence } = data;
  const isRunning = isUnderWay(evidence);
  const isWorkerAway = useIsAway("worker");
  return (
    <Card
      id="evidence"
      title="Automatic checks"
      description={<State evidence={evidence} isWorkerAway={isWorkerAway} />}
      actions={
        mayRun &&
        isOpen &&
        !isRunning && (
          <Button size="small" isPending={run.isPending} onPress={() => run.mutate()}>
            <RotateCw aria-hidden className="size-4" />
            {evidence === null ? "Run" : "Run again"}
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-4">
        <ProblemNotice error={run.error} />
        {evidence?.state === "FAILED" && (
          <Notice tone="warning" title="The checks could not be completed">
            {evidence.reason}
          </Notice>
        )}
        {evidence !== null && (evidence.checks.length > 0 || isRunning) && (
          <ul aria-label="Checks" className="divide-y divide-line">
            {evidence.checks.map((check) => (
              <Check key={check.name} check={check} />
            ))}
            {isRunning && (
              <Waiting done={evidence.checks} isRunning={evidence.state === "RUNNING" && !isWorkerAway} />
            )}
          </ul>
        )}
        {evidence?.facts && <EvidenceFacts facts={evidence.facts} withImage={withImage} />}
      </div>
    </Card>
  );
}

function isUnderWay(evidence: EvidenceView | null | undefined): boolean {
  return evidence?.state === "QUEUED" || evidence?.state === "RUNNING";
}

function State({ evidence, isWorkerAway }: { evidence: EvidenceView | null; isWorkerAway: boolean }) {
  if (evidence === null) return "This version was not checked.";
  if (isWorkerAway && isUnderWay(evidence))
    return `The platform’s worker is away. The checks continue when it is back: ${evidence.checks.length} of ${CHECK_NAMES.length} have ended.`;
  if (evidence.state === "QUEUED") return "Waiting to start. The checks take a few minutes.";
  if (evidence.state === "RUNNING")
    return `Running: ${evidence.checks.length} of ${CHECK_NAMES.length} checks have ended.`;
  if (evidence.state === "CANCELED")
    return `Canceled, because the review ended first. ${evidence.checks.length} of ${CHECK_NAMES.length} checks had ended.`;
  const count = (result: CheckResult) => evidence.checks.filter((check) => check.result === result).length;
  const parts = [
    [count("FAIL"), "failed"],
    [count("WARN"), count("WARN") === 1 ? "warning" : "warnings"],
    [count("PASS"), "passed"],
    [count("SKIPPED"), "skipped"],
  ] as const;
  const found = parts.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`);
  return (
    <>
      {found.join(", ") || "No results"}
      {evidence.endedAt !== null && (
        <>
          {" "}
          · <RelativeTime at={evidence.endedAt} />
        </>
      )}
    </>
  );
}

const RESULTS = {
  PASS: { icon: CircleCheck, color: "text-success", text: "Passed" },
  WARN: { icon: TriangleAlert, color: "text-warning", text: "Warning" },
  FAIL: { icon: CircleAlert, color: "text-danger", text: "Failed" },
  SKIPPED: { icon: CircleDashed, color: "text-ink-faint", text: "Skipped" },
} as const satisfies Record<CheckResult, object>;

function Check({ check: { name, result, title, detail, ms } }: { check: EvidenceCheck }) {
  const { icon: Icon, color, text } = RESULTS[result];
  return (
    <li className="flex gap-3 py-3 first:pt-0 last:pb-0">
      <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${color}`} />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-baseline gap-x-3">
          <h3 className="text-sm font-medium text-ink">{title}</h3>
          <span className={`text-small ${color}`}>{text}</span>
          {result !== "SKIPPED" && (
            <span className="ml-auto text-small text-ink-faint tabular-nums max-sm:hidden">
              {formatMs(ms)}
            </span>
          )}
        </div>
        <p className="mt-0.5 max-w-prose text-sm leading-6 wrap-anywhere text-ink-soft">
          <UserText>{detail}</UserText>{" "}
          {(result === "WARN" || result === "FAIL") && <LearnMore code={name} />}
        </p>
        <CommentPlace place={{ type: "check", name }} name={title} />
      </div>
    </li>
  );
}

/** The checks that have no result yet. */
function Waiting({ done, isRunning }: { done: readonly EvidenceCheck[]; isRunning: boolean }) {
  const ended = new Set<string>(done.map(({ name }) => name));
  const Icon = isRunning ? LoaderCircle : CircleDashed;
  return CHECK_NAMES.filter((name) => !ended.has(name)).map((name) => (
    <li key={name} className="flex items-center gap-3 py-3 text-sm text-ink-faint first:pt-0 last:pb-0">
      <Icon
        aria-hidden
        className={`size-4 shrink-0 ${isRunning ? "animate-spin motion-reduce:animate-none" : ""}`}
      />
      {CHECK_TITLES[name]}
    </li>
  ));
}

const formatMs = (ms: number) => (ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`);

const listNames = (names: readonly string[]) => (names.length === 0 ? "none" : names.join(", "));

function EvidenceFacts({
  facts: { image, startMs, memoryBytes, calls },
  withImage = false,
}: {
  facts: NonNullable<EvidenceView["facts"]>;
  withImage?: boolean;
}) {
  const ran: [string, string][] =
    startMs === null
      ? []
      : [
          ["Healthy after", formatMs(startMs)],
          ["Memory after the calls", memoryBytes === null ? "not measured" : formatBytes(memoryBytes)],
          ["Sample calls", String(calls)],
        ];
  const described: [string, string][] =
    image === null || !withImage
      ? []
      : [
          ["Image", image.digest.slice(0, 19)],
          ["Image size", formatBytes(image.bytes)],
          [
            "Layers",
            image.sharedLayers === null
              ? String(image.layers)
              : `${image.layers}, ${image.sharedLayers} of them unchanged`,
          ],
          ["User", image.user === "" ? "none" : image.user],
          ["Exposed ports", listNames(image.exposedPorts)],
          ["Volumes", listNames(image.volumes)],
          ["Environment", listNames(image.environmentNames)],
        ];
  if (ran.length + described.length === 0) return null;
  return (
    <div className="border-t border-line pt-4 text-sm">
      <Facts facts={[...ran, ...described]} />
    </div>
  );
}
