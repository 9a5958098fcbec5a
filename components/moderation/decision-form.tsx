"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { FormTextArea, lazyResolver } from "@/components/ui/forms/form-fields";
import { ConfirmDialog } from "@/components/ui/forms/lazy-code";
import { Notice } from "@/components/ui/notice";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi } from "@/lib/client/api";
import type { Decision, ListingVisibility } from "@/lib/contract/catalog/listing";
import { CHECK_NAMES } from "@/lib/contract/moderation/check-names";
import type { CheckResult, EvidenceView } from "@/lib/contract/moderation/review";
import { AUDIENCES } from "@/lib/domain/catalog/access";
import { CHECK_TITLES } from "@/lib/domain/moderation/verdict";
import { isUnderWay, useEvidence } from "./evidence-panel";
import { useCommentChanges } from "./review-comments";

const DECISION_BUTTONS = [
  { decision: "approve", text: "Approve", tone: "primary" },
  { decision: "return", text: "Request changes", tone: "secondary" },
  { decision: "reject", text: "Reject", tone: "quiet" },
] as const satisfies { decision: Decision; text: string; tone: string }[];

interface DecisionValues {
  decision: Decision;
  note?: string;
  unchecked?: boolean;
}

const NOTHING: DecisionValues = { decision: "approve", note: "" };

interface DecisionFormProps {
  reviewId: string;
  /** The listing's title. */
  title: string;
  /** Null for a review of only the text. */
  version: { number: string; imageDigest: string; isExample: boolean } | null;
  /** What the automatic checks found when the page was drawn. */
  evidence: EvidenceView | null;
  /** The listing is a draft, which an approval makes public. */
  publishes: boolean;
  visibility: ListingVisibility;
  /** Why it can't be decided here anymore, such as a claim of somebody else. */
  refusal?: string;
}

/** Stays on the page with what was typed, even if somebody else decides first. */
export function DecisionForm(props: DecisionFormProps) {
  const { reviewId, title, version, publishes, visibility, refusal } = props;
  const [asking, setAsking] = useState<"approve" | "reject">();
  const evidence = useEvidence(reviewId, props.evidence, version !== null && refusal === undefined);
  const router = useRouter();
  const { control, handleSubmit, setValue, reset, trigger } = useForm<DecisionValues>({
    resolver: lazyResolver(async () => (await import("@/lib/contract/catalog/listing")).decisionInput),
    defaultValues: NOTHING,
  });
  const note = useWatch({ control, name: "note" }) ?? "";
  const decide = useMutation({
    mutationFn: (input: DecisionValues) =>
      callApi("POST", `/api/reviews/${reviewId}/decision`, { body: input }),
    onSettled: () => router.refresh(),
  });
  const isUnchecked = isUnderWay(evidence);
  const submitAs = (decision: Decision) => {
    setAsking(undefined);
    setValue("decision", decision);
    setValue("unchecked", decision === "approve" && isUnchecked ? true : undefined);
    void handleSubmit((input) => decide.mutate(input))();
  };
  const begin = async (decision: Decision) => {
    setValue("decision", decision);
    // A note that is missing is said at its field, before anybody is asked anything.
    if (decision === "return") submitAs(decision);
    else if (await trigger(undefined, { shouldFocus: true })) setAsking(decision);
  };
  const what = version === null ? "the text" : `version ${version.number}`;
  if (refusal !== undefined) {
    if (decide.isSuccess || (note === "" && !decide.isError)) return null;
    return (
      <Notice
        tone="warning"
        title={decide.isError ? "Your decision was not recorded" : "Your note was not sent"}
      >
        {refusal}
        {note !== "" && (
          <UnsentNote
            note={note}
            onDone={() => {
              reset(NOTHING);
              decide.reset();
            }}
          />
        )}
      </Notice>
    );
  }
  return (
    <Card
      title="Decision"
      description={
        version === null
          ? "If you approve, this text replaces the public one."
          : `If you approve, exactly ${version.isExample ? "these files run" : "this image runs"}: ${version.imageDigest.slice(0, 19)}.`
      }
    >
      <form onSubmit={(event) => event.preventDefault()} noValidate className="flex flex-col gap-4">
        <FormTextArea
          control={control}
          name="note"
          label="Note to the publisher"
          hint="Required to request changes or reject."
        />
        <ProblemNotice error={decide.error} />
        {isUnchecked && (
          <p role="status" className="text-small leading-5 text-ink-soft">
            The automatic checks are running: {evidence?.checks.length ?? 0} of {CHECK_NAMES.length} have
            finished. Wait for their results before you approve.
          </p>
        )}
        <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,8rem),1fr))] gap-2">
          {DECISION_BUTTONS.map(({ decision, text, tone }) => (
            <Button
              key={decision}
              tone={decision === "approve" && isUnchecked ? "secondary" : tone}
              className={decision === "approve" ? "col-span-full" : ""}
              onPress={() => void begin(decision)}
              isPending={(decide.isPending || decide.isSuccess) && decide.variables.decision === decision}
              isDisabled={decide.isPending || decide.isSuccess}
            >
              {text}
            </Button>
          ))}
        </div>
      </form>
      <ConfirmDialog
        isOpen={asking === "reject"}
        onOpenChange={() => setAsking(undefined)}
        title={`Reject ${what} of ${title}?`}
        confirmText="Reject"
        onConfirm={() => submitAs("reject")}
      >
        {version === null
          ? "The public text stays as it is."
          : "The publisher can't submit the same image and manifest again."}{" "}
        If something only needs to change, request changes instead.
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={asking === "approve"}
        onOpenChange={() => setAsking(undefined)}
        title={`Approve ${what} of ${title}?`}
        confirmText={
          isUnchecked ? "Approve without the checks" : publishes ? "Approve and publish" : "Approve"
        }
        tone="primary"
        onConfirm={() => submitAs("approve")}
      >
        <UncheckedList evidence={version === null ? undefined : evidence} />
        {version === null
          ? `${AUDIENCES[visibility]} can see this text from now on.`
          : publishes
            ? `This publishes the app. ${AUDIENCES[visibility]} can see it and launch this version.`
            : `${AUDIENCES[visibility]} can launch this version, and customers of earlier versions are offered the upgrade.`}{" "}
        {visibility !== "EVERYONE" && "The publisher can show it to everyone later without another review. "}
        An approval can&apos;t be undone.
      </ConfirmDialog>
    </Card>
  );
}

