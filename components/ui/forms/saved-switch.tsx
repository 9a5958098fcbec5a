"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import type { ReactNode } from "react";
import { callApi } from "@/lib/client/api";
import { ProblemNotice } from "../problem-notice";
import { Switch } from "./toggles";

interface SavedSwitchProps {
  label: string;
  /** What is stored now. While a change is being saved, the switch already shows it. */
  value: boolean;
  /** The user is an owner. */
  mayChange: boolean;
  /** Where a change is sent with PUT. */
  path: string;
  toBody: (value: boolean) => object;
  /** What it does: text, or paragraphs. */
  children: ReactNode;
}

/** A setting of the organization that is on or off, saved as soon as it changes. */
export function SavedSwitch({ label, value, mayChange, path, toBody, children }: SavedSwitchProps) {
  const router = useRouter();
  const save = useMutation({
    mutationFn: (chosen: boolean) => callApi("PUT", path, { body: toBody(chosen) }),
    onSuccess: () => router.refresh(),
  });
  return (
    <div className="flex max-w-2xl flex-col gap-2">
      <Switch
        value={save.isPending || save.isSuccess ? save.variables : value}
        onChange={(chosen) => save.mutate(chosen)}
        isDisabled={!mayChange}
        hint={mayChange ? undefined : "Only owners of your organization can change this."}
      >
        {label}
      </Switch>
      <div className="flex flex-col gap-2 text-small leading-5 text-ink-soft">{children}</div>
      <ProblemNotice error={save.error} />
    </div>
  );
}
