"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { FormTextArea, lazyResolver } from "@/components/ui/form-fields";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi } from "@/lib/client/api";
import type { Decision } from "@/lib/contract/listing";

const DECISION_BUTTONS = [
  { decision: "approve", text: "Approve", tone: "primary" },
  { decision: "return", text: "Request changes", tone: "secondary" },
  { decision: "reject", text: "Reject", tone: "danger" },
] as const satisfies { decision: Decision; text: string; tone: string }[];

interface DecisionValues {
  decision: Decision;
  note?: string;
}

interface DecisionFormProps {
  reviewId: string;
  /** The listing's title. */
  title: string;
  /** Null for a review of the text alone. */
  version: { number: string; imageDigest: string } | null;
  /** The listing is a draft, which an approval makes public. */
  publishes: boolean;
}

export function DecisionForm({ reviewId, title, version, publishes }: DecisionFormProps) {
  const [isAsking, setAsking] = useState(false);
  const router = useRouter();
  const { control, handleSubmit, setValue } = useForm<DecisionValues>({
    resolver: lazyResolver(async () => (await import("@/lib/contract/listing")).decisionInput),
    defaultValues: { decision: "approve", note: "" },
  });
  const decide = useMutation({
    mutationFn: (input: DecisionValues) =>
      callApi("POST", `/api/reviews/${reviewId}/decision`, { body: input }),
    onSettled: () => router.refresh(),
  });
  const submitAs = (decision: Decision) => {
    setValue("decision", decision);
    void handleSubmit((input) => decide.mutate(input))();
  };
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
        <div className="grid grid-cols-2 gap-2">
          {DECISION_BUTTONS.map(({ decision, text, tone }) => (
            <Button
              key={decision}
              tone={tone}
              className={decision === "approve" ? "col-span-2" : ""}
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
