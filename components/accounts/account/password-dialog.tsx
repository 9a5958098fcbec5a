"use client";

import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useId } from "react";
import { useForm } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/forms/dialog";
import { FormPasswordField, lazyResolver } from "@/components/ui/forms/form-fields";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { showIssues, withoutShownIssues } from "@/lib/client/api";
import type { ConfirmPasswordInput } from "@/lib/contract/accounts/account";

interface PasswordDialogProps {
  isOpen: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** What will happen. */
  children: ReactNode;
  confirmText: string;
  tone?: "primary" | "danger";
  /** Rejects with the problem to show. */
  onConfirm: (input: ConfirmPasswordInput) => Promise<void>;
}

const EMPTY: ConfirmPasswordInput = { currentPassword: "" };

/** A change of an account's security needs the current password, so that an open browser is not enough. */
export function PasswordDialog(props: PasswordDialogProps) {
  const { isOpen, onOpenChange, title, children, confirmText, tone = "primary", onConfirm } = props;
  const formId = useId();
  const { control, handleSubmit, setError, reset } = useForm<ConfirmPasswordInput>({
    resolver: lazyResolver(
      async () => (await import("@/lib/contract/accounts/account")).confirmPasswordInput,
    ),
    defaultValues: EMPTY,
  });
  const confirm = useMutation({
    mutationFn: onConfirm,
    onSuccess: () => reset(),
    onError: (error) => showIssues(error, EMPTY, setError),
  });
  const close = (open: boolean) => {
    reset();
    confirm.reset();
    onOpenChange(open);
  };
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={close}
      isBusy={confirm.isPending}
      title={title}
      width="small"
      footer={
        <>
          <Button onPress={() => close(false)} isDisabled={confirm.isPending}>
            Cancel
          </Button>
          <Button type="submit" form={formId} tone={tone} isPending={confirm.isPending}>
            {confirmText}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        onSubmit={handleSubmit((input) => confirm.mutate(input))}
        noValidate
        method="post"
        className="flex flex-col gap-4"
      >
        <div>{children}</div>
        <FormPasswordField
          control={control}
          name="currentPassword"
          label="Current password"
          autoComplete="current-password"
          autoFocus
          isRequired
        />
        <ProblemNotice error={withoutShownIssues(confirm.error, EMPTY)} />
      </form>
    </Dialog>
  );
}
