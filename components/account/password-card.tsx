"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useForm } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { FormPasswordField, lazyResolver } from "@/components/ui/form-fields";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { Toast } from "@/components/ui/toast";
import { callApi } from "@/lib/client/api";
import { showIssues, withoutShownIssues } from "@/lib/client/show-issues";
import type { PasswordChangeInput } from "@/lib/contract/account";

const EMPTY: PasswordChangeInput = { currentPassword: "", password: "" };

export function PasswordCard() {
  const router = useRouter();
  const { control, handleSubmit, reset, setError } = useForm<PasswordChangeInput>({
    resolver: lazyResolver(async () => (await import("@/lib/contract/account")).passwordChangeInput),
    defaultValues: EMPTY,
  });
  const change = useMutation({
    mutationFn: (input: PasswordChangeInput) => callApi("PUT", "/api/account/password", { body: input }),
    onSuccess: () => {
      reset();
      router.refresh();
    },
    onError: (error) => showIssues(error, EMPTY, setError),
  });
  return (
    <Card title="Password" description="Changing your password ends all your other sessions.">
      <form
        onSubmit={handleSubmit((input) => change.mutate(input))}
        noValidate
        method="post"
        className="flex max-w-xl flex-col gap-4"
      >
        <FormPasswordField
          control={control}
          name="currentPassword"
          label="Current password"
          autoComplete="current-password"
          isRequired
        />
        <FormPasswordField
          control={control}
          name="password"
          label="New password"
          hint="At least 10 characters. Several unrelated words work well."
          autoComplete="new-password"
          isRequired
        />
        <ProblemNotice error={withoutShownIssues(change.error, EMPTY)} />
        <div>
          <Button type="submit" isPending={change.isPending}>
            Change password
          </Button>
        </div>
      </form>
      <Toast isShown={change.isSuccess} onClose={change.reset}>
        Password changed. Your other sessions were ended.
      </Toast>
    </Card>
  );
}
