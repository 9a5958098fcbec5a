"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useForm } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { FormTextArea } from "@/components/ui/form-fields";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi } from "@/lib/client/api";
import { decisionInput, type Decision } from "@/lib/contract/listing";

const DECISION_BUTTONS = [
  { decision: "approve", text: "Approve", tone: "primary" },
  { decision: "return", text: "Request changes", tone: "secondary" },
  { decision: "reject", text: "Reject", tone: "danger" },
] as const satisfies { decision: Decision; text: string; tone: string }[];

export function DecisionForm({ reviewId, digest }: { reviewId: string; digest: string }) {
  const router = useRouter();
  const { control, handleSubmit, setValue } = useForm({
    resolver: zodResolver(decisionInput),
    defaultValues: { decision: "approve" as Decision, note: "" },
  });
  const decide = useMutation({
    mutationFn: (input: { decision: Decision; note: string }) =>
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
      description={`Approving verifies the image ${digest}: what runs is what you looked at.`}
    >
      <form onSubmit={(event) => event.preventDefault()} noValidate className="flex flex-col gap-4">
        <FormTextArea
          control={control}
          name="note"
          label="Note to the publisher"
          hint="Needed unless you approve. Say what to change."
        />
        <ProblemNotice error={decide.error} />
        <div className="grid grid-cols-2 gap-2">
          {DECISION_BUTTONS.map(({ decision, text, tone }) => (
            <Button
              key={decision}
              tone={tone}
              className={decision === "approve" ? "col-span-2" : ""}
              onPress={() => submitAs(decision)}
              isPending={(decide.isPending || decide.isSuccess) && decide.variables.decision === decision}
              isDisabled={decide.isPending || decide.isSuccess}
            >
              {text}
            </Button>
          ))}
        </div>
      </form>
    </Card>
  );
}
