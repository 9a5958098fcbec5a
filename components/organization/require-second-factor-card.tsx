"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { Card } from "@/components/ui/card";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { Switch } from "@/components/ui/toggles";
import { callApi } from "@/lib/client/api";

/** `required`: what applies now. While a change is being saved, the switch already shows it. */
export function RequireSecondFactorCard({ required, mayChange }: { required: boolean; mayChange: boolean }) {
  const router = useRouter();
  const save = useMutation({
    mutationFn: (value: boolean) =>
      callApi("PUT", "/api/organization/second-factor", { body: { required: value } }),
    onSuccess: () => router.refresh(),
  });
  const shown = save.isPending || save.isSuccess ? save.variables : required;
  return (
    <Card title="Sign-in">
      <div className="flex max-w-2xl flex-col gap-4">
        <Switch
          value={shown}
          onChange={(value) => save.mutate(value)}
          isDisabled={!mayChange}
          hint={mayChange ? undefined : "Only owners of your organization can change this."}
        >
          Require two-factor sign-in
        </Switch>
        <p className="text-[13px] leading-5 text-ink-soft">
          When this is on, members who sign in with a password must set up two-factor sign-in before they can
          open any page of the organization. Members who use single sign-on follow the rules of its provider.
        </p>
        <ProblemNotice error={save.error} />
      </div>
    </Card>
  );
}
