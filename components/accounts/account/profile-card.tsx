"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { FormPasswordField, FormTextField, lazyResolver } from "@/components/ui/forms/form-fields";
import { Notice } from "@/components/ui/notice";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi, showIssues, withoutShownIssues } from "@/lib/client/api";
import type { EmailChangeInput, ProfileInput } from "@/lib/contract/accounts/account";

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
    resolver: lazyResolver(async () => (await import("@/lib/contract/accounts/account")).profileInput),
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

const EMPTY: EmailChangeInput = { email: "", currentPassword: "" };

/** The address, and the form that changes it once it is asked for. */
function EmailForm({ email, sendsMail }: { email: string; sendsMail: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const [pending, setPending] = useState<string>();
  return (
    <div className="flex flex-col gap-3 border-t border-line pt-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0">
          <p className="text-small font-medium text-ink">Email</p>
          <p className="text-sm wrap-anywhere text-ink-soft">{email}</p>
        </div>
        {!isOpen && <Button onPress={() => setOpen(true)}>Change email</Button>}
      </div>
      {pending !== undefined && (
        <Notice tone="success" title="Check your email">
          We sent a link to {pending}. Open it to confirm the new address.
        </Notice>
      )}
      {isOpen && (
        <ChangeForm
          sendsMail={sendsMail}
          onCancel={() => setOpen(false)}
          onDone={(mailedTo) => {
            setPending(mailedTo);
            setOpen(false);
          }}
        />
      )}
    </div>
  );
}

interface ChangeFormProps {
  sendsMail: boolean;
  onCancel: () => void;
  /** `mailedTo`: the address that has to be confirmed first. */
  onDone: (mailedTo: string | undefined) => void;
}

function ChangeForm({ sendsMail, onCancel, onDone }: ChangeFormProps) {
  const router = useRouter();
  const { control, handleSubmit, setError } = useForm<EmailChangeInput>({
    resolver: lazyResolver(async () => (await import("@/lib/contract/accounts/account")).emailChangeInput),
    defaultValues: EMPTY,
  });
  const change = useMutation({
    mutationFn: (input: EmailChangeInput) =>
      callApi("POST", "/api/account/email", {
        body: input,
        answer: async () => (await import("@/lib/contract/accounts/account")).mailOutcome,
      }),
    onSuccess: ({ outcome }, { email }) => {
      router.refresh();
      onDone(outcome === "MAILED" ? email : undefined);
    },
    onError: (error) => showIssues(error, EMPTY, setError),
  });
  return (
    <form
      onSubmit={handleSubmit((input) => change.mutate(input))}
      noValidate
      method="post"
      className="flex flex-col gap-4"
    >
      <FormTextField
        control={control}
        name="email"
        label="New email"
        type="email"
        hint={
          sendsMail
            ? "We'll send a confirmation link to this address."
            : "The change takes effect immediately."
        }
        autoComplete="email"
        autoFocus
        isRequired
      />
      <FormPasswordField
        control={control}
        name="currentPassword"
        label="Current password"
        autoComplete="current-password"
        isRequired
      />
      <ProblemNotice error={withoutShownIssues(change.error, EMPTY)} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" tone="primary" isPending={change.isPending}>
          {sendsMail ? "Send confirmation" : "Change email"}
        </Button>
        <Button onPress={onCancel} isDisabled={change.isPending}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
