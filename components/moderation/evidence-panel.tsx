"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import {
  ChevronRight,
  CircleAlert,
  CircleCheck,
  CircleDashed,
  LoaderCircle,
  RotateCw,
  TriangleAlert,
} from "lucide-react";
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
import { useConversation } from "./review-comments";

const LIVE_MS = 1_500;

interface EvidencePanelProps {
  reviewId: string;
  /** As the page was rendered. */
  initial: EvidenceView | null;
  /** The review waits for a decision. */
  isOpen: boolean;
  /** This reader may run the checks again: a moderator who may decide, while no other has claimed it. */
  mayRun?: boolean;
  /** Includes the image's details, where no other card shows them. */
  withImage?: boolean;
}

const pathOf = (reviewId: string) => `/api/reviews/${reviewId}/evidence`;
const keyOf = (reviewId: string) => ["evidence", reviewId];

/** What the checks of a review found so far, for every part of the page that needs it. */
export function useEvidence(
  reviewId: string,
  initial: EvidenceView | null,
  enabled = true,
): EvidenceView | null {
  const { data } = useQuery({
    queryKey: keyOf(reviewId),
    queryFn: ({ signal }) =>
      callApi("GET", pathOf(reviewId), {
        answer: async () => (await import("@/lib/contract/moderation/review")).evidenceAnswer,
        signal,
      }),
    initialData: { evidence: initial },
    enabled,
    refetchInterval: ({ state }) => (isUnderWay(state.data?.evidence) ? LIVE_MS : false),
  });
  return data.evidence;
}

/** What the automatic checks of a version found, live while they run. */
export function EvidencePanel({ reviewId, initial, isOpen, mayRun = false, withImage }: EvidencePanelProps) {
  const client = useQueryClient();
  const evidence = useEvidence(reviewId, initial);
  const run = useMutation({
    mutationFn: () => callApi("POST", pathOf(reviewId)),
    onSettled: () => client.invalidateQueries({ queryKey: keyOf(reviewId) }),
  });
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
            {(isRunning ? evidence.checks : evidence.checks.toSorted(worstFirst)).map((check) => (
              <Check key={`${check.name} ${check.result}`} check={check} />
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

const WORST_FIRST = ["FAIL", "WARN", "PASS", "SKIPPED"] as const satisfies CheckResult[];

/** Once nothing moves anymore, what has to be read comes first. */
function worstFirst(one: EvidenceCheck, other: EvidenceCheck): number {
  return WORST_FIRST.indexOf(one.result) - WORST_FIRST.indexOf(other.result);
}

export function isUnderWay(evidence: EvidenceView | null | undefined): boolean {
  return evidence?.state === "QUEUED" || evidence?.state === "RUNNING";
}

function State({ evidence, isWorkerAway }: { evidence: EvidenceView | null; isWorkerAway: boolean }) {
  if (evidence === null) return "This version was not checked.";
  if (isWorkerAway && isUnderWay(evidence))
    return `The platform's worker is unavailable. The checks continue when it is back: ${evidence.checks.length} of ${CHECK_NAMES.length} have finished.`;
  if (evidence.state === "QUEUED") return "Waiting to start. The checks take a few minutes.";
  if (evidence.state === "RUNNING")
    return `Running: ${evidence.checks.length} of ${CHECK_NAMES.length} checks have finished.`;
  if (evidence.state === "CANCELED")
    return evidence.checks.length === 0
      ? "Canceled, because the review ended before any check finished."
      : `Canceled, because the review ended after ${evidence.checks.length} of ${CHECK_NAMES.length} checks.`;
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

/** What passed is one line, which opens; what has to be read is open, as is what somebody commented on. */
function Check({ check: { name, result, title, detail, ms } }: { check: EvidenceCheck }) {
  const { threads } = useConversation();
  const { icon: Icon, color, text } = RESULTS[result];
  const isBad = result === "WARN" || result === "FAIL";
  const isDiscussed = threads.some(({ root }) => root.anchor?.name === name);
  return (
    <li>
      <details open={isBad || isDiscussed} className="group py-1">
        <summary className="-mx-2 flex min-h-8 cursor-pointer list-none items-center gap-3 rounded-field px-2 py-1 hover:bg-hover [&::-webkit-details-marker]:hidden">
          <Icon aria-hidden className={`size-4 shrink-0 ${color}`} />
          <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3">
            <span className="text-sm font-medium text-ink">{title}</span>
            <span className={`text-small ${color}`}>{text}</span>
          </span>
          {result !== "SKIPPED" && (
            <span className="text-small text-ink-faint tabular-nums max-sm:hidden">{formatMs(ms)}</span>
          )}
          <ChevronRight
            aria-hidden
            className="size-4 shrink-0 text-ink-faint transition-transform group-open:rotate-90"
          />
        </summary>
        <div className="pb-2 pl-7">
          <p className="max-w-prose text-sm leading-6 wrap-anywhere text-ink-soft">
            <UserText>{detail}</UserText> {isBad && <LearnMore code={name} />}
          </p>
          <CommentPlace place={{ type: "check", name }} name={title} />
        </div>
      </details>
    </li>
  );
}

/** The checks that have no result yet. */
function Waiting({ done, isRunning }: { done: readonly EvidenceCheck[]; isRunning: boolean }) {
  const ended = new Set<string>(done.map(({ name }) => name));
  const Icon = isRunning ? LoaderCircle : CircleDashed;
  return CHECK_NAMES.filter((name) => !ended.has(name)).map((name) => (
    <li key={name} className="flex min-h-10 items-center gap-3 py-1 text-sm text-ink-faint">
      <Icon
        aria-hidden
        className={`size-4 shrink-0 ${isRunning ? "animate-spin motion-reduce:animate-none" : ""}`}
      />
      {CHECK_TITLES[name]}
    </li>
  ));
}

const formatMs = (ms: number) => (ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`);

/** An image with so many names may hide one. */
const listUnlisted = (count = 0): [string, string][] =>
  count === 0 ? [] : [["Not listed", `${count.toLocaleString("en-US")} more of these names`]];

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
          ...listUnlisted(image.unlisted),
        ];
  if (ran.length + described.length === 0) return null;
  return (
    <div className="border-t border-line pt-4 text-sm">
      <Facts facts={[...ran, ...described]} />
    </div>
  );
}
