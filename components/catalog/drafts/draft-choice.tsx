"use client";

import { useMutation } from "@tanstack/react-query";
import { type ComponentType, type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/forms/lazy-code";
import { Notice } from "@/components/ui/notice";
import { ProblemNotice } from "@/components/ui/problem-notice";

/** As the view of differences takes them. */
export interface ComparedTexts {
  before: string;
  after: string;
  beforeLabel: string;
  afterLabel: string;
}

type ShownDifference = ComparedTexts & { title: string };

interface DraftChoiceProps {
  Difference: ComponentType<ComparedTexts>;
  tone?: "warning";
  title: ReactNode;
  children: ReactNode;
  takeLabel: string;
  keepLabel: string;
  canMerge: boolean;
  actions: Record<"take" | "keep" | "merge", () => void | Promise<void>> & {
    compare: () => ShownDifference | Promise<ShownDifference>;
  };
}

/** Two versions of a draft: see the differences, keep either one, or merge them. */
export function DraftChoice(props: DraftChoiceProps) {
  const { Difference, tone, title, children, takeLabel, keepLabel, canMerge, actions } = props;
  const [shown, setShown] = useState<ShownDifference>();
  const { isPending, variables, mutate, error } = useMutation({
    // Conflicts can be resolved offline.
    networkMode: "always",
    mutationFn: async (action: keyof typeof actions) => {
      if (action === "compare") setShown(await actions.compare());
      else await actions[action]();
    },
  });
  const button = (action: keyof typeof actions, label: string, isAvailable = true) => (
    <Button
      size="small"
      tone={action === "merge" ? "primary" : undefined}
      isPending={isPending && variables === action}
      isDisabled={!isAvailable || (isPending && variables !== action)}
      onPress={() => mutate(action)}
    >
      {label}
    </Button>
  );
  return (
    <Notice
      tone={tone}
      className="mb-4"
      title={title}
      actions={
        <>
          {button("compare", "See differences")}
          {button("take", takeLabel)}
          {button("keep", keepLabel)}
          {button("merge", "Merge", canMerge)}
        </>
      }
    >
      {children}
      <ProblemNotice className="mt-3" error={error} />
      <Dialog
        isOpen={shown !== undefined}
        onOpenChange={() => setShown(undefined)}
        title={shown?.title ?? ""}
        width="full"
      >
        {shown !== undefined && <Difference {...shown} />}
      </Dialog>
    </Notice>
  );
}
