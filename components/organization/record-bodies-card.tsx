"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { Card } from "@/components/ui/card";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { Switch } from "@/components/ui/toggles";
import { callApi } from "@/lib/client/api";

/** `recordBodies`: what is stored now. While a change is being saved, the switch already shows it. */
export function RecordBodiesCard({ recordBodies, mayChange }: { recordBodies: boolean; mayChange: boolean }) {
  const router = useRouter();
  const save = useMutation({
    mutationFn: (value: boolean) =>
      callApi("PUT", "/api/organization/settings", { body: { recordBodies: value } }),
    onSuccess: () => router.refresh(),
  });
  const shown = save.isPending || save.isSuccess ? save.variables : recordBodies;
  return (
    <Card title="Production calls">
      <div className="flex max-w-2xl flex-col gap-4">
        <Switch
          value={shown}
          onChange={(value) => save.mutate(value)}
          isDisabled={!mayChange}
          hint={mayChange ? undefined : "Only owners of your organization can change this."}
        >
          Record payloads and answers
        </Switch>
        <div className="flex flex-col gap-2 text-[13px] leading-5 text-ink-soft">
          <p>
            When this is on, the platform stores the first 16 KiB of what is sent to an app and of what it
            answers, and shows it in the Calls view. It helps to find out why an app fails, but payloads
            usually contain personal data of policyholders. Turn it off again when you no longer need it.
          </p>
          <p>
            Calls of Test Launches and test calls from the console are always recorded. For every call, the
            time, the status, the duration, the sizes and the reason of a failure are recorded. A change
            applies to new calls only, and is noted in the audit trail.
          </p>
        </div>
        <ProblemNotice error={save.error} />
      </div>
    </Card>
  );
}
