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
import type { Decision } from "@/lib/contract/catalog/listing";
import { useCommentChanges } from "./review-comments";

const DECISION_BUTTONS = [
  { decision: "approve", text: "Approve", tone: "primary" },
  { decision: "return", text: "Request changes", tone: "secondary" },
  { decision: "reject", text: "Reject", tone: "danger" },
] as const satisfies { decision: Decision; text: string; tone: string }[];

interface DecisionValues {
  decision: Decision;
  note?: string;
}

const NOTHING: DecisionValues = { decision: "approve", note: "" };

interface DecisionFormProps {
  reviewId: string;
  /** The listing's title. */
  title: string;
  /** Null for a review of only the text. */
  version: { number: string; imageDigest: string } | null;
  /** The listing is a draft, which an approval makes public. */
  publishes: boolean;
  /** Why it can't be decided here anymore, such as a claim of somebody else. */
  refusal?: string;
}

/** Stays on the page with what was typed, even if somebody else decides first. */
export function DecisionForm({ reviewId, title, version, publishes, refusal }: DecisionFormProps) {
  const [isAsking, setAsking] = useState(false);
  const router = useRouter();
  const { control, handleSubmit, setValue, reset } = useForm<DecisionValues>({
    resolver: lazyResolver(async () => (await import("@/lib/contract/catalog/listing")).decisionInput),
    defaultValues: NOTHING,
  });
  const note = useWatch({ control, name: "note" }) ?? "";
  const decide = useMutation({
    mutationFn: (input: DecisionValues) =>
      callApi("POST", `/api/reviews/${reviewId}/decision`, { body: input }),
    onSettled: () => router.refresh(),
  });
  const submitAs = (decision: Decision) => {
    setValue("decision", decision);
    void handleSubmit((input) => decide.mutate(input))();
  };
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
          : `If you approve, exactly this image runs: ${version.imageDigest.slice(0, 19)}.`
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
        <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,8rem),1fr))] gap-2">
          {DECISION_BUTTONS.map(({ decision, text, tone }) => (
            <Button
              key={decision}
              tone={tone}
              className={decision === "approve" ? "col-span-full" : ""}
              onPress={() => (decision === "approve" ? setAsking(true) : submitAs(decision))}
              isPending={(decide.isPending || decide.isSuccess) && decide.variables.decision === decision}
              isDisabled={decide.isPending || decide.isSuccess}
            >
              {text}
            </Button>
          ))}
        </div>
      </form>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setAsking}
        title={`Approve ${version === null ? "the text" : `version ${version.number}`} of ${title}?`}
        confirmText={publishes ? "Approve and publish" : "Approve"}
        tone="primary"
        onConfirm={() => {
          setAsking(false);
          submitAs("approve");
        }}
      >
        {version === null
          ? "Everyone sees this text from now on."
          : publishes
            ? "This publishes the app to everyone: every organization on this platform can find it and launch this version."
            : "Every organization on this platform can launch this version, and customers of earlier versions are offered the upgrade."}{" "}
        An approval can&apos;t be undone.
      </ConfirmDialog>
    </Card>
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
