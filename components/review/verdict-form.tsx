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
import { verdictInput, type Verdict } from "@/lib/contract/listing";

const VERDICT_BUTTONS = [
  { verdict: "approve", text: "Approve", tone: "primary" },
  { verdict: "return", text: "Request changes", tone: "secondary" },
  { verdict: "reject", text: "Reject", tone: "danger" },
] as const satisfies { verdict: Verdict; text: string; tone: string }[];

export function VerdictForm({ reviewId, digest }: { reviewId: string; digest: string }) {
  const router = useRouter();
  const { control, handleSubmit, setValue } = useForm({
    resolver: zodResolver(verdictInput),
    defaultValues: { verdict: "approve" as Verdict, note: "" },
  });
  const decide = useMutation({
    mutationFn: (input: { verdict: Verdict; note: string }) =>
      callApi("POST", `/api/reviews/${reviewId}/verdict`, { body: input }),
    onSettled: () => router.refresh(),
  });
  const submitAs = (verdict: Verdict) => {
    setValue("verdict", verdict);
    void handleSubmit((input) => decide.mutate(input))();
  };
  return (
    <Card
      title="Verdict"
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
          {VERDICT_BUTTONS.map(({ verdict, text, tone }) => (
            <Button
              key={verdict}
              tone={tone}
              className={verdict === "approve" ? "col-span-2" : ""}
              onPress={() => submitAs(verdict)}
              isPending={(decide.isPending || decide.isSuccess) && decide.variables.verdict === verdict}
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
