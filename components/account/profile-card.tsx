"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useForm } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { FormTextField, lazyResolver } from "@/components/ui/form-fields";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi } from "@/lib/client/api";
import { showIssues, withoutShownIssues } from "@/lib/client/show-issues";
import type { ProfileInput } from "@/lib/contract/account";
import { EmailForm } from "./email-form";

interface ProfileCardProps {
  name: string;
  email: string;
  /** A new address is confirmed by an email to it. */
  sendsMail: boolean;
}

export function ProfileCard({ name, email, sendsMail }: ProfileCardProps) {
  return (
    <Card title="Profile" description="Other members of your organization see your name and email address.">
      <div className="flex max-w-xl flex-col gap-6">
        <NameForm name={name} />
        <EmailForm email={email} sendsMail={sendsMail} />
      </div>
    </Card>
  );
}

function NameForm({ name }: { name: string }) {
  const router = useRouter();
  const { control, handleSubmit, setError, formState } = useForm<ProfileInput>({
    resolver: lazyResolver(async () => (await import("@/lib/contract/account")).profileInput),
    values: { name },
    resetOptions: { keepDirtyValues: true },
  });
  const save = useMutation({
    mutationFn: (input: ProfileInput) => callApi("PUT", "/api/account", { body: input }),
    onSuccess: () => router.refresh(),
    onError: (error) => showIssues(error, { name }, setError),
  });
  return (
    <form
      onSubmit={handleSubmit((input) => save.mutate(input))}
      noValidate
      method="post"
      className="flex flex-col gap-3"
    >
      <div className="flex flex-col gap-3 sm:flex-row sm:items-start">
        <FormTextField
          control={control}
          name="name"
          label="Name"
          autoComplete="name"
          isRequired
          className="flex-1"
        />
        <Button
          type="submit"
          isPending={save.isPending}
          isDisabled={!formState.isDirty}
          className="self-start sm:mt-7.5"
        >
          Save name
        </Button>
      </div>
      <ProblemNotice error={withoutShownIssues(save.error, { name })} />
    </form>
  );
}
