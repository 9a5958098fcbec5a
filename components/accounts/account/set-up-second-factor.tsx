"use client";

import { useMutation } from "@tanstack/react-query";
import { useId } from "react";
import { useForm } from "react-hook-form";
import { encode } from "uqr";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { Dialog } from "@/components/ui/forms/dialog";
import { FormTextField, lazyResolver } from "@/components/ui/forms/form-fields";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi, showIssues, withoutShownIssues } from "@/lib/client/api";
import type { SecondFactorCodeInput, SecondFactorSetup } from "@/lib/contract/accounts/account";

interface SetUpDialogProps {
  isOpen: boolean;
  onOpenChange: (open: boolean) => void;
  setup: SecondFactorSetup;
  onDone: (recoveryCodes: string[]) => void;
}

const EMPTY: SecondFactorCodeInput = { code: "" };

/** The secret as a QR code and as text, and the first code that proves that the app has it. */
export function SetUpDialog({ isOpen, onOpenChange, setup, onDone }: SetUpDialogProps) {
  const formId = useId();
  const { control, handleSubmit, setError } = useForm<SecondFactorCodeInput>({
    resolver: lazyResolver(
      async () => (await import("@/lib/contract/accounts/account")).secondFactorCodeInput,
    ),
    defaultValues: EMPTY,
  });
  const confirm = useMutation({
    mutationFn: (input: SecondFactorCodeInput) =>
      callApi("PUT", "/api/account/second-factor", {
        body: input,
        answer: async () => (await import("@/lib/contract/accounts/account")).recoveryCodes,
      }),
    // The codes are in the mutation's result and must not outlive this dialog in the cache.
    gcTime: 0,
    onSuccess: ({ recoveryCodes }) => onDone(recoveryCodes),
    onError: (error) => showIssues(error, EMPTY, setError),
  });
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      isBusy={confirm.isPending}
      title="Set up two-factor sign-in"
      footer={
        <Button type="submit" form={formId} tone="primary" isPending={confirm.isPending}>
          Turn on
        </Button>
      }
    >
      <form
        id={formId}
        onSubmit={handleSubmit((input) => confirm.mutate(input))}
        noValidate
        method="post"
        className="flex flex-col gap-5"
      >
        <p>
          Scan this code with an authenticator app, such as 1Password, Google Authenticator or Microsoft
          Authenticator. Then enter the 6 digits that it shows.
        </p>
        <div className="flex flex-col gap-5 sm:flex-row">
          <QrCode text={setup.uri} label="QR code for the authenticator app" />
          <div className="min-w-0 flex-1">
            <p className="mb-1.5 text-small font-medium text-ink">Can&apos;t scan it? Enter this key</p>
            <CodeBlock label="Key" wrap code={setup.secret} />
          </div>
        </div>
        <FormTextField
          control={control}
          name="code"
          label="Code"
          autoComplete="one-time-code"
          mono
          isRequired
          className="max-w-48"
        />
        <ProblemNotice error={withoutShownIssues(confirm.error, EMPTY)} />
      </form>
    </Dialog>
  );
}

/** Dark on light in both themes, because cameras read it. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: "M", border: 3 });
  const path = data
    .flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join("");
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-48 shrink-0 rounded-field border border-line"
    >
      <rect width={size} height={size} fill="#ffffff" />
      <path d={path} fill="#000000" />
    </svg>
  );
}
