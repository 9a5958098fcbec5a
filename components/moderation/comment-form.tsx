"use client";

import { useForm } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { FormTextArea, lazyResolver } from "@/components/ui/forms/form-fields";
import { ProblemNotice } from "@/components/ui/problem-notice";

interface CommentFormProps {
  label: string;
  submitText: string;
  /** What is edited; empty for a new comment. */
  initial?: string;
  /** Resolves once it is stored. */
  save: (body: string) => Promise<unknown>;
  error: unknown;
  isPending: boolean;
  /** Offers to close the form without saving. */
  onCancel?: () => void;
  autoFocus?: boolean;
}

/** Markdown. What was typed stays when it could not be stored. */
export function CommentForm(props: CommentFormProps) {
  const { label, submitText, initial = "", save, error, isPending, onCancel, autoFocus } = props;
  const { control, handleSubmit, reset } = useForm({
    resolver: lazyResolver(async () => (await import("@/lib/contract/moderation/review")).commentEdit),
    defaultValues: { body: initial },
  });
  return (
    <form
      noValidate
      className="flex flex-col gap-3"
      onSubmit={handleSubmit(({ body }) =>
        save(body).then(
          () => reset({ body: "" }),
          // The problem is shown below.
          () => undefined,
        ),
      )}
    >
      <FormTextArea
        control={control}
        name="body"
        label={label}
        hint="Markdown, without images."
        isRequired
        rows={3}
        autoFocus={autoFocus}
      />
      <ProblemNotice error={error} />
      <div className="flex gap-2">
        <Button type="submit" size="small" isPending={isPending}>
          {submitText}
        </Button>
        {onCancel !== undefined && (
          <Button size="small" tone="quiet" onPress={onCancel} isDisabled={isPending}>
            Cancel
          </Button>
        )}
      </div>
    </form>
  );
}