/** What an approval goes without: checks that failed, were skipped, or have not finished. Undefined: there are none of a text. */
function UncheckedList({ evidence }: { evidence: EvidenceView | null | undefined }) {
  if (evidence === undefined) return null;
  const checks = evidence?.checks ?? [];
  const titles = (result: CheckResult) =>
    checks.filter((check) => check.result === result).map(({ title }) => title);
  const open = CHECK_NAMES.filter((name) => checks.every((check) => check.name !== name));
  const lists = [
    ["Failed", titles("FAIL")],
    ["Skipped", titles("SKIPPED")],
    [isUnderWay(evidence) ? "Not finished" : "Not checked", open.map((name) => CHECK_TITLES[name])],
  ] as const;
  const shown = lists.filter(([, names]) => names.length > 0);
  if (shown.length === 0) return null;
  return (
    <span className="mb-3 block">
      {shown.map(([what, names]) => (
        <span key={what} className="block">
          <strong className="font-medium text-ink">
            {what} ({names.length}):
          </strong>{" "}
          {names.join(", ")}
        </span>
      ))}
    </span>
  );
}

/** What was typed for a decision that somebody else made. The publisher can still get it as a comment. */
function UnsentNote({ note, onDone }: { note: string; onDone: () => void }) {
  const { write } = useCommentChanges();
  return (
    <div className="mt-3 flex flex-col gap-3">
      <p className="rounded-field border border-line bg-surface px-3 py-2 wrap-anywhere whitespace-pre-wrap text-ink">
        {note}
      </p>
      <ProblemNotice error={write.error} />
      <div className="flex flex-wrap gap-2">
        <Button
          size="small"
          isPending={write.isPending}
          onPress={() => write.mutate({ body: note }, { onSuccess: onDone })}
        >
          Send as a comment
        </Button>
        <Button size="small" tone="quiet" isDisabled={write.isPending} onPress={onDone}>
          Discard
        </Button>
      </div>
    </div>
  );
}
